#include "wyvern/systems/yaml/yaml_read_archive.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/binary.h>

#include "wyvern/systems/yaml/yaml_scalars.h"

/* Reading of C++ values from YAML nodes. The archive of a struct visits its
fields by name and remembers them, so that keys of the node that no field took
are errors, with the nearest field's name. Each Read...() function checks the
kind of node, parses the whole text and throws with the place in the file and
with what was wanted. Options allow missing keys or keys without a field. */

namespace wyvern::yaml::internal {
namespace {

void RequireScalar(const Place& place, const Node& node, const char* wanted) {
  if (node.kind != Node::Kind::kScalar) FailKind(place, node, wanted);
}

std::vector<std::string> KeysOf(const Node& node) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : node.entries) keys.push_back(key);
  return keys;
}

}  // namespace

YamlReadArchive::YamlReadArchive(const Place& place, const Node& node)
    : place_(place), node_(node) {
  RequireMapping(place, node);
}

const Node* YamlReadArchive::FindEntry(const char* name, bool may_be_missing) {
  visited_.push_back(name);
  const Node* entry = node_.Find(name);
  if (entry == nullptr && !may_be_missing &&
      !place_.options->allow_cpp_with_no_yaml) {
    Fail(place_, node_,
         fmt::format("has no key '{}', only [{}]; add it, or load with "
                     "defaults",
                     name, fmt::join(KeysOf(node_), ", ")));
  }
  return entry;
}

void YamlReadArchive::RequireAllVisited() const {
  if (place_.options->allow_yaml_with_no_cpp) return;
  for (std::size_t i = 0; i < node_.entries.size(); ++i) {
    const std::string& key = node_.entries[i].first;
    if (std::find(visited_.begin(), visited_.end(), key) != visited_.end()) {
      continue;
    }
    const std::string nearest = FindNearest(key, visited_);
    Fail(place_, node_.key_spots[i],
         fmt::format("has the key '{}', which is none of [{}]; {}", key,
                     fmt::join(visited_, ", "),
                     nearest.empty() ? "remove or rename it"
                                     : "is '" + nearest + "' meant?"));
  }
}

void ReadBool(const Place& place, const Node& node, bool* value) {
  RequireScalar(place, node, "true or false");
  const auto parsed = ToBool(node.text);
  if (!parsed) FailKind(place, node, "true or false");
  *value = *parsed;
}

void ReadDouble(const Place& place, const Node& node, double* value) {
  RequireScalar(place, node, "a number");
  const auto parsed = ToDouble(node.text);
  if (!parsed) FailKind(place, node, "a number");
  *value = *parsed;
}

void ReadString(const Place& place, const Node& node, std::string* value) {
  RequireScalar(place, node, "a string");
  if (node.tag == kBinaryTag) {
    Fail(place, node, "has the tag !!binary; give a string without it");
  }
  *value = node.text;
}

void ReadBytes(const Place& place, const Node& node,
               std::vector<std::byte>* value) {
  constexpr char kWanted[] = "bytes in Base64 with the tag !!binary";
  RequireScalar(place, node, kWanted);
  if (node.tag != kBinaryTag) FailKind(place, node, kWanted);
  const std::vector<unsigned char> bytes = YAML::DecodeBase64(node.text);
  const bool has_text =
      node.text.find_first_not_of(" \t\r\n") != std::string::npos;
  if (bytes.empty() && has_text) FailKind(place, node, kWanted);
  value->resize(bytes.size());
  std::ranges::transform(bytes, value->begin(),
                         [](unsigned char x) { return std::byte{x}; });
}

std::int64_t ReadSigned(const Place& place, const Node& node,
                        std::int64_t least, std::int64_t most) {
  const auto parsed =
      node.kind == Node::Kind::kScalar ? ToSigned(node.text) : std::nullopt;
  if (!parsed || *parsed < least || *parsed > most) {
    FailKind(place, node,
             fmt::format("a whole number in [{}, {}]", least, most));
  }
  return *parsed;
}

std::uint64_t ReadUnsigned(const Place& place, const Node& node,
                           std::uint64_t most) {
  const auto parsed =
      node.kind == Node::Kind::kScalar ? ToUnsigned(node.text) : std::nullopt;
  if (!parsed || *parsed > most) {
    FailKind(place, node, fmt::format("a whole number in [0, {}]", most));
  }
  return *parsed;
}

void RequireSequence(const Place& place, const Node& node, int size) {
  const int given = static_cast<int>(node.items.size());
  if (node.kind != Node::Kind::kSequence || (size >= 0 && size != given)) {
    FailKind(place, node,
             size < 0 ? "a sequence" : fmt::format("a sequence of {}", size));
  }
}

void RequireMapping(const Place& place, const Node& node) {
  if (node.kind != Node::Kind::kMapping) FailKind(place, node, "a mapping");
}

int FindAlternative(const Place& place, const Node& node,
                    const std::vector<std::string>& tags) {
  if (node.tag.empty()) return 0;
  const auto found = std::find(tags.begin(), tags.end(), node.tag);
  if (found == tags.end()) {
    Fail(place, node,
         fmt::format("has the tag {}; give one of [{}], or none for the first",
                     node.tag, fmt::join(tags, ", ")));
  }
  return static_cast<int>(found - tags.begin());
}

int CountColumns(const Place& place, const Node& node) {
  int columns = 0;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& row = *node.items[i];
    const Place row_place(place, static_cast<int>(i));
    RequireSequence(row_place, row, i == 0 ? -1 : columns);
    columns = static_cast<int>(row.items.size());
  }
  return columns;
}

void RequireShape(const Place& place, const Node& node, const char* what,
                  Eigen::Index size, int fixed, int most) {
  if (fixed != Eigen::Dynamic && size != fixed) {
    Fail(place, node, fmt::format("has {} {}; give {}", size, what, fixed));
  }
  if (most != Eigen::Dynamic && size > most) {
    Fail(place, node,
         fmt::format("has {} {}; give at most {}", size, what, most));
  }
}

}  // namespace wyvern::yaml::internal
