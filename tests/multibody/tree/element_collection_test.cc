#include "wyvern/multibody/tree/element_collection.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::multibody::internal {
namespace {

struct Part {
  const std::string& name() const { return name_; }
  ModelInstanceIndex model_instance() const { return instance_; }
  std::string name_;
  ModelInstanceIndex instance_;
};

using Parts = ElementCollection<Part, BodyIndex>;

std::string NameOfInstance(ModelInstanceIndex instance) {
  return "m" + std::to_string(static_cast<int>(instance));
}

Part& Add(const std::string& name, int instance, Parts* parts) {
  return parts->Add(
      std::make_unique<Part>(Part{name, ModelInstanceIndex(instance)}));
}

TEST(ElementCollection, FindsNamesInTheirInstance) {
  Parts parts("MultibodyPlant", "body");
  const Part& a2 = Add("a", 2, &parts);
  const Part& a1 = Add("a", 1, &parts);
  const Part& b1 = Add("b", 1, &parts);
  EXPECT_EQ(parts.Find("a", ModelInstanceIndex(1)), &a1);
  EXPECT_EQ(parts.Find("a", ModelInstanceIndex(2)), &a2);
  EXPECT_EQ(parts.Find("a", ModelInstanceIndex(3)), nullptr);
  EXPECT_EQ(parts.Find("c", ModelInstanceIndex(1)), nullptr);
  EXPECT_EQ(parts.CountNamed("a"), 2);
  EXPECT_EQ(parts.CountNamed("c"), 0);
  EXPECT_EQ(parts.FindUnique("b", NameOfInstance), &b1);
  EXPECT_EQ(parts.FindUnique("c", NameOfInstance), nullptr);
  EXPECT_THROWS_MESSAGE(parts.FindUnique("a", NameOfInstance), std::logic_error,
                        "m1");
  EXPECT_EQ(&parts.GetByName("a", ModelInstanceIndex(2), NameOfInstance), &a2);
  EXPECT_THROWS_MESSAGE(
      parts.GetByName("b", ModelInstanceIndex(2), NameOfInstance),
      std::logic_error, "m2");
}

TEST(ElementCollection, ForgetsTheNamesOfRemovedElements) {
  Parts parts("MultibodyPlant", "body");
  const Part& a1 = Add("a", 1, &parts);
  Add("a", 2, &parts);
  parts.Remove(BodyIndex(1));
  EXPECT_EQ(parts.Find("a", ModelInstanceIndex(2)), nullptr);
  EXPECT_EQ(parts.FindUnique("a", NameOfInstance), &a1);
  parts.Remove(BodyIndex(0));
  EXPECT_EQ(parts.FindUnique("a", NameOfInstance), nullptr);
  EXPECT_EQ(parts.num(), 0);
  Part& again = Add("a", 1, &parts);
  EXPECT_EQ(parts.Find("a", ModelInstanceIndex(1)), &again);
  EXPECT_EQ(parts.indices().at(0), BodyIndex(2));
}

}  // namespace
}  // namespace wyvern::multibody::internal
