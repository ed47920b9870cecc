#include "wyvern/app/diagram_text.h"

#include <fmt/format.h>

#include "wyvern/systems/framework/block_description.h"

namespace wyvern::app {

using systems::BlockDescription;
using systems::PortDescription;

namespace {

// Returns the size and the units, as in "[3] rad/s".
std::string SizeOf(const PortDescription& port) {
  if (port.type != systems::kVectorValued) return "any";
  const std::string units = systems::internal::DescribeUnits(port.units);
  return fmt::format("[{}]{}{}", port.size, units.empty() ? "" : " ", units);
}

}  // namespace

std::string DescribeDiagram(const systems::Diagram<double>& diagram) {
  const BlockDescription block = systems::DescribeBlock(diagram, 1);
  std::string text;
  for (int i = 0; i < static_cast<int>(block.parts.size()); ++i) {
    const BlockDescription& part = block.parts[i];
    text += fmt::format("{} ({})\n", part.name, part.type);
    for (const systems::WireDescription& wire : block.wires) {
      if (wire.to.system != i || wire.from.system < 0) continue;
      const PortDescription& port = part.inputs[wire.to.port];
      const BlockDescription& source = block.parts[wire.from.system];
      text += fmt::format("  <- {} {}  from {}/{}\n", port.name, SizeOf(port),
                          source.name, source.outputs[wire.from.port].name);
    }
    for (const PortDescription& port : part.outputs) {
      text +=
          fmt::format("  -> {}/{} {}\n", part.name, port.name, SizeOf(port));
    }
  }
  return text;
}

}  // namespace wyvern::app
