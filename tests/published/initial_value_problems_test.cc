#include "tests/published/initial_value_problems.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/published/problem_system.h"

// The reference solutions of the test set for initial value problems, by the
// integrators for which the problems are meant.

namespace wyvern::test {
namespace initial_value_problems_test {

// The error at the end, and what it took.
struct Result {
  double error{};
  int64_t evaluations{};
  Eigen::VectorXd state;
};

Result Solve(const InitialValueProblem& problem,
             const systems::SimulatorConfig& config) {
  const ProblemSystem system(problem);
  systems::Simulator<double> simulator(system);
  ApplySimulatorConfig(config, &simulator);
  // The first step of a stiff problem is one of its fastest change.
  simulator.get_mutable_integrator().request_initial_step_size_target(
      1e-8 * problem.end < 1e-6 ? 1e-8 * problem.end : 1e-6);
  simulator.AdvanceTo(problem.end);
  return {system.CalcErrorOf(simulator.get_context()),
          simulator.get_integrator().get_num_derivative_evaluations(),
          simulator.get_context().get_continuous_state_vector().CopyToVector()};
}

TEST(InitialValueProblems, OfTheTestSetAreSolvedByMethodsForStiffSystems) {
  for (const InitialValueProblem& problem : GetInitialValueProblems()) {
    if (!problem.is_stiff) continue;
    for (const char* scheme : {"radau5", "rosenbrock4"}) {
      // Local errors of r add up to some hundred of r in such problems.
      for (const double r : {1e-4, 1e-7}) {
        const Result result = Solve(problem, MakeConfig(problem, scheme, r));
        EXPECT_LT(result.error, 300 * r)
            << problem.name << " by " << scheme << " at " << r << " in "
            << result.evaluations;
      }
    }
  }
}

TEST(InitialValueProblems, AreSolvedByTheDefaultIntegrator) {
  for (const InitialValueProblem& problem : GetInitialValueProblems()) {
    if (problem.name != "HIRES" && problem.name != "ROBER") continue;
    const double r = 1e-4;
    const Result result =
        Solve(problem, MakeConfig(problem, "runge_kutta3", r));
    EXPECT_LT(result.error, 300 * r)
        << problem.name << " in " << result.evaluations;
  }
}

// The springs of the car axis have 10,000 times the stiffness of the masses.
TEST(InitialValueProblems, TheCarAxisMovesAsTheIndex3SystemSays) {
  for (const InitialValueProblem& problem : GetInitialValueProblems()) {
    if (problem.name != "car axis") continue;
    for (const char* scheme : {"runge_kutta5", "radau5"}) {
      const Result result = Solve(problem, MakeConfig(problem, scheme, 1e-10));
      EXPECT_LT(result.error, 1e-7) << scheme << " in " << result.evaluations;
    }
  }
}

TEST(InitialValueProblems, AnOrbitClosesAfterItsPeriod) {
  const InitialValueProblem orbit = GetInitialValueProblems().back();
  ASSERT_EQ(orbit.name, "Arenstorf");
  for (const char* scheme : {"runge_kutta5", "dormand_prince5", "fehlberg78"}) {
    // The orbit is sensitive: errors of each step grow by 1e4 to 1e5.
    const Result result = Solve(orbit, MakeConfig(orbit, scheme, 1e-11));
    EXPECT_LT(result.error, 1e-5) << scheme << " in " << result.evaluations;
  }
}

// The second element of ROBER is 1e-5, less than the accuracy of 1e-4.
TEST(InitialValueProblems, SmallElementsHaveDigitsWithDefaultSettings) {
  InitialValueProblem problem;
  for (const InitialValueProblem& one : GetInitialValueProblems()) {
    if (one.name == "ROBER") problem = one;
  }
  // At 40 s; the digits are those of scipy's Radau at 1e-13.
  problem.end = 40;
  problem.solution = {0.7158270687193941, 9.185534764557794e-06,
                      0.2841637457458413};
  problem.scale = {0, 0, 0};
  for (const char* scheme : {"runge_kutta3", "radau5", "rosenbrock4"}) {
    systems::SimulatorConfig config;
    config.integration_scheme = scheme;
    const Result result = Solve(problem, config);
    EXPECT_NEAR(result.state[1] / problem.solution[1], 1, 1e-3)
        << scheme << " in " << result.evaluations;
    EXPECT_LT(result.error, 1e-3) << scheme;
  }
}

}  // namespace initial_value_problems_test
}  // namespace wyvern::test
