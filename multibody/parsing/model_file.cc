#include "wyvern/multibody/parsing/model_file.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_reader.h"
#include "wyvern/multibody/parsing/root_element.h"
#include "wyvern/multibody/parsing/sdf_reader.h"
#include "wyvern/multibody/parsing/urdf_reader.h"

namespace wyvern::multibody::internal {

std::optional<ModelFileType> FindModelFileType(const std::string& given) {
  std::string name = "." + given;
  for (char& c : name)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name.ends_with(".urdf")) return ModelFileType::kUrdf;
  if (name.ends_with(".sdf")) return ModelFileType::kSdf;
  if (name.ends_with(".xml")) return ModelFileType::kMjcf;
  if (name.ends_with(".dmd.yaml")) return ModelFileType::kDirectives;
  return {};
}

std::optional<ModelFileType> FindTypeOfRoot(std::string_view name) {
  if (name == "robot") return ModelFileType::kUrdf;
  if (name == "sdf") return ModelFileType::kSdf;
  if (name == "mujoco") return ModelFileType::kMjcf;
  return {};
}

std::optional<ModelFileType> FindTypeOfFile(const std::filesystem::path& file) {
  const auto type = FindTypeOfRoot(FindRootElement(ReadBeginning(file)));
  return type.has_value() ? type : FindModelFileType(file.filename().string());
}

namespace {

// Rounding error of angles or lengths in a file.
constexpr double kRoundingOfStart = 1e-6;

// A joint that starts outside its limits is pushed back within one step.
void WarnOfStarts(const ParsedModel& model, WarningLog* log) {
  for (const ParsedModel& nested : model.nested) WarnOfStarts(nested, log);
  if (model.is_static) return;
  for (const ParsedJoint& joint : model.joints) {
    if (!HasOneDof(joint)) continue;
    const double start =
        joint.default_positions.has_value() ? (*joint.default_positions)[0] : 0;
    if (joint.lower - kRoundingOfStart <= start &&
        start <= joint.upper + kRoundingOfStart) {
      continue;
    }
    log->Add(joint.place,
             fmt::format("joint '{}' starts at {}, which is outside its limits "
                         "[{}, {}] and would throw it back at once; set its "
                         "position within them before a simulation.",
                         joint.name, start, joint.lower, joint.upper));
  }
}

void WarnOfNoMass(const ParsedModel& model, const std::string& place,
                  WarningLog* log) {
  const auto has_mass = [](const ParsedLink& link) {
    return link.M_BBo_B.get_mass() > 0;
  };
  const auto moves = [](const ParsedJoint& joint) {
    return joint.type != ParsedJointType::kFixed;
  };
  if (model.is_static || !model.nested.empty() ||
      std::ranges::any_of(model.links, has_mass) ||
      std::ranges::none_of(model.joints, moves)) {
    return;
  }
  log->Add(
      place,
      fmt::format("model '{}': no link has an inertial with a mass, so that "
                  "it can be posed, but not simulated; give the links that "
                  "move an inertial.",
                  model.name));
}

ParsedModel ReadOfType(const XmlDocument& document, ModelFileType type,
                       const PackageMap& packages, bool with_shapes,
                       WarningLog* log) {
  switch (type) {
    case ModelFileType::kUrdf:
      return ReadUrdf(document, with_shapes ? &packages : nullptr, log);
    case ModelFileType::kSdf:
      return ReadSdf(document, packages, with_shapes, log);
    case ModelFileType::kMjcf:
      return ReadMjcf(document, packages, with_shapes, log);
    case ModelFileType::kDirectives:
      break;
  }
  throw std::logic_error(
      "ReadModelDocument(): a scene of directives is no document; read it by "
      "ReadDirectivesFile().");
}

}  // namespace

ParsedModel ReadModelDocument(const XmlDocument& document, ModelFileType type,
                              const PackageMap& packages, bool with_shapes,
                              WarningLog* log) {
  ParsedModel model = ReadOfType(document, type, packages, with_shapes, log);
  WarnOfStarts(model, log);
  WarnOfNoMass(model, document.root().place(), log);
  return model;
}

ParsedModel TakeOneModel(ParsedModel model, const std::string& place,
                         const std::string& taker) {
  if (!model.name.empty()) return model;
  if (model.nested.size() == 1) return std::move(model.nested[0]);
  throw std::runtime_error(fmt::format(
      "{}: the file has {} models, and {} takes one; name a file of one model.",
      place, model.nested.size(), taker));
}

}  // namespace wyvern::multibody::internal
