#pragma once

#include <memory>
#include <vector>

#include "wyvern/multibody/algorithms/inverse_dynamics.h"
#include "wyvern/multibody/constraints/holonomic_constraint.h"
#include "wyvern/multibody/contact/step_solver.h"

namespace wyvern::multibody::internal {

/** What a step with constraints or contacts works with. */
template <typename T>
struct StepWork {
  StepProblem<T> problem;
  StepSolver solver;
  std::vector<int> tree_nv;
  engine::InverseDynamicsScratch<T> scratch;
  VectorX<T> zero;
  VectorX<T> guess;
  /** By constraint: its index in the problem, -1 if it does not act. */
  std::vector<int> constraint_index;
  std::vector<engine::ConstraintKinematics<T>> constraint_kinematics;
  /** By contact point: its index in the problem, -1 if neither body moves. */
  std::vector<int> contact_index;

  /** How easily a node would move by itself. */
  struct Mobility {
    double inverse_mass{};
    Vector3<double> p_WCm;
    /** Of its moment of inertia about the centre of mass, in W. */
    Matrix3<double> inverse_inertia;
  };
  std::vector<Mobility> mobilities;

  // Where the step ends; made when it is first asked for.
  VectorX<T> next_q;
  engine::PositionKinematics<T> next_nodes;
  engine::IndexedVector<engine::MobodIndex, engine::Pose<T>> next_X_WB;
};

}  // namespace wyvern::multibody::internal
