#include "wyvern/multibody/step/island_partition.h"

#include <algorithm>

namespace wyvern::multibody::internal {

namespace {

bool HasForceLaw(const DofForceLaw<double>& law) {
  return law.damping != 0 || law.has_friction || law.has_controller ||
         law.has_limits;
}

}  // namespace

void IslandPartition::Update(const StepProblem<double>& problem,
                             BlockCholesky* cholesky) {
  ClassifyTrees(problem);
  FindEdges(problem);
  FindBranches(problem);
  cholesky->Analyze(sizes_, is_used_, edges_, parents_);
  SortConstraints(problem, *cholesky);
  ClassifyIslands(*cholesky);
}

void IslandPartition::ClassifyTrees(const StepProblem<double>& problem) {
  const int num_trees = problem.num_trees();
  const auto& laws = problem.dof_laws();
  sizes_.resize(num_trees);
  is_used_.assign(num_trees, 0);
  has_force_laws_.assign(num_trees, 0);
  has_locked_.assign(num_trees, 0);
  for (int t = 0; t < num_trees; ++t) {
    sizes_[t] = problem.nv(t);
    for (int i = problem.v_start(t); i < problem.v_start(t) + sizes_[t]; ++i) {
      if (problem.is_locked()[i]) has_locked_[t] = 1;
      if (!laws.empty() && HasForceLaw(laws[i])) has_force_laws_[t] = 1;
      if (problem.impulse()[i] != 0) is_used_[t] = 1;
    }
    if (has_locked_[t] || has_force_laws_[t]) is_used_[t] = 1;
  }
}

void IslandPartition::FindEdges(const StepProblem<double>& problem) {
  edges_.clear();
  for (int c = 0; c < problem.num_constraints(); ++c) {
    const auto& tree = problem.constraint(c).tree;
    is_used_[tree[0]] = 1;
    if (tree[1] < 0) continue;
    is_used_[tree[1]] = 1;
    const std::pair<int, int> edge = std::minmax(tree[0], tree[1]);
    if (edges_.empty() || edges_.back() != edge) edges_.push_back(edge);
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

// J'G J of a constraint couples all velocities of a tree that it acts on, in
// H's block of this tree. Therefore they are put on one path.
void IslandPartition::FindBranches(const StepProblem<double>& problem) {
  bool is_branched = false;
  for (int t = 0; t < problem.num_trees(); ++t) {
    is_branched = is_branched || problem.is_branched(t);
  }
  if (!is_branched) {
    parents_.clear();
    return;
  }
  parents_.assign(problem.parents().begin(), problem.parents().end());
  for (int c = 0; c < problem.num_constraints(); ++c) {
    for (int side = 0; side < 2; ++side) {
      const int tree = problem.constraint(c).tree[side];
      if (tree < 0 || !problem.is_branched(tree)) continue;
      const auto parents =
          std::span(parents_).subspan(problem.v_start(tree), problem.nv(tree));
      int last = -1;
      for (const auto& range : problem.ranges(c, side)) {
        for (int j = range.start; j < range.start + range.size; ++j) {
          if (last >= 0) BranchPattern::Link(last, j, parents);
          last = j;
        }
      }
    }
  }
}

// Counting sort by island.
void IslandPartition::SortConstraints(const StepProblem<double>& problem,
                                      const BlockCholesky& cholesky) {
  const auto island_of = [&](int c) {
    return cholesky.island_of(problem.constraint(c).tree[0]);
  };
  const int num_islands = cholesky.num_islands();
  constraint_start_.assign(num_islands + 2, 0);
  for (int c = 0; c < problem.num_constraints(); ++c) {
    ++constraint_start_[island_of(c) + 2];
  }
  for (int i = 2; i < num_islands + 2; ++i) {
    constraint_start_[i] += constraint_start_[i - 1];
  }
  constraints_.resize(problem.num_constraints());
  for (int c = 0; c < problem.num_constraints(); ++c) {
    constraints_[constraint_start_[island_of(c) + 1]++] = c;
  }
}

void IslandPartition::ClassifyIslands(const BlockCholesky& cholesky) {
  is_linear_.resize(cholesky.num_islands());
  for (int i = 0; i < cholesky.num_islands(); ++i) {
    const auto trees = cholesky.island(i);
    is_linear_[i] = constraints(i).empty() && trees.size() == 1 &&
                    !has_force_laws(trees[0]);
  }
}

}  // namespace wyvern::multibody::internal
