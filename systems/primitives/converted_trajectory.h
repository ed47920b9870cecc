#pragma once

#include <memory>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::systems::internal {

/** A trajectory of another scalar type with the same values; derivatives by a
time with derivatives follow from those of the original, which must have them
then. */
std::unique_ptr<trajectories::Trajectory<AutoDiffXd>> ConvertTrajectory(
    const trajectories::Trajectory<double>& trajectory);
std::unique_ptr<trajectories::Trajectory<double>> ConvertTrajectory(
    const trajectories::Trajectory<AutoDiffXd>& trajectory);

}  // namespace wyvern::systems::internal
