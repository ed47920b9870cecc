#include "wyvern/multibody/parsing/model_file.h"

#include <cctype>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_reader.h"
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

ParsedModel ReadModelDocument(const XmlDocument& document, ModelFileType type,
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

ParsedModel TakeOneModel(ParsedModel model, const std::string& place,
                         const std::string& taker) {
  if (!model.name.empty()) return model;
  if (model.nested.size() == 1) return std::move(model.nested[0]);
  throw std::runtime_error(fmt::format(
      "{}: the file has {} models, and {} takes one; name a file of one model.",
      place, model.nested.size(), taker));
}

}  // namespace wyvern::multibody::internal
