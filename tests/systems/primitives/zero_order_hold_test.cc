#include "wyvern/systems/primitives/zero_order_hold.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/primitives/periodic_update.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

TEST(ZeroOrderHold, HoldsTheLastSample) {
  const ZeroOrderHold<double> hold(0.1, 2);
  auto context = hold.CreateDefaultContext();
  hold.get_input_port().FixValue(context.get(), Vector2d(1, 2));
  EXPECT_EQ(hold.get_output_port().Eval(*context), Vector2d(0, 0));
  test::DoPeriodicUpdates(hold, context.get());
  hold.get_input_port().FixValue(context.get(), Vector2d(3, 4));
  EXPECT_EQ(hold.get_output_port().Eval(*context), Vector2d(1, 2));
  hold.LatchInputPortToState(context.get());
  EXPECT_EQ(hold.get_output_port().Eval(*context), Vector2d(3, 4));
}

TEST(ZeroOrderHold, HoldsAnAbstractValue) {
  const ZeroOrderHold<double> hold(0.1, Value<std::string>("none"));
  auto context = hold.CreateDefaultContext();
  hold.get_input_port().FixValue(context.get(), std::string("wing"));
  EXPECT_EQ(hold.get_output_port().Eval<std::string>(*context), "none");
  test::DoPeriodicUpdates(hold, context.get());
  EXPECT_EQ(hold.get_output_port().Eval<std::string>(*context), "wing");
  hold.get_input_port().FixValue(context.get(), std::string("tail"));
  hold.LatchInputPortToState(context.get());
  EXPECT_EQ(hold.get_output_port().Eval<std::string>(*context), "tail");
}

TEST(ZeroOrderHold, SamplesAtOffsetPlusMultiplesOfThePeriod) {
  const ZeroOrderHold<double> hold(0.1, 1, 0.03);
  EXPECT_EQ(hold.period(), 0.1);
  EXPECT_EQ(hold.offset(), 0.03);
  auto context = hold.CreateDefaultContext();
  const auto events = hold.AllocateCompositeEventCollection();
  EXPECT_EQ(hold.CalcNextUpdateTime(*context, events.get()), 0.03);
  context->SetTime(0.2);
  EXPECT_EQ(hold.CalcNextUpdateTime(*context, events.get()), 0.03 + 2 * 0.1);
}

TEST(ZeroOrderHold, LetsItsStateBeSet) {
  const ZeroOrderHold<double> hold(0.1, 2);
  auto context = hold.CreateDefaultContext();
  hold.SetVectorState(context.get(), Vector2d(5, 6));
  EXPECT_EQ(hold.get_output_port().Eval(*context), Vector2d(5, 6));
  EXPECT_THROWS_MESSAGE(hold.SetVectorState(context.get(), Vector3d::Zero()),
                        std::logic_error, "value has size 3");
  const ZeroOrderHold<double> abstract(0.1, Value<int>(3));
  auto abstract_context = abstract.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      abstract.SetVectorState(abstract_context.get(), Vector2d::Zero()),
      std::logic_error, "holds an abstract value");
}

TEST(ZeroOrderHold, RefusesBadTimes) {
  EXPECT_THROWS_MESSAGE(ZeroOrderHold<double>(-0.1, 1), std::logic_error,
                        "period_sec is -0.1");
  EXPECT_THROWS_MESSAGE(ZeroOrderHold<double>(NAN, 1), std::logic_error,
                        "period_sec is nan");
  EXPECT_THROWS_MESSAGE(ZeroOrderHold<double>(0.1, 1, -1), std::logic_error,
                        "offset_sec is -1");
  EXPECT_THROWS_MESSAGE(ZeroOrderHold<double>(0.1, -1), std::logic_error,
                        "vector_size is -1");
}

TEST(ZeroOrderHold, KeepsAbstractValuesOnScalarConversion) {
  const ZeroOrderHold<double> hold(0.1, Value<std::string>("none"), 0.2);
  const auto converted = hold.ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  EXPECT_EQ(converted->get_output_port().Eval<std::string>(*context), "none");
  const auto& same = dynamic_cast<const ZeroOrderHold<AutoDiffXd>&>(*converted);
  EXPECT_EQ(same.offset(), 0.2);
}

TEST(DiscreteTimeDelay, GivesTheSampleOfAFewPeriodsAgo) {
  const DiscreteTimeDelay<double> delay(0.1, 2, 2);
  auto context = delay.CreateDefaultContext();
  for (int n = 0; n < 5; ++n) {
    delay.get_input_port().FixValue(context.get(), Vector2d(n + 1, 10 * n));
    test::DoPeriodicUpdates(delay, context.get());
    const Vector2d wanted =
        n < 2 ? Vector2d(0, 0) : Vector2d(n - 2 + 1, 10 * (n - 2));
    EXPECT_EQ(delay.get_output_port().Eval(*context), wanted) << n;
  }
}

TEST(DiscreteTimeDelay, DelaysAbstractValues) {
  const DiscreteTimeDelay<double> delay(0.1, 2, Value<int>(-1));
  auto context = delay.CreateDefaultContext();
  for (int n = 0; n < 7; ++n) {
    delay.get_input_port().FixValue(context.get(), Value<int>(n));
    if (n % 2 == 0) {
      test::DoPeriodicUpdates(delay, context.get());
    } else {
      delay.SaveInputToBuffer(context.get());
    }
    EXPECT_EQ(delay.get_output_port().Eval<int>(*context), n < 2 ? -1 : n - 2);
  }
}

TEST(DiscreteTimeDelay, SavingTheInputIsWhatTheUpdateDoes) {
  const DiscreteTimeDelay<double> delay(0.1, 0, 1);
  auto context = delay.CreateDefaultContext();
  delay.get_input_port().FixValue(context.get(), 4.0);
  delay.SaveInputToBuffer(context.get());
  EXPECT_EQ(delay.get_output_port().Eval(*context)[0], 4);
}

TEST(DiscreteTimeDelay, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(DiscreteTimeDelay<double>(0, 1, 1), std::logic_error,
                        "update_sec is 0");
  EXPECT_THROWS_MESSAGE(DiscreteTimeDelay<double>(0.1, -1, 1), std::logic_error,
                        "delay_time_steps is -1");
  EXPECT_THROWS_MESSAGE(DiscreteTimeDelay<double>(0.1, 1, 0), std::logic_error,
                        "vector_size is 0");
}

}  // namespace
}  // namespace wyvern::systems
