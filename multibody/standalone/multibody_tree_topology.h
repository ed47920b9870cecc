#pragma once

#include <vector>

#include "wyvern/multibody/tree/multibody_tree_indexes.h"

namespace wyvern::multibody {

/** Where a body is in a finalized MultibodyTree. */
struct BodyTopology {
  BodyIndex index;
  FrameIndex body_frame;
  BodyNodeIndex body_node;
  /** Bodies on the path from the world, the world not counted. */
  int level{};
  /** Not valid for the world, as the next. */
  BodyIndex parent_body;
  MobilizerIndex inboard_mobilizer;
  std::vector<BodyIndex> child_bodies;
};

/** Which frames a mobilizer connects, and where its coordinates are. */
struct MobilizerTopology {
  MobilizerIndex index;
  FrameIndex inboard_frame;
  FrameIndex outboard_frame;
  BodyIndex inboard_body;
  BodyIndex outboard_body;
  /** The node that it moves. */
  BodyNodeIndex body_node;
  int num_positions{};
  int positions_start{};
  int num_velocities{};
  /** In v; in the state [q; v] it is num_positions of the model more. */
  int velocities_start{};
};

/** How the elements of a finalized MultibodyTree connect: indices only, the
same for a tree and its copies on other scalars. Empty until Finalize(). */
struct MultibodyTreeTopology {
  int get_num_bodies() const { return static_cast<int>(bodies.size()); }
  int get_num_mobilizers() const { return static_cast<int>(mobilizers.size()); }
  int get_num_body_nodes() const { return get_num_bodies(); }
  int get_num_frames() const { return num_frames; }
  int num_states() const { return num_positions + num_velocities; }

  bool is_valid{false};
  int num_frames{};
  int num_positions{};
  int num_velocities{};
  /** Bodies on the longest path from the world, the world among them. */
  int tree_height{};
  /** By BodyIndex. */
  std::vector<BodyTopology> bodies;
  /** By MobilizerIndex. */
  std::vector<MobilizerTopology> mobilizers;
};

}  // namespace wyvern::multibody
