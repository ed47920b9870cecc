#include <algorithm>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram.h"

namespace wyvern::systems {

// An opened Diagram is a cluster: a node per exported port, the subsystems, and
// an edge per connection. A port without a name for its edges carries nothing.
template <typename T>
GraphvizFragment Diagram<T>::DoGetGraphvizFragment(
    const GraphvizFragmentParams& params) const {
  if (params.max_depth <= 0) {
    return SystemBase::DoGetGraphvizFragment(params);
  }
  GraphvizFragment result;
  std::string text = fmt::format(
      "subgraph cluster_{} {{\ncolor=black\nlabeljust=l\nlabel=\"{}\"\n",
      params.node_id, internal::EscapeDotLabel(this->GetSystemName()));
  std::vector<GraphvizFragment> parts;
  for (const auto& system : blueprint_.systems) {
    parts.push_back(this->GetGraphvizFragmentOf(
        *system,
        {.max_depth = params.max_depth - 1,
         .options = params.options,
         .node_id = fmt::format("s{}", system->get_system_id().get_value()),
         .header_lines = {system->GetSystemType(),
                          "name=" + system->GetSystemName()}}));
    for (const std::string& fragment : parts.back().fragments) text += fragment;
  }
  // The node of a port of this Diagram.
  const auto draw = [&text, &params](char letter, size_t i, const char* color,
                                     const std::string& name) {
    std::string node = fmt::format("{}_{}{}", params.node_id, letter, i);
    text += fmt::format("{} [shape=ellipse, color={}, label=\"{}\"]\n", node,
                        color, internal::EscapeDotLabel(name));
    return node;
  };
  for (size_t i = 0; i < blueprint_.inputs.size(); ++i) {
    const auto& feeds = blueprint_.inputs[i].feeds;
    if (std::ranges::all_of(feeds, [&](const auto& feed) {
          return parts[index_of_.at(feed.first)]
              .input_ports[feed.second]
              .empty();
        })) {
      result.input_ports.push_back("");
      continue;
    }
    const std::string node = draw('u', i, "blue", blueprint_.inputs[i].name);
    for (const auto& [system, port] : feeds) {
      text += fmt::format("{} -> {} [color=blue]\n", node,
                          parts[index_of_.at(system)].input_ports[port]);
    }
    result.input_ports.push_back(node);
  }
  for (size_t i = 0; i < blueprint_.outputs.size(); ++i) {
    const auto& [system, port] = blueprint_.outputs[i].source;
    const std::string& source = parts[index_of_.at(system)].output_ports[port];
    if (source.empty()) {
      result.output_ports.push_back("");
      continue;
    }
    const std::string node = draw('y', i, "green", blueprint_.outputs[i].name);
    text += fmt::format("{} -> {} [color=green]\n", source, node);
    result.output_ports.push_back(node);
  }
  // Ports that a derived class declares itself.
  for (int i = static_cast<int>(blueprint_.inputs.size());
       i < this->num_input_ports(); ++i) {
    result.input_ports.push_back(
        draw('u', i, "blue", this->get_input_port(i, false).get_name()));
  }
  for (int i = static_cast<int>(blueprint_.outputs.size());
       i < this->num_output_ports(); ++i) {
    result.output_ports.push_back(
        draw('y', i, "green", this->get_output_port(i, false).get_name()));
  }
  for (int i = 0; i < num_subsystems(); ++i) {
    for (size_t p = 0; p < wiring_->inputs[i].size(); ++p) {
      const auto& from = wiring_->inputs[i][p];
      if (from.system < 0 || parts[i].input_ports[p].empty()) continue;
      text +=
          fmt::format("{} -> {}\n", parts[from.system].output_ports[from.port],
                      parts[i].input_ports[p]);
    }
  }
  result.fragments.push_back(text + "}\n");
  return result;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Diagram);
