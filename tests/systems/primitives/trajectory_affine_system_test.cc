#include "wyvern/systems/primitives/linear/trajectory_affine_system.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/primitives/periodic_update.h"
#include "wyvern/systems/primitives/linear/trajectory_linear_system.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::systems {
namespace trajectory_affine_system_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using trajectories::PiecewisePolynomial;

// From `start` at time 0 to twice that at time 1.
PiecewisePolynomial<double> Ramp(const MatrixXd& start) {
  return PiecewisePolynomial<double>::FirstOrderHold({0.0, 1.0},
                                                     {start, 2 * start});
}

const MatrixXd A{{0, 1}, {-2, -3}};
const MatrixXd B{{4}, {5}};
const MatrixXd f0{{6}, {7}};
const MatrixXd C{{8, 9}};
const MatrixXd D{{10}};
const MatrixXd y0{{11}};
const Vector2d x(1, -1);
constexpr double kInput = 3;
constexpr double kTime = 0.25;
constexpr double kScale = 1 + kTime;

TEST(TrajectoryAffineSystem, UsesTheCoefficientsOfTheMoment) {
  const TrajectoryAffineSystem<double> system(Ramp(A), Ramp(B), Ramp(f0),
                                              Ramp(C), Ramp(D), Ramp(y0));
  auto context = system.CreateDefaultContext();
  context->SetTime(kTime);
  context->SetContinuousState(x);
  system.get_input_port().FixValue(context.get(), kInput);
  EXPECT_TRUE(
      ::wyvern::test::Near(system.EvalTimeDerivatives(*context).CopyToVector(),
                           kScale * (A * x + B * kInput + f0), 1e-13));
  EXPECT_TRUE(::wyvern::test::Near(system.get_output_port().Eval(*context),
                                   kScale * (C * x + D * kInput + y0), 1e-13));
}

TEST(TrajectoryAffineSystem, ConvertedHasTheDerivativeByTime) {
  TrajectoryAffineSystem<double> system(Ramp(A), Ramp(B), Ramp(f0), Ramp(C),
                                        Ramp(D), Ramp(y0));
  system.configure_default_state(x);
  const auto converted = System<double>::ToAutoDiffXd(system);
  auto context = converted->CreateDefaultContext();
  context->SetTime(AutoDiffXd(kTime, 1, 0));
  converted->get_input_port().FixValue(context.get(), AutoDiffXd(kInput));
  const AutoDiffXd& y = converted->get_output_port().Eval(*context)[0];
  const double y_at_0 = (C * x + D * kInput + y0)(0, 0);
  EXPECT_NEAR(y.value(), kScale * y_at_0, 1e-13);
  EXPECT_NEAR(y.derivatives()[0], y_at_0, 1e-13);
}

TEST(TrajectoryAffineSystem, UpdatesADiscreteState) {
  const TrajectoryAffineSystem<double> system(Ramp(A), Ramp(B), Ramp(f0),
                                              Ramp(C), Ramp(D), Ramp(y0), 0.1);
  auto context = system.CreateDefaultContext();
  context->SetTime(kTime);
  context->SetDiscreteState(x);
  system.get_input_port().FixValue(context.get(), kInput);
  test::DoPeriodicUpdates(system, context.get());
  EXPECT_TRUE(::wyvern::test::Near(context->get_discrete_state(0).value(),
                                   kScale * (A * x + B * kInput + f0), 1e-13));
}

TEST(TrajectoryAffineSystem, RefusesCoefficientsThatDoNotFit) {
  EXPECT_THROWS_MESSAGE(
      TrajectoryAffineSystem<double>(Ramp(A), Ramp(B), Ramp(y0), Ramp(C),
                                     Ramp(D), Ramp(y0)),
      std::logic_error, "f0 is 1 x 1; it must be 2 x 1.");
  EXPECT_THROWS_MESSAGE(
      TrajectoryAffineSystem<double>(Ramp(A), Ramp(B), Ramp(f0), Ramp(C),
                                     Ramp(D), Ramp(y0), -1),
      std::logic_error, "time_period is -1");
}

TEST(TrajectoryLinearSystem, UsesTheCoefficientsOfTheMoment) {
  const TrajectoryLinearSystem<double> system(Ramp(A), Ramp(B), Ramp(C),
                                              Ramp(D));
  auto context = system.CreateDefaultContext();
  context->SetTime(kTime);
  context->SetContinuousState(x);
  system.get_input_port().FixValue(context.get(), kInput);
  EXPECT_TRUE(
      ::wyvern::test::Near(system.EvalTimeDerivatives(*context).CopyToVector(),
                           kScale * (A * x + B * kInput), 1e-13));
  EXPECT_TRUE(::wyvern::test::Near(system.get_output_port().Eval(*context),
                                   kScale * (C * x + D * kInput), 1e-13));
}

TEST(TrajectoryLinearSystem, ScalarConversionKeepsTheDefaultState) {
  TrajectoryLinearSystem<double> system(Ramp(A), Ramp(B), Ramp(C), Ramp(D));
  system.configure_default_state(x);
  const auto converted = System<double>::ToAutoDiffXd(system);
  EXPECT_EQ(converted->get_default_state()[1].value(), x[1]);
}

TEST(TrajectoryLinearSystem, RefusesCoefficientsThatDoNotFit) {
  EXPECT_THROWS_MESSAGE(
      TrajectoryLinearSystem<double>(Ramp(A), Ramp(C), Ramp(C), Ramp(D)),
      std::logic_error, "B is 1 x 2; it must be 2 x 2.");
}

}  // namespace trajectory_affine_system_test
}  // namespace wyvern::systems
