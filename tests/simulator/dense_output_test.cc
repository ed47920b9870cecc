#include "wyvern/simulator/integrators/dense_output.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/integrators/hermitian_dense_output.h"
#include "wyvern/simulator/integrators/runge_kutta5_integrator.h"

namespace wyvern::systems {
namespace {

using wyvern::test::Near;
using Output = HermitianDenseOutput<double>;

// A step of x = [t^3, 1] from t0 to t1.
Output::Segment Cubic(double t0, double t1) {
  return {t0,
          t1,
          Eigen::Vector2d(t0 * t0 * t0, 1),
          Eigen::Vector2d(3 * t0 * t0, 0),
          Eigen::Vector2d(t1 * t1 * t1, 1),
          Eigen::Vector2d(3 * t1 * t1, 0)};
}

TEST(HermitianDenseOutput, IsExactForCubics) {
  Output output;
  output.Append(Cubic(0, 1));
  output.Append(Cubic(1, 3));
  EXPECT_EQ(output.size(), 2);
  EXPECT_EQ(output.start_time(), 0);
  EXPECT_EQ(output.end_time(), 3);
  for (const double t : {0.0, 0.3, 1.0, 1.7, 3.0}) {
    const Eigen::Vector2d x(t * t * t, 1);
    EXPECT_TRUE(Near(output.Evaluate(t), x, 1e-14));
    EXPECT_TRUE(Near(output.value(t), x, 1e-14));
    EXPECT_NEAR(output.EvaluateNth(t, 0), x[0], 1e-14);
    EXPECT_NEAR(output.EvaluateDerivative(t)[0], 3 * t * t, 1e-13);
  }
}

TEST(HermitianDenseOutput, TheLaterValueRulesAtAJump) {
  Output output;
  output.Append(Cubic(0, 1));
  Output::Segment after = Cubic(1, 2);
  after.x0[1] = 5;
  output.Append(after);
  EXPECT_EQ(output.EvaluateNth(1, 1), 5);
  EXPECT_NEAR(output.EvaluateNth(std::nextafter(1, 0), 1), 1, 1e-14);
}

TEST(HermitianDenseOutput, RefusesWhatItCannotAnswer) {
  Output output;
  EXPECT_TRUE(output.is_empty());
  EXPECT_THROWS_MESSAGE(output.Evaluate(0), std::logic_error, "empty");
  EXPECT_THROWS_MESSAGE(output.size(), std::logic_error, "empty");
  output.Append(Cubic(0, 1));
  EXPECT_THROWS_MESSAGE(output.Evaluate(1.5), std::runtime_error,
                        "time 1.5 is outside the interval [0, 1]");
  EXPECT_THROW(output.Evaluate(std::nan("")), std::runtime_error);
  EXPECT_THROWS_MESSAGE(output.EvaluateNth(0.5, 2), std::out_of_range,
                        "element 2 of a solution of 2");
}

TEST(HermitianDenseOutput, RefusesStepsThatDoNotFit) {
  Output output;
  output.Append(Cubic(0, 1));
  EXPECT_THROWS_MESSAGE(output.Append(Cubic(0.5, 2)), std::logic_error,
                        "does not follow");
  EXPECT_THROWS_MESSAGE(output.Append(Cubic(2, 2)), std::logic_error,
                        "does not follow");
  Output::Segment odd = Cubic(1, 2);
  odd.x1.setZero(3);
  EXPECT_THROWS_MESSAGE(output.Append(odd), std::logic_error, "differ in size");
}

TEST(HermitianDenseOutput, CanTakeStepsBack) {
  Output output;
  output.Append(Cubic(0, 1));
  output.Append(Cubic(1, 2));
  output.Truncate(1);
  EXPECT_EQ(output.end_time(), 1);
  const Output::Segment half = Cubic(0, 0.5);
  output.ReplaceEnd(0.5, half.x1, half.xdot1);
  EXPECT_EQ(output.end_time(), 0.5);
  EXPECT_NEAR(output.EvaluateNth(0.4, 0), 0.064, 1e-14);
}

TEST(DenseIntegration, FollowsTheSolutionBetweenSteps) {
  const test::Oscillator<double> system;
  auto context = system.CreateDefaultContext();
  RungeKutta5Integrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.05);
  integrator.set_target_accuracy(1e-10);
  integrator.Initialize();
  EXPECT_THROWS_MESSAGE(integrator.StopDenseIntegration(), std::logic_error,
                        "not recording");
  integrator.StartDenseIntegration();
  EXPECT_THROWS_MESSAGE(integrator.StartDenseIntegration(), std::logic_error,
                        "recording already");
  integrator.IntegrateWithMultipleStepsToTime(2);
  const auto output = integrator.StopDenseIntegration();
  EXPECT_EQ(integrator.get_dense_output(), nullptr);
  EXPECT_EQ(output->end_time(), 2);
  for (double t = 0; t < 2; t += 0.013) {
    // Hermite interpolation errs by h^4 / 384 times the fourth derivative.
    EXPECT_NEAR(output->EvaluateNth(t, 0), std::cos(t), 2e-8);
  }
}

TEST(DenseIntegration, WantsContinuousState) {
  const test::Diary system;
  auto context = system.CreateDefaultContext();
  RungeKutta5Integrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.05);
  integrator.Initialize();
  EXPECT_THROWS_MESSAGE(integrator.StartDenseIntegration(), std::logic_error,
                        "no continuous state");
}

}  // namespace
}  // namespace wyvern::systems
