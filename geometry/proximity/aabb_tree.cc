#include "wyvern/geometry/proximity/aabb_tree.h"

#include <algorithm>

namespace wyvern::geometry::internal {

void AabbTree::Build(std::span<const int> items,
                     const std::vector<Aabb>& boxes) {
  order_.assign(items.begin(), items.end());
  nodes_.clear();
  nodes_.reserve(2 * items.size());
  if (!order_.empty()) {
    AddNode(order_.data(), order_.data() + order_.size(), boxes);
  }
  Refit(boxes);
}

void AabbTree::AddNode(int* begin, int* end, const std::vector<Aabb>& boxes) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  if (end - begin == 1) {
    nodes_[index].right = -1;
    nodes_[index].item = *begin;
    nodes_[index].end = index + 1;
    return;
  }
  Eigen::Vector3d low = boxes[*begin].centre(), high = low;
  for (const int* i = begin; i != end; ++i) {
    low = low.cwiseMin(boxes[*i].centre());
    high = high.cwiseMax(boxes[*i].centre());
  }
  int axis;
  (high - low).maxCoeff(&axis);
  int* middle = begin + (end - begin) / 2;
  std::nth_element(begin, middle, end, [&boxes, axis](int a, int b) {
    const double x = boxes[a].centre()[axis], y = boxes[b].centre()[axis];
    return x != y ? x < y : a < b;
  });
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
  // Depth-first; a subtree that misses is skipped over.
  const int n = static_cast<int>(nodes_.size());
  for (int i = first_node; i < n;) {
    const Node& node = nodes_[i];
    if (!Overlap(node.box, box)) {
      i = node.end;
      continue;
    }
    if (node.right < 0) pairs->push_back({node.item, other});
    ++i;
  }
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

void AabbTree::AddOverlaps(const std::vector<Aabb>& boxes, int other,
                           std::vector<IndexPair>* pairs) const {
  Visit(0, boxes[other], other, pairs);
}

}  // namespace wyvern::geometry::internal
