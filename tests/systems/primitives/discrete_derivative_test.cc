#include "wyvern/systems/primitives/discrete_derivative.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/primitives/periodic_update.h"

namespace wyvern::systems {
namespace discrete_derivative_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double h = 0.5;

TEST(DiscreteDerivative, IsTheSlopeOfTheLastTwoSamples) {
  const DiscreteDerivative<double> derivative(2, h);
  auto context = derivative.CreateDefaultContext();
  derivative.set_input_history(context.get(), Vector2d(1, 1), Vector2d(0, 2));
  EXPECT_EQ(derivative.get_output_port().Eval(*context), Vector2d(1, -1) / h);
  derivative.get_input_port().FixValue(context.get(), Vector2d(4, 5));
  test::DoPeriodicUpdates(derivative, context.get());
  EXPECT_EQ(derivative.get_output_port().Eval(*context), Vector2d(3, 4) / h);
  EXPECT_FALSE(derivative.HasAnyDirectFeedthrough());
}

TEST(DiscreteDerivative, IsZeroUntilThereAreTwoSamples) {
  for (bool suppress : {true, false}) {
    const DiscreteDerivative<double> derivative(1, h, suppress);
    EXPECT_EQ(derivative.suppress_initial_transient(), suppress);
    auto context = derivative.CreateDefaultContext();
    derivative.get_input_port().FixValue(context.get(), 3.0);
    test::DoPeriodicUpdates(derivative, context.get());
    EXPECT_EQ(derivative.get_output_port().Eval(*context)[0],
              suppress ? 0 : 3 / h);
    derivative.get_input_port().FixValue(context.get(), 4.0);
    test::DoPeriodicUpdates(derivative, context.get());
    EXPECT_EQ(derivative.get_output_port().Eval(*context)[0], 1 / h);
  }
}

TEST(DiscreteDerivative, AHistoryOfRestGivesZeroAndEndsTheSuppression) {
  const DiscreteDerivative<double> derivative(1, h);
  auto context = derivative.CreateDefaultContext();
  derivative.set_input_history(context.get(), Vector<double, 1>(3));
  EXPECT_EQ(derivative.get_output_port().Eval(*context)[0], 0);
  derivative.get_input_port().FixValue(context.get(), 4.0);
  test::DoPeriodicUpdates(derivative, context.get());
  EXPECT_EQ(derivative.get_output_port().Eval(*context)[0], 1 / h);
}

TEST(DiscreteDerivative, ScalarConversionKeepsTheSettings) {
  const DiscreteDerivative<double> derivative(2, h, false);
  const auto converted = System<double>::ToAutoDiffXd(derivative);
  EXPECT_EQ(converted->time_step(), h);
  EXPECT_FALSE(converted->suppress_initial_transient());
  EXPECT_EQ(converted->get_input_port().size(), 2);
}

TEST(DiscreteDerivative, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(DiscreteDerivative<double>(0, h), std::logic_error,
                        "num_inputs is 0");
  EXPECT_THROWS_MESSAGE(DiscreteDerivative<double>(1, -h), std::logic_error,
                        "time_step is -0.5");
  const DiscreteDerivative<double> derivative(2, h);
  auto context = derivative.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      derivative.set_input_history(context.get(), Vector3d::Zero()),
      std::logic_error, "u_n has size 3");
  EXPECT_THROWS_MESSAGE(derivative.set_input_history(
                            context.get(), Vector2d::Zero(), Vector3d::Zero()),
                        std::logic_error, "u_n_minus_1 has size 3");
}

TEST(StateInterpolatorWithDiscreteDerivative, AddsTheVelocity) {
  const StateInterpolatorWithDiscreteDerivative<double> interpolator(2, h);
  EXPECT_TRUE(interpolator.suppress_initial_transient());
  auto context = interpolator.CreateDefaultContext();
  interpolator.GetInputPort("position").FixValue(context.get(), Vector2d(1, 2));
  const auto& state = interpolator.GetOutputPort("state");
  EXPECT_EQ(state.Eval(*context), Vector4d(1, 2, 0, 0));
  interpolator.set_initial_state(context.get(), Vector2d(0, 1), Vector2d(3, 4));
  EXPECT_EQ(state.Eval(*context), Vector4d(1, 2, 3, 4));
  test::DoPeriodicUpdates(interpolator, context.get());
  EXPECT_EQ(state.Eval(*context), Vector4d(1, 2, 1 / h, 1 / h));
  interpolator.set_initial_position(context.get(), Vector2d(1, 2));
  EXPECT_EQ(state.Eval(*context), Vector4d(1, 2, 0, 0));
}

TEST(StateInterpolatorWithDiscreteDerivative, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(StateInterpolatorWithDiscreteDerivative<double>(0, h),
                        std::logic_error, "num_positions is 0");
  const StateInterpolatorWithDiscreteDerivative<double> interpolator(2, h);
  auto context = interpolator.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(interpolator.set_initial_state(
                            context.get(), Vector2d::Zero(), Vector3d::Zero()),
                        std::logic_error, "velocity has size 3");
}

}  // namespace discrete_derivative_test
}  // namespace wyvern::systems
