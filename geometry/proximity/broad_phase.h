#pragma once

#include <cstdint>
#include <vector>

#include "wyvern/geometry/proximity/aabb_tree.h"

namespace wyvern::geometry::internal {

/** What the boxes belong to, by index. */
struct BroadPhaseModel {
  /** New whenever the lists below change, or a box of `anchored`. */
  int64_t version{0};
  std::vector<int> moving;
  std::vector<int> anchored;
  /** Those without a bounded box. */
  std::vector<int> unbounded;
};

/** Finds the pairs of overlapping boxes. It keeps trees from call to call to
save time, which does not show in the result. */
class BroadPhase {
 public:
  /** Replaces `pairs` by all pairs (a < b), sorted, whose boxes overlap, but
  for pairs of two anchored ones. An unbounded geometry overlaps all. Allocates
  nothing once storage has grown, while the model stays. */
  void FindPairs(const BroadPhaseModel& model, const std::vector<Aabb>& boxes,
                 std::vector<IndexPair>* pairs);

 private:
  void UpdateTrees(const BroadPhaseModel& model,
                   const std::vector<Aabb>& boxes);

  int64_t version_{-1};
  AabbTree moving_;
  AabbTree anchored_;
  double cost_when_built_{0};
};

}  // namespace wyvern::geometry::internal
