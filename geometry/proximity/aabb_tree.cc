// Boxes are halved at the median along the axis on which their centres spread
// most. Nodes lie depth first in one array, each with the index behind its
// subtree: a search is a loop that goes on or skips, without a stack. Refit()
// goes backwards, so that children come before parents; it keeps the order, and
// the sum of areas tells how good that still is.

#include "wyvern/geometry/proximity/aabb_tree.h"

#include <algorithm>

namespace wyvern::geometry::internal {

void AabbTree::Build(std::span<const int> items,
                     const std::vector<Aabb>& boxes) {
  Plant(items, &boxes);
  Refit(boxes);
}

void AabbTree::BuildInOrder(std::span<const int> items,
                            const std::vector<Aabb>& boxes) {
  Plant(items, nullptr);
  Refit(boxes);
}

void AabbTree::Plant(std::span<const int> items,
                     const std::vector<Aabb>* boxes) {
  order_.assign(items.begin(), items.end());
  nodes_.clear();
  nodes_.reserve(2 * items.size());
  if (!order_.empty()) {
    AddNode(order_.data(), order_.data() + order_.size(), boxes);
  }
}

void AabbTree::Halve(int* begin, int* middle, int* end,
                     const std::vector<Aabb>& boxes) {
  Eigen::Vector3d low = boxes[*begin].centre(), high = low;
  for (const int* i = begin; i != end; ++i) {
    low = low.cwiseMin(boxes[*i].centre());
    high = high.cwiseMax(boxes[*i].centre());
  }
  int axis;
  (high - low).maxCoeff(&axis);
  std::nth_element(begin, middle, end, [&boxes, axis](int a, int b) {
    const double x = boxes[a].centre()[axis], y = boxes[b].centre()[axis];
    return x != y ? x < y : a < b;
  });
}

void AabbTree::AddNode(int* begin, int* end, const std::vector<Aabb>* boxes) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  if (end - begin == 1) {
    nodes_[index].right = -1;
    nodes_[index].item = *begin;
    nodes_[index].end = index + 1;
    return;
  }
  int* middle = begin + (end - begin) / 2;
  if (boxes != nullptr) Halve(begin, middle, end, *boxes);
  AddNode(begin, middle, boxes);
  nodes_[index].right = static_cast<int>(nodes_.size());
  AddNode(middle, end, boxes);
  nodes_[index].end = static_cast<int>(nodes_.size());
}

void AabbTree::Refit(const std::vector<Aabb>& boxes) {
  cost_ = 0;
  for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
    Node& node = nodes_[i];
    if (node.right < 0) {
      node.box = boxes[node.item];
      continue;
    }
    node.box = nodes_[i + 1].box;
    node.box.Include(nodes_[node.right].box);
    cost_ += node.box.area();
  }
}

void AabbTree::Visit(int first_node, const Aabb& box, int other,
                     std::vector<IndexPair>* pairs) const {
  VisitNear(
      first_node, [&box](const Aabb& b) { return Overlap(b, box); },
      [&](int item) {
        pairs->push_back({item, other});
      });
}

void AabbTree::AddSelfOverlaps(const std::vector<Aabb>& boxes,
                               std::vector<IndexPair>* pairs) const {
  // Each leaf against those after it.
  const int n = static_cast<int>(nodes_.size());
  for (int i = 0; i < n; ++i) {
    const Node& node = nodes_[i];
    if (node.right < 0) Visit(i + 1, boxes[node.item], node.item, pairs);
  }
}

// Two boxes whose axes differ are apart if they are along one of these six. The
// nine directions across an edge of each would tell more pairs, at twice the
// cost.
class AabbTree::PosedBoxes {
 public:
  explicit PosedBoxes(const math::RigidTransform<double>& X_AB)
      : R_(X_AB.rotation().matrix()),
        // A little more than it is, for what rounding takes off.
        abs_(R_.cwiseAbs().array() + 1e-12),
        p_(X_AB.translation()) {}
  bool AreNear(const Aabb& a, const Aabb& b) const {
    const Eigen::Vector3d half_a = 0.5 * (a.upper - a.lower);
    const Eigen::Vector3d half_b = 0.5 * (b.upper - b.lower);
    const Eigen::Vector3d d = R_ * b.centre() + p_ - a.centre();
    const Eigen::Vector3d reach_a = half_a + abs_ * half_b;
    if ((d.array().abs() > reach_a.array()).any()) return false;
    const Eigen::Vector3d d_B = R_.transpose() * d;
    const Eigen::Vector3d reach_b = half_b + abs_.transpose() * half_a;
    return !(d_B.array().abs() > reach_b.array()).any();
  }

 private:
  Eigen::Matrix3d R_;
  Eigen::Matrix3d abs_;
  Eigen::Vector3d p_;
};

// The larger box of two is split, so that those compared are of like size.
void AabbTree::VisitPosed(int a, const AabbTree& tree_B, int b,
                          const PosedBoxes& posed,
                          std::vector<IndexPair>* pairs) const {
  const Node& A = nodes_[a];
  const Node& B = tree_B.nodes_[b];
  if (!posed.AreNear(A.box, B.box)) return;
  if (A.right < 0 && B.right < 0) {
    pairs->push_back({A.item, B.item});
  } else if (B.right < 0 || (A.right >= 0 && A.box.area() >= B.box.area())) {
    VisitPosed(a + 1, tree_B, b, posed, pairs);
    VisitPosed(A.right, tree_B, b, posed, pairs);
  } else {
    VisitPosed(a, tree_B, b + 1, posed, pairs);
    VisitPosed(a, tree_B, B.right, posed, pairs);
  }
}

void AabbTree::AddPosedOverlaps(const AabbTree& tree_B,
                                const math::RigidTransform<double>& X_AB,
                                std::vector<IndexPair>* pairs) const {
  if (nodes_.empty() || tree_B.nodes_.empty()) return;
  VisitPosed(0, tree_B, 0, PosedBoxes(X_AB), pairs);
}

void AabbTree::AddBetween(const Eigen::Vector3d& normal, double low,
                          double high, std::vector<IndexPair>* pairs) const {
  const Eigen::Vector3d size = normal.cwiseAbs();
  ForEachNear(
      [&](const Aabb& box) {
        const double middle = normal.dot(box.centre());
        const double reach =
            0.5 * size.dot(box.upper - box.lower) * (1 + 1e-12);
        return middle - reach <= high && middle + reach >= low;
      },
      [pairs](int item) {
        pairs->push_back({item, 0});
      });
}

void AabbTree::AddOverlaps(const std::vector<Aabb>& boxes, int other,
                           std::vector<IndexPair>* pairs) const {
  Visit(0, boxes[other], other, pairs);
}

}  // namespace wyvern::geometry::internal
