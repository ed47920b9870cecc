#include "wyvern/geometry/math/quaternion.h"

#include <cmath>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::math {

using internal::MaxAbs;
using internal::ValueOf;
using internal::ValuesOf;

namespace {

template <typename T>
Vector4<T> ToVector4(const Eigen::Quaternion<T>& q) {
  return Vector4<T>(q.w(), q.x(), q.y(), q.z());
}

template <typename T>
Eigen::Quaternion<T> Negated(const Eigen::Quaternion<T>& q) {
  return Eigen::Quaternion<T>(-q.w(), -q.x(), -q.y(), -q.z());
}

}  // namespace

template <typename T>
Eigen::Quaternion<T> ClosestQuaternion(const Eigen::Quaternion<T>& quat1,
                                       const Eigen::Quaternion<T>& quat2) {
  const Eigen::Quaternion<T> q = quat2.normalized();
  return ValueOf(T(quat1.dot(q))) < 0 ? Negated(q) : q;
}

template <typename T>
bool is_quaternion_in_canonical_form(const Eigen::Quaternion<T>& quat) {
  return ValueOf(quat.w()) >= 0;
}

template <typename T>
Eigen::Quaternion<T> QuaternionToCanonicalForm(
    const Eigen::Quaternion<T>& quat) {
  return is_quaternion_in_canonical_form(quat) ? quat : Negated(quat);
}

template <typename T>
bool AreQuaternionsEqualForOrientation(const Eigen::Quaternion<T>& quat1,
                                       const Eigen::Quaternion<T>& quat2,
                                       const T& tolerance) {
  const Vector4<T> a = ToVector4(quat1), b = ToVector4(quat2);
  return ValueOf(MaxAbs(a - b)) <= ValueOf(tolerance) ||
         ValueOf(MaxAbs(a + b)) <= ValueOf(tolerance);
}

template <typename T>
Vector4<T> CalculateQuaternionDtFromAngularVelocityExpressedInB(
    const Eigen::Quaternion<T>& quat_AB, const Vector3<T>& w_AB_B) {
  const Vector3<T> half_w = T(0.5) * w_AB_B;
  return quatProduct(ToVector4(quat_AB),
                     Vector4<T>(T(0), half_w(0), half_w(1), half_w(2)));
}

template <typename T>
Vector3<T> CalculateAngularVelocityExpressedInBFromQuaternionDt(
    const Eigen::Quaternion<T>& quat_AB, const Vector4<T>& quatDt) {
  return T(2) * quatDiff(ToVector4(quat_AB), quatDt).template tail<3>();
}

template <typename T>
T CalculateQuaternionDtConstraintViolation(const Eigen::Quaternion<T>& quat,
                                           const Vector4<T>& quatDt) {
  return T(2) * ToVector4(quat).dot(quatDt);
}

template <typename T>
bool IsQuaternionValid(const Eigen::Quaternion<T>& quat, double tolerance) {
  return std::abs(ValuesOf(ToVector4(quat)).norm() - 1) <= tolerance;
}

template <typename T>
bool IsBothQuaternionAndQuaternionDtOK(const Eigen::Quaternion<T>& quat,
                                       const Vector4<T>& quatDt,
                                       double tolerance) {
  const double violation =
      ValueOf(CalculateQuaternionDtConstraintViolation(quat, quatDt));
  return IsQuaternionValid(quat, tolerance) && std::abs(violation) <= tolerance;
}

template <typename T>
bool IsQuaternionAndQuaternionDtEqualAngularVelocityExpressedInB(
    const Eigen::Quaternion<T>& quat, const Vector4<T>& quatDt,
    const Vector3<T>& w_B, double tolerance) {
  return IsBothQuaternionAndQuaternionDtOK(quat, quatDt, tolerance) &&
         ValueOf(MaxAbs(CalculateAngularVelocityExpressedInBFromQuaternionDt(
                            quat, quatDt) -
                        w_B)) <= tolerance;
}

#define WYVERN_INSTANTIATE(T)                                                  \
  template Eigen::Quaternion<T> ClosestQuaternion(                             \
      const Eigen::Quaternion<T>&, const Eigen::Quaternion<T>&);               \
  template bool is_quaternion_in_canonical_form(const Eigen::Quaternion<T>&);  \
  template Eigen::Quaternion<T> QuaternionToCanonicalForm(                     \
      const Eigen::Quaternion<T>&);                                            \
  template bool AreQuaternionsEqualForOrientation(                             \
      const Eigen::Quaternion<T>&, const Eigen::Quaternion<T>&, const T&);     \
  template Vector4<T> CalculateQuaternionDtFromAngularVelocityExpressedInB(    \
      const Eigen::Quaternion<T>&, const Vector3<T>&);                         \
  template Vector3<T> CalculateAngularVelocityExpressedInBFromQuaternionDt(    \
      const Eigen::Quaternion<T>&, const Vector4<T>&);                         \
  template T CalculateQuaternionDtConstraintViolation(                         \
      const Eigen::Quaternion<T>&, const Vector4<T>&);                         \
  template bool IsQuaternionValid(const Eigen::Quaternion<T>&, double);        \
  template bool IsBothQuaternionAndQuaternionDtOK(const Eigen::Quaternion<T>&, \
                                                  const Vector4<T>&, double);  \
  template bool IsQuaternionAndQuaternionDtEqualAngularVelocityExpressedInB(   \
      const Eigen::Quaternion<T>&, const Vector4<T>&, const Vector3<T>&,       \
      double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::math
