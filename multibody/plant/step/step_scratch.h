#pragma once

#include <array>
#include <vector>

#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/plant/parts/projected_state.h"
#include "wyvern/multibody/step/rows/constraint_rows.h"
#include "wyvern/multibody/step/rows/holonomic_constraint.h"
#include "wyvern/multibody/step/step_solver.h"

namespace wyvern::multibody::internal {

inline std::vector<int> FindParents(const dynamics::Model& model) {
  std::vector<int> parents(model.num_v, -1);
  for (int i = 1; i < model.num_nodes(); ++i) {
    const dynamics::Model::Node& node = model.nodes[i];
    int inboard = node.parent;
    while (inboard > 0 && model.nodes[inboard].nv == 0) {
      inboard = model.nodes[inboard].parent;
    }
    for (int k = 0; k < node.nv; ++k) {
      const int before = k > 0         ? node.v_start + k - 1
                         : inboard > 0 ? model.nodes[inboard].v_start +
                                             model.nodes[inboard].nv - 1
                                       : -1;
      if (before < 0) continue;
      parents[node.v_start + k] = before - model.trees[node.tree].v_start;
    }
  }
  return parents;
}

/** The memory that steps are computed in: an entry of the Context's cache, so
that it is allocated once. Nothing in it outlives the step that wrote it. */
template <typename T>
struct StepScratch {
  explicit StepScratch(const dynamics::Model& model)
      : A(model.num_nodes(), Vector6<T>::Zero()),
        articulated(model),
        tau(VectorX<T>::Zero(model.num_v)),
        diagonal(tau),
        slope(tau),
        inertial_force(tau),
        previous_inertial_force(tau),
        v_previous(tau),
        parents(FindParents(model)) {}

  // Forward dynamics: by node, and by velocity.
  std::vector<Vector6<T>> A;
  dynamics::ArticulatedInertias<T> articulated;
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
  /** By velocity: the one before it on its path from the world, by its place in
  the tree; -1 if there is none. */
  std::vector<int> parents;
  dynamics::InverseDynamicsScratch<T> inverse_dynamics;
  VectorX<T> guess;
  /** By the problem's rows, [N s]. */
  VectorX<T> impulses;
  /** By constraint: its index in the problem, -1 if it does not act. */
  std::vector<int> constraint_index;
  /** By row of all constraints. */
  VectorX<T> constraint_errors;
  Matrix6X<T> constraint_F;
  /** By contact point: whether one of its bodies moves, and the velocity
  (t1, t2, n) of A relative to B. */
  std::vector<char> contact_moves;
  std::vector<Vector3<T>> contact_velocities;
  /** J v at the start and at the end of a step, see CalcUnfollowedSpeed(). */
  VectorX<T> start_row_velocities;
  VectorX<T> end_row_velocities;
  /** The first constraint of points that move, in their order, and the first
  after them. */
  int contact_constraints[2]{};
  /** For the contact at work: the columns of each body's block that are not
  zero. */
  std::array<std::vector<int>, 2> columns;

  /** How easily a node would move by itself, once it is known in the step. */
  struct Mobility {
    bool is_known{};
    double inverse_mass{};
    Vector3<double> p_WCm;
    /** Inverse of its moment of inertia about the centre of mass, in W. */
    Matrix3<double> inverse_inertia;
    double trace{};
    /** With its joints, once that is known: its spatial velocity about O of its
    tree after an impulse on it there, that response times the impulse. */
    bool has_response{};
    Matrix6<T> response;
  };
  std::vector<Mobility> mobilities;

  // Rows of the rigid constraints, for the accelerations of a continuous model.
  // Discrete steps do not use them.
  ConstraintRows<T> rows;
  VectorX<T> row_velocities;
  VectorX<T> row_demands;
  VectorX<T> row_multipliers;
  /** The state at which the constraints hold, near a singular configuration of
  a continuous model. */
  ProjectedState<T> assembled;

  // Where the step ends; made when it is first asked for.
  VectorX<T> next_q;
  dynamics::PositionKinematics<T> next_nodes;
  dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>> next_X_WB;
};

}  // namespace wyvern::multibody::internal
