#pragma once

#include <cmath>

#include "wyvern/multibody/kernels/sin_cos.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::dynamics {

/** result = R Rz(angle): the columns x and y turned about z. */
template <typename T>
inline void TurnAboutZ(const Matrix3<T>& R, const T& sine, const T& cosine,
                       Matrix3<T>* result) {
  for (int i = 0; i < 3; ++i) {
    (*result)(i, 0) = cosine * R(i, 0) + sine * R(i, 1);
    (*result)(i, 1) = cosine * R(i, 1) - sine * R(i, 0);
    (*result)(i, 2) = R(i, 2);
  }
}

/** Overload for an angle in radians. */
template <typename T>
inline void TurnAboutZ(const Matrix3<T>& R, const T& angle,
                       Matrix3<T>* result) {
  T sine, cosine;
  internal::SinCos(angle, &sine, &cosine);
  TurnAboutZ<T>(R, sine, cosine, result);
}

/** R of a quaternion (w, x, y, z) of any length but 0. */
template <typename T>
Matrix3<T> RotationFromQuaternion(const T* q) {
  const T s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const T sx = s * q[1], sy = s * q[2], sz = s * q[3];
  const T wx = q[0] * sx, wy = q[0] * sy, wz = q[0] * sz;
  const T xx = q[1] * sx, xy = q[1] * sy, xz = q[1] * sz;
  const T yy = q[2] * sy, yz = q[2] * sz, zz = q[3] * sz;
  Matrix3<T> R;
  R(0, 0) = 1.0 - (yy + zz);
  R(1, 0) = xy + wz;
  R(2, 0) = xz - wy;
  R(0, 1) = xy - wz;
  R(1, 1) = 1.0 - (xx + zz);
  R(2, 1) = yz + wx;
  R(0, 2) = xz + wy;
  R(1, 2) = yz - wx;
  R(2, 2) = 1.0 - (xx + yy);
  return R;
}

/** q̇ = 1/2 (0, w) ∘ q, for the angular velocity w of M in F, in F. It keeps
|q| whatever |q| is. */
template <typename T>
void QuaternionRate(const T* q, const T* w, T* qdot) {
  qdot[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
  qdot[1] = 0.5 * (q[0] * w[0] + q[3] * w[1] - q[2] * w[2]);
  qdot[2] = 0.5 * (-q[3] * w[0] + q[0] * w[1] + q[1] * w[2]);
  qdot[3] = 0.5 * (q[2] * w[0] - q[1] * w[1] + q[0] * w[2]);
}

/** The left inverse of QuaternionRate(): the part of q̇ along q, which changes
|q| and not the pose, is left out. */
template <typename T>
void AngularVelocityFromQuaternionRate(const T* q, const T* qdot, T* w) {
  const T s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  w[0] =
      s * (-q[1] * qdot[0] + q[0] * qdot[1] - q[3] * qdot[2] + q[2] * qdot[3]);
  w[1] =
      s * (-q[2] * qdot[0] + q[3] * qdot[1] + q[0] * qdot[2] - q[1] * qdot[3]);
  w[2] =
      s * (-q[3] * qdot[0] - q[2] * qdot[1] + q[1] * qdot[2] + q[0] * qdot[3]);
}

/** R = Rz(q[2]) Ry(q[1]) Rx(q[0]). */
template <typename T>
Matrix3<T> RotationFromRpy(const T* q) {
  T cr, sr, cp, sp, cy, sy;
  internal::SinCos(q[0], &sr, &cr);
  internal::SinCos(q[1], &sp, &cp);
  internal::SinCos(q[2], &sy, &cy);
  Matrix3<T> R;
  R(0, 0) = cy * cp;
  R(1, 0) = sy * cp;
  R(2, 0) = -sp;
  R(0, 1) = cy * sp * sr - sy * cr;
  R(1, 1) = sy * sp * sr + cy * cr;
  R(2, 1) = cp * sr;
  R(0, 2) = cy * sp * cr + sy * sr;
  R(1, 2) = sy * sp * cr - cy * sr;
  R(2, 2) = cp * cr;
  return R;
}

/** Rates of the space x-y-z angles from w, M's angular velocity in F, in F.
@throws std::runtime_error if |cos(pitch)| < 1e-3: gimbal lock. */
template <typename T>
void RpyRate(const T* q, const T* w, T* qdot);

/** w from the rates; no singularity this way. */
template <typename T>
void AngularVelocityFromRpyRate(const T* q, const T* qdot, T* w) {
  using std::cos;
  using std::sin;
  const T cp = cos(q[1]), sp = sin(q[1]);
  const T cy = cos(q[2]), sy = sin(q[2]);
  w[0] = cy * cp * qdot[0] - sy * qdot[1];
  w[1] = sy * cp * qdot[0] + cy * qdot[1];
  w[2] = qdot[2] - sp * qdot[0];
}

}  // namespace wyvern::multibody::dynamics
