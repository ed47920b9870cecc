#include "wyvern/geometry/proximity/aabb_tree.h"

#include <algorithm>

/* Boxes are halved at the median along the axis on which their centres spread
most. Nodes lie depth first in one array, each with the index behind its
subtree: a search is a loop that goes on or skips, without a stack. Refit()
goes backwards, so that children come before parents; it keeps the order, and
the sum of areas tells how good that still is. */

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

namespace {

// Turns boxes: from along the axes of B to along those of A.
class BoxTurner {
 public:
  explicit BoxTurner(const math::RigidTransform<double>& X_AB)
      : R_(X_AB.rotation().matrix()),
        // A little more than it is, for what rounding takes off.
        abs_(R_.cwiseAbs().array() + 1e-12),
        p_(X_AB.translation()) {}
  Aabb operator()(const Aabb& box_B) const {
    const Eigen::Vector3d centre = R_ * box_B.centre() + p_;
    const Eigen::Vector3d reach = abs_ * (0.5 * (box_B.upper - box_B.lower));
    return {centre - reach, centre + reach};
  }

 private:
  Eigen::Matrix3d R_;
  Eigen::Matrix3d abs_;
  Eigen::Vector3d p_;
};

}  // namespace

// The larger box of two is split, so that those compared are of like size.
template <typename AreNear>
void AabbTree::VisitPosed(int a, const AabbTree& tree_B, int b,
                          const AreNear& are_near,
                          std::vector<IndexPair>* pairs) const {
  if (!are_near(a, b)) return;
  const Node& A = nodes_[a];
  const Node& B = tree_B.nodes_[b];
  if (A.right < 0 && B.right < 0) {
    pairs->push_back({A.item, B.item});
  } else if (B.right < 0 || (A.right >= 0 && A.box.area() >= B.box.area())) {
    VisitPosed(a + 1, tree_B, b, are_near, pairs);
    VisitPosed(A.right, tree_B, b, are_near, pairs);
  } else {
    VisitPosed(a, tree_B, b + 1, are_near, pairs);
    VisitPosed(a, tree_B, B.right, are_near, pairs);
  }
}

void AabbTree::AddOverlaps(const AabbTree& tree_B,
                           std::vector<IndexPair>* pairs) const {
  if (nodes_.empty() || tree_B.nodes_.empty()) return;
  VisitPosed(
      0, tree_B, 0,
      [&](int a, int b) {
        return Overlap(nodes_[a].box, tree_B.nodes_[b].box);
      },
      pairs);
}

// Two boxes whose axes differ are apart if they are along one of the six axes
// of both. The nine directions across an edge of each would tell more pairs, at
// twice the cost.
void AabbTree::AddPosedOverlaps(const AabbTree& tree_B,
                                const math::RigidTransform<double>& X_AB,
                                std::vector<IndexPair>* pairs) const {
  if (nodes_.empty() || tree_B.nodes_.empty()) return;
  const BoxTurner to_A(X_AB), to_B(X_AB.inverse());
  const auto are_near = [&](int a, int b) {
    const Aabb& box_A = nodes_[a].box;
    const Aabb& box_B = tree_B.nodes_[b].box;
    return Overlap(box_A, to_A(box_B)) && Overlap(to_B(box_A), box_B);
  };
  VisitPosed(0, tree_B, 0, are_near, pairs);
}

void AabbTree::AddPosedOverlaps(const AabbTree& tree_B,
                                const math::RigidTransform<double>& X_AB,
                                PosedBoxes* scratch,
                                std::vector<IndexPair>* pairs) const {
  if (nodes_.empty() || tree_B.nodes_.empty()) return;
  const auto turn = [](const AabbTree& tree, const BoxTurner& turner,
                       std::vector<Aabb>* boxes) {
    boxes->clear();
    for (const Node& node : tree.nodes_) boxes->push_back(turner(node.box));
  };
  turn(*this, BoxTurner(X_AB.inverse()), &scratch->A_in_B);
  turn(tree_B, BoxTurner(X_AB), &scratch->B_in_A);
  int num_compared = 0;
  const auto are_near = [&](int a, int b) {
    ++num_compared;
    return Overlap(nodes_[a].box, scratch->B_in_A[b]) &&
           Overlap(scratch->A_in_B[a], tree_B.nodes_[b].box);
  };
  VisitPosed(0, tree_B, 0, are_near, pairs);
  scratch->num_compared = num_compared;
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
