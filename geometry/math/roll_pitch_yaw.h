#pragma once

#include <cmath>
#include <ostream>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::math {

/** The orientation of a frame D in a frame A as three angles, in radian.

Space-fixed rotations: first D turns by roll r about Ax, then by pitch p about
Ay, then by yaw y about Az, so R_AD = Rz(y) Ry(p) Rx(r); the same as body-fixed
rotations z-y-x by y, p, r. Where cos(p) is near 0 (gimbal lock) rates of the
angles are not determined by an angular velocity; the functions that would need
them throw std::runtime_error if |cos(p)| < 0.008, that is if p is within about
0.46 degree of ±90.

@tparam T double or AutoDiffXd. */
template <typename T>
class RollPitchYaw {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(RollPitchYaw);

  /** Angles (roll, pitch, yaw), in radians.
  @throws std::logic_error if an angle is not finite. */
  explicit RollPitchYaw(const Vector3<T>& rpy) { set(rpy); }
  /** Angles in radians.
  @throws std::logic_error if an angle is not finite. */
  RollPitchYaw(const T& roll, const T& pitch, const T& yaw) {
    set(roll, pitch, yaw);
  }
  /** With p in [-π/2, π/2], r and y in [-π, π]. At p = ±π/2 only y ∓ r is
  determined; r and y are then of equal size. */
  explicit RollPitchYaw(const RotationMatrix<T>& R) {
    SetFromRotationMatrix(R);
  }
  /** From a quaternion of any norm but zero, as from its rotation matrix.
  @throws std::logic_error if the norm is zero or not finite. */
  explicit RollPitchYaw(const Eigen::Quaternion<T>& quaternion) {
    SetFromQuaternion(quaternion);
  }

  /** Sets the three angles, rad.
  @throws std::logic_error if an angle is not finite. */
  RollPitchYaw<T>& set(const Vector3<T>& rpy) {
    RequireFiniteAngles(rpy);
    rpy_ = rpy;
    return *this;
  }
  /** Overload for three numbers. */
  RollPitchYaw<T>& set(const T& roll, const T& pitch, const T& yaw) {
    return set(Vector3<T>(roll, pitch, yaw));
  }
  /** Does what the constructor from a rotation matrix does. */
  void SetFromRotationMatrix(const RotationMatrix<T>& R);
  /** Does what the constructor from a quaternion does. */
  void SetFromQuaternion(const Eigen::Quaternion<T>& quaternion);

  /** Roll, pitch and yaw, radian. */
  const Vector3<T>& vector() const { return rpy_; }
  /** Roll r, radian. */
  const T& roll_angle() const { return rpy_(0); }
  /** Pitch p, radian. */
  const T& pitch_angle() const { return rpy_(1); }
  /** Yaw y, radian. */
  const T& yaw_angle() const { return rpy_(2); }
  /** Sets the roll.
  @throws std::logic_error if it is not finite. */
  void set_roll_angle(const T& r) { set(r, rpy_(1), rpy_(2)); }
  /** Sets the pitch.
  @throws std::logic_error if it is not finite. */
  void set_pitch_angle(const T& p) { set(rpy_(0), p, rpy_(2)); }
  /** Sets the yaw.
  @throws std::logic_error if it is not finite. */
  void set_yaw_angle(const T& y) { set(rpy_(0), rpy_(1), y); }

  /** A unit quaternion of this orientation; w may be negative. */
  Eigen::Quaternion<T> ToQuaternion() const;
  /** Returns the rotation R_AD. */
  RotationMatrix<T> ToRotationMatrix() const {
    return RotationMatrix<T>(*this);
  }
  /** R_AD as a matrix. */
  Matrix3<T> ToMatrix3ViaRotationMatrix() const {
    return ToRotationMatrix().matrix();
  }

  /** True if no angle differs by more than `tolerance`, radian. */
  bool IsNearlyEqualTo(const RollPitchYaw<T>& other, double tolerance) const;
  /** True if no element of the rotation matrices differs by more. */
  bool IsNearlySameOrientation(const RollPitchYaw<T>& other,
                               double tolerance) const {
    return ToRotationMatrix().IsNearlyEqualTo(other.ToRotationMatrix(),
                                              tolerance);
  }
  /** True if |p| <= π/2, |r| <= π and |y| <= π. */
  bool IsRollPitchYawInCanonicalRange() const;
  /** True if all three angles are finite. */
  static bool IsValid(const Vector3<T>& rpy);

  /** True if |cos(p)| < 0.008. */
  bool DoesPitchAngleViolateGimbalLockTolerance() const {
    using std::cos;
    return DoesCosPitchAngleViolateGimbalLockTolerance(T(cos(rpy_(1))));
  }
  /** True if |cos_pitch_angle| < 0.008. */
  static bool DoesCosPitchAngleViolateGimbalLockTolerance(
      const T& cos_pitch_angle) {
    using std::abs;
    return abs(cos_pitch_angle) < kGimbalLockToleranceCosPitchAngle;
  }
  /** How near to ±π/2 the pitch angle is in gimbal lock, radian. */
  static double GimbalLockPitchAngleTolerance() {
    return M_PI_2 - std::acos(kGimbalLockToleranceCosPitchAngle);
  }

  /** d/dt R_AD from ṙ, ṗ, ẏ (radian/second). */
  Matrix3<T> CalcRotationMatrixDt(const Vector3<T>& rpyDt) const;

  /** w_AD_A. Holds everywhere. */
  Vector3<T> CalcAngularVelocityInParentFromRpyDt(
      const Vector3<T>& rpyDt) const {
    return CalcMatrixRelatingAngularVelocityInParentToRpyDt() * rpyDt;
  }
  /** w_AD_D. Holds everywhere. */
  Vector3<T> CalcAngularVelocityInChildFromRpyDt(
      const Vector3<T>& rpyDt) const {
    return CalcMatrixRelatingAngularVelocityInChildToRpyDt() * rpyDt;
  }
  /** [ṙ ṗ ẏ] from w_AD_A. @throws std::runtime_error in gimbal lock. */
  Vector3<T> CalcRpyDtFromAngularVelocityInParent(
      const Vector3<T>& w_AD_A) const {
    return CalcMatrixRelatingRpyDtToAngularVelocityInParent(
               "CalcRpyDtFromAngularVelocityInParent") *
           w_AD_A;
  }
  /** [ṙ ṗ ẏ] from w_AD_D. @throws std::runtime_error in gimbal lock. */
  Vector3<T> CalcRpyDtFromAngularVelocityInChild(
      const Vector3<T>& w_AD_D) const {
    return CalcMatrixRelatingRpyDtToAngularVelocityInChild(
               "CalcRpyDtFromAngularVelocityInChild") *
           w_AD_D;
  }
  /** M with [ṙ ṗ ẏ] = M w_AD_A. @throws std::runtime_error in gimbal lock. */
  const Matrix3<T> CalcMatrixRelatingRpyDtToAngularVelocityInParent() const {
    return CalcMatrixRelatingRpyDtToAngularVelocityInParent(
        "CalcMatrixRelatingRpyDtToAngularVelocityInParent");
  }
  /** M with [ṙ ṗ ẏ] = M w_AD_D. @throws std::runtime_error in gimbal lock. */
  const Matrix3<T> CalcMatrixRelatingRpyDtToAngularVelocityInChild() const {
    return CalcMatrixRelatingRpyDtToAngularVelocityInChild(
        "CalcMatrixRelatingRpyDtToAngularVelocityInChild");
  }

  /** [r̈ p̈ ÿ] from the rates and the angular acceleration alpha_AD_A
  (radian/second²). @throws std::runtime_error in gimbal lock. */
  Vector3<T> CalcRpyDDtFromRpyDtAndAngularAccelInParent(
      const Vector3<T>& rpyDt, const Vector3<T>& alpha_AD_A) const;
  /** [r̈ p̈ ÿ] from the rates and alpha_AD_D.
  @throws std::runtime_error in gimbal lock. */
  Vector3<T> CalcRpyDDtFromAngularAccelInChild(
      const Vector3<T>& rpyDt, const Vector3<T>& alpha_AD_D) const;

 private:
  static constexpr double kGimbalLockToleranceCosPitchAngle = 0.008;

  static void RequireFiniteAngles(const Vector3<T>& rpy);
  [[noreturn]] void ThrowGimbalLock(const char* function) const;

  Matrix3<T> CalcMatrixRelatingAngularVelocityInParentToRpyDt() const;
  Matrix3<T> CalcMatrixRelatingAngularVelocityInChildToRpyDt() const;
  Matrix3<T> CalcMatrixRelatingRpyDtToAngularVelocityInParent(
      const char* function) const;
  Matrix3<T> CalcMatrixRelatingRpyDtToAngularVelocityInChild(
      const char* function) const;

  Vector3<T> rpy_;
};

/** Prints "rpy = r p y". */
template <typename T>
std::ostream& operator<<(std::ostream& out, const RollPitchYaw<T>& rpy);

/** Angles without derivatives. */
using RollPitchYawd = RollPitchYaw<double>;

}  // namespace wyvern::math

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::math::RollPitchYaw<T>> : wyvern::StreamFormatter {
};
/// @endcond
