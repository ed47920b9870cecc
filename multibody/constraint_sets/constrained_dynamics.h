#pragma once

#include "wyvern/multibody/constraint_sets/constraint_set.h"

namespace wyvern::multibody {

/** @file
Dynamics of a plant under a ConstraintSet:

  M v̇ + C(q, v) v = tau_g + tau + sum J_B'F_B + G'lambda,    G v̇ = gamma.

q and v are the Context's. Gravity acts; `tau` (nv) and the body forces and
generalized forces in `forces` (null: none) act besides. Springs, dampers and
the plant's input ports act only if `forces` or `tau` has them: of what
CalcForceElementsContribution() gives, the plant's CalcGeneralizedForces() less
CalcGravityGeneralizedForces(). The plant's own constraints and contacts do not
act. Joints that are locked do not move; of them, H() has the diagonal alone,
and C() and G() have zeros.

All write their numbers into a ConstrainedSystem: force or impulse, H, C, G,
gamma, dependent_rows(). All throw

- std::logic_error for a set that is not bound to `plant`, a Context of another
  System, a null or an argument of the wrong size, or `forces` that have gravity
  in them, which would act twice;
- std::runtime_error naming the rows by which gamma contradicts itself, and for
  a mass matrix that is not positive definite if the constraints do not
  determine the motion without mass. */

/** The functions below, for a set that is read alone and a system of the
caller's: see ConstraintSet. Thread-safe, one system a thread. */
namespace shared {

/** e(q) of all rows. */
template <typename T>
void CalcConstraintsPositionError(const internal::MultibodyTreeSystem<T>& plant,
                                  const systems::Context<T>& context,
                                  const ConstraintSet<T>& set,
                                  ConstrainedSystem<T>* system,
                                  EigenPtr<VectorX<T>> error);

/** G(q), nc x nv: of velocities v, not of q̇. */
template <typename T>
void CalcConstraintsJacobian(const internal::MultibodyTreeSystem<T>& plant,
                             const systems::Context<T>& context,
                             const ConstraintSet<T>& set,
                             ConstrainedSystem<T>* system,
                             EigenPtr<MatrixX<T>> G);

/** ė = G v of all rows. */
template <typename T>
void CalcConstraintsVelocityError(const internal::MultibodyTreeSystem<T>& plant,
                                  const systems::Context<T>& context,
                                  const ConstraintSet<T>& set,
                                  ConstrainedSystem<T>* system,
                                  EigenPtr<VectorX<T>> error);

/** H, C, G and gamma, left in the system. */
template <typename T>
void CalcConstrainedSystemVariables(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const ConstraintSet<T>& set,
    ConstrainedSystem<T>* system, const MultibodyForces<T>* forces = nullptr);

/** @name Forward dynamics
v̇ and the constraint forces.
@{ */
template <typename T>
void ForwardDynamicsConstraintsDirect(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const Eigen::Ref<const VectorX<T>>& tau,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> vdot, const MultibodyForces<T>* forces = nullptr);

template <typename T>
void ForwardDynamicsConstraintsRangeSpaceSparse(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const Eigen::Ref<const VectorX<T>>& tau,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> vdot, const MultibodyForces<T>* forces = nullptr);

template <typename T>
void ForwardDynamicsConstraintsNullSpace(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const Eigen::Ref<const VectorX<T>>& tau,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> vdot, const MultibodyForces<T>* forces = nullptr);

/** By the articulated bodies' response to unit forces (Kokkevis, Metaxas,
"Practical physics for articulated characters", GDC 2004): H is not formed, and
H() and C() are not written. Contact and loop constraints; O(bodies + nc³).
If rows are nearly dependent, or a joint has no inertia to move, the range-space
method stands in, and writes H() and C().
@throws std::logic_error, naming it, if there is a custom constraint. */
template <typename T>
void ForwardDynamicsContactsKokkevis(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const Eigen::Ref<const VectorX<T>>& tau,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> vdot, const MultibodyForces<T>* forces = nullptr);
/** @} */

/** @name Impacts
Velocities after an impact that makes G v the set's v_plus(), and impulses:
M v_after + G'impulse = M v.
@{ */
template <typename T>
void ComputeConstraintImpulsesDirect(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const ConstraintSet<T>& set,
    ConstrainedSystem<T>* system, EigenPtr<VectorX<T>> v_after);

template <typename T>
void ComputeConstraintImpulsesRangeSpaceSparse(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const ConstraintSet<T>& set,
    ConstrainedSystem<T>* system, EigenPtr<VectorX<T>> v_after);

template <typename T>
void ComputeConstraintImpulsesNullSpace(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const ConstraintSet<T>& set,
    ConstrainedSystem<T>* system, EigenPtr<VectorX<T>> v_after);
/** @} */

}  // namespace shared

/** @name Given a pointer to a set
What is documented in namespace shared, with results in the set's own system,
which its force(), H(), G() and so on show.
@{ */
template <typename T>
void CalcConstraintsPositionError(const internal::MultibodyTreeSystem<T>& plant,
                                  const systems::Context<T>& context,
                                  ConstraintSet<T>* set,
                                  EigenPtr<VectorX<T>> error) {
  auto* own = OwnSystemOf(set, "CalcConstraintsPositionError");
  shared::CalcConstraintsPositionError<T>(plant, context, *set, own, error);
}

template <typename T>
void CalcConstraintsJacobian(const internal::MultibodyTreeSystem<T>& plant,
                             const systems::Context<T>& context,
                             ConstraintSet<T>* set, EigenPtr<MatrixX<T>> G) {
  auto* own = OwnSystemOf(set, "CalcConstraintsJacobian");
  shared::CalcConstraintsJacobian<T>(plant, context, *set, own, G);
}

template <typename T>
void CalcConstraintsVelocityError(const internal::MultibodyTreeSystem<T>& plant,
                                  const systems::Context<T>& context,
                                  ConstraintSet<T>* set,
                                  EigenPtr<VectorX<T>> error) {
  auto* own = OwnSystemOf(set, "CalcConstraintsVelocityError");
  shared::CalcConstraintsVelocityError<T>(plant, context, *set, own, error);
}

template <typename T>
void CalcConstrainedSystemVariables(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, ConstraintSet<T>* set,
    const MultibodyForces<T>* forces = nullptr) {
  auto* own = OwnSystemOf(set, "CalcConstrainedSystemVariables");
  shared::CalcConstrainedSystemVariables<T>(plant, context, *set, own, forces);
}

template <typename T>
void ForwardDynamicsConstraintsDirect(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const Eigen::Ref<const VectorX<T>>& tau,
    ConstraintSet<T>* set, EigenPtr<VectorX<T>> vdot,
    const MultibodyForces<T>* forces = nullptr) {
  auto* own = OwnSystemOf(set, "ForwardDynamicsConstraintsDirect");
  shared::ForwardDynamicsConstraintsDirect<T>(plant, context, tau, *set, own,
                                              vdot, forces);
}

template <typename T>
void ForwardDynamicsConstraintsRangeSpaceSparse(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const Eigen::Ref<const VectorX<T>>& tau,
    ConstraintSet<T>* set, EigenPtr<VectorX<T>> vdot,
    const MultibodyForces<T>* forces = nullptr) {
  auto* own = OwnSystemOf(set, "ForwardDynamicsConstraintsRangeSpaceSparse");
  shared::ForwardDynamicsConstraintsRangeSpaceSparse<T>(
      plant, context, tau, *set, own, vdot, forces);
}

template <typename T>
void ForwardDynamicsConstraintsNullSpace(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const Eigen::Ref<const VectorX<T>>& tau,
    ConstraintSet<T>* set, EigenPtr<VectorX<T>> vdot,
    const MultibodyForces<T>* forces = nullptr) {
  auto* own = OwnSystemOf(set, "ForwardDynamicsConstraintsNullSpace");
  shared::ForwardDynamicsConstraintsNullSpace<T>(plant, context, tau, *set, own,
                                                 vdot, forces);
}

template <typename T>
void ForwardDynamicsContactsKokkevis(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const Eigen::Ref<const VectorX<T>>& tau,
    ConstraintSet<T>* set, EigenPtr<VectorX<T>> vdot,
    const MultibodyForces<T>* forces = nullptr) {
  auto* own = OwnSystemOf(set, "ForwardDynamicsContactsKokkevis");
  shared::ForwardDynamicsContactsKokkevis<T>(plant, context, tau, *set, own,
                                             vdot, forces);
}

template <typename T>
void ComputeConstraintImpulsesDirect(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, ConstraintSet<T>* set,
    EigenPtr<VectorX<T>> v_after) {
  auto* own = OwnSystemOf(set, "ComputeConstraintImpulsesDirect");
  shared::ComputeConstraintImpulsesDirect<T>(plant, context, *set, own,
                                             v_after);
}

template <typename T>
void ComputeConstraintImpulsesRangeSpaceSparse(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, ConstraintSet<T>* set,
    EigenPtr<VectorX<T>> v_after) {
  auto* own = OwnSystemOf(set, "ComputeConstraintImpulsesRangeSpaceSparse");
  shared::ComputeConstraintImpulsesRangeSpaceSparse<T>(plant, context, *set,
                                                       own, v_after);
}

template <typename T>
void ComputeConstraintImpulsesNullSpace(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, ConstraintSet<T>* set,
    EigenPtr<VectorX<T>> v_after) {
  auto* own = OwnSystemOf(set, "ComputeConstraintImpulsesNullSpace");
  shared::ComputeConstraintImpulsesNullSpace<T>(plant, context, *set, own,
                                                v_after);
}
/** @} */

}  // namespace wyvern::multibody
