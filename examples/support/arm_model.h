#pragma once

#include <filesystem>
#include <memory>

#include <Eigen/Core>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::examples {

/// A plant with the robot of a URDF file, not finalized. A root link that no
/// joint holds is welded to the world.
/// @throws std::runtime_error as the parser does, or if the file has more than
/// one root or no actuator.
std::unique_ptr<multibody::MultibodyPlant<double>> LoadArm(
    const std::filesystem::path& urdf, double time_step);

/// Gives each actuator of `plant` critically damped PD gains: with m the
/// joint's inertia in `model` at the positions q, the others held, kp = ω² m
/// and kd = 2 ω m.
/// @pre model is finalized, plant is not, and both come from one file.
void AddPdControl(const multibody::MultibodyPlant<double>& model,
                  const Eigen::VectorXd& q, double bandwidth,
                  multibody::MultibodyPlant<double>* plant);

}  // namespace wyvern::examples
