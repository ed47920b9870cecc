#pragma once

/** @file
Functions of quaternions and of their time derivatives.

A quaternion q = (w, x, y, z) stands for the rotation of B from A with
w = cos(θ/2) and (x, y, z) = sin(θ/2) times the axis; q and -q are the same
rotation. A function of 4-vectors has them in the order [w x y z]. */

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math {

/** Returns quat2 or -quat2, normalized, whichever is nearer to quat1; returns
quat2 if both are equally near. */
template <typename T>
Eigen::Quaternion<T> ClosestQuaternion(const Eigen::Quaternion<T>& quat1,
                                       const Eigen::Quaternion<T>& quat2);

/** The conjugate [w -x -y -z]: of a unit quaternion, the inverse rotation. */
template <typename Derived>
Vector4<typename Derived::Scalar> quatConjugate(
    const Eigen::MatrixBase<Derived>& q) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived, 4);
  return Vector4<typename Derived::Scalar>(q(0), -q(1), -q(2), -q(3));
}

/** The Hamilton product q1 q2: the rotation q2 followed by q1 if the axes are
fixed in space. */
template <typename Derived1, typename Derived2>
Vector4<typename Derived1::Scalar> quatProduct(
    const Eigen::MatrixBase<Derived1>& q1,
    const Eigen::MatrixBase<Derived2>& q2) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived1, 4);
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived2, 4);
  using T = typename Derived1::Scalar;
  const Vector4<T> a = q1, b = q2;
  return Vector4<T>(a(0) * b(0) - a(1) * b(1) - a(2) * b(2) - a(3) * b(3),
                    a(0) * b(1) + a(1) * b(0) + a(2) * b(3) - a(3) * b(2),
                    a(0) * b(2) + a(2) * b(0) + a(3) * b(1) - a(1) * b(3),
                    a(0) * b(3) + a(3) * b(0) + a(1) * b(2) - a(2) * b(1));
}

/** The vector v rotated by the unit quaternion q. */
template <typename DerivedQ, typename DerivedV>
Vector3<typename DerivedV::Scalar> quatRotateVec(
    const Eigen::MatrixBase<DerivedQ>& q,
    const Eigen::MatrixBase<DerivedV>& v) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(DerivedQ, 4);
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(DerivedV, 3);
  using T = typename DerivedV::Scalar;
  const Vector3<T> u(q(1), q(2), q(3)), v_in = v;
  const Vector3<T> t = T(2) * u.cross(v_in);
  return v_in + q(0) * t + u.cross(t);
}

/** The rotation from q1 to q2: q1⁻¹ q2, for unit quaternions. */
template <typename Derived1, typename Derived2>
Vector4<typename Derived1::Scalar> quatDiff(
    const Eigen::MatrixBase<Derived1>& q1,
    const Eigen::MatrixBase<Derived2>& q2) {
  return quatProduct(quatConjugate(q1), q2);
}

/** How far q2 is from being q1 followed by a rotation about u, a unit vector:
with r = quatDiff(q1, q2), it is -2 + 2 (r_w² + (u · r_xyz)²), which is 0 if r
turns about u and -2 at most. */
template <typename Derived1, typename Derived2, typename DerivedU>
typename Derived1::Scalar quatDiffAxisInvar(
    const Eigen::MatrixBase<Derived1>& q1,
    const Eigen::MatrixBase<Derived2>& q2,
    const Eigen::MatrixBase<DerivedU>& u) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(DerivedU, 3);
  using T = typename Derived1::Scalar;
  const Vector4<T> r = quatDiff(q1, q2);
  const T along = u(0) * r(1) + u(1) * r(2) + u(2) * r(3);
  return T(-2) + T(2) * (r(0) * r(0) + along * along);
}

/** True if w >= 0. */
template <typename T>
bool is_quaternion_in_canonical_form(const Eigen::Quaternion<T>& quat);

/** q or -q, whichever is in canonical form; the norm is kept. */
template <typename T>
Eigen::Quaternion<T> QuaternionToCanonicalForm(
    const Eigen::Quaternion<T>& quat);

/** True if no element of quat1 differs by more than `tolerance` from that of
quat2, or else of -quat2: for unit quaternions, if they are one orientation. */
template <typename T>
bool AreQuaternionsEqualForOrientation(const Eigen::Quaternion<T>& quat1,
                                       const Eigen::Quaternion<T>& quat2,
                                       const T& tolerance);

/** d/dt [w x y z] (1/second) of quat_AB when B turns in A with the angular
velocity w_AB_B (radian/second), q̇ = q (0, w)/2; keeps the norm of q. */
template <typename T>
Vector4<T> CalculateQuaternionDtFromAngularVelocityExpressedInB(
    const Eigen::Quaternion<T>& quat_AB, const Vector3<T>& w_AB_B);

/** w_AB_B, the vector part of 2 q⁻¹ q̇, for a unit quaternion. */
template <typename T>
Vector3<T> CalculateAngularVelocityExpressedInBFromQuaternionDt(
    const Eigen::Quaternion<T>& quat_AB, const Vector4<T>& quatDt);

/** d/dt |q|² = 2 q · q̇, which is 0 for consistent numbers. */
template <typename T>
T CalculateQuaternionDtConstraintViolation(const Eigen::Quaternion<T>& quat,
                                           const Vector4<T>& quatDt);

/** True if |q| is 1 within `tolerance`. */
template <typename T>
bool IsQuaternionValid(const Eigen::Quaternion<T>& quat, double tolerance);

/** True if also |d/dt |q|²| is at most `tolerance`. */
template <typename T>
bool IsBothQuaternionAndQuaternionDtOK(const Eigen::Quaternion<T>& quat,
                                       const Vector4<T>& quatDt,
                                       double tolerance);

/** True if besides the angular velocity of quatDt is w_B (radian/second) to
within `tolerance` in every element. */
template <typename T>
bool IsQuaternionAndQuaternionDtEqualAngularVelocityExpressedInB(
    const Eigen::Quaternion<T>& quat, const Vector4<T>& quatDt,
    const Vector3<T>& w_B, double tolerance);

}  // namespace wyvern::math
