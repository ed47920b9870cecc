#include "wyvern/multibody/step/step_solver.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Cholesky>

/* Trees that constraints couple form islands, each solved on its own: the time
is linear in their number, and a violent island does not spoil the accuracy of a
quiet one. Both solvers minimize the same convex objective, equation (1) of
velocity_solver.cc, one by velocities and one by impulses, with the Newton loop
of newton.h. An island whose guess meets the tolerance, as the last velocities
do at rest, is solved without a factorization. Trees that nothing acts on keep v
= v*. The sensitivity of the solution to a parameter theta follows from r(v,
theta) = 0: dv/dtheta = -H^-1 dr/dtheta. */

namespace wyvern::multibody::internal {

namespace {

static_assert(IslandSolver<RowSolver> && IslandSolver<VelocitySolver>);

// A guess that leaves a smaller relative residual is near enough to the
// solution to take the slopes of friction at its velocities.
constexpr double kNearGuess = 0.1;

}  // namespace

const StepSolver::Solution& StepSolver::Solve(
    const StepProblem<double>& problem, const VectorX<double>& v_guess) {
  Start(problem, v_guess);
  for (int i = 0; i < solution_.num_islands; ++i) {
    Island island(problem, partition_, i, &state_);
    SolveIsland(&island);
  }
  solution_.v = state_.v;
  solution_.g = state_.g;
  if (!solution_.v.allFinite() ||
      !solution_.g.head(problem.num_rows()).allFinite()) {
    throw std::runtime_error(
        "StepSolver: the step's masses, forces or contacts are not finite; "
        "check the state and the inputs.");
  }
  UpdateStatistics();
  return solution_;
}

void StepSolver::Start(const StepProblem<double>& problem,
                       const VectorX<double>& v_guess) {
  StepState& s = state_;
  const int num_v = problem.num_v(), num_rows = problem.num_rows();
  s.v = problem.v_star();
  for (VectorX<double>* x : {&s.r, &s.p, &s.dv, &s.A_dv, &s.inverse_diagonal}) {
    x->resize(num_v);
  }
  for (VectorX<double>* x : {&s.g, &s.v_rows, &s.dv_rows}) {
    if (x->size() < num_rows) x->setZero(num_rows);
  }
  s.g.head(num_rows).setZero();
  BlockCholesky& cholesky = s.hessian.cholesky();
  partition_.Update(problem, &cholesky);
  solution_.num_iterations = 0;
  solution_.num_islands = cholesky.num_islands();
  solution_.num_by_rows = 0;
  solution_.residual = 0;
  for (int t = 0; t < problem.num_trees(); ++t) {
    if (!partition_.is_used(t)) continue;
    const int start = problem.v_start(t), n = problem.nv(t);
    s.inverse_diagonal.segment(start, n) =
        problem.A(t).diagonal().cwiseInverse();
    // One step solves a linear island from anywhere, and exactly from v*.
    const bool is_linear = partition_.is_linear(cholesky.island_of(t));
    const VectorX<double>& v = is_linear ? problem.v_star() : v_guess;
    for (int i = start; i < start + n; ++i) {
      s.v[i] = problem.is_locked()[i] ? 0.0 : v[i];
      if (problem.is_locked()[i]) s.inverse_diagonal[i] = 0;
    }
  }
}

void StepSolver::SolveIsland(Island* island) {
  int num_iterations = 0;
  island->CalcState();
  if (!island->residual().MeetsTolerance()) {
    const auto reset_directions = [&] {
      island->ResetFrictionDirections(island->residual().relative < kNearGuess);
    };
    reset_directions();
    if (RowSolver::HasFewRows(*island)) {
      num_iterations = row_solver_.SolveIsland(island).num_iterations;
      reset_directions();
      if (island->residual().MeetsTolerance()) ++solution_.num_by_rows;
    }
  }
  const NewtonResult result = velocity_solver_.SolveIsland(island);
  const ResidualNorm& residual = island->residual();
  if (!result.is_solved) {
    throw std::runtime_error(fmt::format(
        "StepSolver: {} constraints between {} trees are not solved after {} "
        "iterations; the worst relative residual is {}. Is a number not "
        "finite, or a mass ratio beyond 1e12?",
        island->constraints().size(), island->trees().size(),
        num_iterations + result.num_iterations, residual.relative));
  }
  solution_.num_iterations = std::max(solution_.num_iterations,
                                      num_iterations + result.num_iterations);
  if (residual.absolute > ResidualNorm::kAbsoluteTolerance) {
    solution_.residual = std::max(solution_.residual, residual.relative);
  }
}

void StepSolver::UpdateStatistics() {
  ++statistics_.num_solves;
  statistics_.num_iterations += solution_.num_iterations;
  statistics_.max_iterations =
      std::max(statistics_.max_iterations, solution_.num_iterations);
  statistics_.worst_residual =
      std::max(statistics_.worst_residual, solution_.residual);
}

void StepSolver::SolveSensitivity(const StepProblem<double>& problem,
                                  Eigen::Ref<VectorX<double>> r) {
  for (int t = 0; t < problem.num_trees(); ++t) {
    if (partition_.is_used(t)) continue;
    auto x = r.segment(problem.v_start(t), problem.nv(t));
    x = problem.A(t).llt().solve(x).eval();
  }
  for (int i = 0; i < solution_.num_islands; ++i) {
    Island island(problem, partition_, i, &state_);
    island.CalcState();
    island.ResetFrictionDirections(true);
    island.hessian().Factor(&island);
    island.hessian().Solve(island, r);
  }
  r = -r;
  for (int i = 0; i < problem.num_v(); ++i) {
    if (problem.is_locked()[i]) r[i] = 0;
  }
}

}  // namespace wyvern::multibody::internal
