#include "wyvern/systems/primitives/port_switch.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;

void Select(const PortSwitch<double>& port_switch, int index,
            Context<double>* context) {
  port_switch.get_port_selector_input_port().FixValue(context,
                                                      InputPortIndex(index));
}

TEST(PortSwitch, CopiesTheSelectedVector) {
  PortSwitch<double> port_switch(2);
  const auto& left = port_switch.DeclareInputPort("left");
  const auto& right = port_switch.DeclareInputPort("right");
  auto context = port_switch.CreateDefaultContext();
  left.FixValue(context.get(), Vector2d(1, 2));
  right.FixValue(context.get(), Vector2d(3, 4));
  Select(port_switch, left.get_index(), context.get());
  EXPECT_EQ(port_switch.get_output_port().Eval(*context), Vector2d(1, 2));
  Select(port_switch, right.get_index(), context.get());
  EXPECT_EQ(port_switch.get_output_port().Eval(*context), Vector2d(3, 4));
}

TEST(PortSwitch, DoesNotLookAtTheOtherPorts) {
  PortSwitch<double> port_switch(2);
  port_switch.DeclareInputPort("left");
  const auto& right = port_switch.DeclareInputPort("right");
  auto context = port_switch.CreateDefaultContext();
  right.FixValue(context.get(), Vector2d(3, 4));
  Select(port_switch, 2, context.get());
  EXPECT_EQ(port_switch.get_output_port().Eval(*context), Vector2d(3, 4));
}

TEST(PortSwitch, CopiesAnAbstractValue) {
  PortSwitch<double> port_switch{std::string()};
  const auto& left = port_switch.DeclareInputPort("left");
  auto context = port_switch.CreateDefaultContext();
  left.FixValue(context.get(), std::string("wing"));
  Select(port_switch, 1, context.get());
  EXPECT_EQ(port_switch.get_output_port().Eval<std::string>(*context), "wing");
}

template <typename T>
struct Pair {
  T first{};
  T second{};
};

TEST(PortSwitch, ScalarConversionConvertsATemplateAndKeepsThePorts) {
  PortSwitch<double> port_switch{Pair<double>()};
  port_switch.DeclareInputPort("left");
  const auto converted = System<double>::ToAutoDiffXd(port_switch);
  auto context = converted->CreateDefaultContext();
  converted->GetInputPort("left").FixValue(
      context.get(), Value(Pair<AutoDiffXd>{AutoDiffXd(1), AutoDiffXd(2)}));
  converted->get_port_selector_input_port().FixValue(context.get(),
                                                     InputPortIndex(1));
  EXPECT_EQ(converted->get_output_port()
                .Eval<Pair<AutoDiffXd>>(*context)
                .second.value(),
            2);
}

TEST(PortSwitch, ThrowsIfTheSelectorPointsNowhere) {
  PortSwitch<double> port_switch(2);
  port_switch.DeclareInputPort("left");
  auto context = port_switch.CreateDefaultContext();
  for (int index : {0, 2}) {
    Select(port_switch, index, context.get());
    EXPECT_THROWS_MESSAGE(port_switch.get_output_port().Eval(*context),
                          std::logic_error, "from 1 to 1");
  }
}

TEST(PortSwitch, GetsNoPortThatAContextWouldLack) {
  PortSwitch<double> port_switch(2);
  port_switch.DeclareInputPort("left");
  auto context = port_switch.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(port_switch.DeclareInputPort("right"), std::logic_error,
                        "has a Context already, which would lack");
  context.reset();
  port_switch.DeclareInputPort("right");
  EXPECT_EQ(port_switch.num_input_ports(), 3);
}

TEST(PortSwitch, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(PortSwitch<double>(0), std::logic_error,
                        "vector_size is 0");
  PortSwitch<double> port_switch(2);
  port_switch.DeclareInputPort("left");
  EXPECT_THROWS_MESSAGE(port_switch.DeclareInputPort("left"), std::logic_error,
                        "left");
}

}  // namespace
}  // namespace wyvern::systems
