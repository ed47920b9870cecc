#pragma once

/** @file
The kinds of index that name the elements of a multibody model. */

#include "wyvern/systems/common/type_safe_index.h"

namespace wyvern::multibody {

using BodyIndex = TypeSafeIndex<class BodyTag>;
using FrameIndex = TypeSafeIndex<class FrameTag>;
using JointIndex = TypeSafeIndex<class JointTag>;
using JointActuatorIndex = TypeSafeIndex<class JointActuatorElementTag>;
using ForceElementIndex = TypeSafeIndex<class ForceElementTag>;
/** A body's place in the compiled, depth-first order; 0 is the world. */
using BodyNodeIndex = TypeSafeIndex<class BodyNodeTag>;
/** A mobilizer of a MultibodyTree that stands without a plant. */
using MobilizerIndex = TypeSafeIndex<class MobilizerTag>;
using ModelInstanceIndex = TypeSafeIndex<class ModelInstanceTag>;

/** The index of the world body, which every model has. */
inline BodyIndex world_index() { return BodyIndex(0); }
/** The index of the world body's frame. */
inline FrameIndex world_frame_index() { return FrameIndex(0); }
/** The model instance that holds only the world. */
inline ModelInstanceIndex world_model_instance() {
  return ModelInstanceIndex(0);
}
/** The model instance of elements added without naming one. */
inline ModelInstanceIndex default_model_instance() {
  return ModelInstanceIndex(1);
}

namespace internal {
/** Index of a mobilized body, which holds a body in the compiled model. */
using MobodIndex = BodyNodeIndex;
}  // namespace internal

}  // namespace wyvern::multibody
