#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/directives/model_directives.h"
#include "wyvern/multibody/parsing/package_map.h"

namespace wyvern::multibody::internal {

/** Directives and where each is: "file:line:column", or "directives[3]". */
struct PlacedDirectives {
  parsing::ModelDirectives directives;
  std::vector<std::string> places;
  /** Folder of the file, to which its paths are relative. */
  std::optional<std::filesystem::path> folder;
};

/** Reads a file of directives, with the place of each.
@throws std::runtime_error naming file, line and column, if it cannot be
read, is no document of directives, or one of them is not valid. */
PlacedDirectives ReadDirectivesFile(const std::filesystem::path& file);
PlacedDirectives ReadDirectivesText(const std::string& text,
                                    const std::string& source);
/** Places directives that were made in code.
@throws std::runtime_error if one is not valid. */
PlacedDirectives PlaceDirectives(const parsing::ModelDirectives& directives);

/** A directive that is not add_directives, with all names as the plant has
them. */
struct FlatDirective {
  parsing::ModelDirective directive;
  std::string place;
  /** A model instance that must be there before; empty: none. */
  std::string scope;
  /** The absolute path of an add_model's file. */
  std::string model_path{};
};

/** Flattens the directives and their includes, in order. Names get the prefix
`scope`; files become URLs or absolute paths.
@throws std::runtime_error with the place, if a file is not there, includes
itself, or there are more directives than anyone writes. */
std::vector<FlatDirective> Flatten(const PlacedDirectives& directives,
                                   const PackageMap& packages,
                                   const std::string& scope);

}  // namespace wyvern::multibody::internal
