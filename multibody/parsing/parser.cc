#include "wyvern/multibody/parsing/parser.h"

#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/directives/directives_builder.h"
#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/model_builder.h"
#include "wyvern/multibody/parsing/model_file.h"
#include "wyvern/multibody/parsing/package_search.h"
#include "wyvern/multibody/parsing/xml_document.h"
#include "wyvern/systems/common/check_argument.h"

/* A file to a plant in three steps, so that it is added as a whole or not at
all: it is read into a ParsedModel, where all is checked; that is added to a
plant made for this test, which finds what only a plant refuses; then to the
user's plant. Warnings come out between the second and the third. */

namespace wyvern::multibody {

namespace {

MultibodyPlant<double>& RequirePlant(MultibodyPlant<double>* plant) {
  return *wyvern::internal::RequireNotNull("Parser", "the plant", plant,
                                           "give the one to add models to");
}

}  // namespace

Parser::Parser(MultibodyPlant<double>* plant,
               std::string_view model_name_prefix)
    : plant_(RequirePlant(plant)), model_name_prefix_(model_name_prefix) {}

Parser::Parser(MultibodyPlant<double>* plant,
               geometry::SceneGraph<double>* scene_graph,
               std::string_view model_name_prefix)
    : plant_(RequirePlant(plant)),
      scene_graph_(scene_graph),
      model_name_prefix_(model_name_prefix) {
  if (scene_graph != nullptr && !plant->geometry_source_is_registered()) {
    plant->RegisterAsSourceForSceneGraph(scene_graph);
  }
}

Parser::~Parser() = default;

std::vector<ModelInstanceIndex> Parser::AddModels(
    const std::filesystem::path& given_name) {
  RequireNotFinalized("AddModels");
  FileRecord* const record = package_map_.file_record();
  const std::filesystem::path file_name =
      record == nullptr ? given_name : record->Use(given_name);
  const auto type = internal::FindTypeOfFile(file_name);
  if (!type.has_value()) {
    throw std::runtime_error(fmt::format(
        "Parser::AddModels(): '{}' is not of a type that can be read; give a "
        "file whose name ends in .urdf, .sdf, .xml or .dmd.yaml.",
        file_name.string()));
  }
  if (*type == internal::ModelFileType::kDirectives) {
    return AddScene(internal::ReadDirectivesFile(file_name));
  }
  return AddDocument(internal::XmlDocument::FromFile(file_name), *type);
}

std::vector<ModelInstanceIndex> Parser::AddModelsFromUrl(
    const std::string& url) {
  RequireNotFinalized("AddModelsFromUrl");
  if (!internal::PackageOfUrl(url).has_value()) {
    return AddModels(package_map_.ResolveUrl(url));
  }
  return AddModels(internal::MeshFiles(&package_map_, {}).Resolve(url));
}

std::vector<ModelInstanceIndex> Parser::AddModelsFromString(
    const std::string& file_contents, const std::string& file_type) {
  RequireNotFinalized("AddModelsFromString");
  const auto type = internal::FindModelFileType(file_type);
  if (!type.has_value()) {
    throw std::runtime_error(fmt::format(
        "Parser::AddModelsFromString(): files of type '{}' cannot be read; "
        "give 'urdf', 'sdf', 'xml' or 'dmd.yaml'.",
        file_type));
  }
  if (*type == internal::ModelFileType::kDirectives) {
    return AddScene(internal::ReadDirectivesText(file_contents, "<string>"));
  }
  return AddDocument(
      internal::XmlDocument::FromString(file_contents, "<string>"), *type);
}

void Parser::RequireNotFinalized(std::string_view function) const {
  if (!plant_.is_finalized()) return;
  throw std::logic_error(fmt::format(
      "Parser::{}(): a model was added after Finalize(); add all models before "
      "calling Finalize().",
      function));
}

namespace {

// Adds the model to a plant that nobody needs, so that what a plant refuses,
// such as a shape of no measurable size, is said with the file, and is not
// found half way.
void RequireAddable(
    const internal::ParsedModel& model,
    const std::function<std::string(const std::string&)>& make_name,
    bool with_shapes, const std::string& place, double time_step) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(time_step);
  if (with_shapes) plant.RegisterAsSourceForSceneGraph(&scene_graph);
  try {
    CollisionFilterGroups groups;
    ModelFacts facts;
    internal::AddToPlant(model, make_name, &plant, &groups, &facts);
  } catch (const std::logic_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", place, error.what()));
  }
}

}  // namespace

CollisionFilterGroups Parser::GetCollisionFilterGroups() const {
  std::map<std::string, std::string> new_names;
  for (ModelInstanceIndex i(0); i < static_cast<int>(instance_names_.size());
       ++i) {
    const std::string& name = plant_.GetModelInstanceName(i);
    if (name != instance_names_[i]) new_names[instance_names_[i]] = name;
  }
  if (new_names.empty()) return filter_groups_;
  const auto rename = [&new_names](const std::string& name) {
    const ScopedName scoped = ScopedName::Parse(name);
    const auto found = new_names.find(std::string(scoped.get_namespace()));
    return found == new_names.end()
               ? name
               : ScopedName::Join(found->second, scoped.get_element())
                     .to_string();
  };
  CollisionFilterGroups result;
  for (const auto& [name, members] : filter_groups_.groups()) {
    std::set<std::string> renamed;
    for (const std::string& member : members) renamed.insert(rename(member));
    result.AddGroup(rename(name), renamed);
  }
  for (const auto& pair : filter_groups_.exclusion_pairs()) {
    result.AddExclusionPair({rename(pair.first()), rename(pair.second())});
  }
  return result;
}

void Parser::RenameFilterGroups() {
  if (filter_groups_.empty()) return;
  filter_groups_ = GetCollisionFilterGroups();
  RememberInstanceNames();
}

void Parser::RememberInstanceNames() {
  if (filter_groups_.empty()) return;
  instance_names_.clear();
  for (ModelInstanceIndex i(0); i < plant_.num_model_instances(); ++i) {
    instance_names_.push_back(plant_.GetModelInstanceName(i));
  }
}

std::vector<ModelInstanceIndex> Parser::AddDocument(
    const internal::XmlDocument& document, internal::ModelFileType type) {
  RenameFilterGroups();
  const std::string place = document.root().place();
  const auto make_name = [&](const std::string& name) {
    return InstanceName(name, place);
  };
  const internal::ParsedModel model = ReadDocument(document, type, make_name);
  auto added =
      internal::AddToPlant(model, make_name, &plant_, &filter_groups_, &facts_);
  RememberInstanceNames();
  return added;
}

// All that can be wrong with a file is found before anything is added; but
// without `make_name` not what only a plant refuses.
internal::ParsedModel Parser::ReadDocument(
    const internal::XmlDocument& document, internal::ModelFileType type,
    const std::function<std::string(const std::string&)>& make_name) {
  const bool with_shapes = plant_.geometry_source_is_registered();
  log_.BeginFile();
  internal::ParsedModel model;
  try {
    model = internal::ReadModelDocument(document, type, package_map_,
                                        with_shapes, &log_);
    if (make_name) {
      if (!model.name.empty()) make_name(model.name);
      if (model.name.empty()) {
        for (const auto& top : model.nested) make_name(top.name);
      }
      RequireAddable(model, make_name, with_shapes, document.root().place(),
                     plant_.time_step());
    }
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(log_.EndRefusedFile(error.what()));
  }
  log_.EndFile();
  return model;
}

std::vector<ModelInstanceIndex> Parser::AddScene(
    const internal::PlacedDirectives& directives) {
  std::vector<parsing::ModelInstanceInfo> added;
  AddDirectives(directives, &added);
  std::vector<ModelInstanceIndex> result;
  for (const auto& info : added) result.push_back(info.model_instance);
  return result;
}

// The directives are followed on an outline of the plant first, so that they
// are added as a whole or not at all.
void Parser::AddDirectives(const internal::PlacedDirectives& directives,
                           std::vector<parsing::ModelInstanceInfo>* added) {
  RequireNotFinalized("AddModels");
  RenameFilterGroups();
  const std::vector<internal::FlatDirective> flat =
      internal::Flatten(directives, package_map_, model_name_prefix_);
  std::vector<internal::DirectiveModel> models;
  for (const internal::FlatDirective& step : flat) {
    if (!step.directive.add_model.has_value()) continue;
    models.push_back(ReadForDirective(step.model_path, step.place));
  }
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> outline(plant_.time_step());
  if (plant_.geometry_source_is_registered()) {
    outline.RegisterAsSourceForSceneGraph(&scene_graph);
  }
  internal::CopyOutline(plant_, &outline);
  CollisionFilterGroups groups = filter_groups_;
  ModelFacts facts;
  std::vector<parsing::ModelInstanceInfo> trial = *added;
  log_.BeginFile();
  for (const auto& [place, what] :
       internal::BuildDirectives(flat, models, model_name_prefix_, &outline,
                                 &groups, &facts, &trial)) {
    log_.Add(place, what);
  }
  log_.EndFile();
  internal::BuildDirectives(flat, models, model_name_prefix_, &plant_,
                            &filter_groups_, &facts_, added);
  RememberInstanceNames();
}

internal::DirectiveModel Parser::ReadForDirective(const std::string& path,
                                                  const std::string& place) {
  try {
    const auto type = internal::FindTypeOfFile(path);
    if (!type.has_value() || *type == internal::ModelFileType::kDirectives) {
      throw std::runtime_error(fmt::format(
          "'{}' is not of a type that add_model takes; give a file whose name "
          "ends in .urdf, .sdf or .xml, and a .dmd.yaml to add_directives.",
          path));
    }
    const auto document = internal::XmlDocument::FromFile(path);
    return {path, internal::TakeOneModel(ReadDocument(document, *type, {}),
                                         path, "add_model")};
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", place, error.what()));
  }
}

std::string Parser::InstanceName(const std::string& model_name,
                                 const std::string& place) const {
  const std::string name =
      ScopedName::Join(model_name_prefix_, model_name).to_string();
  if (!plant_.HasModelInstanceNamed(name)) return name;
  if (!is_auto_renaming_) {
    throw std::runtime_error(fmt::format(
        "{}: there is already a model instance named '{}'; give the parser a "
        "prefix for names, or call SetAutoRenaming(true).",
        place, name));
  }
  std::string renamed;
  for (int i = 1;
       plant_.HasModelInstanceNamed(renamed = fmt::format("{}_{}", name, i));) {
    ++i;
  }
  return renamed;
}

}  // namespace wyvern::multibody
