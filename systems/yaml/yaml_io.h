#pragma once

#include <optional>
#include <string>

#include "wyvern/systems/yaml/yaml_io_options.h"
#include "wyvern/systems/yaml/yaml_read_archive.h"
#include "wyvern/systems/yaml/yaml_write_archive.h"

/** @file
Structs from YAML documents, and back.

A struct lists its fields once, for reading and writing:
@code
struct Gains {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(kp));
    a->Visit(WYVERN_NVP(kd));
  }
  double kp{};
  std::optional<double> kd;
};
const auto gains = LoadYamlString<Gains>("{kp: 100.0}");
@endcode
A field is a number, bool, std::string, path, Eigen vector or matrix (row by
row), another such struct, or a std::vector, array, map by string, optional or
variant of these. A variant's alternative is chosen by a tag, `!Name` of a
struct or `!!float` and the like, and is the first one without.

Unless options say otherwise, a key that is no field is an error. So is a field
without its key, except an optional one, or when defaults are given. */

namespace wyvern::yaml {

namespace internal {
/** Returns the text of a file.
@throws std::runtime_error if the file cannot be read or is too large. */
std::string ReadFile(const std::string& filename);
void WriteFile(const std::string& filename, const std::string& text);
/** The value of this key, or the whole document. */
const Node& FindChild(const Place& place, const Node& root,
                      const std::optional<std::string>& child_name);
/** The document as a mapping with this key alone. */
std::string WriteDocument(NodePtr node, const Node* defaults,
                          const std::optional<std::string>& child_name);
NodePtr Parse(const std::string& text, const std::string& source);

template <typename Serializable>
Serializable Load(const std::string& text, const std::string& source,
                  const std::optional<std::string>& child_name,
                  const std::optional<Serializable>& defaults,
                  const std::optional<LoadYamlOptions>& options) {
  LoadYamlOptions chosen;
  chosen.allow_cpp_with_no_yaml = defaults.has_value();
  chosen.retain_map_defaults = defaults.has_value();
  if (options.has_value()) chosen = *options;
  const NodePtr root = Parse(text, source);
  const Place document(&source, &chosen);
  const Node& node = FindChild(document, *root, child_name);
  Serializable result = defaults.has_value() ? *defaults : Serializable{};
  if (child_name.has_value()) {
    Read(Place(document, child_name->c_str()), node, &result);
  } else {
    Read(document, node, &result);
  }
  return result;
}
}  // namespace internal

/** Reads `data`, or what is under the key `child_name` in it.
@param defaults what fields have that are not in the document.
@throws std::runtime_error naming line, column and place in the document. */
template <typename Serializable>
Serializable LoadYamlString(
    const std::string& data,
    const std::optional<std::string>& child_name = std::nullopt,
    const std::optional<Serializable>& defaults = std::nullopt,
    const std::optional<LoadYamlOptions>& options = std::nullopt) {
  return internal::Load(data, "<string>", child_name, defaults, options);
}

/** Overload that reads from a file, which messages name. */
template <typename Serializable>
Serializable LoadYamlFile(
    const std::string& filename,
    const std::optional<std::string>& child_name = std::nullopt,
    const std::optional<Serializable>& defaults = std::nullopt,
    const std::optional<LoadYamlOptions>& options = std::nullopt) {
  return internal::Load(internal::ReadFile(filename), filename, child_name,
                        defaults, options);
}

/** The document that LoadYamlString() reads back.
@param child_name a key to put it under.
@param defaults a value whose fields are left out where `data` has the same. */
template <typename Serializable>
std::string SaveYamlString(
    const Serializable& data,
    const std::optional<std::string>& child_name = std::nullopt,
    const std::optional<Serializable>& defaults = std::nullopt) {
  const internal::NodePtr base =
      defaults.has_value() ? internal::Write(*defaults) : nullptr;
  return internal::WriteDocument(internal::Write(data), base.get(), child_name);
}

/** Overload that writes a file. @throws std::runtime_error if that fails. */
template <typename Serializable>
void SaveYamlFile(const std::string& filename, const Serializable& data,
                  const std::optional<std::string>& child_name = std::nullopt,
                  const std::optional<Serializable>& defaults = std::nullopt) {
  internal::WriteFile(filename, SaveYamlString(data, child_name, defaults));
}

}  // namespace wyvern::yaml
