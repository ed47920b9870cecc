#include "wyvern/geometry/math/autodiff_gradient.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::math {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using test::Near;

TEST(AutoDiffGradient, VariablesHaveTheIdentityForGradient) {
  const Matrix2d value{{1, 2}, {3, 4}};
  const auto x = InitializeAutoDiff(value);
  EXPECT_EQ(ExtractValue(x), value);
  EXPECT_EQ(ExtractGradient(x), MatrixXd::Identity(4, 4));
  // Column by column.
  EXPECT_EQ(x(1, 0).derivatives()(1), 1);
  EXPECT_EQ(GetDerivativeSize(x), 4);
}

TEST(AutoDiffGradient, VariablesMayBeSomeOfMany) {
  Vector2<AutoDiffXd> x;
  InitializeAutoDiff(Vector2d(5, 6), 7, 4, &x);
  MatrixXd expected = MatrixXd::Zero(2, 7);
  expected(0, 4) = expected(1, 5) = 1;
  EXPECT_EQ(ExtractGradient(x), expected);
  VectorX<AutoDiffXd> y;
  InitializeAutoDiff(Vector2d(5, 6), &y);
  EXPECT_EQ(ExtractGradient(y), Matrix2d::Identity());
}

TEST(AutoDiffGradient, TupleSharesTheVariables) {
  const auto [x, y] =
      InitializeAutoDiffTuple(Vector2d(1, 2), Vector3d(3, 4, 5));
  const AutoDiffXd f = x(1) * y(2);
  Vector<double, 5> expected;
  expected << 0, 5, 0, 0, 2;
  EXPECT_EQ(f.derivatives(), expected);
}

TEST(AutoDiffGradient, GradientGoesInAndComesOut) {
  const MatrixXd gradient = MatrixXd::Random(2, 5);
  const auto x = InitializeAutoDiff(Vector2d(1, 2), gradient);
  EXPECT_EQ(ExtractValue(x), Vector2d(1, 2));
  EXPECT_EQ(ExtractGradient(x), gradient);
  VectorX<AutoDiffXd> y;
  InitializeAutoDiff(Vector2d(1, 2), gradient, &y);
  EXPECT_TRUE(AreAutoDiffVecXdEqual(x, y));
  y(1).derivatives()(4) += 1;
  EXPECT_FALSE(AreAutoDiffVecXdEqual(x, y));
}

TEST(AutoDiffGradient, ConstantsHaveZeroRows) {
  Vector2<AutoDiffXd> x(AutoDiffXd(1), AutoDiffXd(2, 3, 1));
  MatrixXd expected = MatrixXd::Zero(2, 3);
  expected(1, 1) = 1;
  EXPECT_EQ(ExtractGradient(x), expected);
  x(1) = AutoDiffXd(2);
  EXPECT_EQ(ExtractGradient(x).cols(), 0);
  EXPECT_EQ(ExtractGradient(x, 4), MatrixXd::Zero(2, 4));
  EXPECT_EQ(DiscardGradient(x), Vector2d(1, 2));
  EXPECT_EQ(DiscardGradient(Vector2d(1, 2)), Vector2d(1, 2));
}

TEST(AutoDiffGradient, IsDiscardedWithoutLossOnlyWhereItIsZero) {
  Vector2<AutoDiffXd> x(AutoDiffXd(1), AutoDiffXd(2, 3, 1));
  EXPECT_THROWS_MESSAGE(
      DiscardZeroGradient(x), std::runtime_error,
      "the derivative of element 1 by variable 1 is 1; 0 is wanted");
  EXPECT_EQ(DiscardZeroGradient(x, 1.0), Vector2d(1, 2));
  x(1).derivatives().setConstant(1e-13);
  EXPECT_EQ(DiscardZeroGradient(x), Vector2d(1, 2));
  EXPECT_THROW(DiscardZeroGradient(x, 1e-14), std::runtime_error);
  x(1).derivatives().setConstant(NAN);
  EXPECT_THROW(DiscardZeroGradient(x), std::runtime_error);
  EXPECT_EQ(DiscardZeroGradient(Vector2d(1, 2)), Vector2d(1, 2));
  Eigen::Transform<AutoDiffXd, 3, Eigen::Isometry> X;
  X.setIdentity();
  EXPECT_EQ(DiscardZeroGradient(X).matrix(), Eigen::Matrix4d::Identity());
  X.translation()(0) = AutoDiffXd(1, 2, 0);
  EXPECT_THROW(DiscardZeroGradient(X), std::runtime_error);
}

TEST(AutoDiffGradient, NumbersThatDoNotFitAreRefused) {
  const Vector2d v(1, 2);
  EXPECT_THROWS_MESSAGE(InitializeAutoDiff(v, 2, 1), std::logic_error,
                        "2 elements from variable 1 on");
  EXPECT_THROWS_MESSAGE(InitializeAutoDiff(v, MatrixXd(3, 1)), std::logic_error,
                        "the gradient has 3 rows");
  const Vector2<AutoDiffXd> mixed(AutoDiffXd(1, 2, 0), AutoDiffXd(1, 3, 0));
  EXPECT_THROWS_MESSAGE(ExtractGradient(mixed), std::logic_error,
                        "element 1 has derivatives by 3 variables");
  EXPECT_THROWS_MESSAGE(ExtractGradient(InitializeAutoDiff(v), 4),
                        std::logic_error, "4 were wanted");
}

}  // namespace
}  // namespace wyvern::math
