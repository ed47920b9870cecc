#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::examples {

/// Joint positions to pass through at given times.
struct Waypoints {
  /// Where they come from, for messages.
  std::string source;
  std::vector<std::string> joints;
  /// In s, increasing from zero.
  Eigen::VectorXd times;
  /// A row per joint, a column per time; rad or m.
  Eigen::MatrixXd positions;
};

/// Reads a CSV file: a line `time, joint, joint, ...`, then a line of numbers
/// per way-point. Text after # is a comment.
/// @throws std::runtime_error naming file and line if it is not like that.
Waypoints ReadWaypoints(const std::filesystem::path& file);

/// The cubic spline through the way-points, at rest at both ends, for the
/// actuated joints in the order of their actuators. An actuated joint that the
/// way-points do not name stays at its default position.
/// @throws std::runtime_error if a way-point names a joint that the plant lacks
/// or that has no actuator, or if the spline leaves a joint's limits for
/// position or velocity.
trajectories::PiecewisePolynomial<double> MakeTrajectory(
    const Waypoints& waypoints, const multibody::MultibodyPlant<double>& plant);

/// The joint that an actuator of the plant drives.
const multibody::Joint<double>& JointOf(
    const multibody::MultibodyPlant<double>& plant,
    multibody::JointActuatorIndex actuator);

}  // namespace wyvern::examples
