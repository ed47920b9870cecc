#pragma once

#include <vector>

#include "wyvern/multibody/algorithms/forward_dynamics.h"
#include "wyvern/multibody/constraints/constraint_rows.h"
#include "wyvern/multibody/constraints/holonomic_constraint.h"
#include "wyvern/multibody/contact/dof_force_law.h"
#include "wyvern/multibody/plant/parts/step_sample.h"
#include "wyvern/multibody/plant/parts/step_work_holder.h"
#include "wyvern/multibody/tree/multibody_cache.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** What the actuation and desired-state ports say, by actuation input. */
template <typename T>
struct ActuationInput {
  VectorX<T> feed_forward;
  VectorX<T> qd;
  VectorX<T> vd;
};

/** Forces that do not follow from accelerations or from the joints: those of
input ports and force elements other than gravity. */
template <typename T>
struct AppliedForces {
  /** Generalized, by velocity. */
  VectorX<T> tau;
  /** False if there are none on bodies; then the vectors' values are stale. */
  bool has_body_forces{false};
  /** F_BBo_W by the model's bodies. */
  std::vector<Vector6<T>> F_BBo_W;
  /** The same, by node, as the kernels take them. */
  std::vector<Vector6<T>> F_nodes;
  /** Room for force elements to write to. */
  MultibodyForces<T> elements{0, 0};
};

/** Accelerations and the forces that go with them: of the present state in a
continuous model, of the next step in a discrete one. */
template <typename T>
struct DynamicsResult {
  VectorX<T> vdot;
  /** Discrete only: the velocities that the step ends with, v* + dt v̇, and v*:
  see CalcFreeVelocities(). */
  VectorX<T> v_next;
  VectorX<T> v_star;
  /** By actuation input. */
  VectorX<T> net_actuation;
  /** Whether constraints or contacts act on bodies, and their forces by the
  model's bodies, stale if not. */
  bool has_constraint_forces{false};
  std::vector<Vector6<T>> F_constraints_BBo_W;
  /** By row of the constraints: the multipliers, 0 of those that do not act. */
  VectorX<T> multipliers;
  /** Continuous only: what power constraints have, [W]. */
  T constraint_power{0};
  /** By contact point, on its body A, in (t1, t2, n). */
  std::vector<Vector3<T>> contact_forces;
  /** The velocities of A relative to B there, likewise, when the step begins.
   */
  std::vector<Vector3<T>> contact_velocities;
  /** What contact forces are worth at the joints. */
  VectorX<T> tau_contact;

  // Room to work in.
  std::vector<DofForceLaw<T>> laws;
  std::vector<Vector6<T>> A;
  engine::ArticulatedInertias<T> articulated;
  VectorX<T> tau;
  VectorX<T> other_tau;
  std::vector<bool> is_locked;
  VectorX<T> diagonal;
  VectorX<T> slope;
  VectorX<T> inertial_force;
  VectorX<T> previous_inertial_force;
  VectorX<T> v_previous;
  StepWorkHolder<T> work;
  /** How many of the problem's rows, the first ones, are limits of angles. */
  int num_limit_rows{0};
  /** [N s], by the problem's rows. */
  VectorX<T> impulses;
  std::vector<Vector6<T>> F_nodes;
  /** Continuous only: the rigid constraints that act, and by their rows J v,
  what J v̇ is to change by, and multipliers. */
  engine::ConstraintRows<T> rows;
  VectorX<T> row_velocities;
  VectorX<T> row_demands;
  VectorX<T> row_multipliers;
};

/** The motion that a sample is of. */
template <typename T>
struct SampledMotion {
  engine::PositionKinematics<T> nodes;
  engine::IndexedVector<engine::MobodIndex, engine::Pose<T>> X_WB;
  VelocityKinematicsCache<T> velocities;
  std::vector<Vector6<T>> A;

  PositionKinematicsCache<T> positions() const { return {nodes, X_WB}; }
};

}  // namespace wyvern::multibody::internal
