#include "wyvern/simulator/integrators/dense_output.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/integrators/hermitian_dense_output.h"
#include "wyvern/simulator/integrators/runge_kutta5_integrator.h"
#include "wyvern/simulator/integrators/scalar_view_dense_output.h"

namespace wyvern::systems {
namespace {

using wyvern::test::Near;
using Output = HermitianDenseOutput<double>;
using Step = Output::IntegrationStep;

// A step of x = [t^3, 1] from t0 to t1.
Step Cubic(double t0, double t1) {
  Step step(t0, Eigen::Vector2d(t0 * t0 * t0, 1),
            Eigen::Vector2d(3 * t0 * t0, 0));
  step.Extend(t1, Eigen::Vector2d(t1 * t1 * t1, 1),
              Eigen::Vector2d(3 * t1 * t1, 0));
  return step;
}

TEST(IntegrationStep, KeepsWhatItIsGiven) {
  const Step step = Cubic(1, 2);
  EXPECT_EQ(step.size(), 2);
  EXPECT_EQ(step.start_time(), 1);
  EXPECT_EQ(step.end_time(), 2);
  ASSERT_EQ(step.get_times().size(), 2);
  EXPECT_EQ(step.get_states()[1](0, 0), 8);
  EXPECT_EQ(step.get_state_derivatives()[1](0, 0), 12);
}

TEST(IntegrationStep, RefusesWhatDoesNotFit) {
  Step step;
  EXPECT_EQ(step.size(), 0);
  EXPECT_THROWS_MESSAGE(step.end_time(), std::logic_error, "step is empty");
  step = Cubic(0, 1);
  const Eigen::Vector2d x(1, 1);
  EXPECT_THROWS_MESSAGE(step.Extend(1, x, x), std::logic_error,
                        "times must increase");
  EXPECT_THROWS_MESSAGE(step.Extend(2, Eigen::Vector3d::Zero(), x),
                        std::logic_error, "columns of its size");
}

TEST(HermitianDenseOutput, IsExactForCubics) {
  Output output;
  output.Update(Cubic(0, 1));
  output.Update(Cubic(1, 3));
  output.Consolidate();
  EXPECT_EQ(output.size(), 2);
  EXPECT_EQ(output.start_time(), 0);
  EXPECT_EQ(output.end_time(), 3);
  for (const double t : {0.0, 0.3, 1.0, 1.7, 3.0}) {
    const Eigen::Vector2d x(t * t * t, 1);
    EXPECT_TRUE(Near(output.Evaluate(t), x, 1e-13));
    EXPECT_NEAR(output.EvaluateNth(t, 0), x[0], 1e-13);
  }
}

TEST(HermitianDenseOutput, RefusesAStepThatDoesNotJoin) {
  const Eigen::Vector2d x(1, 1), xdot(3, 0);
  for (const bool consolidated : {false, true}) {
    Output output;
    output.Update(Cubic(0, 1));
    if (consolidated) output.Consolidate();
    Step jump(1, Eigen::Vector2d(1, 5), xdot);
    jump.Extend(2, Eigen::Vector2d(8, 5), Eigen::Vector2d(12, 0));
    EXPECT_THROWS_MESSAGE(output.Update(jump), std::logic_error,
                          "the value of element 1 jumps from 1 to 5 at time 1");
    Step kink(1, x, Eigen::Vector2d(3, 0.5));
    kink.Extend(2, Eigen::Vector2d(8, 1), Eigen::Vector2d(12, 0));
    EXPECT_THROWS_MESSAGE(output.Update(kink), std::logic_error,
                          "the derivative of element 1 jumps");
    EXPECT_NO_THROW(output.Update(Cubic(1, 2)));
  }
}

TEST(HermitianDenseOutput, RefusesWhatItCannotAnswer) {
  Output output;
  EXPECT_TRUE(output.is_empty());
  EXPECT_THROWS_MESSAGE(output.Evaluate(0), std::logic_error, "empty");
  EXPECT_THROWS_MESSAGE(output.size(), std::logic_error, "empty");
  output.Update(Cubic(0, 1));
  EXPECT_TRUE(output.is_empty());
  output.Consolidate();
  EXPECT_THROWS_MESSAGE(output.Evaluate(1.5), std::runtime_error,
                        "time 1.5 is outside the interval [0, 1]");
  EXPECT_THROW(output.Evaluate(std::nan("")), std::runtime_error);
  EXPECT_THROWS_MESSAGE(output.EvaluateNth(0.5, 2), std::out_of_range,
                        "element 2 of a solution of 2");
}

TEST(HermitianDenseOutput, ClosesAGapOfRoundingSize) {
  Output output;
  output.Update(Cubic(1000, 1000.1));
  output.Update(Cubic(std::nextafter(1000.1, 2000), 1000.2));
  output.Consolidate();
  output.Update(Cubic(std::nextafter(1000.2, 0), 1000.3));
  output.Consolidate();
  EXPECT_EQ(output.end_time(), 1000.3);
  EXPECT_NEAR(output.EvaluateNth(1000.25, 0), std::pow(1000.25, 3), 1e-5);
}

TEST(HermitianDenseOutput, RefusesStepsThatDoNotFit) {
  Output output;
  output.Update(Cubic(0, 1));
  EXPECT_THROWS_MESSAGE(output.Update(Cubic(0.5, 2)), std::logic_error,
                        "must start there");
  output.Consolidate();
  EXPECT_THROWS_MESSAGE(output.Update(Cubic(1.5, 2)), std::logic_error,
                        "must start there");
  Step odd(1, Eigen::VectorXd::Ones(1), Eigen::VectorXd::Ones(1));
  EXPECT_THROWS_MESSAGE(output.Update(odd), std::logic_error, "no duration");
  odd.Extend(2, Eigen::VectorXd::Ones(1), Eigen::VectorXd::Ones(1));
  EXPECT_THROWS_MESSAGE(output.Update(odd), std::logic_error,
                        "a step of 1 elements");
}

TEST(HermitianDenseOutput, TakesBackStepsThatWait) {
  Output output;
  EXPECT_THROWS_MESSAGE(output.Rollback(), std::logic_error, "no step to take");
  EXPECT_THROWS_MESSAGE(output.Consolidate(), std::logic_error, "no steps");
  output.Update(Cubic(0, 1));
  output.Update(Cubic(1, 2));
  output.Rollback();
  output.Consolidate();
  EXPECT_EQ(output.end_time(), 1);
  EXPECT_THROWS_MESSAGE(output.Rollback(), std::logic_error, "are final");
}

TEST(HermitianDenseOutput, WrapsATrajectoryThatIsAColumn) {
  using Trajectory = trajectories::PiecewisePolynomial<double>;
  const Output output(Trajectory::FirstOrderHold(Eigen::Vector2d(0, 2),
                                                 Eigen::RowVector2d(0, 4)));
  EXPECT_EQ(output.EvaluateNth(1, 0), 2);
  EXPECT_THROWS_MESSAGE(Output(Trajectory(Eigen::Matrix2d::Zero())),
                        std::logic_error, "2 x 2; it must be a column");
}

TEST(ScalarViewDenseOutput, IsOneElementOfAnother) {
  auto base = std::make_unique<Output>();
  base->Update(Cubic(0, 1));
  base->Consolidate();
  const Output* const raw = base.get();
  const ScalarViewDenseOutput<double> view(std::move(base), 0);
  EXPECT_EQ(view.get_base_output(), raw);
  EXPECT_EQ(view.size(), 1);
  EXPECT_EQ(view.end_time(), 1);
  EXPECT_NEAR(view.EvaluateScalar(0.5), 0.125, 1e-14);
  EXPECT_EQ(view.Evaluate(0.5)[0], view.EvaluateScalar(0.5));
  EXPECT_EQ(view.EvaluateNth(0.5, 0), view.EvaluateScalar(0.5));
  EXPECT_THROWS_MESSAGE(view.EvaluateScalar(2), std::runtime_error,
                        "EvaluateScalar(): time 2 is outside");
}

TEST(ScalarViewDenseOutput, WantsAnElementThatIsThere) {
  EXPECT_THROWS_MESSAGE(ScalarViewDenseOutput<double>(nullptr, 0),
                        std::logic_error, "null");
  auto base = std::make_unique<Output>();
  base->Update(Cubic(0, 1));
  base->Consolidate();
  EXPECT_THROWS_MESSAGE(ScalarViewDenseOutput<double>(std::move(base), 2),
                        std::out_of_range, "n is 2; it must be from 0 to 1");
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
  EXPECT_TRUE(integrator.get_dense_output()->empty());
  integrator.IntegrateWithMultipleStepsToTime(2);
  EXPECT_EQ(integrator.get_dense_output()->get_number_of_segments(),
            integrator.get_num_steps_taken());
  const std::unique_ptr<trajectories::PiecewisePolynomial<double>> output =
      integrator.StopDenseIntegration();
  EXPECT_EQ(integrator.get_dense_output(), nullptr);
  EXPECT_EQ(output->end_time(), 2);
  for (double t = 0; t < 2; t += 0.013) {
    // Hermite interpolation errs by h^4 / 384 times the fourth derivative.
    EXPECT_NEAR(output->scalarValue(t, 0), std::cos(t), 2e-8);
    EXPECT_NEAR(output->EvalDerivative(t)(0, 0), -std::sin(t), 2e-6);
  }
}

TEST(DenseIntegration, LeavesOutStepsTooShortForATrajectory) {
  const test::Oscillator<double> system;
  auto context = system.CreateDefaultContext();
  RungeKutta5Integrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.05);
  integrator.Initialize();
  integrator.StartDenseIntegration();
  integrator.IntegrateWithMultipleStepsToTime(1e-17);
  EXPECT_TRUE(integrator.get_dense_output()->empty());
  integrator.IntegrateWithMultipleStepsToTime(1);
  EXPECT_EQ(integrator.get_dense_output()->end_time(), 1);
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
