// Laws of the step's solution that need no other solver.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/step/dense_solver.h"
#include "tests/support/near.h"
#include "wyvern/multibody/step/step_solver.h"

namespace wyvern::multibody::internal {
namespace step_laws_test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Near;
using Problem = StepProblem<double>;
using Kind = ContactLaw<double>::Kind;

constexpr double kDt = 0.002;
constexpr double kGravity = 9.81;
constexpr double kMass = 2;

ContactLaw<double> MakeLaw(Kind kind) {
  ContactLaw<double> law;
  law.kind = kind;
  law.mu = 0.5;
  law.v_hat = 0.01;
  law.R_n = 1e-3;
  law.R_t = 1e-5;
  law.dt = kDt;
  law.k = 1e5;
  law.d = 5;
  law.f0 = kMass * kGravity;
  law.n0 = kDt * kMass * kGravity;
  law.eps = 1e-3;
  return law;
}

// A column of points on each other, free to move in space; each column is an
// island. The lowest points touch the ground.
Problem MakeColumns(int columns, int height, Kind kind, double push = 0) {
  std::vector<int> nv(columns * height, 3);
  Problem problem;
  problem.Reset(kDt, nv);
  for (int t = 0; t < columns * height; ++t) {
    problem.A(t) = kMass * MatrixXd::Identity(3, 3);
    problem.impulse().segment<3>(3 * t) =
        kDt * kMass * Vector3d(push * (t % height + 1), 0, -kGravity);
    const int below = t % height == 0 ? -1 : t - 1;
    const int c = problem.AddContact(MakeLaw(kind), t, below);
    problem.J(c, 0).setIdentity();
    if (below >= 0) problem.J(c, 1) = -MatrixXd::Identity(3, 3);
  }
  return problem;
}

class StepLaws : public ::testing::TestWithParam<Kind> {};

TEST_P(StepLaws, GivenImpulsesAreVelocitiesWithoutConstraints) {
  const Problem given = MakeColumns(3, 4, GetParam());
  Problem moved = given;
  moved.impulse().setZero();
  moved.v_star() += given.impulse() / kMass;
  StepSolver solver;
  const VectorXd zero = VectorXd::Zero(given.num_v());
  const VectorXd v = solver.Solve(given, zero).v;
  EXPECT_TRUE(Near(solver.Solve(moved, zero).v, v, 1e-12));
  EXPECT_LE(given.CalcResidual(v).norm(), 1e-9);
}

TEST_P(StepLaws, MomentumChangesByTheGroundsImpulseAndWeight) {
  const int height = 5;
  const Problem problem = MakeColumns(1, height, GetParam(), 1.0);
  StepSolver solver;
  const auto& solution = solver.Solve(problem, VectorXd::Zero(3 * height));
  Vector3d momentum = Vector3d::Zero(), given = Vector3d::Zero();
  for (int t = 0; t < height; ++t) {
    momentum += kMass * solution.v.segment<3>(3 * t);
    given += problem.impulse().segment<3>(3 * t);
  }
  const Vector3d ground = solution.g.head<3>();
  EXPECT_TRUE(Near(momentum, Vector3d(given + ground), 1e-10));
}

// Signorini's law but for compliance: no pull, no impulse on what separates
// faster than it would come apart. Coulomb's but for regularization: within the
// cone, against the motion.
TEST_P(StepLaws, ImpulsesAreComplementary) {
  StepSolver solver;
  for (const double push : {0.0, 2.0, 20.0}) {
    const Problem problem = MakeColumns(2, 6, GetParam(), push);
    const auto& solution =
        solver.Solve(problem, VectorXd::Zero(problem.num_v()));
    VectorXd rows;
    problem.CalcRowVelocities(solution.v, &rows);
    for (int c = 0; c < problem.num_constraints(); ++c) {
      const auto& law = problem.contact_law(problem.constraint(c).law);
      const Vector3d g = solution.g.segment<3>(3 * c);
      const Vector3d v = rows.segment<3>(3 * c);
      EXPECT_GE(g[2], 0);
      const double limit = law.mu * (law.kind == Kind::kLagged ? law.n0 : g[2]);
      EXPECT_LE(g.head<2>().norm(), limit * (1 + 1e-12));
      EXPECT_LE(g.head<2>().dot(v.head<2>()), 1e-15);
      // Where both the spring and the damper have let go.
      if (law.kind != Kind::kSap && v[2] > 1 / law.d) {
        EXPECT_EQ(g[2], 0);
      }
    }
  }
}

TEST_P(StepLaws, AnIslandsBitsDoNotDependOnOthers) {
  const Problem one = MakeColumns(1, 4, GetParam(), 3.0);
  const Problem many = MakeColumns(7, 4, GetParam(), 3.0);
  StepSolver solver, other;
  const VectorXd v = solver.Solve(one, VectorXd::Zero(12)).v;
  const auto& solution = other.Solve(many, VectorXd::Zero(7 * 12));
  EXPECT_EQ(solution.num_islands, 7);
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(VectorXd(solution.v.segment(12 * i, 12)), v) << i;
  }
}

TEST_P(StepLaws, TheSolutionAsAGuessNeedsNoIteration) {
  const Problem problem = MakeColumns(2, 10, GetParam());
  StepSolver solver;
  const VectorXd v = solver.Solve(problem, VectorXd::Zero(60)).v;
  const auto& again = solver.Solve(problem, v);
  EXPECT_EQ(again.num_iterations, 0);
  EXPECT_EQ(again.v, v);
}

TEST_P(StepLaws, ADenseSolverAgrees) {
  StepSolver solver;
  const Problem problem = MakeColumns(2, 12, GetParam(), 4.0);
  const VectorXd zero = VectorXd::Zero(problem.num_v());
  EXPECT_TRUE(
      Near(solver.Solve(problem, zero).v, test::SolveDense(problem), 1e-9));
}

TEST(StepSolver, GivenImpulsesMoveWhatNothingTouches) {
  const std::vector<int> nv{3, 6, 2};
  Problem problem;
  problem.Reset(kDt, nv);
  for (int t = 0; t < 3; ++t) {
    problem.A(t) = kMass * MatrixXd::Identity(nv[t], nv[t]);
  }
  problem.v_star() = VectorXd::LinSpaced(11, -1, 1);
  problem.impulse().segment<6>(3).setConstant(0.3);
  VectorXd expected = problem.v_star();
  expected.segment<6>(3).array() += 0.3 / kMass;
  StepSolver solver;
  EXPECT_TRUE(
      Near(solver.Solve(problem, VectorXd::Zero(11)).v, expected, 1e-15));
}

INSTANTIATE_TEST_SUITE_P(AllKinds, StepLaws,
                         ::testing::Values(Kind::kSap, Kind::kLagged,
                                           Kind::kSimilar));

}  // namespace step_laws_test
}  // namespace wyvern::multibody::internal
