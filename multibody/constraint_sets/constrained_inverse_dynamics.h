#pragma once

#include "wyvern/multibody/constraint_sets/constraint_set.h"

namespace wyvern::multibody {

/** @file
Motor forces that move a plant under a ConstraintSet as wanted:

  H v̇ + C = S'tau_a + G'lambda,    G v̇ = gamma,

for S that picks the velocities that ConstraintSet::SetActuationMap() says are
actuated, and P the others. C is as in constrained_dynamics.h: with gravity, and
what `forces` has. `tau` is nv long, 0 where nothing is actuated: given to a
forward dynamics function, it makes `vdot` again. All write force and the
other numbers into a ConstrainedSystem, and throw

- std::logic_error for a set that is not bound to `plant` or has no actuation
  map, a Context of another System, or an argument of the wrong size;
- std::runtime_error naming the rows by which gamma contradicts itself, and for
  a mass matrix that is not positive definite. */

/** The functions below, for a set that is read alone and a system of the
caller's: see ConstraintSet. Thread-safe, one system a thread. */
namespace shared {

/** Whether the constraints and the accelerations of what is actuated determine
all others: rank(G P') = nv - na, for rows and columns scaled by the inertias
that they move; a rank is lost at 3e-6, as of redundant rows. */
template <typename T>
bool IsConstrainedSystemFullyActuated(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, const ConstraintSet<T>& set,
    ConstrainedSystem<T>* system, const MultibodyForces<T>* forces = nullptr);

/** S v̇ = S vdot_desired exactly. What is not actuated follows from
G v̇ = gamma, and its equations of motion give the multipliers: of redundant
ones, the least in rows scaled by the inertias that they move.
@throws std::runtime_error if the system is not fully actuated there, and,
naming the rows, if S vdot_desired contradicts them;
InverseDynamicsConstraintsRelaxed() minds neither. */
template <typename T>
void InverseDynamicsConstraints(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot_desired,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> vdot, EigenPtr<VectorX<T>> tau,
    const MultibodyForces<T>* forces = nullptr);

/** S v̇ near S vdot_control:

  minimize  v̇'H v̇ / 2 + C'v̇ + w |u - S v̇|² / 2   subject to   G v̇ = gamma,
  u = S (vdot_control + C / w),   w = 100 max |H_ij|,

so that tau_a = w (u - S v̇): Koch 2015; u is chosen to hold C, and w to leave
about a hundredth of what else pulls S v̇ away from S vdot_control. */
template <typename T>
void InverseDynamicsConstraintsRelaxed(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot_control,
    const ConstraintSet<T>& set, ConstrainedSystem<T>* system,
    EigenPtr<VectorX<T>> vdot, EigenPtr<VectorX<T>> tau,
    const MultibodyForces<T>* forces = nullptr);

}  // namespace shared

/** @name Given a pointer to a set
What is documented in namespace shared, with results in the set's own system,
which its force(), H(), G() and so on show.
@{ */
template <typename T>
bool IsConstrainedSystemFullyActuated(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, ConstraintSet<T>* set,
    const MultibodyForces<T>* forces = nullptr) {
  auto* own = OwnSystemOf(set, "IsConstrainedSystemFullyActuated");
  return shared::IsConstrainedSystemFullyActuated<T>(plant, context, *set, own,
                                                     forces);
}

template <typename T>
void InverseDynamicsConstraints(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot_desired, ConstraintSet<T>* set,
    EigenPtr<VectorX<T>> vdot, EigenPtr<VectorX<T>> tau,
    const MultibodyForces<T>* forces = nullptr) {
  auto* own = OwnSystemOf(set, "InverseDynamicsConstraints");
  shared::InverseDynamicsConstraints<T>(plant, context, vdot_desired, *set, own,
                                        vdot, tau, forces);
}

template <typename T>
void InverseDynamicsConstraintsRelaxed(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot_control, ConstraintSet<T>* set,
    EigenPtr<VectorX<T>> vdot, EigenPtr<VectorX<T>> tau,
    const MultibodyForces<T>* forces = nullptr) {
  auto* own = OwnSystemOf(set, "InverseDynamicsConstraintsRelaxed");
  shared::InverseDynamicsConstraintsRelaxed<T>(plant, context, vdot_control,
                                               *set, own, vdot, tau, forces);
}
/** @} */

}  // namespace wyvern::multibody
