// A System gives its drawing as a fragment: statements, and for each port what
// an edge is to name; a Diagram puts those of its parts together in
// diagram_graphviz.cc. What there is to draw comes from block_description.h.
// The label of a record node must escape more than another label: braces, bars,
// angle brackets and spaces have a meaning there.

#include "wyvern/systems/framework/graphviz.h"

#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/framework/block_description.h"
#include "wyvern/systems/framework/system_base.h"

// Drawings in the dot language. A leaf is a record node: its title, when it
// updates its state and when it publishes, and below that the input ports at
// the left and the output ports at the right, where the edges end and start.

namespace wyvern::systems {
namespace internal {
namespace {

std::string Escape(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// Returns the cells of the ports, and in `edge_ends` the name that an edge to
// each port uses. A port that carries nothing has no cell and an empty name.
std::string DrawPorts(const std::vector<PortDescription>& ports,
                      const std::string& node, char letter, char side,
                      std::vector<std::string>* edge_ends) {
  std::string cells;
  for (size_t i = 0; i < ports.size(); ++i) {
    const PortDescription& port = ports[i];
    if (port.type == kVectorValued && port.size == 0) {
      edge_ends->push_back("");
      continue;
    }
    const std::string units = DescribeUnits(port.units);
    const std::string label =
        units.empty() ? port.name : fmt::format("{} [{}]", port.name, units);
    cells += fmt::format("{}<{}{}>{}", cells.empty() ? "" : "|", letter, i,
                         EscapeDotRecord(label));
    edge_ends->push_back(fmt::format("{}:{}{}:{}", node, letter, i, side));
  }
  return cells;
}

}  // namespace

std::string EscapeDotLabel(std::string_view text) {
  return Escape(text, "\"\\");
}

std::string EscapeDotRecord(std::string_view text) {
  return Escape(text, "\"\\{}|<> ");
}

}  // namespace internal

std::string SystemBase::GetGraphvizString(
    std::optional<int> max_depth,
    const std::map<std::string, std::string>& options) const {
  std::string result =
      fmt::format("digraph _{} {{\nrankdir=LR\n", system_id_.get_value());
  for (const std::string& text :
       GetGraphvizFragment(max_depth, options).fragments) {
    result += text;
  }
  return result + "}\n";
}

GraphvizFragment SystemBase::GetGraphvizFragment(
    std::optional<int> max_depth,
    const std::map<std::string, std::string>& options) const {
  return DoGetGraphvizFragment(
      {.max_depth = max_depth.value_or(std::numeric_limits<int>::max()),
       .options = options,
       .node_id = fmt::format("s{}", system_id_.get_value()),
       .header_lines = {GetSystemType(), "name=" + GetSystemName()}});
}

GraphvizFragment SystemBase::DoGetGraphvizFragment(
    const GraphvizFragmentParams& params) const {
  GraphvizFragment result;
  BlockDescription block = internal::DescribeOutside(*this);
  internal::AddRates(&block);
  const std::string inputs = internal::DrawPorts(block.inputs, params.node_id,
                                                 'u', 'w', &result.input_ports);
  const std::string outputs = internal::DrawPorts(
      block.outputs, params.node_id, 'y', 'e', &result.output_ports);
  std::string header;
  std::vector<std::string> lines = params.header_lines;
  const std::vector<std::string> rates = internal::RateLines(block);
  lines.insert(lines.end(), rates.begin(), rates.end());
  for (const std::string& line : lines) {
    header += (header.empty() ? "" : "\\n") + internal::EscapeDotRecord(line);
  }
  std::string ports;
  for (const std::string& side : {inputs, outputs}) {
    if (side.empty()) continue;
    ports += fmt::format("{}{{{}}}", ports.empty() ? "" : "|", side);
  }
  if (!ports.empty()) ports = "|{" + ports + "}";
  result.fragments.push_back(fmt::format("{} [shape=record, label=\"{}{}\"]\n",
                                         params.node_id, header, ports));
  return result;
}

}  // namespace wyvern::systems
