#include "wyvern/geometry/math/roll_pitch_yaw.h"

#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/check_argument.h"

/* Angles are found from a rotation by way of its quaternion, which stays exact
near gimbal lock. Rates and angular velocities are related by a matrix for
each of the two frames that w can be expressed in. The inverses have a 1 /
cos(pitch), and throw where that is too large. */

namespace wyvern::math {

using internal::MaxAbs;
using internal::ValueOf;
using internal::ValuesOf;

namespace {

// atan2(y, x), but 0 where rounding is all there is of y and x.
template <typename T>
T Atan2OrZero(const T& y, const T& x) {
  using std::atan2;
  constexpr double kNoise = 4 * std::numeric_limits<double>::epsilon();
  if (std::abs(ValueOf(y)) <= kNoise && std::abs(ValueOf(x)) <= kNoise) {
    return T(0);
  }
  return atan2(y, x);
}

// An angle in [-2π, 2π] brought to [-π, π].
template <typename T>
T WrapOnce(const T& angle) {
  if (ValueOf(angle) > M_PI) return angle - T(2 * M_PI);
  if (ValueOf(angle) < -M_PI) return angle + T(2 * M_PI);
  return angle;
}

}  // namespace

// With half angles, the unit quaternion of Rz(y) Ry(p) Rx(r) obeys
//   w + y = (cos p/2 + sin p/2) cos (r-y)/2,  x - z = same * sin (r-y)/2
//   w - y = (cos p/2 - sin p/2) cos (r+y)/2,  x + z = same * sin (r+y)/2
// and both factors are >= 0 for |p| <= π/2, so two arc tangents give r ± y,
// accurately even where one factor vanishes (gimbal lock).
template <typename T>
void RollPitchYaw<T>::SetFromRotationMatrix(const RotationMatrix<T>& R) {
  using std::atan2;
  using std::sqrt;
  const Eigen::Quaternion<T> q = R.ToQuaternion();
  const T half_difference = Atan2OrZero(T(q.x() - q.z()), T(q.w() + q.y()));
  const T half_sum = Atan2OrZero(T(q.x() + q.z()), T(q.w() - q.y()));
  const Matrix3<T>& m = R.matrix();
  // cos² p, had twice; the mean keeps r and y on an equal footing.
  const T cos_squared = T(0.5) * (m(0, 0) * m(0, 0) + m(1, 0) * m(1, 0) +
                                  m(2, 1) * m(2, 1) + m(2, 2) * m(2, 2));
  const T cos_pitch = ValueOf(cos_squared) > 0 ? T(sqrt(cos_squared)) : T(0);
  rpy_(0) = WrapOnce(T(half_sum + half_difference));
  rpy_(1) = atan2(T(T(0) - m(2, 0)), cos_pitch);
  rpy_(2) = WrapOnce(T(half_sum - half_difference));
}

template <typename T>
void RollPitchYaw<T>::SetFromQuaternion(
    const Eigen::Quaternion<T>& quaternion) {
  SetFromRotationMatrix(RotationMatrix<T>(quaternion));
}

template <typename T>
Eigen::Quaternion<T> RollPitchYaw<T>::ToQuaternion() const {
  using std::cos;
  using std::sin;
  const Vector3<T> half = T(0.5) * rpy_;
  const T cr = cos(half(0)), sr = sin(half(0));
  const T cp = cos(half(1)), sp = sin(half(1));
  const T cy = cos(half(2)), sy = sin(half(2));
  return Eigen::Quaternion<T>(
      cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
      cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy);
}

template <typename T>
bool RollPitchYaw<T>::IsNearlyEqualTo(const RollPitchYaw<T>& other,
                                      double tolerance) const {
  return ValueOf(MaxAbs(rpy_ - other.rpy_)) <= tolerance;
}

template <typename T>
bool RollPitchYaw<T>::IsRollPitchYawInCanonicalRange() const {
  const Eigen::Array3d limit(M_PI, M_PI_2, M_PI);
  return (ValuesOf(rpy_).array().abs() <= limit).all();
}

template <typename T>
bool RollPitchYaw<T>::IsValid(const Vector3<T>& rpy) {
  return ValuesOf(rpy).allFinite();
}

template <typename T>
void RollPitchYaw<T>::RequireFiniteAngles(const Vector3<T>& rpy) {
  wyvern::internal::RequireFinite("RollPitchYaw", "rpy", rpy);
}

template <typename T>
void RollPitchYaw<T>::ThrowGimbalLock(const char* function) const {
  throw std::runtime_error(fmt::format(
      "RollPitchYaw::{}(): the pitch angle is {} rad ({} degree), in gimbal "
      "lock: within {:.2g} degree of ±90 an angular velocity does not "
      "determine the rates of roll and yaw; use a quaternion there.",
      function, ValueOf(rpy_(1)), ValueOf(rpy_(1)) * 180 / M_PI,
      GimbalLockPitchAngleTolerance() * 180 / M_PI));
}

// d/dt R = [w]x R.
template <typename T>
Matrix3<T> RollPitchYaw<T>::CalcRotationMatrixDt(
    const Vector3<T>& rpyDt) const {
  return VectorToSkewSymmetric(CalcAngularVelocityInParentFromRpyDt(rpyDt)) *
         ToMatrix3ViaRotationMatrix();
}

// w = ẏ Az + Rz(y) (ṗ y + Ry(p) ṙ x): each rate turns about the axis that the
// rotations after it have carried along.
template <typename T>
Matrix3<T> RollPitchYaw<T>::CalcMatrixRelatingAngularVelocityInParentToRpyDt()
    const {
  using std::cos;
  using std::sin;
  const T cp = cos(rpy_(1)), sp = sin(rpy_(1));
  const T cy = cos(rpy_(2)), sy = sin(rpy_(2));
  Matrix3<T> M;
  M << cy * cp, -sy, T(0), sy * cp, cy, T(0), -sp, T(0), T(1);
  return M;
}

// Matrix of the same map, with the angular velocity expressed in D.
template <typename T>
Matrix3<T> RollPitchYaw<T>::CalcMatrixRelatingAngularVelocityInChildToRpyDt()
    const {
  using std::cos;
  using std::sin;
  const T cr = cos(rpy_(0)), sr = sin(rpy_(0));
  const T cp = cos(rpy_(1)), sp = sin(rpy_(1));
  Matrix3<T> M;
  M << T(1), T(0), -sp, T(0), cr, cp * sr, T(0), -sr, cp * cr;
  return M;
}

template <typename T>
Matrix3<T> RollPitchYaw<T>::CalcMatrixRelatingRpyDtToAngularVelocityInParent(
    const char* function) const {
  using std::cos;
  using std::sin;
  const T cp = cos(rpy_(1)), sp = sin(rpy_(1));
  if (DoesCosPitchAngleViolateGimbalLockTolerance(cp)) {
    ThrowGimbalLock(function);
  }
  const T cy = cos(rpy_(2)), sy = sin(rpy_(2));
  Matrix3<T> M;
  M << cy / cp, sy / cp, T(0), -sy, cy, T(0), cy * sp / cp, sy * sp / cp, T(1);
  return M;
}

template <typename T>
Matrix3<T> RollPitchYaw<T>::CalcMatrixRelatingRpyDtToAngularVelocityInChild(
    const char* function) const {
  using std::cos;
  using std::sin;
  const T cp = cos(rpy_(1)), sp = sin(rpy_(1));
  if (DoesCosPitchAngleViolateGimbalLockTolerance(cp)) {
    ThrowGimbalLock(function);
  }
  const T cr = cos(rpy_(0)), sr = sin(rpy_(0));
  Matrix3<T> M;
  M << T(1), sr * sp / cp, cr * sp / cp, T(0), cr, -sr, T(0), sr / cp, cr / cp;
  return M;
}

// With w = E rpyDt, E as above, alpha = E rpyDDt + Ė rpyDt.
template <typename T>
Vector3<T> RollPitchYaw<T>::CalcRpyDDtFromRpyDtAndAngularAccelInParent(
    const Vector3<T>& rpyDt, const Vector3<T>& alpha_AD_A) const {
  using std::cos;
  using std::sin;
  const T cp = cos(rpy_(1)), sp = sin(rpy_(1));
  const T cy = cos(rpy_(2)), sy = sin(rpy_(2));
  const T rDt = rpyDt(0), pDt = rpyDt(1), yDt = rpyDt(2);
  const Vector3<T> EDt_rpyDt(
      (-sy * cp * yDt - cy * sp * pDt) * rDt - cy * yDt * pDt,
      (cy * cp * yDt - sy * sp * pDt) * rDt - sy * yDt * pDt, -cp * pDt * rDt);
  return CalcMatrixRelatingRpyDtToAngularVelocityInParent(
             "CalcRpyDDtFromRpyDtAndAngularAccelInParent") *
         (alpha_AD_A - EDt_rpyDt);
}

// The components of alpha in D are also the derivatives of those of w in D, as
// w x w = 0.
template <typename T>
Vector3<T> RollPitchYaw<T>::CalcRpyDDtFromAngularAccelInChild(
    const Vector3<T>& rpyDt, const Vector3<T>& alpha_AD_D) const {
  using std::cos;
  using std::sin;
  const T cr = cos(rpy_(0)), sr = sin(rpy_(0));
  const T cp = cos(rpy_(1)), sp = sin(rpy_(1));
  const T rDt = rpyDt(0), pDt = rpyDt(1), yDt = rpyDt(2);
  const Vector3<T> EDt_rpyDt(
      -cp * pDt * yDt, -sr * rDt * pDt + (cp * cr * rDt - sp * sr * pDt) * yDt,
      -cr * rDt * pDt - (cp * sr * rDt + sp * cr * pDt) * yDt);
  return CalcMatrixRelatingRpyDtToAngularVelocityInChild(
             "CalcRpyDDtFromAngularAccelInChild") *
         (alpha_AD_D - EDt_rpyDt);
}

template <typename T>
std::ostream& operator<<(std::ostream& out, const RollPitchYaw<T>& rpy) {
  const Eigen::Vector3d v = ValuesOf(rpy.vector());
  return out << fmt::format("rpy = {} {} {}", v(0), v(1), v(2));
}

template std::ostream& operator<<(std::ostream&, const RollPitchYaw<double>&);
#if WYVERN_AUTODIFF
template std::ostream& operator<<(std::ostream&,
                                  const RollPitchYaw<AutoDiffXd>&);
#endif

}  // namespace wyvern::math

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::math::RollPitchYaw);
