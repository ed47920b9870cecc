#include "wyvern/systems/common/math/quadratic_form.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::math {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Near;

TEST(QuadraticForm, SquareRootHasARowPerEigenvalue) {
  const Eigen::Matrix<double, 2, 3> X0{{1, 2, 3}, {0, 1, -1}};
  const MatrixXd Y = X0.transpose() * X0;
  const MatrixXd X = DecomposePSDmatrixIntoXtransposeTimesX(Y, 1e-12);
  EXPECT_EQ(X.rows(), 2);
  EXPECT_TRUE(Near(X.transpose() * X, Y, 1e-13));
}

TEST(QuadraticForm, SquareRootOfAnIndefiniteMatrixThrowsOrIsEmpty) {
  const Matrix2d Y{{1, 2}, {2, 1}};
  EXPECT_THROWS_MESSAGE(DecomposePSDmatrixIntoXtransposeTimesX(Y, 0.1),
                        std::runtime_error, "below -0.1");
  EXPECT_EQ(DecomposePSDmatrixIntoXtransposeTimesX(Y, 0.1, true).size(), 0);
  EXPECT_EQ(DecomposePSDmatrixIntoXtransposeTimesX(Y, 1.1).rows(), 1);
  EXPECT_THROWS_MESSAGE(DecomposePSDmatrixIntoXtransposeTimesX(Y, -1.0),
                        std::logic_error,
                        "zero_tol is -1; it must be 0 or more");
  EXPECT_THROWS_MESSAGE(
      DecomposePSDmatrixIntoXtransposeTimesX(MatrixXd::Zero(2, 1), 0.0),
      std::logic_error, "Y is 2 x 1");
}

TEST(QuadraticForm, PositiveFormIsASumOfSquares) {
  const Matrix2d Q{{2, 1}, {1, 3}};
  const Vector2d b(1, -2);
  const auto [R, d] = DecomposePositiveQuadraticForm(Q, b, 5.0);
  for (int k = 0; k < 10; ++k) {
    const Vector2d x = 3 * Vector2d::Random();
    EXPECT_NEAR((R * x + d).squaredNorm(), x.dot(Q * x) + b.dot(x) + 5, 1e-12);
  }
}

TEST(QuadraticForm, FormThatIsNegativeSomewhereIsRefused) {
  const MatrixXd Q{{1.0}};
  const VectorXd b{{2.0}};
  // (x + 1)^2 - 1.
  EXPECT_THROWS_MESSAGE(DecomposePositiveQuadraticForm(Q, b, 0.0),
                        std::runtime_error, "negative for some x");
  EXPECT_THROWS_MESSAGE(DecomposePositiveQuadraticForm(Q, Vector2d(1, 1), 0.0),
                        std::logic_error, "Q is 1 x 1");
  EXPECT_THROWS_MESSAGE(DecomposePositiveQuadraticForm(Q, b, 0.0, -1.0),
                        std::logic_error, "tol is -1");
}

TEST(QuadraticForm, BalancingMakesOneFormTheInverseOfTheOther) {
  const Matrix3d L{{2, 0, 0}, {1, 1, 0}, {-1, 3, 1}};
  const Matrix3d S = L * L.transpose();
  const Matrix3d P{{1, 2, 0}, {2, -3, 1}, {0, 1, 5}};  // Indefinite.
  const Matrix3d T = BalanceQuadraticForms(S, P);
  const Matrix3d D = T.transpose() * S * T;
  const Matrix3d E = T.transpose() * P * T;
  EXPECT_TRUE(Near(D, MatrixXd(D.diagonal().asDiagonal()), 1e-13));
  EXPECT_TRUE(Near(E.cwiseAbs(), D.inverse(), 1e-12));
}

TEST(QuadraticForm, BalancingNeedsDefiniteAndRegularForms) {
  const Matrix2d I = Matrix2d::Identity();
  const Matrix2d singular{{1, 1}, {1, 1}};
  EXPECT_THROWS_MESSAGE(BalanceQuadraticForms(-I, I), std::runtime_error,
                        "S is not positive definite");
  EXPECT_THROWS_MESSAGE(BalanceQuadraticForms(I, singular), std::runtime_error,
                        "P is singular");
  EXPECT_THROWS_MESSAGE(BalanceQuadraticForms(I, MatrixXd::Zero(3, 3)),
                        std::logic_error, "P is 3 x 3");
}

}  // namespace
}  // namespace wyvern::math
