#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/blocks/block.h"
#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/yaml/yaml_schema.h"

namespace wyvern::systems {

/** Values by names, in the order in which a mapping of YAML has them. */
template <typename V>
struct NamedList {
  /** Reads a mapping.
  @throws std::runtime_error naming file, line and column if the node is no
  mapping or a value is not valid. */
  void ReadYaml(const yaml::internal::Place& place,
                const yaml::internal::Node& node) {
    yaml::internal::RequireMapping(place, node);
    items.clear();
    items.reserve(node.entries.size());
    for (const auto& [key, entry] : node.entries) {
      items.emplace_back(key, V{});
      yaml::internal::Read(yaml::internal::Place(place, key.c_str()), *entry,
                           &items.back().second);
    }
  }
  /** Returns the mapping as YAML. */
  std::shared_ptr<yaml::internal::Node> WriteYaml() const {
    auto node =
        yaml::internal::WriteEmpty(yaml::internal::Node::Kind::kMapping);
    for (const auto& [name, value] : items) {
      node->entries.emplace_back(name, yaml::internal::Write(value));
    }
    return node;
  }
  /** Returns the JSON schema of the mapping. */
  static std::string MakeSchema() {
    return fmt::format(R"({{"type": "object", "additionalProperties": {}}})",
                       yaml::SchemaOf(V{}));
  }

  /** Names and values, in order. */
  std::vector<std::pair<std::string, V>> items;
};

/** A port, as "block/port". */
struct PortName {
  PortName() = default;
  /** Takes the text "block/port". */
  explicit PortName(std::string text) : name(std::move(text)) {}

  /** Reads the text.
  @throws std::runtime_error naming file, line and column if the node is not a
  text. */
  void ReadYaml(const yaml::internal::Place& place,
                const yaml::internal::Node& node);
  /** Returns the text as YAML. */
  std::shared_ptr<yaml::internal::Node> WriteYaml() const;
  /** Returns the JSON schema of a text. */
  static std::string MakeSchema();

  /** The text "block/port". */
  std::string name;
  /** Where it was read; empty if it was not. */
  std::string where;
};

/** A wire: `{from: reference/y, to: error/u0}`. */
struct Connection {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(from, "Output port, as block/port."));
    a->Visit(WYVERN_DNVP(to, "Input port, as block/port; it takes one wire."));
    a->Visit(WYVERN_DNVP(solve,
                         "Solve the algebraic loop through this wire by "
                         "Newton's method, from a guess of zeros."));
  }
  PortName from;
  PortName to;
  std::optional<bool> solve{};
};

/** A Diagram as data. As a block of another one its tag is !Diagram. */
struct DiagramData {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(blocks, "Blocks by name."));
    a->Visit(WYVERN_DNVP(connections, "Wires between the blocks."));
    a->Visit(WYVERN_DNVP(inputs,
                         "Input ports of the diagram by name, and the "
                         "ports of blocks that each feeds."));
    a->Visit(WYVERN_DNVP(outputs,
                         "Output ports of the diagram by name, and "
                         "the port of a block that each shows."));
  }
  NamedList<Block> blocks;
  std::vector<Connection> connections;
  NamedList<std::vector<PortName>> inputs;
  NamedList<PortName> outputs;
};

}  // namespace wyvern::systems
