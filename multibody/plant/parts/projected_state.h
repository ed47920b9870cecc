#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/step/rows/constraint_rows.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** The nearest state at which a plant's rigid constraints hold, and the
scratch that it is computed with. */
template <typename T>
struct ProjectedState {
  ProjectedState() = default;
  explicit ProjectedState(const dynamics::Model& model);

  VectorX<T> q;
  VectorX<T> v;

  dynamics::PositionKinematics<T> positions;
  dynamics::VelocityKinematics<T> velocities;
  dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>> X_WB;
  std::vector<dynamics::RigidInertia<T>> inertias;
  dynamics::ArticulatedInertias<T> articulated;
  ConstraintRows<T> rows;
  std::vector<bool> is_locked;
  VectorX<T> diagonal;
  VectorX<T> row_values;
  /** By row: J v before the projection of v. */
  VectorX<T> row_velocities;
  VectorX<T> lambda;
  VectorX<T> dv;
  VectorX<T> dq;
  VectorX<T> q_trial;
  VectorX<T> q_best;
  std::vector<Vector6<T>> A;
};

/** Projects the Context's state onto its rigid active constraints. Newton's
method solves e(q) = 0; each step is the least one in the metric of M, halved
until it lowers the largest error. Then the part of v for which J v is not 0 is
removed. Positions that meet the constraints to 1e-11 stay unchanged,
except near singular configurations. There they are moved to meet the
constraints to rounding errors, and v stays unchanged along directions that have
lost all but 1e-3 of J. Locked joints do not move. Derivatives are those of the
projection. Allocates nothing after the first call. Errors are relative: see
MechanismScale. Far from the world's origin the bound of 1e-11 grows with the
rounding of positions, up to kOpenError.
@throws std::runtime_error, naming the constraint with the largest error, if the
errors stay above this bound. */
template <typename T>
void CalcProjectedState(const MultibodyTreeSystem<T>& core,
                        const systems::Context<T>& context,
                        const ConstraintRegistry& registry,
                        ProjectedState<T>* state);

/** Moves state->q from the Context's positions to positions that meet the
constraints to rounding, if these are close. They are close if the first step of
Newton's method leaves less than a quarter of the errors. Then state->rows are
the factorized rows at state->q, and state->v is the Context's v without the
part for which J v is not 0. The Context's locked joints do not move. @returns
whether the positions are close. */
template <typename T>
bool FindAssembledState(const MultibodyTreeSystem<T>& core,
                        const systems::Context<T>& context,
                        const ConstraintRegistry& registry,
                        ProjectedState<T>* state);

/** @name Steps of projections and searches
@{ */
/** Computes kinematics at positions q, and the rows of the rigid active
constraints.
@returns the largest relative error: see MechanismScale. */
template <typename T>
double MoveRowsTo(const MultibodyTreeSystem<T>& core,
                  const systems::Context<T>& context,
                  const ConstraintRegistry& registry, const VectorX<T>& q,
                  ProjectedState<T>* state);
/** Factorizes these rows; see ConstraintRows::Factorize(). Takes
state->is_locked and state->diagonal. */
template <typename T>
void FactorizeRows(const MultibodyTreeSystem<T>& core,
                   const systems::Context<T>& context, double damping,
                   ProjectedState<T>* state);
/** state->dv = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ state->row_values. */
template <typename T>
void CalcLeastChange(const dynamics::Model& model, ProjectedState<T>* state);
/** Removes from state->v the part for which J v is not 0. */
template <typename T>
void ProjectVelocities(const MultibodyTreeSystem<T>& core,
                       const systems::Context<T>& context,
                       ProjectedState<T>* state);
/** @} */

/** Errors e of all active constraints and J v, by their rows; 0 of those that
are not active. */
template <typename T>
void CalcConstraintRates(const MultibodyTreeSystem<T>& core,
                         const systems::Context<T>& context,
                         const ConstraintRegistry& registry, VectorX<T>* errors,
                         VectorX<T>* velocities);

}  // namespace wyvern::multibody::internal
