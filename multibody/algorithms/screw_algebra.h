#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::engine {

/* Screws: 6-vectors in the axes of the world W about a point O that is at rest
in W, one O for each tree of the model.
  motion V = (w, v): angular velocity, velocity of the body's point at O;
  force  F = (t, f): moment about O, force.
As O is at rest, d/dt of a motion is (alpha, a_O - w x v): not the acceleration
of a material point. What users see (V_WB at Bo, A_WB of Bo, F_BBo_W) is made
from these in body_kinematics.h and node_forces.h. */

/** V x U: the rate of a motion U that is fixed in a body that moves by V. */
template <typename T>
inline Vector6<T> CrossMotion(const Vector6<T>& V, const Vector6<T>& U) {
  const Vector3<T> w = V.template head<3>(), v = V.template tail<3>();
  const Vector3<T> a = U.template head<3>(), b = U.template tail<3>();
  Vector6<T> result;
  result.template head<3>() = w.cross(a);
  result.template tail<3>() = w.cross(b) + v.cross(a);
  return result;
}

/** V x* F: the rate of a force F that is fixed in a body that moves by V. */
template <typename T>
inline Vector6<T> CrossForce(const Vector6<T>& V, const Vector6<T>& F) {
  const Vector3<T> w = V.template head<3>(), v = V.template tail<3>();
  const Vector3<T> t = F.template head<3>(), f = F.template tail<3>();
  Vector6<T> result;
  result.template head<3>() = w.cross(t) + v.cross(f);
  result.template tail<3>() = w.cross(f);
  return result;
}

/** Rigid-body inertia about O in W: mass, h = mass * p_OBcm_W, and the
rotational inertia about O. Adding is composing. */
template <typename T>
struct RigidInertia {
  T mass{0};
  Vector3<T> h{Vector3<T>::Zero()};
  T xx{0}, yy{0}, zz{0}, xy{0}, xz{0}, yz{0};

  RigidInertia& operator+=(const RigidInertia& other) {
    mass += other.mass;
    h += other.h;
    xx += other.xx;
    yy += other.yy;
    zz += other.zz;
    xy += other.xy;
    xz += other.xz;
    yz += other.yz;
    return *this;
  }

  /** Momentum at motion V; equally the force for an acceleration. */
  Vector6<T> operator*(const Vector6<T>& V) const {
    const Vector3<T> w = V.template head<3>(), v = V.template tail<3>();
    Vector6<T> result;
    result[0] = xx * w[0] + xy * w[1] + xz * w[2] + (h[1] * v[2] - h[2] * v[1]);
    result[1] = xy * w[0] + yy * w[1] + yz * w[2] + (h[2] * v[0] - h[0] * v[2]);
    result[2] = xz * w[0] + yz * w[1] + zz * w[2] + (h[0] * v[1] - h[1] * v[0]);
    result.template tail<3>() = mass * v + w.cross(h);
    return result;
  }

  /** [I, [h]; -[h], m 1], for articulated-body recursions. */
  Matrix6<T> ToMatrix() const {
    Matrix6<T> M;
    const T zero(0);
    M.col(0) << xx, xy, xz, zero, -h[2], h[1];
    M.col(1) << xy, yy, yz, h[2], zero, -h[0];
    M.col(2) << xz, yz, zz, -h[1], h[0], zero;
    M.col(3) << zero, h[2], -h[1], mass, zero, zero;
    M.col(4) << -h[2], zero, h[0], zero, mass, zero;
    M.col(5) << h[1], -h[0], zero, zero, zero, mass;
    return M;
  }
};

}  // namespace wyvern::multibody::engine
