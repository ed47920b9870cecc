#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/block_description.h"
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
  BlockDescription block = internal::DescribeOutside(*this);
  internal::AddInside(&block);
  std::vector<GraphvizFragment> parts;
  for (const BlockDescription& part : block.parts) {
    parts.push_back(this->GetGraphvizFragmentOf(
        *part.system, {.max_depth = params.max_depth - 1,
                       .options = params.options,
                       .node_id = fmt::format(
                           "s{}", part.system->get_system_id().get_value()),
                       .header_lines = {part.type, "name=" + part.name}}));
    for (const std::string& fragment : parts.back().fragments) text += fragment;
  }
  // Returns the node that an edge at a port of a part names.
  const auto end = [&parts](const WireDescription::End& at, bool is_source) {
    const GraphvizFragment& part = parts[at.system];
    return (is_source ? part.output_ports : part.input_ports)[at.port];
  };
  // The nodes of this Diagram's own ports. Those that a derived class declares
  // itself have no wires; of the rest, those without a wire that is drawn have
  // no node.
  const auto draw = [&](bool is_input,
                        const std::vector<PortDescription>& ports) {
    const char* const color = is_input ? "blue" : "green";
    std::vector<std::string> nodes;
    for (int i = 0; i < static_cast<int>(ports.size()); ++i) {
      std::vector<std::string> inner;
      bool is_exported = false;
      for (const WireDescription& wire : block.wires) {
        if ((is_input ? wire.from : wire.to) != WireDescription::End{-1, i}) {
          continue;
        }
        is_exported = true;
        std::string name = end(is_input ? wire.to : wire.from, !is_input);
        if (!name.empty()) inner.push_back(std::move(name));
      }
      if (is_exported && inner.empty()) {
        nodes.emplace_back();
        continue;
      }
      const std::string node =
          fmt::format("{}_{}{}", params.node_id, is_input ? 'u' : 'y', i);
      text += fmt::format("{} [shape=ellipse, color={}, label=\"{}\"]\n", node,
                          color, internal::EscapeDotLabel(ports[i].name));
      for (const std::string& name : inner) {
        text += fmt::format("{} -> {} [color={}]\n", is_input ? node : name,
                            is_input ? name : node, color);
      }
      nodes.push_back(node);
    }
    return nodes;
  };
  result.input_ports = draw(true, block.inputs);
  result.output_ports = draw(false, block.outputs);
  for (const WireDescription& wire : block.wires) {
    if (wire.from.system < 0 || wire.to.system < 0) continue;
    const std::string to = end(wire.to, false);
    if (to.empty()) continue;
    text += fmt::format("{} -> {}\n", end(wire.from, true), to);
  }
  result.fragments.push_back(text + "}\n");
  return result;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Diagram);
