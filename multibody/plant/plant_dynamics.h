#pragma once

#include <vector>

#include "wyvern/multibody/plant/parts/dynamics_part.h"
#include "wyvern/multibody/step/solver_statistics.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that answers about forces and accelerations in

  M(q) v̇ + C(q, v) v = tau_g(q) + tau.

All throw std::logic_error before Finalize(), for a Context of another System,
and for arguments that are null or of the wrong size. */
template <typename T>
class PlantDynamics {
 public:
  /** M(q), nv x nv, with the reflected inertia of rotors; O(bodies depth). */
  void CalcMassMatrix(const systems::Context<T>& context,
                      EigenPtr<MatrixX<T>> M) const;
  /** Computes M column by column by inverse dynamics; slower, for checks. */
  void CalcMassMatrixViaInverseDynamics(const systems::Context<T>& context,
                                        EigenPtr<MatrixX<T>> M) const;
  /** C(q, v) v: Coriolis, centrifugal and gyroscopic terms. */
  void CalcBiasTerm(const systems::Context<T>& context,
                    EigenPtr<VectorX<T>> Cv) const;
  /** Returns gravity's generalized forces tau_g(q), nv entries. */
  VectorX<T> CalcGravityGeneralizedForces(
      const systems::Context<T>& context) const;
  /** Evaluates them in the Context's cache; allocates nothing after the first
  call. */
  const VectorX<T>& EvalGravityGeneralizedForces(
      const systems::Context<T>& context) const;
  /** M v̇ + C v - tau_ext: what the joints must do for `known_vdot` against
  `external_forces`. Gravity counts if these have it, as from
  CalcForceElementsContribution(), or if it is asked for here, which takes less:
  half as long if there are no other forces on bodies.
  @throws std::logic_error if it would count twice. */
  VectorX<T> CalcInverseDynamics(
      const systems::Context<T>& context, const VectorX<T>& known_vdot,
      const MultibodyForces<T>& external_forces,
      dynamics::Gravity gravity = dynamics::Gravity::kOff) const;
  /** Overload that writes into `tau`, of size nv; allocates nothing after the
  first call. The content of tau is undefined after an error about numbers that
  are not finite. */
  void CalcInverseDynamics(
      const systems::Context<T>& context, const VectorX<T>& known_vdot,
      const MultibodyForces<T>& external_forces, EigenPtr<VectorX<T>> tau,
      dynamics::Gravity gravity = dynamics::Gravity::kOff) const;
  /** Forces of all force elements, gravity among them unless it is off, and of
  joint damping. */
  void CalcForceElementsContribution(
      const systems::Context<T>& context, MultibodyForces<T>* forces,
      dynamics::Gravity gravity = dynamics::Gravity::kOn) const;
  /** The generalized forces of a set of forces: tau + sum J_BᵀF_Bo. */
  void CalcGeneralizedForces(const systems::Context<T>& context,
                             const MultibodyForces<T>& forces,
                             VectorX<T>* generalized_forces) const;

  /** Returns the counters of the solver of discrete steps for this Context and
  for the Context it is a copy of. They count every computation, including those
  for ports that were evaluated before a step. All zero for a continuous plant.
  */
  const SolverStatistics& GetSolverStatistics(
      const systems::Context<T>& context) const;

 protected:
  PlantDynamics(const internal::MultibodyTreeSystem<T>& core,
                const internal::DynamicsPart<T>& dynamics)
      : core_(core), dynamics_(dynamics) {}
  ~PlantDynamics() = default;

  /** Declares what is kept in Contexts. */
  void FinalizeDynamics(internal::MultibodyTreeSystem<T>* core);

 private:
  struct Scratch;  // For inverse dynamics.

  void CalcInverseDynamics(const systems::Context<T>& context,
                           const VectorX<T>& vdot,
                           const MultibodyForces<T>& forces,
                           dynamics::Gravity gravity, Scratch* scratch,
                           Eigen::Ref<VectorX<T>> tau) const;
  void RequireMatrix(const char* function, EigenPtr<MatrixX<T>> M) const;
  std::vector<Vector6<T>> CalcNodeForces(
      const systems::Context<T>& context,
      const MultibodyForces<T>& forces) const;

  const internal::MultibodyTreeSystem<T>& core_;
  const internal::DynamicsPart<T>& dynamics_;
  const systems::CacheEntry* scratch_entry_{};
};

}  // namespace wyvern::multibody
