#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/proximity/aabb.h"

namespace wyvern::geometry::internal {

/** Two indices of boxes, a < b once sorted. */
struct IndexPair {
  int a;
  int b;
  friend auto operator<=>(const IndexPair&, const IndexPair&) = default;
};

/** The boxes of two trees' nodes, each along the axes of the other's frame;
reused, it allocates nothing once it has grown. */
struct PosedBoxes {
  std::vector<Aabb> A_in_B;
  std::vector<Aabb> B_in_A;
  /** How many pairs of boxes the last search has compared. */
  int num_compared{0};
};

/** A binary tree of boxes: each node bounds its two children, each leaf holds
one item. It is built by halving at the median of the longer axis, so its depth
is log2 of the number of items; later its boxes are refitted while its shape is
kept. Building and refitting reuse storage. */
class AabbTree {
 public:
  /** Over boxes[i] for each i in `items`. O(n log n). */
  void Build(std::span<const int> items, const std::vector<Aabb>& boxes);
  /** Variant for items in an order that keeps neighbours together, as another
  tree visits them: the order is kept. O(n). */
  void BuildInOrder(std::span<const int> items, const std::vector<Aabb>& boxes);
  /** Takes new boxes for the same items. O(n). */
  void Refit(const std::vector<Aabb>& boxes);
  /** The sum of the areas of the inner nodes: what queries cost, roughly. */
  double cost() const { return cost_; }
  /** The box that bounds all; of no items, one that bounds nothing. */
  Aabb bounds() const {
    const Eigen::Vector3d one = Eigen::Vector3d::Ones();
    return nodes_.empty() ? Aabb{one, -one} : nodes_[0].box;
  }

  /** Adds every pair of different items whose boxes overlap. */
  void AddSelfOverlaps(const std::vector<Aabb>& boxes,
                       std::vector<IndexPair>* pairs) const;
  /** Adds a pair (item, other) for every item that overlaps boxes[other]. */
  void AddOverlaps(const std::vector<Aabb>& boxes, int other,
                   std::vector<IndexPair>* pairs) const;
  /** Adds a pair (item, item of B) for all whose boxes overlap, those of both
  along the same axes. */
  void AddOverlaps(const AabbTree& tree_B, std::vector<IndexPair>* pairs) const;
  /** Adds a pair (item, item of B) for all whose boxes overlap, and some whose
  boxes are near: this tree's boxes are along the axes of its frame A, those of
  `tree_B` along the axes of B. */
  void AddPosedOverlaps(const AabbTree& tree_B,
                        const math::RigidTransform<double>& X_AB,
                        std::vector<IndexPair>* pairs) const;
  /** Variant for trees in which most nodes have neighbours: each box is turned
  once, before the search. O(n) even if none is near. */
  void AddPosedOverlaps(const AabbTree& tree_B,
                        const math::RigidTransform<double>& X_AB,
                        PosedBoxes* scratch,
                        std::vector<IndexPair>* pairs) const;
  /** Calls add(item) for every item for whose box is_near(box) is true, which
  is to be true then for boxes around it also. Neighbours come one after the
  other. */
  template <typename IsNear, typename Add>
  void ForEachNear(const IsNear& is_near, const Add& add) const {
    VisitNear(0, is_near, add);
  }
  /** How far the items go along a direction: the largest height(item), which is
  to be no more than that of the item's box. -infinity if there are none. */
  template <typename Height>
  double CalcReach(const Eigen::Vector3d& direction,
                   const Height& height) const {
    double reach = -std::numeric_limits<double>::infinity();
    if (!nodes_.empty()) VisitFar(0, direction, height, &reach);
    return reach;
  }
  /** Adds every item whose box has a point p with low <= normal . p <= high, as
  a pair (item, 0). */
  void AddBetween(const Eigen::Vector3d& normal, double low, double high,
                  std::vector<IndexPair>* pairs) const;

 private:
  // In depth-first order: the left child of node i is i + 1.
  struct Node {
    Aabb box;
    int right{};   // Node; -1 for a leaf.
    int item{-1};  // For a leaf.
    int end{};     // One past the last node of the subtree.
  };

  template <typename AreNear>
  void VisitPosed(int a, const AabbTree& tree_B, int b, const AreNear& are_near,
                  std::vector<IndexPair>* pairs) const;
  // `boxes` is null if the items are in order.
  void Plant(std::span<const int> items, const std::vector<Aabb>* boxes);
  static void Halve(int* begin, int* middle, int* end,
                    const std::vector<Aabb>& boxes);
  void AddNode(int* begin, int* end, const std::vector<Aabb>* boxes);
  void Visit(int first_node, const Aabb& box, int other,
             std::vector<IndexPair>* pairs) const;

  template <typename IsNear, typename Add>
  void VisitNear(int first_node, const IsNear& is_near, const Add& add) const {
    // Depth-first; a subtree that misses is skipped over.
    const int n = static_cast<int>(nodes_.size());
    for (int i = first_node; i < n;) {
      const Node& node = nodes_[i];
      if (!is_near(node.box)) {
        i = node.end;
        continue;
      }
      if (node.right < 0) add(node.item);
      ++i;
    }
  }
  template <typename Height>
  void VisitFar(int i, const Eigen::Vector3d& direction, const Height& height,
                double* reach) const {
    const Node& node = nodes_[i];
    if (node.right < 0) {
      *reach = std::max(*reach, height(node.item));
      return;
    }
    int child[] = {i + 1, node.right};
    double most[] = {nodes_[child[0]].box.CalcReach(direction),
                     nodes_[child[1]].box.CalcReach(direction)};
    // The farther node may make the other unnecessary.
    if (most[0] < most[1]) {
      std::swap(child[0], child[1]);
      std::swap(most[0], most[1]);
    }
    for (int k = 0; k < 2; ++k) {
      if (most[k] > *reach) VisitFar(child[k], direction, height, reach);
    }
  }

  std::vector<Node> nodes_;
  std::vector<int> order_;
  double cost_{0};
};

}  // namespace wyvern::geometry::internal
