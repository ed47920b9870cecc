#include "wyvern/multibody/parsing/parser.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/model_builder.h"
#include "wyvern/multibody/parsing/urdf_reader.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody {

namespace {

MultibodyPlant<double>& RequirePlant(MultibodyPlant<double>* plant) {
  if (plant == nullptr) {
    throw std::logic_error(
        "Parser(): the plant is null; give the one to add models to.");
  }
  return *plant;
}

// Whether a file name's extension, or a file type, stands for URDF.
bool IsUrdf(std::string type) {
  for (char& c : type)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return type == ".urdf" || type == "urdf";
}

}  // namespace

Parser::Parser(MultibodyPlant<double>* plant,
               std::string_view model_name_prefix)
    : plant_(RequirePlant(plant)), model_name_prefix_(model_name_prefix) {}

Parser::~Parser() = default;

std::vector<ModelInstanceIndex> Parser::AddModels(
    const std::filesystem::path& file_name) {
  RequireNotFinalized("AddModels");
  if (!IsUrdf(file_name.extension().string())) {
    throw std::runtime_error(fmt::format(
        "Parser::AddModels(): '{}' is not of a type that can be read; give a "
        "file whose name ends in .urdf.",
        file_name.string()));
  }
  return AddUrdf(internal::XmlDocument::FromFile(file_name));
}

std::vector<ModelInstanceIndex> Parser::AddModelsFromUrl(
    const std::string& url) {
  return AddModels(package_map_.ResolveUrl(url));
}

std::vector<ModelInstanceIndex> Parser::AddModelsFromString(
    const std::string& file_contents, const std::string& file_type) {
  RequireNotFinalized("AddModelsFromString");
  if (!IsUrdf(file_type)) {
    throw std::runtime_error(fmt::format(
        "Parser::AddModelsFromString(): files of type '{}' cannot be read; "
        "give 'urdf'.",
        file_type));
  }
  return AddUrdf(internal::XmlDocument::FromString(file_contents, "<string>"));
}

void Parser::RequireNotFinalized(std::string_view function) const {
  if (!plant_.is_finalized()) return;
  throw std::logic_error(fmt::format(
      "Parser::{}(): a model was added after Finalize(); add all models before "
      "calling Finalize().",
      function));
}

std::vector<ModelInstanceIndex> Parser::AddUrdf(
    const internal::XmlDocument& document) {
  log_.BeginFile();
  const internal::ParsedModel model = internal::ReadUrdf(
      document,
      plant_.geometry_source_is_registered() ? &package_map_ : nullptr, &log_);
  const std::string place = document.root().place();
  return AddParsed(model, place);
}

std::vector<ModelInstanceIndex> Parser::AddParsed(
    const internal::ParsedModel& model, const std::string& place) {
  // Before anything is added, so that nothing is if a name is taken.
  const auto& named = model.name.empty() ? model.nested : std::vector{model};
  for (const internal::ParsedModel& top : named) InstanceName(top.name, place);
  return internal::AddToPlant(
      model, [&](const std::string& name) { return InstanceName(name, place); },
      [&](const std::string& warning) { log_.Add(place, warning); }, &plant_);
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
