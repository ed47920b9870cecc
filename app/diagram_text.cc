#include "wyvern/app/diagram_text.h"

#include <fmt/format.h>

namespace wyvern::app {

using systems::InputPortIndex;
using systems::OutputPortIndex;

namespace {

std::string SizeOf(const systems::PortBase& port, int size) {
  return port.get_data_type() == systems::kVectorValued
             ? fmt::format("[{}]", size)
             : "any";
}

}  // namespace

std::string DescribeDiagram(const systems::Diagram<double>& diagram) {
  std::string text;
  for (const systems::System<double>* system : diagram.GetSystems()) {
    text +=
        fmt::format("{} ({})\n", system->get_name(), system->GetSystemType());
    for (InputPortIndex i(0); i < system->num_input_ports(); ++i) {
      const auto& port = system->get_input_port(i);
      const auto feed = diagram.connection_map().find({system, i});
      if (feed == diagram.connection_map().end()) continue;
      const auto& [source, index] = feed->second;
      text += fmt::format("  <- {} {}  from {}/{}\n", port.get_name(),
                          SizeOf(port, port.size()), source->get_name(),
                          source->get_output_port(index).get_name());
    }
    for (OutputPortIndex i(0); i < system->num_output_ports(); ++i) {
      const auto& port = system->get_output_port(i);
      text += fmt::format("  -> {}/{} {}\n", system->get_name(),
                          port.get_name(), SizeOf(port, port.size()));
    }
  }
  return text;
}

}  // namespace wyvern::app
