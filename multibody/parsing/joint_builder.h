#pragma once

#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::multibody::internal {

/** Adds `joint`, with its limits, between frames F and M, which the caller has
made for it. */
JointIndex AddJointToPlant(const ParsedJoint& joint, const Frame<double>& F,
                           const Frame<double>& M,
                           MultibodyPlant<double>* plant);

}  // namespace wyvern::multibody::internal
