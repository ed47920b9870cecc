#include "wyvern/geometry/math/roll_pitch_yaw.h"

#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/geometry/math/scalar_value.h"

namespace wyvern::math {
namespace roll_pitch_yaw_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using internal::ValuesOf;
using test::Near;
using test::RandomPose;

constexpr double kTolerance = 8 * std::numeric_limits<double>::epsilon();
using RpyAd = RollPitchYaw<AutoDiffXd>;

// Angles along a motion: their derivatives with time are the rates.
Vector3<AutoDiffXd> InMotion(const Vector3d& x, const Vector3d& xDt) {
  Vector3<AutoDiffXd> result;
  for (int i = 0; i < 3; ++i) {
    result(i) = AutoDiffXd(x(i), Eigen::VectorXd::Constant(1, xDt(i)));
  }
  return result;
}

template <typename Derived>
Eigen::Matrix<double, Derived::RowsAtCompileTime, Derived::ColsAtCompileTime>
TimeDerivative(const Eigen::MatrixBase<Derived>& x) {
  return x.unaryExpr([](const AutoDiffXd& e) { return e.derivatives()(0); });
}

// A random orientation away from gimbal lock.
RollPitchYawd RandomRpy(RandomPose* random) {
  return RollPitchYawd(random->Scalar(-3, 3), random->Scalar(-1.4, 1.4),
                       random->Scalar(-3, 3));
}

TEST(RollPitchYaw, AnglesComeBackFromTheRotation) {
  RandomPose random;
  for (int i = 0; i < 100; ++i) {
    const RollPitchYawd rpy = RandomRpy(&random);
    const RotationMatrixd R(rpy);
    EXPECT_TRUE(rpy.IsNearlyEqualTo(RollPitchYawd(R), 1e-14));
    EXPECT_TRUE(rpy.IsNearlyEqualTo(RollPitchYawd(rpy.ToQuaternion()), 1e-14));
    EXPECT_TRUE(
        RotationMatrixd(rpy.ToQuaternion()).IsNearlyEqualTo(R, kTolerance));
  }
}

TEST(RollPitchYaw, AnglesFromAnyRotationAreCanonical) {
  RandomPose random;
  for (int i = 0; i < 200; ++i) {
    const RotationMatrixd R = random.Rotation();
    const RollPitchYawd rpy = R.ToRollPitchYaw();
    EXPECT_TRUE(rpy.IsRollPitchYawInCanonicalRange());
    EXPECT_TRUE(rpy.ToRotationMatrix().IsNearlyEqualTo(R, 1e-14));
  }
}

TEST(RollPitchYaw, GimbalLockStillGivesTheRotation) {
  for (const double pitch : {M_PI_2, -M_PI_2, M_PI_2 - 1e-9, 1e-9 - M_PI_2}) {
    for (const double yaw : {-2.5, -0.4, 0.0, 1.0}) {
      const RotationMatrixd R(RollPitchYawd(0.3, pitch, yaw));
      const RollPitchYawd rpy(R);
      EXPECT_TRUE(rpy.IsRollPitchYawInCanonicalRange());
      EXPECT_TRUE(rpy.ToRotationMatrix().IsNearlyEqualTo(R, 1e-14));
    }
  }
}

TEST(RollPitchYaw, RotationMatrixDtIsTheTimeDerivative) {
  RandomPose random;
  const RollPitchYawd rpy = RandomRpy(&random);
  const Vector3d rpyDt = random.Vector3(2);
  const RpyAd moving(InMotion(rpy.vector(), rpyDt));
  EXPECT_TRUE(Near(rpy.CalcRotationMatrixDt(rpyDt),
                   TimeDerivative(moving.ToMatrix3ViaRotationMatrix()), 1e-14));
}

TEST(RollPitchYaw, AngularVelocityIsThatOfTheMovingMatrix) {
  // [w_A]x = Ṙ Rᵀ and [w_D]x = Rᵀ Ṙ.
  RandomPose random;
  for (int i = 0; i < 20; ++i) {
    const RollPitchYawd rpy = RandomRpy(&random);
    const Vector3d rpyDt = random.Vector3(2);
    const Matrix3d R = rpy.ToMatrix3ViaRotationMatrix();
    const Matrix3d RDt = TimeDerivative(
        RpyAd(InMotion(rpy.vector(), rpyDt)).ToMatrix3ViaRotationMatrix());
    const Vector3d w_A = rpy.CalcAngularVelocityInParentFromRpyDt(rpyDt);
    const Vector3d w_D = rpy.CalcAngularVelocityInChildFromRpyDt(rpyDt);
    EXPECT_TRUE(Near(VectorToSkewSymmetric(w_A), RDt * R.transpose(), 1e-14));
    EXPECT_TRUE(Near(VectorToSkewSymmetric(w_D), R.transpose() * RDt, 1e-14));
  }
}

TEST(RollPitchYaw, RatesComeBackFromTheAngularVelocity) {
  RandomPose random;
  for (int i = 0; i < 20; ++i) {
    const RollPitchYawd rpy = RandomRpy(&random);
    const Vector3d rpyDt = random.Vector3(2);
    const Vector3d w_A = rpy.CalcAngularVelocityInParentFromRpyDt(rpyDt);
    const Vector3d w_D = rpy.CalcAngularVelocityInChildFromRpyDt(rpyDt);
    // 1/cos(pitch) is 6 at most here.
    const double tolerance = 1e-13;
    EXPECT_TRUE(
        Near(rpy.CalcRpyDtFromAngularVelocityInParent(w_A), rpyDt, tolerance));
    EXPECT_TRUE(
        Near(rpy.CalcRpyDtFromAngularVelocityInChild(w_D), rpyDt, tolerance));
    EXPECT_TRUE(
        Near(rpy.CalcMatrixRelatingRpyDtToAngularVelocityInParent() * w_A,
             rpyDt, tolerance));
    EXPECT_TRUE(
        Near(rpy.CalcMatrixRelatingRpyDtToAngularVelocityInChild() * w_D, rpyDt,
             tolerance));
  }
}

TEST(RollPitchYaw, SecondDerivativesComeBackFromTheAngularAcceleration) {
  // Drive angles and rates along a motion; alpha is then dw/dt.
  RandomPose random;
  for (int i = 0; i < 20; ++i) {
    const RollPitchYawd rpy = RandomRpy(&random);
    const Vector3d rpyDt = random.Vector3(2), rpyDDt = random.Vector3(3);
    const RpyAd moving(InMotion(rpy.vector(), rpyDt));
    const Vector3<AutoDiffXd> rates = InMotion(rpyDt, rpyDDt);
    const Vector3d alpha_A =
        TimeDerivative(moving.CalcAngularVelocityInParentFromRpyDt(rates));
    const Vector3d alpha_D =
        TimeDerivative(moving.CalcAngularVelocityInChildFromRpyDt(rates));
    EXPECT_TRUE(
        Near(rpy.CalcRpyDDtFromRpyDtAndAngularAccelInParent(rpyDt, alpha_A),
             rpyDDt, 1e-12));
    EXPECT_TRUE(Near(rpy.CalcRpyDDtFromAngularAccelInChild(rpyDt, alpha_D),
                     rpyDDt, 1e-12));
  }
}

TEST(RollPitchYaw, AnglesFromAMovingRotationCarryTheirRates) {
  RandomPose random;
  const RollPitchYawd rpy = RandomRpy(&random);
  const Vector3d rpyDt = random.Vector3(2);
  const RpyAd moving(InMotion(rpy.vector(), rpyDt));
  const RpyAd back(moving.ToRotationMatrix());
  EXPECT_TRUE(Near(TimeDerivative(back.vector()), rpyDt, 1e-13));
}

TEST(RollPitchYaw, GimbalLockIsRefusedWithTheAngle) {
  const Vector3d zero = Vector3d::Zero();
  const RollPitchYawd rpy(0, M_PI_2 - 0.007, 0);
  EXPECT_TRUE(rpy.DoesPitchAngleViolateGimbalLockTolerance());
  EXPECT_THROWS_MESSAGE(rpy.CalcRpyDtFromAngularVelocityInParent(zero),
                        std::runtime_error,
                        "CalcRpyDtFromAngularVelocityInParent(): the pitch "
                        "angle is 1.56");
  EXPECT_THROWS_MESSAGE(rpy.CalcRpyDtFromAngularVelocityInChild(zero),
                        std::runtime_error, "gimbal lock");
  EXPECT_THROWS_MESSAGE(rpy.CalcMatrixRelatingRpyDtToAngularVelocityInParent(),
                        std::runtime_error, "gimbal lock");
  EXPECT_THROWS_MESSAGE(rpy.CalcMatrixRelatingRpyDtToAngularVelocityInChild(),
                        std::runtime_error, "gimbal lock");
  EXPECT_THROWS_MESSAGE(rpy.CalcRpyDDtFromAngularAccelInChild(zero, zero),
                        std::runtime_error, "gimbal lock");
  EXPECT_THROWS_MESSAGE(
      rpy.CalcRpyDDtFromRpyDtAndAngularAccelInParent(zero, zero),
      std::runtime_error, "gimbal lock");
}

TEST(RollPitchYaw, GimbalLockToleranceIsOnTheCosineOfPitch) {
  using R = RollPitchYawd;
  EXPECT_FALSE(
      R(0, M_PI_2 - 0.009, 0).DoesPitchAngleViolateGimbalLockTolerance());
  EXPECT_TRUE(R::DoesCosPitchAngleViolateGimbalLockTolerance(-0.007));
  EXPECT_FALSE(R::DoesCosPitchAngleViolateGimbalLockTolerance(-0.009));
  EXPECT_NEAR(std::cos(M_PI_2 - R::GimbalLockPitchAngleTolerance()), 0.008,
              1e-15);
}

TEST(RollPitchYaw, SettersSetTheirAngle) {
  RollPitchYawd rpy(1, 2, 3);
  rpy.set_roll_angle(4);
  rpy.set_pitch_angle(5);
  rpy.set_yaw_angle(6);
  EXPECT_EQ(rpy.vector(), Vector3d(4, 5, 6));
  EXPECT_EQ(rpy.roll_angle(), 4);
  EXPECT_EQ(rpy.pitch_angle(), 5);
  EXPECT_EQ(rpy.yaw_angle(), 6);
  EXPECT_FALSE(rpy.IsRollPitchYawInCanonicalRange());
}

TEST(RollPitchYaw, SameOrientationMayHaveOtherAngles) {
  const RollPitchYawd a(0.1, 0.2, 0.3);
  const RollPitchYawd b(0.1 + M_PI, M_PI - 0.2, 0.3 + M_PI);
  EXPECT_FALSE(a.IsNearlyEqualTo(b, 0.1));
  EXPECT_TRUE(a.IsNearlySameOrientation(b, 1e-15));
}

TEST(RollPitchYaw, RefusesAnglesThatAreNotFinite) {
  EXPECT_THROWS_MESSAGE(RollPitchYawd(0, std::nan(""), 0), std::logic_error,
                        "it must be finite");
  RollPitchYawd rpy(0, 0, 0);
  EXPECT_THROWS_MESSAGE(rpy.set_yaw_angle(INFINITY), std::logic_error,
                        "it must be finite");
  EXPECT_FALSE(RollPitchYawd::IsValid(Vector3d(0, INFINITY, 0)));
}

TEST(RollPitchYaw, PrintsTheAngles) {
  std::ostringstream identity;
  identity << RollPitchYawd(RotationMatrixd());
  EXPECT_EQ(identity.str(), "rpy = 0 0 0");
  std::ostringstream out;
  out << RollPitchYawd(0.5, 0, -1);
  EXPECT_EQ(out.str(), "rpy = 0.5 0 -1");
}

}  // namespace roll_pitch_yaw_test
}  // namespace wyvern::math
