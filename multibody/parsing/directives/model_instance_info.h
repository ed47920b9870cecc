#pragma once

#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"

namespace wyvern::multibody::parsing {

/** A model that a directive added. */
struct ModelInstanceInfo {
  /** Scoped. */
  std::string model_name;
  /** Absolute. */
  std::string model_path;
  /** @name The last weld of a frame C of this model to a frame P
  Frames by their names without scope; empty if there is none.
  @{ */
  /** Name of P. */
  std::string parent_frame_name;
  /** Name of C. */
  std::string child_frame_name;
  /** Pose of C in P. */
  math::RigidTransform<double> X_PC;
  /** @} */
  /** Index of the model instance. */
  ModelInstanceIndex model_instance;
};

}  // namespace wyvern::multibody::parsing
