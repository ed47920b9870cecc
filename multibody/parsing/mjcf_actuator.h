#pragma once

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_geom.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Reads the <actuator> sections, after the equalities. The armature of a joint
becomes the rotor inertia of its first actuator.
@throws std::runtime_error "file:line: ..." if something is not valid, or an
actuator is not a force that is affine in position and velocity at one hinge or
slide, or at a fixed tendon whose joints move as one. */
void ReadMjcfActuators(const MjcfDocument& document, const MjcfContext& context,
                       const MjcfTree& tree, ParsedModel* model);

}  // namespace wyvern::multibody::internal
