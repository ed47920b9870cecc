#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::app {

/** @file
Units of a plant's coordinates as texts for plots, such as "rad" and "N·m". */

/** The unit of the position `i` of the joint; empty for the elements of a
quaternion, which have none. */
std::string GetPositionUnit(const multibody::Joint<double>& joint, int i);
/** The unit of the velocity `i` of the joint: "rad/s" or "m/s". */
std::string GetVelocityUnit(const multibody::Joint<double>& joint, int i);
/** The unit of the actuator's effort: "N·m" or "N"; empty for a tendon, whose
coefficients may have any unit. */
std::string GetEffortUnit(const multibody::JointActuator<double>& actuator);

}  // namespace wyvern::app
