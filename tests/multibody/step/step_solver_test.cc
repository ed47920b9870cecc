#include "wyvern/multibody/step/step_solver.h"

#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/step/dense_solver.h"
#include "tests/multibody/step/random_contact.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/support/random_numbers.h"

namespace wyvern::multibody::internal {
namespace step_solver_test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Near;
using Random = test::RandomNumbers;
using Problem = StepProblem<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kGravity = 9.81;

// Trees of 1 to 9 velocities, some locked, with contacts, rows and dof laws.
Problem MakeRandomProblem(int seed, int num_trees = 12) {
  Random random(seed);
  std::vector<int> nv;
  for (int t = 0; t < num_trees; ++t) {
    nv.push_back(random.Integer(0, 2) ? 6 : random.Integer(1, 9));
  }
  Problem problem;
  problem.Reset(0.01, nv);
  for (int t = 0; t < num_trees; ++t) {
    const MatrixXd root = random.Matrix(nv[t], nv[t]);
    problem.A(t) = root * root.transpose() + MatrixXd::Identity(nv[t], nv[t]);
  }
  problem.v_star() = random.Matrix(problem.num_v(), 1);
  if (seed % 3 == 0) {
    for (int i = 0; i < problem.num_v(); ++i) {
      DofForceLaw<double> law;
      law.damping = random.Uniform(0, 5);
      law.has_controller = i % 2;
      law.a = random.Uniform(-50, 50);
      law.b = random.Uniform(0, 1e4);
      law.effort = 30;
      problem.dof_laws().push_back(law);
    }
  }
  if (seed % 4 == 0) problem.is_locked()[random.Integer(0, 5)] = 1;
  for (int i = 0; i < 2 * num_trees; ++i) {
    const int a = random.Integer(0, num_trees - 1);
    int b = random.Integer(-1, num_trees - 1);
    if (b == a) b = -1;
    int c;
    if (random.Integer(0, 2)) {
      c = problem.AddContact(test::RandomContact(&random), a, b);
    } else {
      std::vector<RowLaw<double>> laws(random.Integer(1, 6));
      for (auto& law : laws) {
        law.v_hat = random.Uniform(-0.1, 0.1);
        law.R = std::pow(10, random.Uniform(-5, -1));
        law.lower = random.Integer(0, 1) ? 0 : -kInf;
        law.upper = random.Integer(0, 2) ? kInf : 0.1;
      }
      c = problem.AddRows(laws, a, b);
    }
    for (int side = 0; side < 2 && problem.constraint(c).tree[side] >= 0;
         ++side) {
      auto J = problem.J(c, side);
      J = random.Matrix(J.rows(), J.cols());
    }
  }
  return problem;
}

// Two problems that are the same: blocks have random columns alone in one, and
// zeros for the others in the other.
std::pair<Problem, Problem> MakeSparseAndPadded(int seed) {
  const Problem dense = MakeRandomProblem(seed);
  Random random(seed + 1000);
  std::vector<int> nv;
  for (int t = 0; t < dense.num_trees(); ++t) nv.push_back(dense.nv(t));
  std::pair<Problem, Problem> result;
  for (Problem* problem : {&result.first, &result.second}) {
    problem->Reset(dense.dt(), nv);
    for (int t = 0; t < dense.num_trees(); ++t) problem->A(t) = dense.A(t);
    problem->v_star() = dense.v_star();
    problem->dof_laws() = dense.dof_laws();
    problem->is_locked() = dense.is_locked();
  }
  for (int c = 0; c < dense.num_constraints(); ++c) {
    const auto& k = dense.constraint(c);
    std::vector<int> columns[2];
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      const int n = nv[k.tree[side]];
      for (int i = 0; i < n; ++i) {
        if (random.Integer(0, 1)) columns[side].push_back(i);
      }
      if (columns[side].empty()) columns[side].push_back(n - 1);
    }
    const auto add = [&](Problem* problem, bool is_sparse) {
      const std::vector<int> all;
      const auto& a = is_sparse ? columns[0] : all;
      const auto& b = is_sparse ? columns[1] : all;
      if (k.is_contact) {
        problem->AddContact(dense.contact_law(k.law), k.tree[0], k.tree[1], a,
                            b);
        return;
      }
      std::vector<RowLaw<double>> laws;
      for (int i = 0; i < k.num_rows; ++i) {
        laws.push_back(dense.row_law(k.law + i));
      }
      problem->AddRows(laws, k.tree[0], k.tree[1], a, b);
    };
    add(&result.first, true);
    add(&result.second, false);
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      for (std::size_t i = 0; i < columns[side].size(); ++i) {
        const int column = columns[side][i];
        result.first.J(c, side).col(i) = dense.J(c, side).col(column);
        result.second.J(c, side).col(column) = dense.J(c, side).col(column);
      }
    }
  }
  return result;
}

TEST(StepSolver, ColumnsThatAreZeroMayBeLeftOut) {
  for (int seed = 0; seed < 40; ++seed) {
    auto [sparse, padded] = MakeSparseAndPadded(seed);
    const VectorXd zero = VectorXd::Zero(sparse.num_v());
    StepSolver sparse_solver, padded_solver;
    const auto& x = sparse_solver.Solve(sparse, zero);
    const auto& y = padded_solver.Solve(padded, zero);
    EXPECT_LE((x.v - y.v).lpNorm<Eigen::Infinity>(), 1e-10) << seed;
    EXPECT_LE((x.g - y.g).lpNorm<Eigen::Infinity>(), 1e-9) << seed;
    // Slopes of 1e5 enlarge the rounding of velocities.
    EXPECT_LE((sparse.CalcResidual(x.v) - padded.CalcResidual(x.v))
                  .lpNorm<Eigen::Infinity>(),
              1e-10)
        << seed;
    VectorXd a = x.v, b = x.v;
    sparse_solver.SolveSensitivity(sparse, a);
    padded_solver.SolveSensitivity(padded, b);
    EXPECT_LE((a - b).lpNorm<Eigen::Infinity>(), 1e-9) << seed;
    for (int c = 0; c < sparse.num_constraints(); ++c) {
      EXPECT_NEAR(sparse.CalcDelassusScale(c), padded.CalcDelassusScale(c),
                  1e-13)
          << seed;
    }
    const Problem copy = sparse.ExtractValues();
    EXPECT_EQ(copy.CalcResidual(x.v), sparse.CalcResidual(x.v));
  }
}

TEST(StepProblem, ColumnsIncreaseAndAreTheTrees) {
  Problem problem;
  problem.Reset(0.01, std::vector<int>{6});
  const std::vector<int> columns{1, 2, 5};
  const int c = problem.AddContact({}, 0, -1, columns);
  ASSERT_EQ(problem.ranges(c, 0).size(), 2u);
  EXPECT_EQ(problem.J(c, 0).cols(), 3);
  EXPECT_EQ(problem.ranges(c, 0)[0].start, 1);
  EXPECT_EQ(problem.ranges(c, 0)[0].size, 2);
  EXPECT_EQ(problem.ranges(c, 0)[1].start, 5);
  EXPECT_EQ(problem.ranges(c, 0)[1].first, 2);
  for (const std::vector<int>& bad :
       {std::vector<int>{-1}, {6}, {2, 2}, {3, 1}}) {
    EXPECT_THROWS_MESSAGE(problem.AddContact({}, 0, -1, bad), std::logic_error,
                          "give increasing columns from 0 to 5");
  }
}

TEST(StepSolver, ResidualOfTheSolutionIsZero) {
  StepSolver solver;
  for (int seed = 0; seed < 40; ++seed) {
    const Problem problem = MakeRandomProblem(seed);
    const auto& solution =
        solver.Solve(problem, VectorXd::Zero(problem.num_v()));
    // Relative to impulses of some 10 N s.
    EXPECT_LE(problem.CalcResidual(solution.v).lpNorm<Eigen::Infinity>(), 1e-7)
        << seed;
    for (int i = 0; i < problem.num_v(); ++i) {
      if (problem.is_locked()[i]) {
        EXPECT_EQ(solution.v[i], 0);
      }
    }
  }
}

TEST(StepSolver, ADenseSolverAgrees) {
  StepSolver solver;
  for (int seed = 0; seed < 20; ++seed) {
    const Problem problem = MakeRandomProblem(seed);
    const VectorXd zero = VectorXd::Zero(problem.num_v());
    EXPECT_TRUE(
        Near(solver.Solve(problem, zero).v, test::SolveDense(problem), 1e-9))
        << seed;
  }
}

TEST(StepSolver, SolutionDoesNotDependOnTheGuess) {
  StepSolver solver;
  for (int seed = 0; seed < 20; ++seed) {
    const Problem problem = MakeRandomProblem(seed);
    const VectorXd zero = VectorXd::Zero(problem.num_v());
    const VectorXd v = solver.Solve(problem, zero).v;
    const VectorXd far = 100 * Random(seed).Matrix(problem.num_v(), 1);
    // A is about 1, so that v is as good as the relative residual.
    EXPECT_TRUE(Near(solver.Solve(problem, far).v, v, 1e-7)) << seed;
  }
}

TEST(StepSolver, GivesTheSameBitsAgain) {
  const Problem problem = MakeRandomProblem(3, 40);
  const VectorXd zero = VectorXd::Zero(problem.num_v());
  StepSolver one, other;
  other.Solve(MakeRandomProblem(4),
              VectorXd::Zero(MakeRandomProblem(4).num_v()));
  EXPECT_EQ(one.Solve(problem, zero).v, other.Solve(problem, zero).v);
}

TEST(StepSolver, AllocatesNothingTheSecondTime) {
  const Problem problem = MakeRandomProblem(3, 20);
  const VectorXd zero = VectorXd::Zero(problem.num_v());
  StepSolver solver;
  solver.Solve(problem, zero);
  test::AllocationGuard guard;
  solver.Solve(problem, zero);
  EXPECT_EQ(guard.count(), 0);
}

TEST(StepSolver, TreesThatNothingTouchesMoveFreely) {
  Problem problem;
  const std::vector<int> nv{2, 3};
  problem.Reset(0.1, nv);
  problem.A(0).setIdentity();
  problem.A(1).setIdentity();
  problem.v_star() << 1, 2, 3, 4, 5;
  StepSolver solver;
  const auto& solution = solver.Solve(problem, VectorXd::Zero(5));
  EXPECT_EQ(solution.v, problem.v_star());
  EXPECT_EQ(solution.num_islands, 0);
}

// A point mass on a plane, pushed along it.
Problem MakePointOnPlane(double mu, double push) {
  const double mass = 2, dt = 0.01;
  Problem problem;
  const std::vector<int> nv{3};
  problem.Reset(dt, nv);
  problem.A(0) = mass * MatrixXd::Identity(3, 3);
  problem.v_star() << push * dt / mass, 0, -kGravity * dt;
  ContactLaw<double> law;
  law.mu = mu;
  law.R_n = 1e-6;
  law.R_t = 1e-8;
  const int c = problem.AddContact(law, 0, -1);
  problem.J(c, 0).setIdentity();
  return problem;
}

TEST(StepSolver, APointSticksInsideTheFrictionConeAndSlidesOutside) {
  StepSolver solver;
  const VectorXd rest = VectorXd::Zero(3);
  const double weight = 2 * kGravity;
  const auto stick = solver.Solve(MakePointOnPlane(0.5, 0.4 * weight), rest);
  EXPECT_NEAR(stick.v[0], 0, 1e-8);  // R_t g = 1e-8 * 0.08.
  EXPECT_NEAR(stick.g[2], weight * 0.01, 1e-6);
  // The convex model lets a sliding point rise with v_n = mu v_t, as R -> 0:
  // v_t = (push / m - mu g) dt / (1 + mu^2).
  const auto slide = solver.Solve(MakePointOnPlane(0.5, 0.6 * weight), rest);
  const double v_t = 0.1 * kGravity * 0.01 / 1.25;
  EXPECT_NEAR(slide.v[0], v_t, 1e-6);
  EXPECT_NEAR(slide.v[2], 0.5 * v_t, 1e-6);
  EXPECT_NEAR(slide.g[0], -0.5 * slide.g[2], 1e-12);
}

// Points in a row that rub on the ground and on one another, with a viscous
// range of eps, whose friction stops some of them.
int CountStepsOfRubbingPoints(int seed, double eps) {
  constexpr int kNum = 8;
  Problem problem;
  problem.Reset(0.01, std::vector<int>(kNum, 3));
  Random random(seed);
  problem.v_star() = 0.1 * random.Matrix(3 * kNum, 1);
  ContactLaw<double> law;
  law.kind = ContactLaw<double>::Kind::kLagged;
  law.mu = 1;
  law.n0 = 0.1;
  law.dt = 0.01;
  law.eps = eps;
  for (int t = 0; t < kNum; ++t) {
    problem.A(t).setIdentity();
    problem.J(problem.AddContact(law, t, -1), 0).setIdentity();
    if (t == 0) continue;
    const int c = problem.AddContact(law, t - 1, t);
    problem.J(c, 0).setIdentity();
    problem.J(c, 1) = -Eigen::Matrix3d::Identity();
  }
  StepSolver solver;
  return solver.Solve(problem, random.Matrix(3 * kNum, 1)).num_iterations;
}

// Slopes of friction by directions of their own (ContactBatch):
// by those of the velocity alone it is 12.6 and 19.5 steps on average.
TEST(StepSolver, HarderStictionTakesFewMoreSteps) {
  int steps = 0, steps_hard = 0;
  for (int seed = 0; seed < 30; ++seed) {
    steps += CountStepsOfRubbingPoints(seed, 1e-3);
    steps_hard += CountStepsOfRubbingPoints(seed, 1e-5);
  }
  EXPECT_LE(steps, 30 * 9.5);
  EXPECT_LE(steps_hard, 30 * 12);
}

TEST(StepSolver, AnEqualityHoldsTwoMassesTogetherAndKeepsMomentum) {
  Problem problem;
  const std::vector<int> nv{1, 1};
  problem.Reset(0.01, nv);
  problem.A(0)(0, 0) = 1;
  problem.A(1)(0, 0) = 3;
  problem.v_star() << 4, 0;
  const RowLaw<double> row{0, 1e-9, -kInf, kInf};
  const int c = problem.AddRows(std::span(&row, 1), 0, 1);
  problem.J(c, 0)(0, 0) = 1;
  problem.J(c, 1)(0, 0) = -1;
  StepSolver solver;
  const auto& solution = solver.Solve(problem, problem.v_star());
  EXPECT_TRUE(Near(solution.v, VectorXd::Constant(2, 1.0), 1e-8));
  EXPECT_NEAR(solution.v[0] + 3 * solution.v[1], 4, 1e-9);
}

TEST(StepSolver, SensitivityIsTheDerivativeOfTheSolution) {
  StepSolver solver;
  for (const int seed : {0, 1, 2, 5}) {
    Problem problem = MakeRandomProblem(seed);
    const VectorXd zero = VectorXd::Zero(problem.num_v());
    const VectorXd v = solver.Solve(problem, zero).v;
    // A force dj changes the residual by -dj.
    const VectorXd dj = Random(seed + 100).Matrix(problem.num_v(), 1);
    VectorXd dv = -dj;
    solver.SolveSensitivity(problem, dv);
    const double h = 1e-6;
    VectorXd shift(problem.num_v());
    for (int t = 0; t < problem.num_trees(); ++t) {
      const int start = problem.v_start(t), n = problem.nv(t);
      shift.segment(start, n) =
          MatrixXd(problem.A(t)).llt().solve(h * dj.segment(start, n));
    }
    problem.v_star() += shift;
    const VectorXd v_plus = solver.Solve(problem, zero).v;
    problem.v_star() -= 2 * shift;
    const VectorXd v_minus = solver.Solve(problem, zero).v;
    EXPECT_TRUE(Near(dv, VectorXd((v_plus - v_minus) / (2 * h)), 1e-3)) << seed;
  }
}

TEST(StepSolver, RefusesNumbersThatAreNotFinite) {
  StepSolver solver;
  Problem problem = MakePointOnPlane(0.5, 1);
  problem.v_star()[0] = std::nan("");
  EXPECT_THROWS_MESSAGE(solver.Solve(problem, VectorXd::Zero(3)),
                        std::runtime_error, "not finite");
}

TEST(StepProblem, RefusesTreesThatAreNotThere) {
  Problem problem = MakePointOnPlane(0.5, 1);
  EXPECT_THROWS_MESSAGE(problem.AddContact({}, 1, -1), std::logic_error,
                        "between trees 1 and -1 of 1");
  EXPECT_THROWS_MESSAGE(problem.AddContact({}, 0, 0), std::logic_error,
                        "two different trees");
  EXPECT_THROWS_MESSAGE(problem.AddRows({}, 0, -1), std::logic_error,
                        "has 0 rows; give 1 to 6");
}

}  // namespace step_solver_test
}  // namespace wyvern::multibody::internal
