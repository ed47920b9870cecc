// Trees with branches: what is left out of their factors is zero, and islands
// with few rows are solved by them.
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/multibody/step/dense_solver.h"
#include "tests/multibody/step/random_contact.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/support/random_numbers.h"
#include "wyvern/multibody/step/block_cholesky.h"
#include "wyvern/multibody/step/branch_pattern.h"
#include "wyvern/multibody/step/step_solver.h"

namespace wyvern::multibody::internal {
namespace branched_trees_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Near;
using Random = test::RandomNumbers;
using Problem = StepProblem<double>;

// Most velocities follow the one before, some begin a branch.
std::vector<int> RandomParents(int n, Random* random) {
  std::vector<int> parents;
  for (int i = 0; i < n; ++i) {
    const bool is_new = i > 0 && random->Integer(0, 2) == 0;
    parents.push_back(is_new ? random->Integer(-1, i - 1) : i - 1);
  }
  return parents;
}

std::set<int> Path(const std::vector<int>& parents, int j) {
  std::set<int> path;
  for (; j >= 0; j = parents[j]) path.insert(j);
  return path;
}

std::vector<int> List(std::span<const IndexRange> ranges) {
  std::vector<int> list;
  for (const auto& range : ranges) {
    for (int i = 0; i < range.size; ++i) list.push_back(range.start + i);
  }
  return list;
}

// Positive definite, and zero where neither of two velocities is on the path of
// the other: a sum over paths, as masses of bodies make it.
MatrixXd RandomInertia(const std::vector<int>& parents, Random* random) {
  const int n = static_cast<int>(parents.size());
  MatrixXd A = 0.2 * MatrixXd::Identity(n, n);
  for (int j = 0; j < n; ++j) {
    VectorXd x = VectorXd::Zero(n);
    for (const int i : Path(parents, j)) x[i] = random->Uniform(-1, 1);
    A += x * x.transpose();
  }
  return A;
}

TEST(BranchPattern, RowsAreAPathAndColumnsAreWhatIsOutboard) {
  BranchPattern pattern;
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::vector<int> sizes{5, 0, 14};
    std::vector<int> all;
    std::vector<std::vector<int>> parents;
    for (const int n : sizes) {
      parents.push_back(RandomParents(n, &random));
      all.insert(all.end(), parents.back().begin(), parents.back().end());
    }
    pattern.Set(sizes, all);
    int start = 0;
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      for (int j = 0; j < sizes[b]; ++j) {
        const std::set<int> path = Path(parents[b], j);
        EXPECT_EQ(List(pattern.rows(start + j)),
                  std::vector<int>(path.begin(), path.end()));
        std::vector<int> outboard;
        for (int k = j + 1; k < sizes[b]; ++k) {
          if (Path(parents[b], k).contains(j)) outboard.push_back(k);
        }
        EXPECT_EQ(List(pattern.columns(start + j)), outboard);
      }
      start += sizes[b];
    }
  }
}

TEST(BranchPattern, PanelsOfAnyHeightAreFactored) {
  BranchPattern pattern;
  Random random(1);
  for (int size = 1; size <= 24; ++size) {
    for (const int below : {0, 1, 6}) {
      const std::vector<int> parents = RandomParents(size, &random);
      const MatrixXd H = RandomInertia(parents, &random);
      const MatrixXd B = random.Matrix(below, size);
      // Another block before it.
      std::vector<int> all{-1, 0};
      all.insert(all.end(), parents.begin(), parents.end());
      pattern.Set(std::vector<int>{2, size}, all);
      const int height = size + below;
      VectorXd panel = VectorXd::Constant(height * size + kBranchesSlack, 7);
      Eigen::Map<MatrixXd> matrix(panel.data(), height, size);
      matrix.topRows(size).triangularView<Eigen::Upper>() = H;
      matrix.bottomRows(below) = B;
      VectorXd by_one = panel;
      ASSERT_TRUE(FactorBranches(pattern, 2, size, height, panel.data()));
      ASSERT_TRUE(
          FactorBranches<double>(pattern, 2, size, height, by_one.data()));
      EXPECT_TRUE(Near(panel, by_one, 1e-13));
      EXPECT_TRUE((panel.tail(kBranchesSlack).array() == 7).all());
      MatrixXd U = matrix.topRows(size).triangularView<Eigen::Upper>();
      U.diagonal() = U.diagonal().cwiseInverse().eval();
      EXPECT_TRUE(Near(U * U.transpose(), H, 1e-12)) << size;
      EXPECT_TRUE(Near(matrix.bottomRows(below) * U.transpose(), B, 1e-12))
          << size;
      for (int j = 0; j < size; ++j) {
        for (int i = 0; i < size; ++i) {
          if (i < j && !Path(parents, j).contains(i)) {
            EXPECT_EQ(U(i, j), 0);
          }
        }
      }
    }
  }
}

TEST(BranchPattern, APivotThatIsNotPositiveIsToldOf) {
  BranchPattern pattern;
  for (const int size : {1, 3, 4, 9, 16, 17}) {
    pattern.Set(std::vector<int>{size}, {});
    for (int pivot = 0; pivot < size; ++pivot) {
      for (const double value : {0.0, -1.0, std::nan("")}) {
        VectorXd panel = VectorXd::Zero(size * size + kBranchesSlack);
        Eigen::Map<MatrixXd> H(panel.data(), size, size);
        H.setIdentity();
        H(pivot, pivot) = value;
        VectorXd by_one = panel;
        EXPECT_FALSE(FactorBranches(pattern, 0, size, size, panel.data()));
        EXPECT_FALSE(
            FactorBranches<double>(pattern, 0, size, size, by_one.data()));
      }
    }
  }
}

TEST(BranchPattern, LinksPutOneOnThePathOfTheOtherAndTakeNothingAway) {
  for (int seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const std::vector<int> before = RandomParents(12, &random);
    std::vector<int> parents = before;
    std::vector<std::pair<int, int>> links;
    for (int k = 0; k < 3; ++k) {
      const int j = random.Integer(1, 11), i = random.Integer(0, j - 1);
      BranchPattern::Link(i, j, parents);
      links.emplace_back(i, j);
    }
    for (int j = 0; j < 12; ++j) {
      EXPECT_LT(parents[j], j);
      const std::set<int> path = Path(parents, j);
      for (const int i : Path(before, j)) EXPECT_TRUE(path.contains(i));
    }
    for (const auto& [i, j] : links) {
      EXPECT_TRUE(Path(parents, j).contains(i)) << seed;
    }
  }
}

// Four columns at a time are solved for as each is; a ninth column and those of
// other islands stay.
void CompareColumns(const BlockCholesky& cholesky, const MatrixXd& B) {
  for (int island = 0; island < cholesky.num_islands(); ++island) {
    MatrixXd expected = B;
    for (int j = 0; j < B.cols(); ++j) {
      cholesky.SolveForward(island, expected.col(j).data());
    }
    MatrixXd rows = MatrixXd::Constant(9, B.rows(), 5);
    rows.topRows(8) = B.transpose();
    cholesky.SolveForward(island, 2, 9, rows.data());
    EXPECT_TRUE((rows.row(8).array() == 5).all());
    EXPECT_TRUE(Near(MatrixXd(rows.topRows(8).transpose()), expected, 1e-12));
  }
}

TEST(BlockCholesky, SolvesBranchedBlocksAsADenseFactorizationDoes) {
  BlockCholesky cholesky;
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::vector<int> sizes{9, 12}, parents_0 = RandomParents(9, &random),
                                         parents_1 = RandomParents(12, &random);
    std::vector<int> parents = parents_0;
    parents.insert(parents.end(), parents_1.begin(), parents_1.end());
    MatrixXd H = MatrixXd::Zero(21, 21);
    H.topLeftCorner(9, 9) = RandomInertia(parents_0, &random);
    H.bottomRightCorner(12, 12) = RandomInertia(parents_1, &random);
    std::vector<std::pair<int, int>> edges;
    if (seed % 2 == 1) {  // A block filled by the other has no branches.
      edges.emplace_back(0, 1);
      H.topRightCorner(9, 12) = 0.01 * random.Matrix(9, 12);
      H.bottomLeftCorner(12, 9) = H.topRightCorner(9, 12).transpose();
    }
    const std::vector<char> is_used{1, 1};
    cholesky.Analyze(sizes, is_used, edges, parents);
    const MatrixXd H_0 = H.topLeftCorner(9, 9),
                   H_1 = H.bottomRightCorner(12, 12);
    cholesky.StartBlock(0, H_0.data());
    cholesky.StartBlock(1, H_1.data());
    if (!edges.empty()) {
      bool is_transposed;
      auto block = cholesky.Block(0, 1, &is_transposed);
      if (is_transposed) {
        block = H.bottomLeftCorner(12, 9);
      } else {
        block = H.topRightCorner(9, 12);
      }
    }
    const VectorXd b = random.Matrix(21, 1);
    VectorXd x = b;
    for (int island = 0; island < cholesky.num_islands(); ++island) {
      ASSERT_TRUE(cholesky.Factor(island));
      cholesky.Solve(island, x);
    }
    // Condition numbers are below 1e3.
    EXPECT_TRUE(Near(x, VectorXd(H.llt().solve(b)), 1e-11)) << seed;
    CompareColumns(cholesky, random.Matrix(21, 8));
  }
}

// Two trees with branches; contacts have the columns of one path, or of two of
// one tree. With `is_told`, the problem knows the branches.
Problem MakeProblem(int seed, bool is_told, int num_contacts) {
  Random random(seed);
  Problem problem;
  const std::vector<int> nv{20, 16};
  problem.Reset(0.01, nv);
  std::vector<std::vector<int>> parents;
  for (int t = 0; t < 2; ++t) {
    parents.push_back(RandomParents(nv[t], &random));
    problem.A(t) = RandomInertia(parents[t], &random);
    if (is_told) problem.SetBranches(t, parents[t]);
  }
  problem.v_star() = random.Matrix(36, 1);
  problem.impulse() = 0.1 * random.Matrix(36, 1);
  problem.dof_laws().resize(36);
  for (auto& law : problem.dof_laws()) law.damping = random.Uniform(0, 5);
  for (int i = 0; i < num_contacts; ++i) {
    std::vector<std::vector<int>> columns(2);
    const int tree = random.Integer(0, 1);
    const bool has_two = random.Integer(0, 2) == 0;
    for (int side = 0; side < 1 + has_two; ++side) {
      const int t = side == 0 ? tree : 1 - tree;
      std::set<int> path = Path(parents[t], random.Integer(0, nv[t] - 1));
      if (random.Integer(0, 2) == 0) {
        path.merge(Path(parents[t], random.Integer(0, nv[t] - 1)));
      }
      columns[side].assign(path.begin(), path.end());
    }
    const int c =
        problem.AddContact(test::RandomContact(&random), tree,
                           has_two ? 1 - tree : -1, columns[0], columns[1]);
    for (int side = 0; side < 1 + has_two; ++side) {
      auto J = problem.J(c, side);
      J = random.Matrix(J.rows(), J.cols());
    }
  }
  return problem;
}

TEST(StepSolver, BranchesChangeNoSolution) {
  for (int seed = 0; seed < 40; ++seed) {
    Problem told = MakeProblem(seed, true, 10);
    Problem plain = MakeProblem(seed, false, 10);
    EXPECT_TRUE(told.is_branched(0) || told.is_branched(1));
    EXPECT_FALSE(plain.is_branched(0));
    StepSolver solver, plain_solver;
    const VectorXd zero = VectorXd::Zero(36);
    const VectorXd v = solver.Solve(told, zero).v;
    EXPECT_TRUE(Near(v, plain_solver.Solve(plain, zero).v, 1e-8)) << seed;
    EXPECT_LE(told.CalcResidual(v).lpNorm<Eigen::Infinity>(), 1e-8) << seed;
    for (int c = 0; c < told.num_constraints(); ++c) {
      const double scale = plain.CalcDelassusScale(c);
      EXPECT_NEAR(told.CalcDelassusScale(c), scale, 1e-11 * scale) << seed;
    }
    VectorXd a = v, b = v;
    solver.SolveSensitivity(told, a);
    plain_solver.SolveSensitivity(plain, b);
    EXPECT_TRUE(Near(a, b, 1e-7)) << seed;
  }
}

// Points that a body carries move by its six velocities, wherever they are.
TEST(StepProblem, MobilityOfABodyIsThatOfItsPoints) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const int n = 14, last = random.Integer(0, n - 1);
    const std::vector<int> parents = RandomParents(n, &random);
    Problem problem;
    problem.Reset(0.01, std::vector<int>{3, n});
    problem.A(0).setIdentity();
    problem.A(1) = RandomInertia(parents, &random);
    problem.SetBranches(1, parents);
    const MatrixXd screws = random.Matrix(6, n);
    const Eigen::Matrix<double, 6, 6> mobility =
        problem.CalcPathMobility(1, last, screws.data());
    const std::set<int> path = Path(parents, last);
    const std::vector<int> columns(path.begin(), path.end());
    for (int k = 0; k < 3; ++k) {
      const MatrixXd of_point = random.Matrix(3, 6);
      const int c = problem.AddContact({}, 1, -1, columns);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        problem.J(c, 0).col(i) = of_point * screws.col(columns[i]);
      }
      const double scale =
          (of_point * mobility * of_point.transpose()).norm() / 3;
      EXPECT_NEAR(problem.CalcDelassusScale(c), scale, 1e-11 * scale) << seed;
    }
    EXPECT_TRUE(problem.CalcPathMobility(1, -1, screws.data()).isZero(0));
  }
}

TEST(StepProblem, WhatIsNoInertiaHasNoMobility) {
  Problem problem;
  problem.Reset(0.01, std::vector<int>{2});
  problem.A(0) << 1, 0, 0, -1;
  const MatrixXd screws = MatrixXd::Ones(6, 2);
  EXPECT_TRUE(
      problem.CalcPathMobility(0, 1, screws.data()).array().isNaN().all());
}

TEST(StepSolver, FewContactsAreSolvedByTheirRows) {
  int by_rows = 0, all = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const Problem problem = MakeProblem(seed, true, 1 + seed % 2);
    StepSolver solver;
    const VectorXd zero = VectorXd::Zero(36);
    const auto& solution = solver.Solve(problem, zero);
    int num_touched = solution.num_islands == 1 ? 1 : 0;
    if (num_touched == 0) {
      std::set<int> trees;
      for (int c = 0; c < problem.num_constraints(); ++c) {
        trees.insert(problem.constraint(c).tree[0]);
      }
      num_touched = static_cast<int>(trees.size());
    }
    by_rows += solution.num_by_rows;
    all += num_touched;
    EXPECT_LE(solution.residual, 1e-9);
    EXPECT_TRUE(Near(solution.v, test::SolveDense(problem), 1e-8)) << seed;
  }
  // For the stiffest, slopes of 1e5, round-off leaves more than the tolerance.
  EXPECT_LE(by_rows, all);
  EXPECT_GE(by_rows, 0.9 * all);
}

TEST(StepSolver, RowsAllocateNothingTheSecondTime) {
  const Problem few = MakeProblem(3, true, 2), many = MakeProblem(3, true, 10);
  StepSolver solver;
  const VectorXd zero = VectorXd::Zero(36);
  solver.Solve(many, zero);
  solver.Solve(few, zero);
  test::AllocationGuard guard;
  solver.Solve(few, zero);
  solver.Solve(many, zero);
  EXPECT_EQ(guard.count(), 0);
}

TEST(StepProblem, AParentIsBeforeItsVelocity) {
  Problem problem;
  problem.Reset(0.01, std::vector<int>{3});
  for (const std::vector<int>& bad :
       {std::vector<int>{-1, 1, 1}, {-1, 0, -2}, {-1, 0}}) {
    EXPECT_THROWS_MESSAGE(problem.SetBranches(0, bad), std::logic_error,
                          "give each one before it, or -1");
  }
}

}  // namespace branched_trees_test
}  // namespace wyvern::multibody::internal
