#include "wyvern/systems/framework/graphviz.h"

#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "wyvern/systems/framework/system_base.h"

// Drawings in the dot language. A leaf is a record node: its title, and below
// it the input ports at the left and the output ports at the right.

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
  std::string inputs;
  for (int i = 0; i < num_input_ports(); ++i) {
    inputs += fmt::format("{}<u{}>{}", i == 0 ? "" : "|", i,
                          internal::EscapeDotRecord(inputs_[i]->get_name()));
    result.input_ports.push_back(fmt::format("{}:u{}", params.node_id, i));
  }
  std::string outputs;
  for (int i = 0; i < num_output_ports(); ++i) {
    outputs += fmt::format("{}<y{}>{}", i == 0 ? "" : "|", i,
                           internal::EscapeDotRecord(outputs_[i]->get_name()));
    result.output_ports.push_back(fmt::format("{}:y{}", params.node_id, i));
  }
  std::string header;
  for (const std::string& line : params.header_lines) {
    header += (header.empty() ? "" : "\\n") + internal::EscapeDotRecord(line);
  }
  result.fragments.push_back(
      fmt::format("{} [shape=record, label=\"{}|{{{{{}}}|{{{}}}}}\"]\n",
                  params.node_id, header, inputs, outputs));
  return result;
}

}  // namespace wyvern::systems
