#include "wyvern/multibody/step/rows/redundant_solve.h"

#include <limits>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/math/symmetric_eigen.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {
namespace {

using ::wyvern::test::Near;
using Rows = std::vector<int>;

Rows ToRows(std::span<const int> rows) { return {rows.begin(), rows.end()}; }

MatrixX<double> RandomMatrix(int rows, int columns, int seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return MatrixX<double>::NullaryExpr(rows, columns,
                                      [&] { return normal(generator); });
}

// Rows of very different size, as of turns and shifts.
MatrixX<double> RandomRows(int rows, int columns, int seed) {
  MatrixX<double> G = RandomMatrix(rows, columns, seed);
  for (int i = 0; i < rows; ++i) G.row(i) *= std::pow(10, i % 5 - 2);
  return G;
}

TEST(RedundantSolve, SolvesFullRankSystemsAsEigenDoes) {
  for (int n : {1, 2, 6, 24, 40}) {
    const MatrixX<double> G = RandomRows(n, n + 10, n);
    const MatrixX<double> A = G * G.transpose();
    const VectorX<double> x = RandomMatrix(n, 1, n + 1);
    RedundantSolve<double> solve(n);
    solve.Factorize(A);
    EXPECT_EQ(solve.rank(), n);
    EXPECT_EQ(ToRows(solve.dependent_rows()), Rows());
    VectorX<double> found(n);
    solve.Solve(A * x, found);
    // The scaled condition number is up to about 1e4.
    EXPECT_TRUE(Near(found, x, 1e-10));
    EXPECT_EQ(ToRows(solve.FindInconsistentRows(A * x, found)), Rows());
  }
}

TEST(RedundantSolve, NamesTheRowsThatRepeatEarlierOnes) {
  MatrixX<double> G = RandomRows(7, 9, 3);
  G.row(2) = 3 * G.row(0);
  G.row(5) = G.row(1) - 20 * G.row(3) + G.row(4);
  RedundantSolve<double> solve(7);
  solve.Factorize(G * G.transpose());
  EXPECT_EQ(solve.rank(), 5);
  EXPECT_EQ(ToRows(solve.dependent_rows()), (Rows{2, 5}));
  EXPECT_EQ(ToRows(solve.independent_rows()), (Rows{0, 1, 3, 4, 6}));
}

TEST(RedundantSolve, GivesTheLeastScaledSolution) {
  for (int seed = 0; seed < 12; ++seed) {
    const int n = 10;
    const MatrixX<double> G =
        RandomRows(n, 4, seed) * RandomMatrix(4, 15, seed + 100);
    const MatrixX<double> A = G * G.transpose();
    const VectorX<double> b = A * RandomMatrix(n, 1, seed + 200);
    RedundantSolve<double> solve(n);
    solve.Factorize(A);
    EXPECT_EQ(solve.rank(), 4);
    VectorX<double> x(n);
    solve.Solve(b, x);
    // By the pseudoinverse of the scaled matrix.
    const VectorX<double> s = A.diagonal().cwiseSqrt();
    const MatrixX<double> scaled =
        s.cwiseInverse().asDiagonal() * A * s.cwiseInverse().asDiagonal();
    const auto eigen = math::internal::CalcSymmetricEigen(scaled);
    const MatrixX<double> V = eigen.V.rightCols(4);
    const VectorX<double> expected =
        (V * (V.transpose() * b.cwiseQuotient(s))
                 .cwiseQuotient(eigen.values.tail(4)))
            .cwiseQuotient(s);
    EXPECT_TRUE(Near(x, expected, 1e-8 * expected.norm())) << seed;
    EXPECT_EQ(ToRows(solve.FindInconsistentRows(b, x)), Rows());
  }
}

TEST(RedundantSolve, RowsThatRepeatOneAnotherShareAlike) {
  MatrixX<double> G(3, 2);
  G << 1, 2, 1, 2, 1, 2;
  RedundantSolve<double> solve(3);
  solve.Factorize(G * G.transpose());
  VectorX<double> x(3);
  solve.Solve(Vector3<double>(15, 15, 15), x);
  EXPECT_TRUE(Near(x, Vector3<double>(1, 1, 1), 1e-14));
}

TEST(RedundantSolve, NamesTheRowsThatContradictOthers) {
  MatrixX<double> G = RandomRows(6, 8, 5);
  G.row(4) = 2 * G.row(1);
  const MatrixX<double> A = G * G.transpose();
  VectorX<double> b = A * RandomMatrix(6, 1, 6);
  b[4] += 0.1 * std::abs(b[4]);
  RedundantSolve<double> solve(6);
  solve.Factorize(A);
  VectorX<double> x(6);
  solve.Solve(b, x);
  EXPECT_EQ(ToRows(solve.FindInconsistentRows(b, x)), (Rows{1, 4}));
  // Nothing is found if errors as large as this one are allowed.
  const double error = 0.1 * std::abs(b[4]) / 1.1;
  EXPECT_EQ(ToRows(solve.FindInconsistentRows(b, x, 0.01 * error)),
            (Rows{1, 4}));
  EXPECT_EQ(ToRows(solve.FindInconsistentRows(b, x, 4 * error)), Rows());
}

TEST(RedundantSolve, AcceptsRowsOfZeros) {
  MatrixX<double> G = RandomRows(3, 4, 8);
  G.row(1).setZero();
  const MatrixX<double> A = G * G.transpose();
  VectorX<double> b = A * Vector3<double>(1, 2, 3);
  RedundantSolve<double> solve(3);
  solve.Factorize(A);
  EXPECT_EQ(ToRows(solve.dependent_rows()), (Rows{1}));
  VectorX<double> x(3);
  solve.Solve(b, x);
  EXPECT_TRUE(Near(x, Vector3<double>(1, 0, 3), 1e-11));
  EXPECT_EQ(ToRows(solve.FindInconsistentRows(b, x)), Rows());
  b[1] = b.cwiseAbs().maxCoeff();
  solve.Solve(b, x);
  EXPECT_EQ(ToRows(solve.FindInconsistentRows(b, x)), (Rows{1}));
}

TEST(RedundantSolve, AcceptsAllRowsOfZerosAndNone) {
  RedundantSolve<double> solve(2);
  solve.Factorize(MatrixX<double>::Zero(2, 2));
  EXPECT_EQ(solve.rank(), 0);
  VectorX<double> x(2);
  solve.Solve(Vector2<double>::Zero(), x);
  EXPECT_TRUE(Near(x, Vector2<double>::Zero()));
  EXPECT_EQ(ToRows(solve.FindInconsistentRows(Vector2<double>::Zero(), x)),
            Rows());
  solve.Factorize(MatrixX<double>(0, 0));
  EXPECT_EQ(solve.rank(), 0);
  EXPECT_FALSE(solve.is_redundant());
}

TEST(RedundantSolve, PutsOffRowsThatAreNearlyDependent) {
  // The second row is of little use by itself: 1e-4 rad from the first.
  MatrixX<double> G(3, 3);
  G << 1, 0, 0, 1, 1e-4, 0, 0, 1, 0;
  RedundantSolve<double> solve(3);
  solve.Factorize(G * G.transpose());
  EXPECT_EQ(ToRows(solve.independent_rows()), (Rows{0, 2}));
}

TEST(RedundantSolve, DerivativesAreThoseOfDifferences) {
  const int n = 5;
  MatrixX<double> G = RandomMatrix(n, 7, 9);
  const MatrixX<double> dG = [&] {
    MatrixX<double> d = RandomMatrix(n, 7, 10);
    d.row(3) = 2 * d.row(0);
    return d;
  }();
  G.row(3) = 2 * G.row(0);
  const VectorX<double> c = RandomMatrix(7, 1, 11);
  const auto solve_at = [&](double h) {
    const MatrixX<double> Gh = G + h * dG;
    RedundantSolve<double> solve(n);
    solve.Factorize(Gh * Gh.transpose());
    VectorX<double> x(n);
    solve.Solve(Gh * c, x);
    return x;
  };
  const AutoDiffXd h(0, Eigen::VectorXd::Ones(1));
  const MatrixX<AutoDiffXd> Gh =
      G.cast<AutoDiffXd>() + (dG.cast<AutoDiffXd>() * h).eval();
  RedundantSolve<AutoDiffXd> solve(n);
  solve.Factorize(Gh * Gh.transpose());
  EXPECT_EQ(solve.rank(), n - 1);
  VectorX<AutoDiffXd> x(n);
  solve.Solve(Gh * c.cast<AutoDiffXd>(), x);
  const VectorX<double> expected = (solve_at(1e-6) - solve_at(-1e-6)) / 2e-6;
  EXPECT_TRUE(Near(ToDouble(x), solve_at(0), 1e-12));
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(x[i].derivatives()[0], expected[i], 1e-7);
  }
}

// Solutions are linear in b, at b = 0 too.
TEST(RedundantSolve, KeepsTheDerivativesOfZeros) {
  MatrixX<double> G = RandomMatrix(4, 6, 12);
  for (const bool is_redundant : {false, true}) {
    if (is_redundant) G.row(3) = 2 * G.row(0);
    const MatrixX<double> A = G * G.transpose();
    const VectorX<double> db = G * RandomMatrix(6, 1, 13);
    RedundantSolve<double> solve(4);
    solve.Factorize(A);
    VectorX<double> expected(4);
    solve.Solve(db, expected);
    RedundantSolve<AutoDiffXd> solve_ad(4);
    solve_ad.Factorize(A.cast<AutoDiffXd>());
    VectorX<AutoDiffXd> x(4);
    for (int i = 0; i < 4; ++i) x[i] = AutoDiffXd(0, db.segment<1>(i));
    solve_ad.Solve(x, x);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(x[i].value(), 0);
      EXPECT_NEAR(x[i].derivatives()[0], expected[i], 1e-11);
    }
  }
}

TEST(RedundantSolve, AllocatesNothingOnceSized) {
  MatrixX<double> G = RandomMatrix(12, 20, 12);
  G.row(7) = G.row(2);
  const MatrixX<double> A = G * G.transpose();
  const VectorX<double> b = A * VectorX<double>::Ones(12);
  VectorX<double> x(12);
  RedundantSolve<double> solve(12);
  ::wyvern::test::AllocationGuard guard;
  solve.Factorize(A);
  solve.Solve(b, x);
  EXPECT_EQ(solve.FindInconsistentRows(b, x).size(), 0);
  EXPECT_EQ(guard.count(), 0);
}

TEST(RedundantSolve, RefusesWhatIsNotSemidefiniteOrFinite) {
  RedundantSolve<double> solve(2);
  MatrixX<double> A(2, 2);
  A << 1, 2, 2, 1;
  EXPECT_THROWS_MESSAGE(solve.Factorize(A), std::runtime_error,
                        "larger than a semidefinite A can have");
  A << 1, 0, 0, -1;
  EXPECT_THROWS_MESSAGE(solve.Factorize(A), std::runtime_error,
                        "entry 1 of the diagonal is -1");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  A << 1, nan, nan, 1;
  EXPECT_THROWS_MESSAGE(solve.Factorize(A), std::runtime_error, "not finite");
  A.setIdentity();
  solve.Factorize(A);
  VectorX<double> x(2);
  EXPECT_THROWS_MESSAGE(solve.Solve(Vector2<double>(0, nan), x),
                        std::runtime_error, "entry 1 of b is nan");
}

// The third row is the sum of the others.
TEST(RedundantSolve, LeastPivotIsThatOfIndependentRows) {
  MatrixX<double> G(3, 2);
  G << 2, 0, 1, 1e-2, 3, 1e-2;
  RedundantSolve<double> solve(3);
  EXPECT_EQ(solve.CalcLeastPivot({}), std::numeric_limits<double>::infinity());
  solve.Factorize(G * G.transpose());
  EXPECT_EQ(solve.rank(), 2);
  const std::vector<double> units{1, 1, 1}, scales{1, 1e-5, 1};
  EXPECT_NEAR(solve.CalcLeastPivot(units), 1e-4, 1e-12);
  EXPECT_NEAR(solve.CalcLeastPivot(scales), 4, 1e-12);
}

TEST(RedundantSolve, RefusesWrongShapes) {
  RedundantSolve<double> solve(2);
  EXPECT_THROWS_MESSAGE(solve.Factorize(MatrixX<double>::Zero(2, 3)),
                        std::logic_error, "A is 2 x 3");
  solve.Factorize(MatrixX<double>::Identity(2, 2));
  VectorX<double> x(3);
  EXPECT_THROWS_MESSAGE(solve.Solve(VectorX<double>::Zero(3), x),
                        std::logic_error, "b has 3 entries");
}

}  // namespace
}  // namespace wyvern::multibody::internal
