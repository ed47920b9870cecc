#pragma once

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/plant/multibody_plant_config.h"

namespace wyvern::multibody {

/** AddMultibodyPlantSceneGraph() with a plant set up as `config` says. */
AddMultibodyPlantSceneGraphResult<double> AddMultibodyPlant(
    const MultibodyPlantConfig& config,
    systems::DiagramBuilder<double>* builder);
AddMultibodyPlantSceneGraphResult<double> AddMultibodyPlant(
    const MultibodyPlantConfig& plant_config,
    const geometry::SceneGraphConfig& scene_graph_config,
    systems::DiagramBuilder<double>* builder);
/** Everything but the time step, which a plant has from its beginning.
@throws std::logic_error for a name that does not exist, or if the plant is
finalized. */
void ApplyMultibodyPlantConfig(const MultibodyPlantConfig& config,
                               MultibodyPlant<double>* plant);

}  // namespace wyvern::multibody
