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

/** Does what flat directives say to a plant.
@param models those of the add_model, in order.
@param prefix the Parser's prefix of names, which is the scope of the outermost
  file; it need not be a model instance, as other scopes must be.
@param groups has the collision filter groups there are, and gets those added.
@param added gets the models added; welds to models it holds are noted.
@returns a remark for each pose that has no effect: its place, and what.
@throws std::runtime_error "place: what" if a directive cannot be followed; what
came before it was done. */
std::vector<std::pair<std::string, std::string>> BuildDirectives(
    const std::vector<FlatDirective>& directives,
    const std::vector<DirectiveModel>& models, const std::string& prefix,
    MultibodyPlant<double>* plant, CollisionFilterGroups* groups,
    std::vector<parsing::ModelInstanceInfo>* added);

/** Gives an empty plant the model instances, bodies, frames and joints that
another has, by name, so that what is added to it is refused as the other
would. */
void CopyOutline(const MultibodyPlant<double>& from,
                 MultibodyPlant<double>* to);

}  // namespace wyvern::multibody::internal
