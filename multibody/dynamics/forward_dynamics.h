#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/configuration.h"
#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** Large against any inertia: a velocity with this much on M's diagonal does
not change. */
inline constexpr double kLockedInertia = 1e30;

/** The articulated-body factorization of M + diag(d), and the scratch of its
 * use. */
template <typename T>
struct ArticulatedInertias {
  ArticulatedInertias() = default;
  /** Allocates for a model. */
  explicit ArticulatedInertias(const Model& model);

  std::vector<Matrix6<T>> P;  // By node: articulated inertia about O.
  Matrix6X<T> U;              // By velocity: P H.
  Matrix6X<T> D_inverse;      // By velocity: (Hᵀ P H + d)⁻¹; top nv rows.
  std::vector<Vector6<T>> Z;  // Scratch, by node: force at v̇ = 0.
  std::vector<Vector6<T>> A_bias;  // Scratch, by node: acceleration then.
  VectorX<T> u;                    // Scratch, by velocity.
};

/** Factorizes M + diag(d) at q.
@param diagonal Added to M's diagonal besides the reflected inertia (say
dt * damping); empty for none.
@throws SingularInertia if a mobilizer's pivot block is not positive definite:
the mass outboard of it, seen along it, is 0 or not finite. */
template <typename T>
void CalcArticulatedInertias(const Configuration<T>& at,
                             const Eigen::Ref<const VectorX<T>>& diagonal,
                             ArticulatedInertias<T>* result);

/** v̇ and the nodes' accelerations A (about O, in W) such that
(M + diag(d)) v̇ + C(q, v) v = tau + g(q) + sum Jᵀ F, in O(bodies), with
reflected inertia in M and g = 0 if gravity is off.
@param F Applied node forces (node_forces.h); empty for none.
@param articulated Factorized at the same q; its scratch is written. */
template <typename T>
void CalcForwardDynamics(const Motion<T>& motion,
                         const Eigen::Ref<const VectorX<T>>& tau,
                         std::span<const Vector6<T>> F, Gravity gravity,
                         ArticulatedInertias<T>* articulated,
                         std::vector<Vector6<T>>* A,
                         Eigen::Ref<VectorX<T>> vdot);

/** x such that (M + diag(d)) x = b, in O(bodies); x may be b.
@param A Scratch, one entry per node. */
template <typename T>
void SolveMassMatrix(const Model& model, const PositionKinematics<T>& positions,
                     const Eigen::Ref<const VectorX<T>>& b,
                     ArticulatedInertias<T>* articulated,
                     std::vector<Vector6<T>>* A, Eigen::Ref<VectorX<T>> x);

}  // namespace wyvern::multibody::dynamics
