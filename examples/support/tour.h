#pragma once

#include <string>
#include <vector>

#include "examples/support/waypoints.h"

namespace wyvern::examples {

/// A tour for a robot about which nothing is known but its model: each actuated
/// joint moves about the middle of its range, by a fifth of it at most, at half
/// of its velocity limit at most. One whose range or velocity is limited to 0
/// stays, and so does one whose dry friction its actuator cannot overcome. If
/// the effort limits do not allow that by the model, the joints move about
/// their default positions, or half as fast, or half or a quarter as far; if
/// none of these is allowed, it is the first.
/// @param plant finalized.
/// @param[out] remarks what is not as it would be without effort limits.
Waypoints MakeTour(const multibody::MultibodyPlant<double>& plant,
                   std::vector<std::string>* remarks);

/// How many loops close: joints beyond one for each body, and constraints other
/// than couplers.
/// @param plant finalized.
int CountLoops(const multibody::MultibodyPlant<double>& plant);

/// All positions of a plant whose actuated joints are at `actuated`, in the
/// actuators' order: the others at their defaults, those that follow one by a
/// coupler where it takes them.
Eigen::VectorXd CompletePositions(
    const multibody::MultibodyPlant<double>& plant,
    const Eigen::VectorXd& actuated);

}  // namespace wyvern::examples
