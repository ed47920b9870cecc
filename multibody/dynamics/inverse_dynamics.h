#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/configuration.h"
#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** Scratch of inverse dynamics, and its by-products, by node. */
template <typename T>
struct InverseDynamicsScratch {
  InverseDynamicsScratch() = default;
  /** Allocates for a model. */
  explicit InverseDynamicsScratch(const Model& model);

  std::vector<Vector6<T>> A;  // Acceleration.
  std::vector<Vector6<T>> F;  // Force across the node's mobilizer, on it.
};

/** Generalized forces that make v̇ happen against the applied forces F:
tau = M v̇ + C(q, v) v - g(q) - sum Jᵀ F, with reflected inertia in M, and g = 0
if gravity is off.
@param vdot v̇; empty for v̇ = 0, which costs less.
@param F Applied node forces (node_forces.h); empty for none. */
template <typename T>
void CalcInverseDynamics(const Motion<T>& motion,
                         const Eigen::Ref<const VectorX<T>>& vdot,
                         std::span<const Vector6<T>> F, Gravity gravity,
                         InverseDynamicsScratch<T>* scratch,
                         Eigen::Ref<VectorX<T>> tau);

/** C(q, v) v, the generalized forces that v̇ = 0 needs, without gravity. */
template <typename T>
void CalcBiasTerm(const Motion<T>& motion, InverseDynamicsScratch<T>* scratch,
                  Eigen::Ref<VectorX<T>> Cv);

/** g(q): gravity's generalized forces, on the right-hand side of
M v̇ + C v = g + tau. */
template <typename T>
void CalcGravityGeneralizedForces(const Configuration<T>& at,
                                  InverseDynamicsScratch<T>* scratch,
                                  Eigen::Ref<VectorX<T>> g);

/** -d v, the generalized forces of the mobilizers' viscous damping. */
template <typename T>
void CalcDampingForces(const ModelParameters<T>& parameters,
                       const Eigen::Ref<const VectorX<T>>& v,
                       Eigen::Ref<VectorX<T>> tau);

}  // namespace wyvern::multibody::dynamics
