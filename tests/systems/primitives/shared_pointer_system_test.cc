#include "wyvern/systems/primitives/shared_pointer_system.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace {

TEST(SharedPointerSystem, KeepsTheObjectAliveAsLongAsTheDiagram) {
  auto object = std::make_shared<std::string>("wing");
  const std::weak_ptr<std::string> watch = object;
  DiagramBuilder<double> builder;
  const std::string* held =
      SharedPointerSystem<double>::AddToBuilder(&builder, std::move(object));
  auto diagram = builder.Build();
  EXPECT_EQ(*held, "wing");
  EXPECT_FALSE(watch.expired());
  diagram.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(SharedPointerSystem, SharesTheObjectWithItsConversions) {
  const SharedPointerSystem<double> system(std::make_unique<int>(3));
  const auto converted = System<double>::ToAutoDiffXd(system);
  EXPECT_EQ(converted->get<int>(), system.get<int>());
}

TEST(SharedPointerSystem, TakesAUniquePointerOrNull) {
  DiagramBuilder<double> builder;
  EXPECT_EQ(*SharedPointerSystem<double>::AddToBuilder(
                &builder, std::make_unique<int>(3)),
            3);
  const SharedPointerSystem<double> null{std::shared_ptr<int>()};
  EXPECT_EQ(null.get<int>(), nullptr);
}

TEST(SharedPointerSystem, RefusesToGiveItAsAnotherType) {
  const SharedPointerSystem<double> system(std::make_unique<int>(3));
  EXPECT_THROWS_MESSAGE(system.get<double>(), std::logic_error,
                        "was asked for double and holds another type, int");
}

}  // namespace
}  // namespace wyvern::systems
