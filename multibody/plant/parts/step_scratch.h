#pragma once

#include <array>
#include <vector>

#include "wyvern/multibody/algorithms/forward_dynamics.h"
#include "wyvern/multibody/algorithms/inverse_dynamics.h"
#include "wyvern/multibody/constraints/rows/constraint_rows.h"
#include "wyvern/multibody/constraints/rows/holonomic_constraint.h"
#include "wyvern/multibody/contact/step_solver.h"

namespace wyvern::multibody::internal {

/** The memory that steps are computed in: an entry of the Context's cache, so
that it is allocated once. Nothing in it outlives the step that wrote it. */
template <typename T>
struct StepScratch {
  explicit StepScratch(const engine::Model& model)
      : A(model.num_nodes(), Vector6<T>::Zero()),
        articulated(model),
        tau(VectorX<T>::Zero(model.num_v)),
        diagonal(tau),
        slope(tau),
        inertial_force(tau),
        previous_inertial_force(tau),
        v_previous(tau) {}

  // Forward dynamics: by node, and by velocity.
  std::vector<Vector6<T>> A;
  engine::ArticulatedInertias<T> articulated;
  VectorX<T> tau;
  /** Added to M's. */
  VectorX<T> diagonal;
  std::vector<Vector6<T>> F_nodes;

  // A step without constraints or contacts: see CalcDiscreteStep().
  VectorX<T> slope;
  VectorX<T> inertial_force;
  VectorX<T> previous_inertial_force;
  VectorX<T> v_previous;

  // A step with some: see CalcConstrainedStep().
  StepProblem<T> problem;
  StepSolver solver;
  std::vector<int> tree_nv;
  engine::InverseDynamicsScratch<T> inverse_dynamics;
  VectorX<T> zero;
  VectorX<T> guess;
  /** By the problem's rows, [N s]. */
  VectorX<T> impulses;
  /** By constraint: its index in the problem, -1 if it does not act. */
  std::vector<int> constraint_index;
  /** By row of all constraints. */
  VectorX<T> constraint_errors;
  Matrix6X<T> constraint_F;
  /** By contact point: its index in the problem, -1 if neither body moves, and
  the velocity (t1, t2, n) of A relative to B. */
  std::vector<int> contact_index;
  std::vector<Vector3<T>> contact_velocities;
  /** Of the contact at work, those of each body's block that are not zero. */
  std::array<std::vector<int>, 2> columns;

  /** How easily a node would move by itself. */
  struct Mobility {
    double inverse_mass{};
    Vector3<double> p_WCm;
    /** Of its moment of inertia about the centre of mass, in W. */
    Matrix3<double> inverse_inertia;
  };
  std::vector<Mobility> mobilities;

  // Rigid constraints by their rows, which the accelerations of a continuous
  // model meet, and which a discrete step is asked whether it has met.
  engine::ConstraintRows<T> rows;
  VectorX<T> row_velocities;
  VectorX<T> row_demands;
  VectorX<T> row_multipliers;

  // Where the step ends; made when it is first asked for.
  VectorX<T> next_q;
  engine::PositionKinematics<T> next_nodes;
  engine::IndexedVector<engine::MobodIndex, engine::Pose<T>> next_X_WB;
};

}  // namespace wyvern::multibody::internal
