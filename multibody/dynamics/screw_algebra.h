#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::dynamics {

/* Screws: 6-vectors in the axes of the world W about a point O that is at rest
in W, one O for each tree of the model.
  motion V = (w, v): angular velocity, velocity of the body's point at O;
  force  F = (t, f): moment about O, force.
As O is at rest, d/dt of a motion is (alpha, a_O - w x v): not the acceleration
of a material point. What users see (V_WB at Bo, A_WB of Bo, F_BBo_W) is made
from these in body_kinematics.h and node_forces.h. */

/* The functions below work entry by entry and write each result once: a
6-vector that is put together from halves and read back as a whole right away
stalls the processor on its own store. */

/** a·b. */
template <typename T, typename A, typename B>
EIGEN_STRONG_INLINE T Dot(const A& a, const B& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] +
         (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/** Hᵀ F for n screws H, a column of six after another, into n numbers. */
template <typename T>
EIGEN_STRONG_INLINE void TransposeTimes(const T* H, const Vector6<T>& F, int n,
                                        T* result) {
  for (int k = 0; k < n; ++k) result[k] = Dot<T>(H + 6 * k, F);
}

/** A + H x, for n screws H, a column of six after another. */
template <typename T>
EIGEN_STRONG_INLINE void PlusTimes(const Vector6<T>& A, const T* H, const T* x,
                                   int n, Vector6<T>* result) {
  for (int c = 0; c < 6; ++c) {
    T sum = A[c];
    for (int k = 0; k < n; ++k) sum += H[6 * k + c] * x[k];
    (*result)[c] = sum;
  }
}

/** V x U: the rate of a motion U that is fixed in a body that moves by V. */
template <typename T>
EIGEN_STRONG_INLINE void CrossMotion(const Vector6<T>& V, const Vector6<T>& U,
                                     Vector6<T>* result) {
  Vector6<T>& r = *result;
  r[0] = V[1] * U[2] - V[2] * U[1];
  r[1] = V[2] * U[0] - V[0] * U[2];
  r[2] = V[0] * U[1] - V[1] * U[0];
  r[3] = (V[1] * U[5] - V[2] * U[4]) + (V[4] * U[2] - V[5] * U[1]);
  r[4] = (V[2] * U[3] - V[0] * U[5]) + (V[5] * U[0] - V[3] * U[2]);
  r[5] = (V[0] * U[4] - V[1] * U[3]) + (V[3] * U[1] - V[4] * U[0]);
}

/** Rigid-body inertia about O in W: mass, h = mass * p_OBcm_W, and the
rotational inertia about O. Adding is composing. */
template <typename T>
struct RigidInertia {
  /** Mass, kg. */
  T mass{0};
  /** mass * p_OBcm_W, kg m. */
  Vector3<T> h{Vector3<T>::Zero()};
  /** Entries of the rotational inertia about O in W, kg m². */
  T xx{0}, yy{0}, zz{0}, xy{0}, xz{0}, yz{0};

  /** Adds a body that moves rigidly with this one, about the same O. */
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
  template <typename Motion>
  EIGEN_STRONG_INLINE Vector6<T> operator*(const Motion& V) const {
    Vector6<T> r;
    r[0] = xx * V[0] + xy * V[1] + xz * V[2] + (h[1] * V[5] - h[2] * V[4]);
    r[1] = xy * V[0] + yy * V[1] + yz * V[2] + (h[2] * V[3] - h[0] * V[5]);
    r[2] = xz * V[0] + yz * V[1] + zz * V[2] + (h[0] * V[4] - h[1] * V[3]);
    r[3] = mass * V[3] + (V[1] * h[2] - V[2] * h[1]);
    r[4] = mass * V[4] + (V[2] * h[0] - V[0] * h[2]);
    r[5] = mass * V[5] + (V[0] * h[1] - V[1] * h[0]);
    return r;
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

/** Returns the force that moves a rigid body by V and A in uniform gravity g
and changes its momentum L = M V:  F = M (A - g) + V x* L, where x* is the rate
of a force that is fixed in a body moving by V: (w x t + v x f, w x f). */
template <typename T>
EIGEN_STRONG_INLINE void CalcRequiredForce(const RigidInertia<T>& M,
                                           const Vector6<T>& V,
                                           const Vector6<T>& A,
                                           const Vector3<T>& g, Vector6<T>* F) {
  const auto& h = M.h;
  const T a = A[3] - g[0], b = A[4] - g[1], c = A[5] - g[2];
  const T t0 =
      M.xx * V[0] + M.xy * V[1] + M.xz * V[2] + (h[1] * V[5] - h[2] * V[4]);
  const T t1 =
      M.xy * V[0] + M.yy * V[1] + M.yz * V[2] + (h[2] * V[3] - h[0] * V[5]);
  const T t2 =
      M.xz * V[0] + M.yz * V[1] + M.zz * V[2] + (h[0] * V[4] - h[1] * V[3]);
  const T f0 = M.mass * V[3] + (V[1] * h[2] - V[2] * h[1]);
  const T f1 = M.mass * V[4] + (V[2] * h[0] - V[0] * h[2]);
  const T f2 = M.mass * V[5] + (V[0] * h[1] - V[1] * h[0]);
  (*F)[0] = M.xx * A[0] + M.xy * A[1] + M.xz * A[2] + (h[1] * c - h[2] * b) +
            (V[1] * t2 - V[2] * t1) + (V[4] * f2 - V[5] * f1);
  (*F)[1] = M.xy * A[0] + M.yy * A[1] + M.yz * A[2] + (h[2] * a - h[0] * c) +
            (V[2] * t0 - V[0] * t2) + (V[5] * f0 - V[3] * f2);
  (*F)[2] = M.xz * A[0] + M.yz * A[1] + M.zz * A[2] + (h[0] * b - h[1] * a) +
            (V[0] * t1 - V[1] * t0) + (V[3] * f1 - V[4] * f0);
  (*F)[3] = M.mass * a + (A[1] * h[2] - A[2] * h[1]) + (V[1] * f2 - V[2] * f1);
  (*F)[4] = M.mass * b + (A[2] * h[0] - A[0] * h[2]) + (V[2] * f0 - V[0] * f2);
  (*F)[5] = M.mass * c + (A[0] * h[1] - A[1] * h[0]) + (V[0] * f1 - V[1] * f0);
}

}  // namespace wyvern::multibody::dynamics
