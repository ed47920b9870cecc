#include "wyvern/systems/framework/value_producer.h"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace {

using TimeText = std::function<std::string(const Context<double>&)>;
using WriteTimeText = std::function<void(const Context<double>&, std::string*)>;

TimeText ReturnText() {
  return [](const Context<double>& c) {
    return c.get_time() == 2 ? "two" : "other";
  };
}
WriteTimeText AppendText() {
  return [](const Context<double>& c, std::string* text) {
    *text += c.get_time() == 2 ? "two" : "other";
  };
}

struct Maker {
  std::unique_ptr<std::string> Make() const {
    return std::make_unique<std::string>("made ");
  }
};

class Stateless final : public LeafSystem<double> {};

// The value that `producer` allocates, and then computes at time 2.
std::string AtTwo(const ValueProducer& producer) {
  const Stateless system;
  auto context = system.CreateDefaultContext();
  context->SetTime(2);
  const auto value = producer.Allocate();
  producer.Calc(*context, value.get());
  return value->get_value<std::string>();
}

TEST(ValueProducer, FreeFunctionsOfAnyContextTakeAModelValue) {
  const std::string model = "model ";
  EXPECT_EQ(AtTwo(ValueProducer(model, ReturnText())), "two");
  EXPECT_EQ(AtTwo(ValueProducer(model, AppendText())), "model two");
}

TEST(ValueProducer, FreeFunctionsOfAnyContextTakeAMemberThatAllocates) {
  const Maker maker;
  EXPECT_EQ(AtTwo(ValueProducer(&maker, &Maker::Make, ReturnText())), "two");
  EXPECT_EQ(AtTwo(ValueProducer(&maker, &Maker::Make, AppendText())),
            "made two");
}

TEST(ValueProducer, FreeFunctionsOfAnyContextTakeAnAllocatorOrNothing) {
  const ValueProducer::AllocateCallback allocate = [] {
    return AbstractValue::Make(std::string("new "));
  };
  EXPECT_EQ(AtTwo(ValueProducer(ReturnText())), "two");
  EXPECT_EQ(AtTwo(ValueProducer(AppendText())), "two");
  EXPECT_EQ(AtTwo(ValueProducer(allocate, ReturnText())), "two");
  EXPECT_EQ(AtTwo(ValueProducer(allocate, AppendText())), "new two");
  const std::function<void(const Context<double>&, AbstractValue*)> abstract =
      [](const Context<double>& c, AbstractValue* value) {
        AppendText()(c, &value->get_mutable_value<std::string>());
      };
  EXPECT_EQ(AtTwo(ValueProducer(allocate, abstract)), "new two");
}

TEST(ValueProducer, AnEmptyFunctionIsAnError) {
  const std::string model;
  const Maker maker;
  EXPECT_THROW(ValueProducer(model, TimeText()), std::logic_error);
  EXPECT_THROW(ValueProducer(model, WriteTimeText()), std::logic_error);
  EXPECT_THROW(ValueProducer(&maker, &Maker::Make, TimeText()),
               std::logic_error);
  EXPECT_THROW(ValueProducer(static_cast<const Maker*>(nullptr), &Maker::Make,
                             ReturnText()),
               std::logic_error);
}

}  // namespace
}  // namespace wyvern::systems
