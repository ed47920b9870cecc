#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wyvern/systems/blocks/diagram_data.h"

/** @file
Diagrams as blocks of others: inline, or of a file of their own. */

namespace wyvern::systems {

namespace internal {

/** A value of YAML as it is. */
struct YamlValue {
  void ReadYaml(const yaml::internal::Place& place,
                const yaml::internal::Node& node);
  std::shared_ptr<yaml::internal::Node> WriteYaml() const;
  static std::string MakeSchema() { return "{}"; }

  yaml::internal::NodePtr value;
};

/** Reads a file of a DiagramData with parameters: its key `parameters` names
them with their defaults, and a scalar `$name` stands for the value of one.
@param given values of parameters, others than the defaults.
@throws std::runtime_error naming file, line and column, if a parameter is given
or used that the file has not, or the document cannot be read. */
DiagramData ReadDiagramFile(const std::string& filename,
                            const NamedList<YamlValue>& given);

}  // namespace internal

namespace blocks {

struct Diagram : DiagramData {
  static constexpr char kSummary[] = "Blocks within a block.";
  std::unique_ptr<System<double>> Make(const BlockSite& site) const;
  static std::optional<Diagram> From(const System<double>& system);
};

struct DiagramFile {
  static constexpr char kSummary[] =
      "The blocks of a file with the keys blocks, connections, inputs, outputs "
      "and parameters.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(file,
                         "Path from the folder of the file that names "
                         "it."));
    a->Visit(WYVERN_DNVP(parameters,
                         "Values of the file's parameters by name "
                         "(default: those in the file). $name "
                         "stands for one in the file."));
  }
  std::unique_ptr<System<double>> Make(const BlockSite& site) const;

  std::string file;
  NamedList<internal::YamlValue> parameters;
};

}  // namespace blocks

}  // namespace wyvern::systems
