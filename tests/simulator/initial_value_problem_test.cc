#include "wyvern/simulator/analysis/initial_value_problem.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta5_integrator.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::systems {
namespace initial_value_problem_test {

// x' = -k x.
template <typename T>
VectorX<T> Decay(const T&, const VectorX<T>& x, const VectorX<T>& k) {
  return -k[0] * x;
}
using Problem = InitialValueProblem<double>;
const Eigen::VectorXd kOne = Eigen::VectorXd::Ones(1);
const Eigen::VectorXd kTwo = Eigen::VectorXd::Constant(1, 2);

TEST(InitialValueProblem, SolvesTheDecay) {
  const Problem problem(&Decay<double>, kOne, kTwo);
  // Local errors of 1e-4 in some dozen steps that the decay shrinks again.
  EXPECT_NEAR(problem.Solve(0, 1)[0], std::exp(-2), 2e-4);
  EXPECT_NEAR(problem.Solve(3, 3.5)[0], std::exp(-1), 2e-4);
  EXPECT_EQ(problem.Solve(3, 3)[0], 1);
}

TEST(InitialValueProblem, EachSolveStartsAnew) {
  const Problem problem(&Decay<double>, kOne, kTwo);
  const Eigen::VectorXd first = problem.Solve(0, 1);
  problem.Solve(0, 5);
  EXPECT_EQ(problem.Solve(0, 1), first);
}

TEST(InitialValueProblem, DenseSolveFollowsTheSolution) {
  Problem problem(&Decay<double>, kOne, kTwo);
  problem.get_mutable_integrator().set_target_accuracy(1e-8);
  const auto x = problem.DenseSolve(0, 1);
  EXPECT_EQ(x->start_time(), 0);
  EXPECT_EQ(x->end_time(), 1);
  for (double t = 0; t < 1; t += 0.07) {
    EXPECT_NEAR(x->EvaluateNth(t, 0), std::exp(-2 * t), 1e-7);
  }
}

TEST(InitialValueProblem, TakesAnotherIntegrator) {
  Problem problem(&Decay<double>, kOne, kTwo);
  auto* rk5 = problem.reset_integrator<RungeKutta5Integrator<double>>();
  rk5->set_maximum_step_size(1);
  rk5->set_target_accuracy(1e-10);
  EXPECT_EQ(&problem.get_integrator(), rk5);
  EXPECT_NEAR(problem.Solve(0, 1)[0], std::exp(-2), 1e-9);
  problem.reset_integrator<ExplicitEulerIntegrator<double>>(0.25);
  EXPECT_NEAR(problem.Solve(0, 1)[0], std::pow(0.5, 4), 1e-15);
}

TEST(InitialValueProblem, DifferentiatesWithRespectToItsParameters) {
  const VectorX<AutoDiffXd> x0 = VectorX<AutoDiffXd>::Constant(1, 1.0);
  VectorX<AutoDiffXd> k(1);
  k[0] = AutoDiffXd(2.0, Eigen::VectorXd::Ones(1));
  InitialValueProblem<AutoDiffXd> problem(&Decay<AutoDiffXd>, x0, k);
  problem.get_mutable_integrator().set_target_accuracy(1e-9);
  const AutoDiffXd x = problem.Solve(0.0, 1.0)[0];
  EXPECT_NEAR(x.value(), std::exp(-2), 1e-7);
  EXPECT_NEAR(x.derivatives()[0], -std::exp(-2), 1e-6);
}

TEST(InitialValueProblem, RefusesWhatMakesNoSense) {
  EXPECT_THROWS_MESSAGE(Problem(nullptr, kOne), std::logic_error,
                        "the function is empty");
  const Problem problem(&Decay<double>, kOne, kTwo);
  EXPECT_THROWS_MESSAGE(problem.Solve(1, 0), std::logic_error,
                        "final time 0 is before the initial time 1");
  EXPECT_THROWS_MESSAGE(problem.DenseSolve(1, 1), std::logic_error,
                        "interval from 1 to 1 is empty");
  const Problem odd([](double, const Eigen::VectorXd&,
                       const Eigen::VectorXd&) { return Eigen::VectorXd(3); },
                    kOne);
  EXPECT_THROWS_MESSAGE(odd.Solve(0, 1), std::logic_error,
                        "3 elements for a state of 1");
}

}  // namespace initial_value_problem_test
}  // namespace wyvern::systems
