#include "wyvern/systems/yaml/yaml_io.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/yaml/yaml_parse.h"

namespace wyvern::yaml::internal {

std::string ReadFile(const std::string& filename) {
  std::ifstream file(filename, std::ios::binary);
  // A folder can be opened, but not read.
  if (!file || (file.peek(), file.bad())) {
    throw std::runtime_error(fmt::format(
        "LoadYamlFile(): '{}' cannot be read; give a file that exists and may "
        "be read.",
        filename));
  }
  std::string text;
  std::string chunk(1 << 16, '\0');
  // ParseYaml() refuses what is longer than this.
  while (file && text.size() <= static_cast<std::size_t>(kMaxBytes)) {
    file.read(chunk.data(), chunk.size());
    text.append(chunk, 0, file.gcount());
  }
  return text;
}

void WriteFile(const std::string& filename, const std::string& text) {
  wyvern::internal::WriteWholeFile("SaveYamlFile()", filename, text);
}

NodePtr Parse(const std::string& text, const std::string& source) {
  return ParseYaml(text, source);
}

const Node& FindChild(const Place& place, const Node& root,
                      const std::optional<std::string>& child_name) {
  if (!child_name.has_value()) return root;
  RequireMapping(place, root);
  const Node* child = root.Find(*child_name);
  if (child == nullptr) {
    Fail(place, root,
         fmt::format("has no key '{}', which was asked for", *child_name));
  }
  return *child;
}

std::string WriteDocument(NodePtr node, const Node* defaults,
                          const std::optional<std::string>& child_name) {
  if (defaults != nullptr) node = WithoutEntriesOf(*defaults, *node);
  if (!child_name.has_value()) return WriteYaml(*node);
  Node root;
  root.kind = Node::Kind::kMapping;
  root.entries.emplace_back(*child_name, node);
  return WriteYaml(root);
}

}  // namespace wyvern::yaml::internal
