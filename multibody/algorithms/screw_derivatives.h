#pragma once

#include "wyvern/multibody/algorithms/model.h"
#include "wyvern/multibody/algorithms/screw_algebra.h"

namespace wyvern::multibody::engine {

/** V x* F: the rate of a force F that is fixed in a body that moves by V. */
template <typename T>
EIGEN_STRONG_INLINE Vector6<T> CrossForce(const Vector6<T>& V,
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

template <typename T>
EIGEN_STRONG_INLINE Vector6<T> CrossMotion(const Vector6<T>& V,
                                           const Vector6<T>& U) {
  Vector6<T> result;
  CrossMotion<T>(V, U, &result);
  return result;
}

/** Velocities of a mobilizer are of two kinds: those that carry the axes of the
others along, the first angle of a universal joint and the translations of
planar and floating ones, and the rest. With axes of single mobilizers and of
ball joints none is carried. */
inline bool IsCarrier(MobilizerType type, int k) {
  switch (type) {
    case MobilizerType::kUniversal:
      return k == 0;
    case MobilizerType::kPlanar:
      return k < 2;
    case MobilizerType::kRpyFloating:
    case MobilizerType::kQuaternionFloating:
      return k >= 3;
    default:
      return false;
  }
}

/** True if a displacement along velocity k of a mobilizer moves its screw H_l
by H_k x H_l; false if it leaves it alone. A reversed mobilizer's axes are fixed
in its own node, which moves, so it is the other way round. */
inline bool MovesScrew(const Model::Node& node, int k, int l) {
  const bool carries = IsCarrier(node.type, k) && !IsCarrier(node.type, l);
  return carries != node.is_reversed;
}

/** How a node N's motion V, A depends on its own velocity k, with all outboard
of it moving along rigidly by H_k (inverse_dynamics_derivatives.cc):
  ∂V/∂q_k = H_k x V + psi,        ∂V/∂v_k = H_k,
  ∂A/∂q_k = H_k x A + psi x V + phi,   ∂A/∂v_k = H_k x V + lambda. */
template <typename T>
struct ScrewRates {
  Vector6<T> psi, phi, lambda;
};

}  // namespace wyvern::multibody::engine
