#pragma once

#include <string>

#include "wyvern/systems/yaml/yaml_node.h"

namespace wyvern::yaml::internal {

/** Limits of a document; files are not trusted. */
constexpr int kMaxNesting = 64;
constexpr int kMaxNodes = 4'000'000;  // With anchored values as often as used.
constexpr int kMaxBytes = 64 << 20;

/** Reads the one document in `text`. Aliases are replaced by what they stand
for, and merge keys (`<<`) by the entries that they bring.
@param source what to call the text in messages: a file's name, for one.
@throws std::runtime_error with source, line and column, if the text is no YAML,
has no document or several, a key twice, a key that is no scalar, or is larger
than the limits above. */
NodePtr ParseYaml(const std::string& text, const std::string& source);

}  // namespace wyvern::yaml::internal
