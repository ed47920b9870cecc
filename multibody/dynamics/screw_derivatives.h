#pragma once

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/screw_algebra.h"

namespace wyvern::multibody::dynamics {

/* Entry by entry, for the reason given in screw_algebra.h, and so small that a
call would cost as much as the work. */

/** V x U. */
template <typename T>
EIGEN_ALWAYS_INLINE Vector6<T> CrossMotion(const Vector6<T>& V,
                                           const Vector6<T>& U) {
  Vector6<T> r;
  r[0] = V[1] * U[2] - V[2] * U[1];
  r[1] = V[2] * U[0] - V[0] * U[2];
  r[2] = V[0] * U[1] - V[1] * U[0];
  r[3] = (V[1] * U[5] - V[2] * U[4]) + (V[4] * U[2] - V[5] * U[1]);
  r[4] = (V[2] * U[3] - V[0] * U[5]) + (V[5] * U[0] - V[3] * U[2]);
  r[5] = (V[0] * U[4] - V[1] * U[3]) + (V[3] * U[1] - V[4] * U[0]);
  return r;
}

/** V x* F: the rate of a force F that is fixed in a body that moves by V. */
template <typename T>
EIGEN_ALWAYS_INLINE Vector6<T> CrossForce(const Vector6<T>& V,
                                          const Vector6<T>& F) {
  Vector6<T> r;
  r[0] = (V[1] * F[2] - V[2] * F[1]) + (V[4] * F[5] - V[5] * F[4]);
  r[1] = (V[2] * F[0] - V[0] * F[2]) + (V[5] * F[3] - V[3] * F[5]);
  r[2] = (V[0] * F[1] - V[1] * F[0]) + (V[3] * F[4] - V[4] * F[3]);
  r[3] = V[1] * F[5] - V[2] * F[4];
  r[4] = V[2] * F[3] - V[0] * F[5];
  r[5] = V[0] * F[4] - V[1] * F[3];
  return r;
}

/** a + b. */
template <typename T>
EIGEN_ALWAYS_INLINE Vector6<T> Sum(const Vector6<T>& a, const Vector6<T>& b) {
  Vector6<T> r;
  for (int i = 0; i < 6; ++i) r[i] = a[i] + b[i];
  return r;
}

/** I V: momentum, or the force for an acceleration. */
template <typename T>
EIGEN_ALWAYS_INLINE Vector6<T> Times(const RigidInertia<T>& I,
                                     const Vector6<T>& V) {
  const auto& h = I.h;
  Vector6<T> r;
  r[0] = I.xx * V[0] + I.xy * V[1] + I.xz * V[2] + (h[1] * V[5] - h[2] * V[4]);
  r[1] = I.xy * V[0] + I.yy * V[1] + I.yz * V[2] + (h[2] * V[3] - h[0] * V[5]);
  r[2] = I.xz * V[0] + I.yz * V[1] + I.zz * V[2] + (h[0] * V[4] - h[1] * V[3]);
  r[3] = I.mass * V[3] + (V[1] * h[2] - V[2] * h[1]);
  r[4] = I.mass * V[4] + (V[2] * h[0] - V[0] * h[2]);
  r[5] = I.mass * V[5] + (V[0] * h[1] - V[1] * h[0]);
  return r;
}

/** True if a displacement along velocity k of a mobilizer moves its screw H_l
by H_k x H_l; false if it leaves it alone: MobilizerTraits::carries. A reversed
mobilizer's axes are fixed in its own node, which moves, so it is the other way
round. */
inline bool MovesScrew(const Model::Node& node, int k, int l) {
  const MobilizerTraits& traits = TraitsOf(node.type);
  return (traits.carries[k] && !traits.carries[l]) != node.is_reversed;
}

/** How a node N's motion V, A depends on its own velocity k, with all outboard
of it moving along rigidly by H_k (inverse_dynamics_derivatives.cc):
  ∂V/∂q_k = H_k x V + psi,        ∂V/∂v_k = H_k,
  ∂A/∂q_k = H_k x A + psi x V + phi,   ∂A/∂v_k = H_k x V + lambda. */
template <typename T>
struct ScrewRates {
  /** By the names in the equations above. */
  Vector6<T> psi, phi, lambda;
};

}  // namespace wyvern::multibody::dynamics
