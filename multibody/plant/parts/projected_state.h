#pragma once

#include <vector>

#include "wyvern/multibody/algorithms/forward_dynamics.h"
#include "wyvern/multibody/constraints/rows/constraint_rows.h"
#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** The nearest state at which a plant's rigid constraints hold, and the
scratch that it is computed with. */
template <typename T>
struct ProjectedState {
  ProjectedState() = default;
  explicit ProjectedState(const engine::Model& model);

  VectorX<T> q;
  VectorX<T> v;

  engine::PositionKinematics<T> positions;
  engine::VelocityKinematics<T> velocities;
  engine::IndexedVector<engine::MobodIndex, engine::Pose<T>> X_WB;
  std::vector<engine::RigidInertia<T>> inertias;
  engine::ArticulatedInertias<T> articulated;
  engine::ConstraintRows<T> rows;
  std::vector<bool> is_locked;
  VectorX<T> diagonal;
  VectorX<T> row_values;
  VectorX<T> lambda;
  VectorX<T> dv;
  VectorX<T> dq;
  VectorX<T> q_trial;
  std::vector<Vector6<T>> A;
};

/** Projects the Context's state onto its rigid active constraints: Newton's
method on e(q) = 0, each step the least one in the metric of M, halved until it
lowers the largest error; then v loses what J v is not 0 of. Positions that meet
the constraints to 1e-11 [m, rad] stay as they are. Locked joints do not move.
Derivatives are those of the projection. Allocates nothing after the first.
@throws std::runtime_error, naming the constraint with the largest error, if the
errors stay above 1e-11. */
template <typename T>
void CalcProjectedState(const MultibodyTreeSystem<T>& core,
                        const systems::Context<T>& context,
                        const ConstraintRegistry& registry,
                        ProjectedState<T>* state);

/** Errors e of all active constraints and J v, by their rows; 0 of those that
are not active. */
template <typename T>
void CalcConstraintRates(const MultibodyTreeSystem<T>& core,
                         const systems::Context<T>& context,
                         const ConstraintRegistry& registry, VectorX<T>* errors,
                         VectorX<T>* velocities);

}  // namespace wyvern::multibody::internal
