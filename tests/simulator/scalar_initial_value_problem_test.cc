#include "wyvern/simulator/analysis/scalar_initial_value_problem.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/analysis/antiderivative_function.h"
#include "wyvern/simulator/integrators/runge_kutta5_integrator.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::systems {
namespace scalar_initial_value_problem_test {

// x' = -k x.
template <typename T>
T Decay(const T&, const T& x, const VectorX<T>& k) {
  return -k[0] * x;
}
using Problem = ScalarInitialValueProblem<double>;
using Antiderivative = AntiderivativeFunction<double>;
const Eigen::VectorXd kTwo = Eigen::VectorXd::Constant(1, 2);

TEST(ScalarInitialValueProblem, SolvesTheDecay) {
  Problem problem(&Decay<double>, 3, kTwo);
  problem.get_mutable_integrator().set_target_accuracy(1e-8);
  EXPECT_EQ(problem.get_integrator().get_target_accuracy(), 1e-8);
  EXPECT_NEAR(problem.Solve(0, 1), 3 * std::exp(-2), 1e-6);
  const auto x = problem.DenseSolve(0, 1);
  EXPECT_EQ(x->end_time(), 1);
  EXPECT_EQ(x->size(), 1);
  for (double t = 0; t < 1; t += 0.07) {
    EXPECT_NEAR(x->EvaluateScalar(t), 3 * std::exp(-2 * t), 1e-6);
  }
}

TEST(ScalarInitialValueProblem, TakesAnotherIntegrator) {
  Problem problem(&Decay<double>, 1, kTwo);
  auto* rk5 = problem.reset_integrator<RungeKutta5Integrator<double>>();
  rk5->set_maximum_step_size(1);
  rk5->set_target_accuracy(1e-10);
  EXPECT_NEAR(problem.Solve(0, 1), std::exp(-2), 1e-9);
}

TEST(ScalarInitialValueProblem, DifferentiatesWithRespectToItsParameters) {
  VectorX<AutoDiffXd> k(1);
  k[0] = AutoDiffXd(2.0, 1, 0);
  ScalarInitialValueProblem<AutoDiffXd> problem(&Decay<AutoDiffXd>, 1.0, k);
  problem.get_mutable_integrator().set_target_accuracy(1e-9);
  EXPECT_NEAR(problem.Solve(0.0, 1.0).derivatives()[0], -std::exp(-2), 1e-6);
}

TEST(ScalarInitialValueProblem, RefusesWhatMakesNoSense) {
  EXPECT_THROWS_MESSAGE(Problem(nullptr, 1), std::logic_error,
                        "the function is empty");
  const Problem problem(&Decay<double>, 1, kTwo);
  EXPECT_THROWS_MESSAGE(problem.Solve(1, 0), std::logic_error,
                        "final time 0 is before");
  EXPECT_THROWS_MESSAGE(problem.DenseSolve(1, 1), std::logic_error,
                        "interval from 1 to 1 is empty");
}

TEST(AntiderivativeFunction, IntegratesBetweenAnyLimits) {
  Antiderivative sine(
      [](double x, const Eigen::VectorXd& k) { return k[0] * std::cos(x); },
      kTwo);
  sine.get_mutable_integrator().set_target_accuracy(1e-9);
  EXPECT_EQ(sine.get_integrator().get_target_accuracy(), 1e-9);
  EXPECT_NEAR(sine.Evaluate(0, 1), 2 * std::sin(1), 1e-7);
  EXPECT_NEAR(sine.Evaluate(-1, 2), 2 * (std::sin(2) - std::sin(-1)), 1e-7);
  EXPECT_EQ(sine.Evaluate(1, 1), 0);
}

TEST(AntiderivativeFunction, IsAFunctionOfItsUpperLimit) {
  Antiderivative cube(
      [](double x, const Eigen::VectorXd&) { return 3 * x * x; });
  cube.reset_integrator<RungeKutta5Integrator<double>>()->set_maximum_step_size(
      0.1);
  const auto F = cube.MakeDenseEvalFunction(1, 3);
  EXPECT_EQ(F->start_time(), 1);
  for (double u = 1; u < 3; u += 0.3) {
    // Both the method and the interpolation are exact for cubics.
    EXPECT_NEAR(F->EvaluateScalar(u), u * u * u - 1, 1e-12);
  }
}

TEST(AntiderivativeFunction, RefusesWhatMakesNoSense) {
  EXPECT_THROWS_MESSAGE(Antiderivative(nullptr), std::logic_error,
                        "the function is empty");
  const Antiderivative one([](double, const Eigen::VectorXd&) { return 1.0; });
  EXPECT_THROWS_MESSAGE(one.Evaluate(1, 0), std::logic_error, "is before");
  EXPECT_THROWS_MESSAGE(one.MakeDenseEvalFunction(1, 1), std::logic_error,
                        "is empty");
}

}  // namespace scalar_initial_value_problem_test
}  // namespace wyvern::systems
