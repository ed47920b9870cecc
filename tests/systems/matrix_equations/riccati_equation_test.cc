#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/support/spectrum.h"
#include "wyvern/systems/matrix_equations/continuous_algebraic_riccati_equation.h"
#include "wyvern/systems/matrix_equations/discrete_algebraic_riccati_equation.h"

// Examples named CAREX and DAREX are those of P. Benner, A. Laub and V.
// Mehrmann, A collection of benchmark examples for the numerical solution of
// algebraic Riccati equations I (continuous time) and II (discrete time), 1995,
// with exact solutions.

namespace wyvern::math {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using test::Near;

const MatrixXd kOne{{1.0}};

MatrixXd Care(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q,
              const MatrixXd& R) {
  return ContinuousAlgebraicRiccatiEquation(A, B, Q, R);
}
MatrixXd Dare(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q,
              const MatrixXd& R) {
  return DiscreteAlgebraicRiccatiEquation(A, B, Q, R);
}

MatrixXd RandomPositive(int n) {
  const MatrixXd M = MatrixXd::Random(n, n);
  return M * M.transpose() + 0.1 * MatrixXd::Identity(n, n);
}

// Ones above the diagonal: a chain of integrators, or of delays.
MatrixXd Chain(int n) {
  MatrixXd A = MatrixXd::Zero(n, n);
  A.diagonal(1).setOnes();
  return A;
}

TEST(ContinuousRiccati, Carex1_1DoubleIntegrator) {
  const Matrix2d Q = Vector2d(1.0, 2.0).asDiagonal();
  EXPECT_TRUE(Near(Care(Chain(2), Vector2d(0, 1), Q, kOne),
                   Matrix2d{{2.0, 1.0}, {1.0, 2.0}}, 1e-14));
}

TEST(ContinuousRiccati, Carex1_2UnstableAndSingularCost) {
  const Matrix2d A{{4.0, 3.0}, {-4.5, -3.5}};
  const Matrix2d Q{{9.0, 6.0}, {6.0, 4.0}};
  EXPECT_TRUE(Near(Care(A, Vector2d(1, -1), Q, kOne),
                   (1.0 + std::sqrt(2.0)) * Q, 1e-12));
}

TEST(ContinuousRiccati, Carex2_1AlmostUncontrollable) {
  const Matrix2d A = Vector2d(1.0, -2.0).asDiagonal();
  const MatrixXd Q = MatrixXd::Ones(2, 2);
  for (const double e : {1.0, 1e-2, 1e-4, 1e-6}) {
    const double root = std::sqrt(1.0 + e * e);
    const double x12 = 1.0 / (2.0 + root);
    const Matrix2d expected{{(1.0 + root) / (e * e), x12},
                            {x12, 0.25 * (1.0 - e * e * x12 * x12)}};
    const MatrixXd X = Care(A, Vector2d(e, 0), Q, kOne);
    // Each entry relative to the largest in its row and column.
    EXPECT_NEAR(X(0, 0), expected(0, 0), 1e-13 * expected(0, 0));
    EXPECT_NEAR(X(0, 1), x12, 1e-12 / e);
    EXPECT_NEAR(X(1, 1), expected(1, 1), 1e-12 / (e * e));
  }
}

TEST(ContinuousRiccati, Carex2_3WeakCoupling) {
  for (const double e : {1e3, 1.0, 1e-3, 1e-6}) {
    const double root = std::sqrt(1.0 + 2.0 * e);
    const MatrixXd X =
        Care(e * Chain(2), Vector2d(0, 1), Matrix2d::Identity(), kOne);
    EXPECT_NEAR(X(0, 0), root / e, 1e-12 * root / e);
    EXPECT_NEAR(X(0, 1), 1.0, 1e-12);
    EXPECT_NEAR(X(1, 1), root, 1e-12 * root);
  }
}

// The closed loop's eigenvalues come as close to the imaginary axis as e; the
// solution's condition number is of order 1/e.
TEST(ContinuousRiccati, Carex2_5AlmostUnstableClosedLoop) {
  for (const double e : {1.0, 1e-2, 1e-4, 1e-6}) {
    const Matrix2d A{{3.0 - e, 1.0}, {4.0, 2.0 - e}};
    const Matrix2d Q{{4 * e - 11, 2 * e - 5}, {2 * e - 5, 2 * e - 2}};
    EXPECT_TRUE(Near(Care(A, Vector2d(1, 1), Q, kOne),
                     Matrix2d{{2.0, 1.0}, {1.0, 1.0}}, 1e-13 / e));
  }
}

// X_1n is the root of the product of the costs.
TEST(ContinuousRiccati, Carex4_1ChainOfIntegrators) {
  for (const int n : {2, 4, 8, 12}) {
    MatrixXd Q = MatrixXd::Zero(n, n);
    Q(0, 0) = 4.0;
    const MatrixXd X = Care(Chain(n), VectorXd::Unit(n, n - 1), Q, kOne);
    // The example is made to have a condition number that grows with n.
    EXPECT_NEAR(X(0, n - 1), 2.0, 1e-10) << n;
  }
}

TEST(ContinuousRiccati, SolvesTheEquationOnRandomInput) {
  std::srand(4);
  for (const int n : {1, 2, 4, 8, 16}) {
    const int m = (n + 1) / 2;
    const MatrixXd A = MatrixXd::Random(n, n);
    const MatrixXd B = MatrixXd::Random(n, m);
    const MatrixXd Q = RandomPositive(n);
    const MatrixXd R = RandomPositive(m);
    const MatrixXd X = Care(A, B, Q, R);
    const MatrixXd K = R.llt().solve(B.transpose() * X);
    EXPECT_EQ(X, MatrixXd(X.transpose()));
    EXPECT_TRUE(Near(A.transpose() * X + X * A - X * B * K, -Q,
                     1e-13 * X.squaredNorm() * n));
    EXPECT_LT(test::Spectrum(A - B * K).real().maxCoeff(), 0.0);
    EXPECT_EQ(ContinuousAlgebraicRiccatiEquation(A, B, Q, R.llt()), X);
  }
}

// Without a cost of the state, only what is unstable is moved: to its mirror
// image.
TEST(ContinuousRiccati, StabilizesWhatQDoesNotSee) {
  const Matrix2d A = Vector2d(3.0, -1.0).asDiagonal();
  const MatrixXd X = Care(A, Vector2d(1, 1), Matrix2d::Zero(), kOne);
  EXPECT_TRUE(Near(X, Matrix2d{{6.0, 0.0}, {0.0, 0.0}}, 1e-13));
}

TEST(ContinuousRiccati, MixedWeightAndDescriptorSolveTheirEquation) {
  std::srand(5);
  const int n = 5;
  const int m = 2;
  const MatrixXd A = MatrixXd::Random(n, n);
  const MatrixXd B = MatrixXd::Random(n, m);
  const MatrixXd Q = 5.0 * RandomPositive(n);
  const MatrixXd R = RandomPositive(m);
  const MatrixXd N = 0.1 * MatrixXd::Random(n, m);
  const MatrixXd I = MatrixXd::Identity(n, n);
  const MatrixXd E = I + 0.3 * MatrixXd::Random(n, n);
  const MatrixXd X = ContinuousAlgebraicRiccatiEquation(A, B, Q, R, N, E);
  const MatrixXd K = R.llt().solve(B.transpose() * X * E + N.transpose());
  EXPECT_TRUE(Near(
      A.transpose() * X * E + E.transpose() * X * A - K.transpose() * R * K, -Q,
      1e-12 * X.squaredNorm()));
  EXPECT_LT(test::Spectrum(E.inverse() * (A - B * K)).real().maxCoeff(), 0.0);
  EXPECT_TRUE(Near(ContinuousAlgebraicRiccatiEquation(A, B, Q, R, N, I),
                   ContinuousAlgebraicRiccatiEquation(A, B, Q, R, N), 1e-12));
}

TEST(ContinuousRiccati, RefusesWhatCanNotBeStabilized) {
  const Matrix2d I = Matrix2d::Identity();
  const Matrix2d A = Vector2d(1.0, -1.0).asDiagonal();
  EXPECT_THROWS_MESSAGE(Care(A, Vector2d(0, 1), I, kOne), std::runtime_error,
                        "no stabilizing solution");
  // A motion without cost that neither grows nor decays.
  EXPECT_THROWS_MESSAGE(Care(Matrix2d{{0.0, 1.0}, {-1.0, 0.0}}, Vector2d(0, 1),
                             Matrix2d::Zero(), kOne),
                        std::runtime_error, "no stabilizing solution");
  EXPECT_THROWS_MESSAGE(Care(MatrixXd{{0.0}}, kOne, MatrixXd{{0.0}}, kOne),
                        std::runtime_error, "no stabilizing solution");
}

TEST(DiscreteRiccati, Darex1_1UnstableAndSingularCost) {
  const Matrix2d A{{4.0, 3.0}, {-4.5, -3.5}};
  const Matrix2d Q{{9.0, 6.0}, {6.0, 4.0}};
  EXPECT_TRUE(Near(Dare(A, Vector2d(1, -1), Q, kOne),
                   0.5 * (1.0 + std::sqrt(5.0)) * Q, 1e-12));
}

TEST(DiscreteRiccati, Darex1_4SingularSystemAndCost) {
  const Matrix2d Q{{1.0, 2.0}, {2.0, 4.0}};
  EXPECT_TRUE(Near(Dare(Chain(2), Vector2d(0, 1), Q, kOne),
                   Matrix2d{{1.0, 2.0}, {2.0, 2.0 + std::sqrt(5.0)}}, 1e-13));
}

TEST(DiscreteRiccati, Darex2_3Delay) {
  for (const double e : {1e3, 1.0, 1e-6}) {
    const Matrix2d X =
        Dare(e * Chain(2), Vector2d(0, 1), Matrix2d::Identity(), kOne);
    EXPECT_TRUE(Near(X, Matrix2d{{1.0, 0.0}, {0.0, 1.0 + e * e}},
                     1e-15 * (1.0 + e * e)));
  }
}

TEST(DiscreteRiccati, Darex4_1ChainOfDelays) {
  for (const int n : {2, 10, 50}) {
    const MatrixXd X = Dare(Chain(n), VectorXd::Unit(n, n - 1),
                            MatrixXd::Identity(n, n), kOne);
    EXPECT_TRUE(Near(X, MatrixXd(VectorXd::LinSpaced(n, 1, n).asDiagonal()),
                     1e-13 * n));
  }
}

TEST(DiscreteRiccati, SolvesTheEquationOnRandomInput) {
  std::srand(6);
  for (const int n : {1, 2, 4, 8, 16}) {
    const int m = (n + 1) / 2;
    const MatrixXd A = 2.0 * MatrixXd::Random(n, n);
    const MatrixXd B = MatrixXd::Random(n, m);
    const MatrixXd Q = RandomPositive(n);
    const MatrixXd R = RandomPositive(m);
    const MatrixXd X = Dare(A, B, Q, R);
    const MatrixXd K =
        (R + B.transpose() * X * B).llt().solve(B.transpose() * X * A);
    EXPECT_EQ(X, MatrixXd(X.transpose()));
    EXPECT_TRUE(Near(A.transpose() * X * (A - B * K) - X, -Q,
                     1e-13 * X.squaredNorm() * n));
    EXPECT_LT(test::Spectrum(A - B * K).cwiseAbs().maxCoeff(), 1.0);
  }
}

// Without a cost of the state, an unstable eigenvalue goes to its inverse:
// (B'XB + R)^-1 B'XA = 3/2 with X = 3.
TEST(DiscreteRiccati, StabilizesWhatQDoesNotSee) {
  const Matrix2d A = Vector2d(2.0, 0.0).asDiagonal();
  EXPECT_TRUE(Near(Dare(A, Vector2d(1, 0), Matrix2d::Zero(), kOne),
                   Matrix2d{{3.0, 0.0}, {0.0, 0.0}}, 1e-13));
}

TEST(DiscreteRiccati, MixedWeightSolvesItsEquation) {
  std::srand(7);
  const int n = 5;
  const int m = 2;
  const MatrixXd A = MatrixXd::Random(n, n);
  const MatrixXd B = MatrixXd::Random(n, m);
  const MatrixXd Q = 5.0 * RandomPositive(n);
  const MatrixXd R = RandomPositive(m);
  const MatrixXd N = 0.1 * MatrixXd::Random(n, m);
  const MatrixXd X = DiscreteAlgebraicRiccatiEquation(A, B, Q, R, N);
  const MatrixXd S = A.transpose() * X * B + N;
  const MatrixXd K = (R + B.transpose() * X * B).llt().solve(S.transpose());
  EXPECT_TRUE(
      Near(A.transpose() * X * A - X - S * K, -Q, 1e-12 * X.squaredNorm()));
  EXPECT_LT(test::Spectrum(A - B * K).cwiseAbs().maxCoeff(), 1.0);
}

TEST(DiscreteRiccati, RefusesWhatCanNotBeStabilized) {
  const Matrix2d I = Matrix2d::Identity();
  const Matrix2d A = Vector2d(2.0, 0.5).asDiagonal();
  EXPECT_THROWS_MESSAGE(Dare(A, Vector2d(0, 1), I, kOne), std::runtime_error,
                        "no stabilizing solution");
  EXPECT_THROWS_MESSAGE(Dare(kOne, kOne, MatrixXd{{0.0}}, kOne),
                        std::runtime_error, "no stabilizing solution");
}

TEST(RiccatiEquations, RefuseWhatDoesNotFit) {
  const Matrix2d I = Matrix2d::Identity();
  const Matrix2d skew{{1.0, 2.0}, {0.0, 1.0}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto solve : {&Care, &Dare}) {
    EXPECT_THROWS_MESSAGE(solve(MatrixXd(2, 3), I, I, I), std::logic_error,
                          "A is 2 x 3");
    EXPECT_THROWS_MESSAGE(solve(I, MatrixXd::Ones(3, 1), I, kOne),
                          std::logic_error, "B is 3 x 1");
    EXPECT_THROWS_MESSAGE(solve(I, I, I, kOne), std::logic_error, "R is 1 x 1");
    EXPECT_THROWS_MESSAGE(solve(I, I, skew, I), std::logic_error,
                          "Q is not symmetric");
    EXPECT_THROWS_MESSAGE(solve(I, I, I, -I), std::logic_error,
                          "R is not positive definite");
    EXPECT_THROWS_MESSAGE(solve(nan * I, I, I, I), std::logic_error,
                          "A(0, 0) is nan; it must be finite");
    const MatrixXd none(0, 0);
    EXPECT_EQ(solve(none, none, none, none).size(), 0);
  }
  EXPECT_THROWS_MESSAGE(DiscreteAlgebraicRiccatiEquation(I, I, I, I, kOne),
                        std::logic_error, "N is 1 x 1");
  EXPECT_THROWS_MESSAGE(ContinuousAlgebraicRiccatiEquation(I, I, I, I, kOne),
                        std::logic_error, "N is 1 x 1");
  EXPECT_THROWS_MESSAGE(
      ContinuousAlgebraicRiccatiEquation(I, I, I, I, 0.0 * I, 0.0 * I),
      std::logic_error, "E is singular");
  EXPECT_THROWS_MESSAGE(
      ContinuousAlgebraicRiccatiEquation(I, I, I, Eigen::LLT<MatrixXd>(kOne)),
      std::logic_error, "R is 1 x 1");
}

}  // namespace
}  // namespace wyvern::math
