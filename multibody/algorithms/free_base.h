#pragma once

#include "wyvern/multibody/algorithms/model.h"
#include "wyvern/multibody/mobilizers/mobilizer_traits.h"

namespace wyvern::multibody::engine {

/** Whether a node is a floating base, whose screws about its own origin are
(e_k, 0), (0, e_k) with e_k the orthonormal axes of its inboard frame F: its
tree's first six velocities. */
inline bool IsFreeBase(const Model::Node& node) {
  return node.nv == 6 && node.parent == 0 && !node.is_reversed &&
         TraitsOf(node.type).rotates_freely;
}

}  // namespace wyvern::multibody::engine
