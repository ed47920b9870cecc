#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/topology/indexes.h"
#include "wyvern/multibody/dynamics/topology/link_joint_graph.h"

namespace wyvern::multibody::dynamics {

/** A spanning forest of a LinkJointGraph: which body hangs on which, by which
joint, numbered depth first.

Every link becomes one mobilized body ("mobod"); mobod 0 is the world. Trees
grow from the world's joints first (in joint order), level by level, so that a
loop is cut far from the world; then from links that reach the world by no
joint, which become base bodies and get a six-dof (or weld) mobilizer of their
own: links that are no joint's child first, in link order. A subtree is the
range [i, subtree_end) of mobods. Children follow in joint order. */
class SpanningForest {
 public:
  /** A link's place in the forest. */
  struct Mobod {
    /** The link this mobod carries. */
    LinkIndex link{};
    /** Its inboard joint; -1 for the world and for a base body that no joint
    connects to the world. */
    int joint{-1};
    /** The inboard mobod; invalid for the world. Always less than its own
    index. */
    MobodIndex parent{};
    /** True if the joint's child link is the inboard one. */
    bool is_reversed{false};
    /** Mobods on the path to the world, the world not counted: 0 for it. */
    int level{};
    /** One past the last mobod outboard of this one. */
    int subtree_end{};
  };

  /** Grows the forest; the cost is linear in links and joints. */
  explicit SpanningForest(const LinkJointGraph& graph);

  /** Returns how many mobods there are, the world among them. */
  int num_mobods() const { return static_cast<int>(mobods_.size()); }
  /** Returns all mobods, the world first. */
  const IndexedVector<MobodIndex, Mobod>& mobods() const { return mobods_; }
  /** Returns a mobod.
  @throws std::out_of_range if there is none of this index. */
  const Mobod& mobod(MobodArgument i) const { return mobods_.at(i); }

  /** The mobod that carries a link. @throws std::out_of_range. */
  MobodIndex mobod_of_link(IndexArgument<LinkIndex> link) const {
    return mobod_of_link_.at(link);
  }

  /** The mobod whose inboard joint this is; invalid for a joint that closes a
  loop. @throws std::out_of_range. */
  MobodIndex mobod_of_joint(int joint) const {
    return mobod_of_joint_.at(joint);
  }

  /** Joints left out because they would close a loop, in joint order. */
  const std::vector<int>& loop_joints() const { return loop_joints_; }

  /** Links without a joint path to the world whose tree hangs on a mobilizer
  made for them, in mobod order. */
  const std::vector<LinkIndex>& floating_base_links() const {
    return floating_base_links_;
  }

  /** Mobods from the world (first, 0) to `mobod` (last). */
  std::vector<MobodIndex> PathFromWorld(MobodArgument mobod) const;

  /** The joint path that, with `loop_joint`, makes a cycle: links from the
  joint's parent link to its child link through the forest, for a message.
  @throws std::logic_error if the joint closes no loop. */
  std::vector<LinkIndex> LoopLinks(int loop_joint) const;

 private:
  IndexedVector<MobodIndex, Mobod> mobods_;
  IndexedVector<LinkIndex, MobodIndex> mobod_of_link_;
  std::vector<MobodIndex> mobod_of_joint_;
  std::vector<int> loop_joints_;
  std::vector<LinkIndex> floating_base_links_;
  std::vector<LinkJointGraph::Joint> joints_;
};

}  // namespace wyvern::multibody::dynamics
