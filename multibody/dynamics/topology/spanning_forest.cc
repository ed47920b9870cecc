/* Two passes. The first is breadth first, from the world and then from each
link that it did not reach: every link hangs on one of its shortest paths, so
that loops are cut far from their base. The second goes through the trees so
made depth first and numbers them. Joints that the first pass did not use close
loops; the links of such a loop are the paths of its two links towards the
world, as far as the first link that both have. */

#include "wyvern/multibody/dynamics/topology/spanning_forest.h"

#include <algorithm>
#include <deque>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::multibody::dynamics {
namespace {

// Chooses, for every link, its inboard link and joint.
class Grower {
 public:
  struct Branch {
    int parent_link{-1};
    int joint{-1};
  };

  explicit Grower(const LinkJointGraph& graph)
      : joints_(graph.joints()),
        joints_of_link_(graph.num_links()),
        children_of_link_(graph.num_links()),
        branch_(graph.num_links()),
        reached_(graph.num_links(), false) {
    for (int j = 0; j < graph.num_joints(); ++j) {
      joints_of_link_[joints_[j].parent_link].push_back(j);
      joints_of_link_[joints_[j].child_link].push_back(j);
    }
    GrowFrom(0);
    GrowFloatingTrees();
  }

  const Branch& branch(int link) const { return branch_[link]; }
  const std::vector<int>& children(int link) const {
    return children_of_link_[link];
  }

 private:
  // Breadth first: every link is reached by one of its shortest paths.
  void GrowFrom(int root) {
    reached_[root] = true;
    std::deque<int> front{root};
    while (!front.empty()) {
      const int link = front.front();
      front.pop_front();
      for (int j : joints_of_link_[link]) {
        const int other = joints_[j].parent_link == link
                              ? joints_[j].child_link
                              : joints_[j].parent_link;
        if (reached_[other]) continue;
        reached_[other] = true;
        branch_[other] = {link, j};
        children_of_link_[link].push_back(other);
        front.push_back(other);
      }
    }
  }

  void GrowFloatingTrees() {
    std::vector<bool> is_child(reached_.size(), false);
    for (const auto& joint : joints_) is_child[joint.child_link] = true;
    // Links that are nobody's child make natural bases; what is left after
    // them are components that consist of cycles.
    for (bool accept_child : {false, true}) {
      for (int link = 1; link < static_cast<int>(reached_.size()); ++link) {
        if (reached_[link] || (is_child[link] && !accept_child)) continue;
        branch_[link] = {0, -1};
        children_of_link_[0].push_back(link);
        GrowFrom(link);
      }
    }
  }

  const std::vector<LinkJointGraph::Joint>& joints_;
  std::vector<std::vector<int>> joints_of_link_;
  std::vector<std::vector<int>> children_of_link_;
  std::vector<Branch> branch_;
  std::vector<bool> reached_;
};

}  // namespace

SpanningForest::SpanningForest(const LinkJointGraph& graph)
    : mobod_of_link_(graph.num_links()),
      mobod_of_joint_(graph.num_joints()),
      joints_(graph.joints()) {
  const Grower grower(graph);
  // Depth first, without recursion: a chain may be long.
  std::vector<int> stack{0};
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    const auto& [parent_link, joint] = grower.branch(link);
    const MobodIndex index(num_mobods());
    Mobod mobod{.link = LinkIndex(link), .joint = joint};
    if (link != 0) {
      mobod.parent = mobod_of_link_[parent_link];
      mobod.level = mobods_[mobod.parent].level + 1;
      if (joint >= 0) {
        mobod.is_reversed = joints_[joint].child_link == parent_link;
        mobod_of_joint_[joint] = index;
      } else {
        floating_base_links_.push_back(mobod.link);
      }
    }
    mobod.subtree_end = index + 1;
    mobod_of_link_[link] = index;
    mobods_.push_back(mobod);
    const auto& children = grower.children(link);
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  for (int i = num_mobods() - 1; i > 0; --i) {
    Mobod& parent = mobods_[mobods_[i].parent];
    parent.subtree_end = std::max(parent.subtree_end, mobods_[i].subtree_end);
  }
  for (int j = 0; j < graph.num_joints(); ++j) {
    if (!mobod_of_joint_[j].is_valid()) loop_joints_.push_back(j);
  }
}

std::vector<MobodIndex> SpanningForest::PathFromWorld(
    MobodArgument mobod) const {
  std::vector<MobodIndex> path;
  for (MobodIndex i(mobod); i.is_valid(); i = mobods_.at(i).parent) {
    path.push_back(i);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<LinkIndex> SpanningForest::LoopLinks(int loop_joint) const {
  if (mobod_of_joint_.at(loop_joint).is_valid()) {
    throw std::logic_error(fmt::format(
        "SpanningForest::LoopLinks(): joint {} closes no loop; ask only about "
        "loop_joints().",
        loop_joint));
  }
  const auto& joint = joints_[loop_joint];
  const auto a = PathFromWorld(mobod_of_link_[joint.parent_link]);
  const auto b = PathFromWorld(mobod_of_link_[joint.child_link]);
  size_t common = 0;
  while (common < a.size() && common < b.size() && a[common] == b[common]) {
    ++common;
  }
  std::vector<LinkIndex> links;
  for (size_t i = a.size(); i-- > common - 1;) {
    links.push_back(mobods_[a[i]].link);
  }
  for (size_t i = common; i < b.size(); ++i) {
    links.push_back(mobods_[b[i]].link);
  }
  return links;
}

}  // namespace wyvern::multibody::dynamics
