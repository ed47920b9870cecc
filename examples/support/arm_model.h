#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::examples {

/// Which joints of a robot get an actuator.
enum class Actuate {
  /// Actuate joints with a transmission; if the file has none, all that can be.
  kAsTheFileSays,
  /// All of one degree of freedom that do not mimic another.
  kAll,
};

/// A plant with the robot of a URDF or SDFormat file, not finalized. A root
/// link that no joint holds is welded to the world, and so is a link to its
/// parent if neither it nor what it carries has inertia. Actuators that the
/// file does not have are called as their joints and have the joints' effort
/// limits; 0 and none are no limit. All have a PD controller, whose gains
/// AddPdControl() sets.
/// @param[out] remarks what was done that the file does not say, and the
/// parser's warnings; null drops them.
/// @param scene_graph gets what the robot looks like and touches with, if any.
/// @throws std::runtime_error as the parser does, or if the file has more than
/// one root or no joint that an actuator can drive.
std::unique_ptr<multibody::MultibodyPlant<double>> LoadArm(
    const std::filesystem::path& urdf, double time_step,
    Actuate actuate = Actuate::kAsTheFileSays,
    std::vector<std::string>* remarks = nullptr,
    geometry::SceneGraph<double>* scene_graph = nullptr);

/// Gives each actuator critically damped PD gains: with m the joint's inertia
/// at the positions q, the others held, kp = ω² m and kd = 2 ω m.
/// @pre The plant is LoadArm()'s and finalized.
void AddPdControl(const Eigen::VectorXd& q, double bandwidth,
                  multibody::MultibodyPlant<double>* plant);

}  // namespace wyvern::examples
