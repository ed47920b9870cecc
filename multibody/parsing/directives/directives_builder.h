#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/directives/directives_reader.h"
#include "wyvern/multibody/parsing/directives/model_instance_info.h"
#include "wyvern/multibody/parsing/model_builder.h"

namespace wyvern::multibody::internal {

/** A model file that an add_model named. */
struct DirectiveModel {
  std::string path;
  ParsedModel model;
};

/** Applies flat directives to a plant.
@param models the models of the add_model directives, in order.
@param prefix the Parser's prefix of names, which is the scope of the outermost
file; unlike other scopes it need not be a model instance.
@param groups has the existing collision filter groups; new groups are added.
@param facts receives the facts about joints that the plant does not hold.
@param added receives the added models; welds to models it holds are noted.
@returns a remark, with place and reason, for each pose that has no effect.
@throws std::runtime_error "place: what" if a directive cannot be followed; the
directives before it were applied. */
std::vector<std::pair<std::string, std::string>> BuildDirectives(
    const std::vector<FlatDirective>& directives,
    const std::vector<DirectiveModel>& models, const std::string& prefix,
    MultibodyPlant<double>* plant, CollisionFilterGroups* groups,
    ModelFacts* facts, std::vector<parsing::ModelInstanceInfo>* added);

/** Gives an empty plant the model instances, bodies, frames and joints that
another has, by name, so that what is added to it is refused as the other
would. */
void CopyOutline(const MultibodyPlant<double>& from,
                 MultibodyPlant<double>* to);

}  // namespace wyvern::multibody::internal
