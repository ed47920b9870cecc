#include <limits>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/matrix_equations/continuous_lyapunov_equation.h"
#include "wyvern/systems/matrix_equations/discrete_lyapunov_equation.h"

namespace wyvern::math {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using test::Near;

MatrixXd RandomSymmetric(int n) {
  const MatrixXd M = MatrixXd::Random(n, n);
  return M + M.transpose();
}

TEST(ContinuousLyapunovEquation, ScalarIsTheClosedForm) {
  const MatrixXd A{{-2.0}};
  const MatrixXd Q{{3.0}};
  EXPECT_EQ(RealContinuousLyapunovEquation(A, Q)(0, 0), 0.75);
  EXPECT_EQ(RealContinuousLyapunovEquation(-A, Q)(0, 0), -0.75);
}

// The energy of an oscillator x'' + 2 d x' + x = 0 integrated over time.
TEST(ContinuousLyapunovEquation, OscillatorIsTheClosedForm) {
  const double d = 0.1;
  const Matrix2d A{{0.0, 1.0}, {-1.0, -2.0 * d}};
  const Matrix2d X = RealContinuousLyapunovEquation(A, Matrix2d::Identity());
  const double p = 1.0 / (2.0 * d);
  EXPECT_TRUE(Near(X, Matrix2d{{p + d, 0.5}, {0.5, p}}, 1e-14));
}

TEST(ContinuousLyapunovEquation, SolvesTheEquationOnRandomInput) {
  std::srand(1);
  for (const int n : {1, 2, 3, 5, 10, 20}) {
    // Stable or not, of complex eigenvalues.
    for (const double shift : {0.0, -1.5 * n}) {
      const MatrixXd A =
          MatrixXd::Random(n, n) + shift * MatrixXd::Identity(n, n);
      const MatrixXd Q = RandomSymmetric(n);
      const MatrixXd X = RealContinuousLyapunovEquation(A, Q);
      EXPECT_EQ(X, MatrixXd(X.transpose()));
      const double scale = X.norm() * A.norm() + Q.norm();
      // Backward stable: round-off of the unitary transformations.
      EXPECT_TRUE(Near(A.transpose() * X + X * A, -Q, 1e-14 * n * scale));
    }
  }
}

TEST(ContinuousLyapunovEquation, StableSystemHasAPositiveSolution) {
  std::srand(2);
  const MatrixXd A = MatrixXd::Random(6, 6) - 6.0 * MatrixXd::Identity(6, 6);
  const MatrixXd X =
      RealContinuousLyapunovEquation(A, MatrixXd::Identity(6, 6));
  EXPECT_EQ(X.llt().info(), Eigen::Success);
}

TEST(ContinuousLyapunovEquation, RefusesEigenvaluesThatAddUpToZero) {
  const Matrix2d I = Matrix2d::Identity();
  EXPECT_THROWS_MESSAGE(
      RealContinuousLyapunovEquation(Matrix2d{{1.0, 5.0}, {0.0, -1.0}}, I),
      std::runtime_error, "no unique solution");
  EXPECT_THROWS_MESSAGE(
      RealContinuousLyapunovEquation(Matrix2d{{0.0, 1.0}, {-1.0, 0.0}}, I),
      std::runtime_error, "no unique solution");
  EXPECT_THROWS_MESSAGE(RealContinuousLyapunovEquation(Matrix2d::Zero(), I),
                        std::runtime_error, "no unique solution");
}

TEST(DiscreteLyapunovEquation, ScalarIsTheClosedForm) {
  const MatrixXd A{{0.5}};
  const MatrixXd Q{{3.0}};
  EXPECT_EQ(RealDiscreteLyapunovEquation(A, Q)(0, 0), 4.0);
}

TEST(DiscreteLyapunovEquation, SumsTheCostOfANilpotentSystem) {
  const Matrix2d A{{0.0, 2.0}, {0.0, 0.0}};
  const Matrix2d Q{{1.0, 0.5}, {0.5, 3.0}};
  EXPECT_TRUE(Near(RealDiscreteLyapunovEquation(A, Q),
                   Q + A.transpose() * Q * A, 1e-15));
}

TEST(DiscreteLyapunovEquation, SolvesTheEquationOnRandomInput) {
  std::srand(3);
  for (const int n : {1, 2, 3, 5, 10, 20}) {
    for (const double scale_A : {0.3, 3.0}) {
      const MatrixXd A = scale_A * MatrixXd::Random(n, n);
      const MatrixXd Q = RandomSymmetric(n);
      const MatrixXd X = RealDiscreteLyapunovEquation(A, Q);
      EXPECT_EQ(X, MatrixXd(X.transpose()));
      const double scale = X.norm() * (1.0 + A.squaredNorm()) + Q.norm();
      EXPECT_TRUE(Near(A.transpose() * X * A - X, -Q, 1e-14 * n * scale));
    }
  }
}

TEST(DiscreteLyapunovEquation, RefusesEigenvaluesWhoseProductIsOne) {
  const Matrix2d I = Matrix2d::Identity();
  EXPECT_THROWS_MESSAGE(
      RealDiscreteLyapunovEquation(Matrix2d{{2.0, 1.0}, {0.0, 0.5}}, I),
      std::runtime_error, "no unique solution");
  EXPECT_THROWS_MESSAGE(
      RealDiscreteLyapunovEquation(Matrix2d{{0.0, 1.0}, {-1.0, 0.0}}, I),
      std::runtime_error, "no unique solution");
}

TEST(LyapunovEquations, RefuseWhatDoesNotFit) {
  const Matrix2d I = Matrix2d::Identity();
  const Matrix2d skew{{1.0, 2.0}, {0.0, 1.0}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto solve :
       {&RealContinuousLyapunovEquation, &RealDiscreteLyapunovEquation}) {
    EXPECT_THROWS_MESSAGE(solve(MatrixXd(2, 3), I), std::logic_error,
                          "A is 2 x 3");
    EXPECT_THROWS_MESSAGE(solve(I, MatrixXd(3, 3)), std::logic_error,
                          "Q is 3 x 3; it must be 2 x 2");
    EXPECT_THROWS_MESSAGE(solve(I, skew), std::logic_error,
                          "Q is not symmetric");
    EXPECT_THROWS_MESSAGE(solve(nan * I, I), std::logic_error,
                          "A(0, 0) is nan; it must be finite");
    EXPECT_EQ(solve(MatrixXd(0, 0), MatrixXd(0, 0)).size(), 0);
  }
}

}  // namespace
}  // namespace wyvern::math
