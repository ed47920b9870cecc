#include "wyvern/geometry/math/quaternion.h"

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/geometry/math/wrap_to.h"

namespace wyvern::math {
namespace quaternion_test {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;
using test::Near;
using test::RandomPose;

constexpr double kTolerance = 8 * std::numeric_limits<double>::epsilon();

Vector4d Wxyz(const Quaterniond& q) {
  return Vector4d(q.w(), q.x(), q.y(), q.z());
}
Quaterniond Minus(const Quaterniond& q) {
  return Quaterniond(-q.w(), -q.x(), -q.y(), -q.z());
}

TEST(Quaternion, ProductConjugateAndDifferenceAgreeWithEigen) {
  RandomPose random;
  for (int i = 0; i < 50; ++i) {
    const Quaterniond a = random.Quaternion(), b = random.Quaternion();
    EXPECT_TRUE(Near(quatProduct(Wxyz(a), Wxyz(b)), Wxyz(a * b), kTolerance));
    EXPECT_TRUE(Near(quatConjugate(Wxyz(a)), Wxyz(a.conjugate())));
    EXPECT_TRUE(
        Near(quatDiff(Wxyz(a), Wxyz(b)), Wxyz(a.inverse() * b), kTolerance));
    const Vector3d v = random.Vector3();
    EXPECT_TRUE(Near(quatRotateVec(Wxyz(a), v), a * v, kTolerance));
  }
}

TEST(Quaternion, AxisInvariantIsZeroForATurnAboutTheAxis) {
  RandomPose random;
  const Quaterniond a = random.Quaternion();
  const Vector3d u = random.UnitVector3();
  const Quaterniond turn(Eigen::AngleAxisd(0.7, u));
  EXPECT_NEAR(quatDiffAxisInvar(Wxyz(a), Wxyz(a * turn), u), 0, kTolerance);
  // About a perpendicular axis by a half turn it is the least, -2.
  const Vector3d v = u.unitOrthogonal();
  const Quaterniond half_turn(Eigen::AngleAxisd(M_PI, v));
  EXPECT_NEAR(quatDiffAxisInvar(Wxyz(a), Wxyz(a * half_turn), u), -2,
              kTolerance);
}

TEST(Quaternion, DtFromAngularVelocityMovesTheRotationMatrix) {
  // With q(t) carried by AutoDiff, Ṙ = R [w_B]x.
  RandomPose random;
  for (int i = 0; i < 20; ++i) {
    const Quaterniond q = random.Quaternion();
    const Vector3d w_B = random.Vector3(3);
    const Vector4d qDt =
        CalculateQuaternionDtFromAngularVelocityExpressedInB(q, w_B);
    const auto moving = [](double x, double xDt) {
      return AutoDiffXd(x, Eigen::VectorXd::Constant(1, xDt));
    };
    const RotationMatrix<AutoDiffXd> R(Eigen::Quaternion<AutoDiffXd>(
        moving(q.w(), qDt(0)), moving(q.x(), qDt(1)), moving(q.y(), qDt(2)),
        moving(q.z(), qDt(3))));
    const Eigen::Matrix3d RDt = R.matrix().unaryExpr(
        [](const AutoDiffXd& x) { return x.derivatives()(0); });
    EXPECT_TRUE(
        Near(RDt, q.toRotationMatrix() * VectorToSkewSymmetric(w_B), 1e-14));
  }
}

TEST(Quaternion, AngularVelocityComesBackFromDt) {
  RandomPose random;
  const Quaterniond q = random.Quaternion();
  const Vector3d w_B = random.Vector3(3);
  const Vector4d qDt =
      CalculateQuaternionDtFromAngularVelocityExpressedInB(q, w_B);
  EXPECT_TRUE(Near(CalculateAngularVelocityExpressedInBFromQuaternionDt(q, qDt),
                   w_B, 1e-14));
  EXPECT_NEAR(CalculateQuaternionDtConstraintViolation(q, qDt), 0, 1e-14);
  EXPECT_TRUE(IsQuaternionAndQuaternionDtEqualAngularVelocityExpressedInB(
      q, qDt, w_B, 1e-13));
  const Vector3d other = w_B + Vector3d(0, 1e-3, 0);
  EXPECT_FALSE(IsQuaternionAndQuaternionDtEqualAngularVelocityExpressedInB(
      q, qDt, other, 1e-4));
}

TEST(Quaternion, ValidityIsOfTheNormAndItsRate) {
  const Quaterniond q(0.6, 0, 0.8, 0);
  const Vector4d along(0.06, 0, 0.08, 0);  // d/dt |q|² = 0.2.
  EXPECT_TRUE(IsQuaternionValid(q, 1e-15));
  EXPECT_FALSE(IsQuaternionValid(Quaterniond(0.6, 0, 0.81, 0), 1e-3));
  EXPECT_NEAR(CalculateQuaternionDtConstraintViolation(q, along), 0.2, 1e-15);
  EXPECT_FALSE(IsBothQuaternionAndQuaternionDtOK(q, along, 0.1));
  EXPECT_TRUE(IsBothQuaternionAndQuaternionDtOK(q, along, 0.3));
}

TEST(Quaternion, BothSignsAreOneOrientation) {
  const Quaterniond q = RandomPose().Quaternion();
  EXPECT_TRUE(AreQuaternionsEqualForOrientation(q, Minus(q), 1e-15));
  EXPECT_FALSE(AreQuaternionsEqualForOrientation(
      q, Quaterniond(q * Quaterniond(1, 1e-3, 0, 0)), 1e-5));
  // Where w is near 0 and of either sign, too.
  const Quaterniond a(1e-17, 1, 0, 0), b(1e-17, -1, 0, 0);
  EXPECT_TRUE(AreQuaternionsEqualForOrientation(a, b, 1e-15));
}

TEST(Quaternion, CanonicalFormHasNonNegativeScalarPart) {
  const Quaterniond q(-0.6, 0, 0.8, 0);
  EXPECT_FALSE(is_quaternion_in_canonical_form(q));
  EXPECT_EQ(Wxyz(QuaternionToCanonicalForm(q)), Vector4d(0.6, 0, -0.8, 0));
  EXPECT_EQ(Wxyz(QuaternionToCanonicalForm(Minus(q))),
            Vector4d(0.6, 0, -0.8, 0));
}

TEST(Quaternion, ClosestIsOnTheSameHalfSphere) {
  const Quaterniond q = RandomPose().Quaternion();
  const Quaterniond far(-2 * q.w(), -2 * q.x(), -2 * q.y(), -2 * q.z());
  EXPECT_TRUE(Near(Wxyz(ClosestQuaternion(q, far)), Wxyz(q), kTolerance));
  EXPECT_TRUE(Near(Wxyz(ClosestQuaternion(q, q)), Wxyz(q), kTolerance));
}

TEST(WrapTo, LandsInTheHalfOpenPeriod) {
  EXPECT_EQ(wrap_to(7.5, 0, 2), 1.5);
  EXPECT_EQ(wrap_to(-0.5, 0, 2), 1.5);
  EXPECT_EQ(wrap_to(2.0, 0, 2), 0);
  EXPECT_EQ(wrap_to(0.0, 0, 2), 0);
  RandomPose random;
  for (int i = 0; i < 200; ++i) {
    const double x = random.Scalar(-1e3, 1e3);
    const double y = wrap_to(x, -M_PI, M_PI);
    EXPECT_GE(y, -M_PI);
    EXPECT_LT(y, M_PI);
    EXPECT_NEAR(std::sin(x - y), 0, 1e-12);
  }
  const double tiny = wrap_to(-1e-30, 0.0, 2 * M_PI);
  EXPECT_GE(tiny, 0);
  EXPECT_LT(tiny, 2 * M_PI);
}

TEST(WrapTo, KeepsTheDerivatives) {
  const AutoDiffXd x(7.0, Eigen::VectorXd::Constant(1, 3));
  const AutoDiffXd y = wrap_to(x, -M_PI, M_PI);
  EXPECT_NEAR(y.value(), 7 - 2 * M_PI, 1e-15);
  EXPECT_EQ(y.derivatives()(0), 3);
}

TEST(WrapTo, RefusesAnEmptyPeriodAndInfinity) {
  EXPECT_THROWS_MESSAGE(wrap_to(1.0, 2, 2), std::logic_error,
                        "wrap_to(): 1 can not be brought into [2, 2)");
  EXPECT_THROWS_MESSAGE(wrap_to(INFINITY, 0, 2), std::logic_error, "finite");
}

}  // namespace quaternion_test
}  // namespace wyvern::math
