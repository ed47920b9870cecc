#pragma once

#include "wyvern/multibody/step/island.h"
#include "wyvern/multibody/step/island_partition.h"
#include "wyvern/multibody/step/row_solver.h"
#include "wyvern/multibody/step/solver_statistics.h"
#include "wyvern/multibody/step/step_problem.h"
#include "wyvern/multibody/step/velocity_solver.h"

namespace wyvern::multibody::internal {

/** Solves a StepProblem island by island: an Island by its rows if they are few
(RowSolver), then, as far as its residual misses the tolerance, by its
velocities (VelocitySolver). The same input gives the same bits. A problem no
larger than an earlier one allocates nothing. */
class StepSolver {
 public:
  struct Solution {
    VectorX<double> v;
    /** Impulses by row, [N s, N m s]; longer than that after a problem with
    more rows. */
    VectorX<double> g;
    /** Largest of any island. */
    int num_iterations{};
    int num_islands{};
    /** Islands that RowSolver has solved. */
    int num_by_rows{};
    /** Worst relative residual of the islands whose residual exceeds the
    absolute tolerance. */
    double residual{};
  };

  /** @param v_guess The first guess, of islands that are not linear. The
  previous velocities plus their change in the previous step are good.
  @throws std::runtime_error if an island's iterations do not converge, or
  numbers in the problem are not finite; with the worst residual. */
  const Solution& Solve(const StepProblem<double>& problem,
                        const VectorX<double>& v_guess);

  /** Counts of all problems solved so far. */
  const SolverStatistics& statistics() const { return statistics_; }

  /** r <- -H^-1 r with H at the solution of the last Solve(), which was of this
  problem: the sensitivity of v to a parameter that changes the residual by r.
*/
  void SolveSensitivity(const StepProblem<double>& problem,
                        Eigen::Ref<VectorX<double>> r);

 private:
  void Start(const StepProblem<double>& problem,
             const VectorX<double>& v_guess);
  void SolveIsland(Island* island);
  void UpdateStatistics();

  IslandPartition partition_;
  StepState state_;
  RowSolver row_solver_;
  VelocitySolver velocity_solver_;
  Solution solution_;
  SolverStatistics statistics_;
};

}  // namespace wyvern::multibody::internal
