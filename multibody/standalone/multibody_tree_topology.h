#pragma once

#include <vector>

#include "wyvern/multibody/tree/multibody_tree_indexes.h"

namespace wyvern::multibody {

/** Where a body is in a finalized MultibodyTree. */
struct BodyTopology {
  /** The body. */
  BodyIndex index;
  /** Its frame B. */
  FrameIndex body_frame;
  /** Its place in depth-first order, by which arrays are ordered. */
  BodyNodeIndex body_node;
  /** Bodies on the path from the world, the world not counted. */
  int level{};
  /** Not valid for the world, as the next. */
  BodyIndex parent_body;
  /** The mobilizer that moves it in its parent. */
  MobilizerIndex inboard_mobilizer;
  /** The bodies whose parent it is. */
  std::vector<BodyIndex> child_bodies;
};

/** Which frames a mobilizer connects, and where its coordinates are. */
struct MobilizerTopology {
  /** The mobilizer. */
  MobilizerIndex index;
  /** Frame F. */
  FrameIndex inboard_frame;
  /** Frame M. */
  FrameIndex outboard_frame;
  /** The body that F is fixed to. */
  BodyIndex inboard_body;
  /** The body that M is fixed to. */
  BodyIndex outboard_body;
  /** The node that it moves. */
  BodyNodeIndex body_node;
  /** How many positions it has. */
  int num_positions{};
  /** Where they start in q. */
  int positions_start{};
  /** How many velocities it has. */
  int num_velocities{};
  /** In v; in the state [q; v] it is num_positions of the model more. */
  int velocities_start{};
};

/** How the elements of a finalized MultibodyTree connect: indices only, the
same for a tree and its copies on other scalars. Empty until Finalize(). */
struct MultibodyTreeTopology {
  /** Returns how many bodies there are, the world among them. */
  int get_num_bodies() const { return static_cast<int>(bodies.size()); }
  /** Returns how many mobilizers there are, those that Finalize() added among
  them. */
  int get_num_mobilizers() const { return static_cast<int>(mobilizers.size()); }
  /** Returns how many nodes there are: one per body. */
  int get_num_body_nodes() const { return get_num_bodies(); }
  /** Returns how many frames there are. */
  int get_num_frames() const { return num_frames; }
  /** Returns the number of entries of [q; v]. */
  int num_states() const { return num_positions + num_velocities; }

  /** True once Finalize() has filled this in. */
  bool is_valid{false};
  /** How many frames there are. */
  int num_frames{};
  /** The number of entries of q. */
  int num_positions{};
  /** The number of entries of v. */
  int num_velocities{};
  /** Bodies on the longest path from the world, the world among them. */
  int tree_height{};
  /** By BodyIndex. */
  std::vector<BodyTopology> bodies;
  /** By MobilizerIndex. */
  std::vector<MobilizerTopology> mobilizers;
};

}  // namespace wyvern::multibody
