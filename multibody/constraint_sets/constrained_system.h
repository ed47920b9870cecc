#pragma once

#include <memory>
#include <vector>

#include "wyvern/multibody/constraint_sets/solve_constrained_system.h"
#include "wyvern/multibody/constraint_sets/weighted_steps.h"
#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/step/rows/factored_rows.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** Memory of InverseDynamicsConstraints...(), allocated on the first call. */
template <typename T>
struct ActuationScratch {
  /** Parts of the mass matrix and of the constraint Jacobian. */
  MatrixX<T> H, G;
  /** Parts of the bias forces and of gamma, and the solution. */
  VectorX<T> c, gamma, x, lambda;
  /** Memory of the solver. */
  ConstrainedSystemScratch<T> scratch;
};

/** The state at which multipliers were computed, if they were. */
struct NotedState {
  /** True if multipliers were computed. */
  bool is_known{false};
  /** The state, [q; v] for forces and q for impulses. */
  VectorX<double> x;
};

/** Results of a plant under a ConstraintSet, and their work memory.
ConstraintSet::MakeSystem() makes it, with its final size. It belongs to one
thread at a time. The functions write these members:

| functions                         | members                             |
|-----------------------------------|-------------------------------------|
| CalcConstrainedSystemVariables    | H, C, G, gamma                      |
| ForwardDynamics...,               | H, C, G, gamma, force,              |
| InverseDynamics...                | dependent_rows()                    |
| ...Kokkevis                       | G, gamma, force, dependent_rows()   |
| ComputeConstraintImpulses...      | H, G, impulse, dependent_rows()     |
| CalcConstraints...                | position_error, velocity_error, G   |

@tparam T double or AutoDiffXd. */
template <typename T>
struct ConstrainedSystem {
  MatrixX<T> H;      // Mass matrix, nv x nv.
  VectorX<T> C;      // C(q, v) v - tau_g - applied body forces.
  MatrixX<T> G;      // Constraint Jacobian, nc x nv.
  VectorX<T> gamma;  // What G v̇ is to be, stabilization included.
  /** Errors e of the rows, nc. */
  VectorX<T> position_error;
  /** Rates ė of the errors, nc. */
  VectorX<T> velocity_error;
  VectorX<T> force;    // Multipliers of accelerations.
  VectorX<T> impulse;  // Multipliers of velocity changes, of M v⁺ + Gᵀ Λ.
  /** Rows that others made up in the last solution, in increasing order. */
  const std::vector<int>& dependent_rows() const {
    return scratch.dependent_rows;
  }

  // [q; v] and q at which force and impulse were computed.
  NotedState force_state;
  /** State at which impulse was computed. */
  NotedState impulse_state;

  // Memory of the functions that write the above.
  Matrix6X<T> F;  // Unit forces of the rows on successors, about Wo, in W.
  // Sizes by row: |moment| + reach |force|, and |force|, of the unit force. The
  // reach is the sum of the lengths that make up the positions of its ends.
  // Custom rows have 0.
  Eigen::Matrix2Xd row_sizes;
  /** Memory of SolveConstrainedSystem...(). */
  ConstrainedSystemScratch<T> scratch;
  /** Memory of inverse dynamics. */
  dynamics::InverseDynamicsScratch<T> inverse_dynamics;
  /** Articulated inertias, for solutions without M. */
  dynamics::ArticulatedInertias<T> articulated;
  /** The rows' factorization, for solutions without M. */
  internal::FactoredRows<T> rows;
  std::vector<Vector6<T>> A_bias, A, applied;  // By node.
  VectorX<T> c, zero_v, locked_diagonal;       // nv.
  /** Steps of assemblies. */
  WeightedSteps<T> steps;
  /** Unit forces of one group's rows. */
  Matrix6X<T> group_F;
  /** Numbers of one group's rows. */
  VectorX<T> group_rows;
  /** Memory of inverse dynamics, for exact and for relaxed control. */
  ActuationScratch<T> exact, relaxed;
  std::unique_ptr<systems::Context<T>> assembly_context;  // Its own to move.
};

/** Leaves locked velocities out of H, but for its diagonal, C, c and G: they do
not change, and nothing else feels them. */
template <typename T>
void LeaveOutLocked(const internal::MultibodyTreeSystem<T>& plant,
                    const systems::Context<T>& context,
                    ConstrainedSystem<T>* system);

/** Says for CalcForces() and CalcImpulses() at which state force and impulse
are computed; null: not at any. */
template <typename T>
void NoteForceState(const internal::MultibodyTreeSystem<T>& plant,
                    const systems::Context<T>* context,
                    ConstrainedSystem<T>* system);
/** Records for CalcImpulses() the state at which impulses are computed; null:
at none. */
template <typename T>
void NoteImpulseState(const internal::MultibodyTreeSystem<T>& plant,
                      const systems::Context<T>* context,
                      ConstrainedSystem<T>* system);

}  // namespace wyvern::multibody
