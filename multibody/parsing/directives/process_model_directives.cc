#include "wyvern/multibody/parsing/directives/process_model_directives.h"

#include <stdexcept>
#include <utility>

#include "wyvern/multibody/parsing/directives/directives_reader.h"
#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody::parsing {

ModelDirectives LoadModelDirectives(const std::string& filename) {
  return internal::ReadDirectivesFile(filename).directives;
}

ModelDirectives LoadModelDirectivesFromString(
    const std::string& model_directives) {
  return internal::ReadDirectivesText(model_directives, "<string>").directives;
}

std::string ResolveModelDirectiveUri(const std::string& uri,
                                     const PackageMap& package_map) {
  return internal::MeshFiles(&package_map, {}).Resolve(uri).string();
}

void FlattenModelDirectives(const ModelDirectives& directives,
                            const PackageMap& package_map,
                            ModelDirectives* out) {
  wyvern::internal::RequireNotNull("FlattenModelDirectives", "out", out,
                                   "give a place for the result");
  for (internal::FlatDirective& flat : internal::Flatten(
           internal::PlaceDirectives(directives), package_map, "")) {
    out->directives.push_back(std::move(flat.directive));
  }
}

std::vector<ModelInstanceInfo> ProcessModelDirectives(
    const ModelDirectives& directives, Parser* parser) {
  wyvern::internal::RequireNotNull("ProcessModelDirectives", "the parser",
                                   parser, "give one, or a plant");
  std::vector<ModelInstanceInfo> added;
  ProcessModelDirectives(directives, &parser->plant(), &added, parser);
  return added;
}

void ProcessModelDirectives(const ModelDirectives& directives,
                            MultibodyPlant<double>* plant,
                            std::vector<ModelInstanceInfo>* added_models,
                            Parser* parser) {
  if (parser == nullptr) {
    Parser own(plant);
    ProcessModelDirectives(directives, plant, added_models, &own);
    return;
  }
  if (&parser->plant() != plant) {
    throw std::logic_error(
        "ProcessModelDirectives(): the parser is of another plant; give the "
        "plant that the parser was made with.");
  }
  std::vector<ModelInstanceInfo> added;
  parser->AddDirectives(internal::PlaceDirectives(directives),
                        added_models != nullptr ? added_models : &added);
}

}  // namespace wyvern::multibody::parsing
