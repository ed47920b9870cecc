#pragma once

#include <span>
#include <utility>
#include <vector>

#include "wyvern/multibody/step/block_cholesky.h"
#include "wyvern/multibody/step/step_problem.h"

namespace wyvern::multibody::internal {

/** The islands of a step's problem: trees that constraints couple, directly or
through other trees. A tree that nothing acts on is in no island, since it keeps
v = v*. Storage is kept: a problem no larger than an earlier one allocates
nothing. */
class IslandPartition {
 public:
  /** Finds the islands of the problem and orders each one's trees for
  elimination by `cholesky`. */
  void Update(const StepProblem<double>& problem, BlockCholesky* cholesky);

  /** Returns the constraints of an island, in the order of the problem. */
  std::span<const int> constraints(int island) const {
    const int begin = constraint_start_[island];
    return std::span<const int>(constraints_)
        .subspan(begin, constraint_start_[island + 1] - begin);
  }
  /** Whether only given impulses act on an island: its residual is linear. */
  bool is_linear(int island) const { return is_linear_[island] != 0; }
  bool is_used(int tree) const { return is_used_[tree] != 0; }
  /** Whether a velocity of the tree has a force law. */
  bool has_force_laws(int tree) const { return has_force_laws_[tree] != 0; }
  /** Whether a velocity of the tree is locked. */
  bool has_locked(int tree) const { return has_locked_[tree] != 0; }

 private:
  void ClassifyTrees(const StepProblem<double>& problem);
  void FindEdges(const StepProblem<double>& problem);
  void FindBranches(const StepProblem<double>& problem);
  void SortConstraints(const StepProblem<double>& problem,
                       const BlockCholesky& cholesky);
  void ClassifyIslands(const BlockCholesky& cholesky);

  std::vector<int> sizes_;
  std::vector<char> is_used_;
  std::vector<char> has_force_laws_;
  std::vector<char> has_locked_;
  std::vector<std::pair<int, int>> edges_;  // Pairs of coupled trees.
  std::vector<int> parents_;
  // By island.
  std::vector<char> is_linear_;
  std::vector<int> constraint_start_;
  std::vector<int> constraints_;
};

}  // namespace wyvern::multibody::internal
