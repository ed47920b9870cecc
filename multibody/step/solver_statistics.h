#pragma once

#include <cstdint>

namespace wyvern::multibody {

/** Counters of the solver of a discrete plant's steps in a Context. Steps of a
plant without constraints, deformable bodies, rows of tendons and limits on
roll, pitch and yaw count only while bodies touch or are within the margin. */
struct SolverStatistics {
  /** Problems that were solved: one a step, several with kTamsi. */
  std::int64_t num_solves{0};
  /** Newton's iterations; of a problem, those of its hardest island. */
  std::int64_t num_iterations{0};
  /** The most iterations of one problem. */
  int max_iterations{0};
  /** The largest residual that a problem was left with, relative to the
  impulses that balance in it; 0 of one where next to nothing balances. */
  double worst_residual{0};
};

}  // namespace wyvern::multibody
