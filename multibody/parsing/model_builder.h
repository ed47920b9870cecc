#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/collision_filter_groups.h"
#include "wyvern/multibody/parsing/joint_facts.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::multibody::internal {

/** Adds what a file says: a model instance for `model` and each nested one, and
their elements, each kind in the order of the file, those of nested models
first. Bodies that no joint ties to the world stay free.
@param make_name gives the name of a model instance that no other holds, from
that in the file; it is asked for models that are not nested.
@param groups gets the collision filter groups.
@param facts gets the facts that the plant does not hold.
@returns all model instances, outer before inner. */
std::vector<ModelInstanceIndex> AddToPlant(
    const ParsedModel& model,
    const std::function<std::string(const std::string&)>& make_name,
    MultibodyPlant<double>* plant, CollisionFilterGroups* groups,
    ModelFacts* facts);

}  // namespace wyvern::multibody::internal
