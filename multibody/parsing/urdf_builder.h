#pragma once

#include <string>

#include "wyvern/multibody/parsing/urdf_model.h"
#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::multibody::internal {

/** Adds a model instance called `name` with the elements of `model`, each kind
in the order of the file. Bodies that no joint ties to the world stay free. */
ModelInstanceIndex AddUrdfToPlant(const UrdfModel& model,
                                  const std::string& name,
                                  MultibodyPlant<double>* plant);

}  // namespace wyvern::multibody::internal
