#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/dead_loads.h"
#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/math/spatial_momentum.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant about how motion responds: derivatives of

  M(q) v̇ + C(q, v) v + d v = tau_g(q) + tau + tau_app + sum J_B(q)ᵀ F_B

in closed form, and what M and J make of forces and velocities. d is the joints'
damping. tau_app and F_B, at Bo in W, are the generalized and the body forces of
an argument `applied_forces`: held constant, so that force elements other than
gravity count by their present value if that is put there. Effort limits, joint
limits, dry friction and PD controllers have no part in it.

A derivative with respect to q has a column per velocity: column k is the rate
along q̇ = N(q) e_k with everything else constant. CalcDerivativeInPositions()
turns it into one with a column per position.

All throw std::logic_error before Finalize(), for a Context or Frame of another
plant, and for arguments that are null or of the wrong size. Outputs are nv x nv
unless another shape is given. */
template <typename T>
class PlantDerivatives {
 public:
  /** Computes the derivatives of the tau that `known_vdot` requires. The last
  one is M. O(bodies depth). */
  void CalcInverseDynamicsDerivatives(const systems::Context<T>& context,
                                      const VectorX<T>& known_vdot,
                                      const MultibodyForces<T>& applied_forces,
                                      EigenPtr<MatrixX<T>> dtau_dq,
                                      EigenPtr<MatrixX<T>> dtau_dv,
                                      EigenPtr<MatrixX<T>> dtau_dvdot) const;
  /** Computes the derivatives of the v̇ that follows from `tau`. The last one is
  M⁻¹.
  @throws std::runtime_error if M is singular. */
  void CalcForwardDynamicsDerivatives(const systems::Context<T>& context,
                                      const VectorX<T>& tau,
                                      const MultibodyForces<T>& applied_forces,
                                      EigenPtr<MatrixX<T>> dvdot_dq,
                                      EigenPtr<MatrixX<T>> dvdot_dv,
                                      EigenPtr<MatrixX<T>> dvdot_dtau) const;
  /** The derivative with respect to the entries of q, n x nq, of what has the
  derivative `tangent`, n x nv: that times N⁺(q). */
  MatrixX<T> CalcDerivativeInPositions(const systems::Context<T>& context,
                                       const MatrixX<T>& tangent) const;

  /** M⁻¹, with reflected inertia in M, which is not formed.
  @throws std::runtime_error if M is singular. */
  void CalcMassMatrixInverse(const systems::Context<T>& context,
                             EigenPtr<MatrixX<T>> M_inverse) const;
  /** J M⁻¹ Jᵀ, 6m x 6m, for the Jacobian J of the spatial velocities in W, in
  its axes, of m frames: the inverse of operational-space inertia. Singular if
  the frames are less free to move than 6m. O(bodies + m depth + m²).
  @throws std::runtime_error if M is singular. */
  void CalcInverseOperationalSpaceInertia(
      const systems::Context<T>& context,
      const std::vector<const Frame<T>*>& frames,
      EigenPtr<MatrixX<T>> Lambda_inverse) const;

  /** A(q), 6 x nv: the momentum of all bodies about their centre of mass Scm is
  h = L_WSScm_W = A v, rotational part first. Rotors have no part in it.
  @throws std::logic_error if the bodies have no mass. */
  void CalcCentroidalMomentumMatrix(const systems::Context<T>& context,
                                    EigenPtr<Matrix6X<T>> A) const;
  /** Returns the momentum h of all bodies about Scm, in the world. */
  SpatialMomentum<T> CalcCentroidalMomentum(
      const systems::Context<T>& context) const;
  /** Ȧ v: the moment about Scm and the force in ḣ = A v̇ + Ȧ v. */
  SpatialForce<T> CalcCentroidalMomentumBias(
      const systems::Context<T>& context) const;

 protected:
  explicit PlantDerivatives(const internal::MultibodyTreeSystem<T>& core)
      : core_(core) {}
  ~PlantDerivatives() = default;

 private:
  void RequireSquare(const char* function, const char* name, int size,
                     EigenPtr<MatrixX<T>> M) const;
  std::vector<dynamics::DeadLoad<T>> MakeLoads(
      const systems::Context<T>& context, const MultibodyForces<T>& forces,
      const char* function) const;
  dynamics::ArticulatedInertias<T> CalcArticulatedInertias(
      const systems::Context<T>& context) const;
  Vector3<T> CalcCenterOfMass(const systems::Context<T>& context,
                              const char* function) const;

  const internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
