#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/parsing/directives/model_directives.h"
#include "wyvern/multibody/parsing/directives/model_instance_info.h"
#include "wyvern/multibody/parsing/package_map.h"

namespace wyvern::multibody {
template <typename T>
class MultibodyPlant;
class Parser;
}  // namespace wyvern::multibody

namespace wyvern::multibody::parsing {

/** Reads a file of directives, without carrying them out.
@throws std::runtime_error naming file, line, column and key, if the file
cannot be read or is no document of valid directives. */
ModelDirectives LoadModelDirectives(const std::string& filename);
/** Loads directives from a text. */
ModelDirectives LoadModelDirectivesFromString(
    const std::string& model_directives);

/** The absolute path that the file of a directive stands for.
@throws std::runtime_error if it is no URL, or there is no such package or
file. */
std::string ResolveModelDirectiveUri(const std::string& uri,
                                     const multibody::PackageMap& package_map);

/** Appends to `out` the directives in which each add_directives is replaced by
the directives of its file, with all names as the plant will have them.
Flattened directives give the same scene, and flattening them again changes
nothing. URLs stay unchanged, so the reader of the result needs a package map
with the packages that were found beside a file.
@throws std::runtime_error as LoadModelDirectives(). */
void FlattenModelDirectives(const ModelDirectives& directives,
                            const multibody::PackageMap& package_map,
                            ModelDirectives* out);

/** Adds to the parser's plant what the directives say, as a whole or, if
something is wrong, not at all.
@returns the models added by add_model, in order.
@throws std::logic_error if the plant is finalized or the parser null;
std::runtime_error "place: what", if a directive is not valid, or refers to what
is not there, or its name is taken. */
std::vector<ModelInstanceInfo> ProcessModelDirectives(
    const ModelDirectives& directives, multibody::Parser* parser);

/** Applies the directives to a plant. @param added_models if not null, gets the
models appended; welds to models that it holds are noted there. @param parser if
null, one is made. */
void ProcessModelDirectives(
    const ModelDirectives& directives, multibody::MultibodyPlant<double>* plant,
    std::vector<ModelInstanceInfo>* added_models = nullptr,
    multibody::Parser* parser = nullptr);

}  // namespace wyvern::multibody::parsing
