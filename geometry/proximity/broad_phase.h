#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "wyvern/geometry/proximity/aabb_tree.h"

namespace wyvern::geometry::internal {

/** Geometries to which the boxes belong, by index. */
struct BroadPhaseModel {
  /** New whenever the lists below change, or a box of `anchored`. */
  int64_t version{0};
  std::vector<int> moving;
  std::vector<int> anchored;
  /** Geometries without a bounded box. */
  std::vector<int> unbounded;
};

/** Half space that contains an unbounded geometry: the points p with
normal . p <= offset, in the frame of the boxes. Without a normal, all points.
*/
struct HalfSpaceBound {
  Eigen::Vector3d normal{Eigen::Vector3d::Zero()};
  double offset{0};

  /** False if the box is outside by more than rounding. */
  bool MayMeet(const Aabb& box) const {
    const Eigen::Vector3d size = normal.cwiseAbs();
    const double lowest = -box.CalcReach(-normal);
    const double rounding =
        1e-13 * (size.dot(box.lower.cwiseAbs() + box.upper.cwiseAbs()) +
                 std::abs(offset));
    return !(lowest > offset + rounding);
  }
};

/** Finds the pairs of overlapping boxes. It keeps trees from call to call to
save time, which does not show in the result. */
class BroadPhase {
 public:
  /** Replaces `pairs` by all pairs (a < b), sorted, whose boxes overlap, but
  for pairs of two anchored ones. An unbounded geometry overlaps the boxes
  that its bound may meet, and all that are unbounded; `bounds` are in the order
  of the model's list. Allocates nothing once storage has grown, while the model
  stays. */
  void FindPairs(const BroadPhaseModel& model, const std::vector<Aabb>& boxes,
                 std::span<const HalfSpaceBound> bounds,
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
