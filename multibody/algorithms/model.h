#pragma once

#include <functional>
#include <vector>

#include "wyvern/multibody/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/topology/spanning_forest.h"

namespace wyvern::multibody::engine {

/** The compiled, immutable structure of a multibody system: integers only, the
same for every scalar type and every Context. Its numbers are ModelParameters.

Bodies are in the spanning forest's depth-first order, one inboard mobilizer
each; body 0 is the world and has none. Positions q and velocities v follow the
same order: all of a subtree is one contiguous piece of each.

Kernels recurse over nodes, which are bodies with welds merged: node 0 is the
world and what is welded to it. */
struct Model {
  struct Body {
    MobodIndex parent{};  // The inboard body P; less than this one's own index.
    MobilizerType type{MobilizerType::kWeld};
    bool is_reversed{false};  // F is the joint's child frame.
    int q_start{};
    int nq{};
    int v_start{};
    int nv{};
    int subtree_end{};  // The bodies of the subtree are [self, subtree_end).
    int subtree_nv{};   // Its velocities are [v_start, v_start + subtree_nv).
    int tree{-1};       // -1 for the world and what is welded to it.
    NodeIndex node{0};  // The node it belongs to.
    LinkIndex link{};   // The link of the LinkJointGraph.
    int joint{-1};      // The joint; -1 for a base body without one.
  };

  /** A body and all that is welded to it outboard. */
  struct Node {
    NodeIndex parent{};
    MobodIndex body{0};  // The body whose mobilizer this node moves by.
    MobilizerType type{MobilizerType::kWeld};
    bool is_reversed{false};
    int q_start{};
    int v_start{};
    int nv{};
    int subtree_end{};
    int subtree_nv{};
    int tree{-1};
    bool has_children{false};
  };

  /** A set of bodies that moves together: a moving body of the world's node
  and all outboard of it. */
  struct Tree {
    MobodIndex base_body{};
    NodeIndex base_node{};
    int end_node{};
    int q_start{};
    int nq{};
    int v_start{};
    int nv{};
  };

  int num_q{};
  int num_v{};
  IndexedVector<MobodIndex, Body> bodies;
  IndexedVector<NodeIndex, Node> nodes;
  std::vector<Tree> trees;
  IndexedVector<LinkIndex, MobodIndex> body_of_link;
  /** The tree of each velocity. */
  std::vector<int> tree_of_v;
  /** The node of each velocity. */
  std::vector<NodeIndex> node_of_v;
  /** Every body but the world, as functions of sets of bodies take them. */
  std::vector<int> all_bodies;

  int num_bodies() const { return static_cast<int>(bodies.size()); }
  int num_nodes() const { return static_cast<int>(nodes.size()); }
  int num_trees() const { return static_cast<int>(trees.size()); }
};

/** Compiles a model.
@param joint_type The type of a joint of the graph, by its index.
@param base_type The type of the mobilizer that ties a base link without a
joint to the world: kQuaternionFloating, kRpyFloating or kWeld.
@throws std::logic_error if the forest has loop joints (close them otherwise),
or for another type of base mobilizer. */
Model MakeModel(const SpanningForest& forest,
                const std::function<MobilizerType(int joint)>& joint_type,
                const std::function<MobilizerType(int link)>& base_type);

/** MakeModel() with quaternion floating bases. */
Model MakeModel(const SpanningForest& forest,
                const std::function<MobilizerType(int joint)>& joint_type);

}  // namespace wyvern::multibody::engine
