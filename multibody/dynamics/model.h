#pragma once

#include <functional>
#include <vector>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/topology/spanning_forest.h"

namespace wyvern::multibody::dynamics {

/** The compiled, immutable structure of a multibody system: integers only, the
same for every scalar type and every Context. Its numbers are ModelParameters.

Bodies are in the spanning forest's depth-first order, one inboard mobilizer
each; body 0 is the world and has none. Positions q and velocities v follow the
same order: all of a subtree is one contiguous piece of each.

Kernels recurse over nodes, which are bodies with welds merged: node 0 is the
world and what is welded to it. */
struct Model {
  /** A body and its inboard mobilizer. */
  struct Body {
    MobodIndex parent{};  // The inboard body P; less than this one's own index.
    /** How M moves in F; kWeld for the world. */
    MobilizerType type{MobilizerType::kWeld};
    bool is_reversed{false};  // F is the joint's child frame.
    int q_start{};            // Its positions are [q_start, q_start + nq).
    int nq{};                 // 0 for the world and a weld, as nv.
    int v_start{};            // Its velocities are [v_start, v_start + nv).
    int nv{};                 // 0 for the world and a weld.
    int subtree_end{};  // The bodies of the subtree are [self, subtree_end).
    int subtree_nv{};   // Its velocities are [v_start, v_start + subtree_nv).
    int tree{-1};       // -1 for the world and what is welded to it.
    NodeIndex node{0};  // The node it belongs to.
    LinkIndex link{};   // The link of the LinkJointGraph.
    int joint{-1};      // The joint; -1 for a base body without one.
  };

  /** A body and all that is welded to it outboard. */
  struct Node {
    NodeIndex parent{};  // Less than its own index; invalid for the world.
    MobodIndex body{0};  // The body whose mobilizer this node moves by.
    /** How M moves in F; never kWeld but for node 0. */
    MobilizerType type{MobilizerType::kWeld};
    bool is_reversed{false};   // F is the joint's child frame.
    int q_start{};             // Its first position.
    int v_start{};             // Its first velocity.
    int nv{};                  // How many it has; 0 for node 0 alone.
    int subtree_end{};         // Nodes of the subtree: [self, subtree_end).
    int subtree_nv{};          // From v_start on, those of the subtree.
    int tree{-1};              // -1 for node 0.
    bool has_children{false};  // Not kept up to date for node 0.
  };

  /** A set of bodies that moves together: a moving body of the world's node
  and all outboard of it. */
  struct Tree {
    MobodIndex base_body{};  // The body that is tied to the world's node.
    NodeIndex base_node{};   // Its node.
    int end_node{};          // The nodes are [base_node, end_node).
    int q_start{};           // The positions are [q_start, q_start + nq).
    int nq{};                // How many positions the tree has.
    int v_start{};           // The velocities are [v_start, v_start + nv).
    int nv{};                // How many velocities the tree has.
  };

  /** How many positions the model has, of all bodies together. */
  int num_q{};
  /** How many velocities the model has. */
  int num_v{};
  /** The bodies, the world first; depth first, as q and v. */
  IndexedVector<MobodIndex, Body> bodies;
  /** The nodes, the world's first. */
  IndexedVector<NodeIndex, Node> nodes;
  /** The trees, in the order of their base bodies. */
  std::vector<Tree> trees;
  /** The body that a link became. */
  IndexedVector<LinkIndex, MobodIndex> body_of_link;
  /** The tree of each velocity. */
  std::vector<int> tree_of_v;
  /** The node of each velocity. */
  std::vector<NodeIndex> node_of_v;
  /** Every body but the world, as functions of sets of bodies take them. */
  std::vector<int> all_bodies;

  /** Returns how many bodies there are, the world among them. */
  int num_bodies() const { return static_cast<int>(bodies.size()); }
  /** Returns how many nodes there are, the world's among them. */
  int num_nodes() const { return static_cast<int>(nodes.size()); }
  /** Returns how many trees hang on the world's node; 0 if nothing moves. */
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

}  // namespace wyvern::multibody::dynamics
