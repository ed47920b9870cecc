#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "wyvern/multibody/step/island_hessian.h"
#include "wyvern/multibody/step/island_partition.h"
#include "wyvern/multibody/step/laws/contact_batch.h"
#include "wyvern/multibody/step/step_problem.h"
#include "wyvern/systems/common/math/newton.h"

namespace wyvern::multibody::internal {

using wyvern::internal::LineDerivatives;
using wyvern::internal::NewtonResult;

/** Size of a residual r in the norm of diag(A)^-1, [sqrt(J)]. */
struct ResidualNorm {
  static constexpr double kRelativeTolerance = 1e-9;
  static constexpr double kAbsoluteTolerance = 1e-14;

  double absolute{};
  /** Relative to the larger of A (v - v*) - p and J'g + dt f, which balance in
  r; 0 if r is 0. */
  double relative{};

  bool MeetsTolerance() const {
    return relative <= kRelativeTolerance || absolute <= kAbsoluteTolerance;
  }
};

/** Velocities of a step and the vectors that follow from them, in the problem's
order of velocities and rows; and memory of the island at work. */
struct StepState {
  /** @name By velocity
  @{ */
  VectorX<double> v;
  VectorX<double> r;                 // r(v), the residual.
  VectorX<double> p;                 // A (v - v*) - p, p given impulses.
  VectorX<double> inverse_diagonal;  // 1 / diag(A); 0 of locked velocities.
  VectorX<double> dv;                // The Newton step.
  VectorX<double> A_dv;
  /** @} */
  /** @name By row; never shorter than in an earlier problem
  @{ */
  VectorX<double> g;
  VectorX<double> v_rows;   // J v.
  VectorX<double> dv_rows;  // J dv.
  /** @} */

  /** Contacts of the island at work that are evaluated together. */
  ContactBatch batch;
  /** By its constraints: where the contacts of one begin in the batch, or -1 if
  they are not in it. */
  std::vector<int> first_in_batch;
  std::vector<int> constraints_outside_batch;
  IslandHessian hessian;
};

/** Trees that constraints couple, directly or through other trees: the part of
a step's problem that is solved on its own, to its own accuracy. An Island reads
and writes its segments of a StepState: v, the residual

  r(v) = A (v - v*) - p - J'g(J v) - dt f(v)

and its constraints' velocities J v and impulses g. There is one at a time for a
StepState. */
class Island {
 public:
  using Problem = StepProblem<double>;

  Island(const Problem& problem, const IslandPartition& partition, int index,
         StepState* state);

  const Problem& problem() const { return *problem_; }
  /** The index of the island in the partition. */
  int index() const { return index_; }
  /** In the order of elimination. */
  std::span<const int> trees() const { return trees_; }
  std::span<const int> constraints() const { return constraints_; }
  bool has_force_laws(int tree) const {
    return partition_->has_force_laws(tree);
  }
  bool has_locked(int tree) const { return partition_->has_locked(tree); }
  /** Whether r is linear in v: only given impulses act on the island. */
  bool is_linear() const { return partition_->is_linear(index_); }
  StepState& state() { return *state_; }
  const StepState& state() const { return *state_; }
  IslandHessian& hessian() { return state_->hessian; }
  /** Size of r at the last evaluation. */
  const ResidualNorm& residual() const { return residual_; }

  /** @name Evaluation at v
  @{ */
  /** Computes J v, A (v - v*) - p, g and r. */
  void CalcState();
  /** dv <- -r, 0 for locked velocities. */
  void SetStepToMinusResidual();
  /** Resets the directions by which friction's slopes go: see ContactBatch.
  @param is_near Whether v is near the solution. */
  void ResetFrictionDirections(bool is_near) {
    state_->batch.ResetFrictionDirections(state_->v_rows.data(), is_near);
  }
  /** Whether r is what round-off leaves of it. */
  bool IsResidualRoundOff() const;
  /** @} */

  /** @name Along the line v + alpha dv
  @{ */
  /** Computes A dv and J dv, and returns the derivatives at alpha = 0 of the
  inertial part, dv'(A (v - v*) - p). @param slope_0 dv'r. */
  LineDerivatives StartLine(double* slope_0);
  /** Starts AddConstraints() from J v and J dv. */
  void StartConstraintLine();
  /** Adds the derivatives of the force laws of velocities. */
  void AddForceLaws(double alpha, LineDerivatives* line) const;
  /** Adds the derivatives of the laws of constraints. */
  void AddConstraints(double alpha, LineDerivatives* line) const;
  /** v <- v + alpha dv; CalcState() is due then. @returns the largest change,
  relative to the largest velocity. */
  double Move(double alpha);
  /** @} */

 private:
  void CollectContacts();
  ResidualNorm CalcResidualNorm() const;

  const Problem* problem_;
  const IslandPartition* partition_;
  int index_;
  std::span<const int> trees_;
  std::span<const int> constraints_;
  StepState* state_;
  ResidualNorm residual_;
};

/** A method that moves an island's v to the minimum and leaves its state there.
 */
template <class Solver>
concept IslandSolver = requires(Solver solver, Island* island) {
  { solver.SolveIsland(island) } -> std::same_as<NewtonResult>;
};

}  // namespace wyvern::multibody::internal
