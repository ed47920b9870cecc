#pragma once

#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** A force on a body from outside the model: what the input port
"applied_spatial_force" takes a vector of. */
template <typename T>
struct ExternallyAppliedSpatialForce {
  /** The body B. */
  BodyIndex body_index;
  /** Where it acts: a point Bq fixed to B, from Bo, in B, [m]. */
  Vector3<T> p_BoBq_B{Vector3<T>::Zero()};
  /** The force on B at Bq, in the world, [N·m, N]. */
  SpatialForce<T> F_Bq_W{SpatialForce<T>::Zero()};
};

}  // namespace wyvern::multibody
