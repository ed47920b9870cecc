#pragma once

/** @file
The kinds of index that name the elements of a multibody model. */

#include "wyvern/systems/common/type_safe_index.h"

namespace wyvern::multibody {

/** Index of a rigid body; the world is body 0. */
using BodyIndex = TypeSafeIndex<class BodyTag>;
/** Index of a frame; the world frame is frame 0. */
using FrameIndex = TypeSafeIndex<class FrameTag>;
/** Index of a joint. */
using JointIndex = TypeSafeIndex<class JointTag>;
/** Index of an actuator. */
using JointActuatorIndex = TypeSafeIndex<class JointActuatorElementTag>;
/** Index of a force element; gravity is element 0. */
using ForceElementIndex = TypeSafeIndex<class ForceElementTag>;
/** A body's place in the compiled, depth-first order; 0 is the world. */
using BodyNodeIndex = TypeSafeIndex<class BodyNodeTag>;
/** A mobilizer of a MultibodyTree that stands without a plant. */
using MobilizerIndex = TypeSafeIndex<class MobilizerTag>;
/** Index of a model instance; 0 is the world's, 1 the default. */
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
