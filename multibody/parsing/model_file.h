#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** The formats of model files. */
enum class ModelFileType { kUrdf, kSdf, kMjcf, kDirectives };

/** By the end of a file's name, or by a file type such as "urdf"; nothing if it
is of none. */
std::optional<ModelFileType> FindModelFileType(const std::string& name);

/** By the root element of an XML document: <robot>, <sdf> or <mujoco>. */
std::optional<ModelFileType> FindTypeOfRoot(std::string_view name);

/** By the root element of an XML file; by the file's name if it is no XML, or
has another root. */
std::optional<ModelFileType> FindTypeOfFile(const std::filesystem::path& file);

/** Reads a document of one of the first three types, by ReadUrdf() and the
like. @param with_shapes whether shapes are wanted. */
ParsedModel ReadModelDocument(const XmlDocument& document, ModelFileType type,
                              const PackageMap& packages, bool with_shapes,
                              WarningLog* log);

/** The one model of what was read. @param place for errors. @param taker who
takes one model, for errors. @throws std::runtime_error if there are several. */
ParsedModel TakeOneModel(ParsedModel model, const std::string& place,
                         const std::string& taker);

}  // namespace wyvern::multibody::internal
