#include "wyvern/systems/primitives/integrator.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/primitives/periodic_update.h"
#include "wyvern/systems/primitives/discrete_time_integrator.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

TEST(Integrator, HasTheInputAsDerivativeAndTheStateAsOutput) {
  const Integrator<double> integrator(2);
  auto context = integrator.CreateDefaultContext();
  integrator.get_input_port().FixValue(context.get(), Vector2d(3, 4));
  EXPECT_EQ(integrator.get_output_port().Eval(*context), Vector2d(0, 0));
  integrator.set_integral_value(context.get(), Vector2d(1, 2));
  EXPECT_EQ(integrator.get_output_port().Eval(*context), Vector2d(1, 2));
  EXPECT_EQ(integrator.EvalTimeDerivatives(*context).CopyToVector(),
            Vector2d(3, 4));
  EXPECT_FALSE(integrator.HasAnyDirectFeedthrough());
}

TEST(Integrator, RefusesWrongSizes) {
  EXPECT_THROWS_MESSAGE(Integrator<double>(-1), std::logic_error,
                        "Integrator(): size is -1");
  const Integrator<double> integrator(2);
  auto context = integrator.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      integrator.set_integral_value(context.get(), Vector3d::Zero()),
      std::logic_error,
      "Integrator::set_integral_value(): value has size 3; it must have size "
      "2.");
}

TEST(DiscreteTimeIntegrator, SumsTheSamplesTimesTheStep) {
  const DiscreteTimeIntegrator<double> integrator(2, 0.5);
  auto context = integrator.CreateDefaultContext();
  integrator.set_integral_value(context.get(), Vector2d(1, 2));
  integrator.get_input_port().FixValue(context.get(), Vector2d(2, -4));
  test::DoPeriodicUpdates(integrator, context.get());
  EXPECT_EQ(integrator.get_output_port().Eval(*context), Vector2d(2, 0));
  test::DoPeriodicUpdates(integrator, context.get());
  EXPECT_EQ(integrator.get_output_port().Eval(*context), Vector2d(3, -2));
}

TEST(DiscreteTimeIntegrator, UpdatesAtMultiplesOfTheStep) {
  const DiscreteTimeIntegrator<double> integrator(1, 0.5);
  double period = 0;
  EXPECT_TRUE(integrator.IsDifferenceEquationSystem(&period));
  EXPECT_EQ(period, 0.5);
  EXPECT_EQ(integrator.time_step(), 0.5);
}

TEST(DiscreteTimeIntegrator, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(DiscreteTimeIntegrator<double>(0, 1), std::logic_error,
                        "size is 0");
  EXPECT_THROWS_MESSAGE(DiscreteTimeIntegrator<double>(1, -1), std::logic_error,
                        "time_step is -1");
  const DiscreteTimeIntegrator<double> integrator(2, 0.5);
  auto context = integrator.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      integrator.set_integral_value(context.get(), Vector3d::Zero()),
      std::logic_error, "value has size 3; it must have size 2.");
}

TEST(FirstOrderLowPassFilter, ApproachesItsInputAtTheRateOfItsTimeConstant) {
  const FirstOrderLowPassFilter<double> filter(Vector2d(0.5, 2));
  auto context = filter.CreateDefaultContext();
  filter.get_input_port().FixValue(context.get(), Vector2d(3, 4));
  filter.set_initial_output_value(context.get(), Vector2d(1, 5));
  EXPECT_EQ(filter.get_output_port().Eval(*context), Vector2d(1, 5));
  EXPECT_EQ(filter.EvalTimeDerivatives(*context).CopyToVector(),
            Vector2d((3 - 1) / 0.5, (4 - 5) / 2.0));
  EXPECT_FALSE(filter.HasAnyDirectFeedthrough());
}

TEST(FirstOrderLowPassFilter, TellsItsTimeConstant) {
  EXPECT_EQ(FirstOrderLowPassFilter<double>(0.5, 2).get_time_constant(), 0.5);
  EXPECT_THROW(
      FirstOrderLowPassFilter<double>(Vector2d(1, 2)).get_time_constant(),
      std::logic_error);
}

TEST(FirstOrderLowPassFilter, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(FirstOrderLowPassFilter<double>(0.0), std::logic_error,
                        "time_constant is 0");
  EXPECT_THROWS_MESSAGE(FirstOrderLowPassFilter<double>(Vector2d(1, NAN)),
                        std::logic_error, "a time constant is nan");
  EXPECT_THROWS_MESSAGE(FirstOrderLowPassFilter<double>(1.0, 0),
                        std::logic_error, "size is 0");
  const FirstOrderLowPassFilter<double> filter(1.0);
  auto context = filter.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      filter.set_initial_output_value(context.get(), Vector2d::Zero()),
      std::logic_error, "z0 has size 2");
}

}  // namespace
}  // namespace wyvern::systems
