#include "wyvern/systems/framework/block_description.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/diagram_output_port.h"
#include "wyvern/systems/framework/named_elements.h"

/* The one walk over a Diagram. SystemBase does not know its scalar type, and so
each type is tried. Periodic events are known to a System, but those of each
step are asked for with a Context, which is made for that alone. Both ends of a
wire carry the same vector, so names of its elements go from one end to the
other; through levels of Diagrams they go one level in each sweep. */

namespace wyvern::systems {
namespace internal {
namespace {

// Adds the periods of the events of a System of scalar T. Returns false if the
// System has another scalar.
template <typename T>
bool AddRatesOf(BlockDescription* block) {
  const auto* system = dynamic_cast<const System<T>*>(block->system);
  if (system == nullptr) return false;
  for (const auto& [timing, events] : system->MapPeriodicEventsByTiming()) {
    bool updates = false, publishes = false;
    for (const Event<T>* event : events) {
      const bool is_publish =
          dynamic_cast<const PublishEvent<T>*>(event) != nullptr;
      (is_publish ? publishes : updates) = true;
    }
    if (updates) block->updates.push_back(timing);
    if (publishes) block->publishes.push_back(timing);
  }
  const auto context = system->AllocateContext();
  const auto events = system->AllocateCompositeEventCollection();
  system->GetPerStepEvents(*context, events.get());
  block->updates_every_step = events->HasDiscreteUpdateEvents() ||
                              events->HasUnrestrictedUpdateEvents();
  block->publishes_every_step = events->HasPublishEvents();
  return true;
}

template <typename T>
bool AddInsideOf(BlockDescription* block) {
  const auto* diagram = dynamic_cast<const Diagram<T>*>(block->system);
  if (diagram == nullptr) return false;
  std::map<const System<T>*, int> place;
  for (const System<T>* part : diagram->GetSystems()) {
    place[part] = static_cast<int>(block->parts.size());
    block->parts.push_back(DescribeOutside(*part));
  }
  for (InputPortIndex i(0); i < diagram->num_input_ports(); ++i) {
    for (const auto& [part, port] : diagram->GetInputPortLocators(i)) {
      block->wires.push_back({{-1, i}, {place.at(part), port}});
    }
  }
  for (OutputPortIndex i(0); i < diagram->num_output_ports(); ++i) {
    // A port that a derived class declared itself has no wire to a subsystem.
    if (dynamic_cast<const DiagramOutputPort<T>*>(
            &diagram->get_output_port(i, false)) == nullptr) {
      continue;
    }
    const auto& [part, port] = diagram->get_output_port_locator(i);
    block->wires.push_back({{place.at(part), port}, {-1, i}});
  }
  for (const System<T>* part : diagram->GetSystems()) {
    for (InputPortIndex p(0); p < part->num_input_ports(); ++p) {
      const auto feed = diagram->connection_map().find({part, p});
      if (feed == diagram->connection_map().end()) continue;
      const auto& [source, port] = feed->second;
      block->wires.push_back({{place.at(source), port}, {place.at(part), p}});
    }
  }
  return true;
}

PortDescription DescribePort(const PortBase& port) {
  return {.name = port.get_name(),
          .type = port.get_data_type(),
          .size = port.size(),
          .units = port.units()};
}

// Returns the names that the vector type of an output port has, or no names.
template <typename T>
std::vector<std::string> NamesOfType(const PortBase& port) {
  const auto* output = dynamic_cast<const OutputPort<T>*>(&port);
  if (output == nullptr) return {};
  const auto value = output->Allocate();
  const auto* vector = value->template maybe_get_value<BasicVector<T>>();
  const auto* named = dynamic_cast<const NamedElements*>(vector);
  return named == nullptr ? std::vector<std::string>()
                          : named->GetElementNames();
}

std::vector<std::string> FindNames(const PortBase& port,
                                   const ElementNames& element_names) {
  std::vector<std::string> names;
  if (element_names != nullptr) names = element_names(port);
  if (names.empty()) names = NamesOfType<double>(port);
#if WYVERN_AUTODIFF
  if (names.empty()) names = NamesOfType<AutoDiffXd>(port);
#endif
  return names;
}

void NamePort(const PortBase& port, const ElementNames& element_names,
              PortDescription* described) {
  if (described->type != kVectorValued) return;
  described->element_names = FindNames(port, element_names);
  const int count = static_cast<int>(described->element_names.size());
  if (count == 0 || count == described->size) return;
  throw std::logic_error(
      fmt::format("DescribeBlock(): {} has {} elements and was given {} names; "
                  "give one for "
                  "each element, or none.",
                  port.GetFullDescription(), described->size, count));
}

void NamePorts(const ElementNames& element_names, BlockDescription* block) {
  for (InputPortIndex i(0); i < block->system->num_input_ports(); ++i) {
    NamePort(block->system->get_input_port_base(i), element_names,
             &block->inputs[i]);
  }
  for (OutputPortIndex i(0); i < block->system->num_output_ports(); ++i) {
    NamePort(block->system->get_output_port_base(i), element_names,
             &block->outputs[i]);
  }
  for (BlockDescription& part : block->parts) NamePorts(element_names, &part);
}

// Returns whether a port got names from the other end of a wire of this block.
bool SpreadAlongWires(BlockDescription* block) {
  bool has_spread = false;
  for (const WireDescription& wire : block->wires) {
    const auto& [from, to] = wire;
    PortDescription& start = from.system < 0
                                 ? block->inputs[from.port]
                                 : block->parts[from.system].outputs[from.port];
    PortDescription& end = to.system < 0
                               ? block->outputs[to.port]
                               : block->parts[to.system].inputs[to.port];
    if (start.size != end.size ||
        start.element_names.empty() == end.element_names.empty()) {
      continue;
    }
    (start.element_names.empty() ? start : end).element_names =
        start.element_names.empty() ? end.element_names : start.element_names;
    has_spread = true;
  }
  return has_spread;
}

// Wires that carry one vector go up to some block and down from it, at most, so
// these two reach all of them, at any depth of nesting.
void SpreadUp(BlockDescription* block) {
  for (BlockDescription& part : block->parts) SpreadUp(&part);
  while (SpreadAlongWires(block)) {
  }
}
void SpreadDown(BlockDescription* block) {
  while (SpreadAlongWires(block)) {
  }
  for (BlockDescription& part : block->parts) SpreadDown(&part);
}

BlockDescription Describe(const SystemBase& system, int max_depth) {
  BlockDescription block = DescribeOutside(system);
  if (max_depth <= 0 || !AddInside(&block)) {
    AddRates(&block);
    return block;
  }
  for (BlockDescription& part : block.parts) {
    part = Describe(*part.system, max_depth - 1);
  }
  return block;
}

}  // namespace

BlockDescription DescribeOutside(const SystemBase& system) {
  BlockDescription block;
  block.system = &system;
  block.name = system.GetSystemName();
  block.type = system.GetSystemType();
  for (InputPortIndex i(0); i < system.num_input_ports(); ++i) {
    block.inputs.push_back(DescribePort(system.get_input_port_base(i)));
  }
  for (OutputPortIndex i(0); i < system.num_output_ports(); ++i) {
    block.outputs.push_back(DescribePort(system.get_output_port_base(i)));
  }
  return block;
}

void AddRates(BlockDescription* block) {
  if (AddRatesOf<double>(block)) return;
#if WYVERN_AUTODIFF
  AddRatesOf<AutoDiffXd>(block);
#endif
}

bool AddInside(BlockDescription* block) {
  if (AddInsideOf<double>(block)) return true;
#if WYVERN_AUTODIFF
  return AddInsideOf<AutoDiffXd>(block);
#else
  return false;
#endif
}

std::string DescribeUnits(const std::vector<std::string>& units) {
  if (std::ranges::all_of(units, &std::string::empty)) return "";
  if (std::ranges::count(units, units.front()) ==
      static_cast<std::ptrdiff_t>(units.size())) {
    return units.front();
  }
  std::string result;
  for (const std::string& unit : units) {
    result += (result.empty() ? "" : ", ") + (unit.empty() ? "-" : unit);
  }
  return result;
}

std::string DescribeTiming(const PeriodicEventData& timing) {
  return fmt::format("every {:g} s{}", timing.period_sec(),
                     timing.offset_sec() == 0
                         ? ""
                         : fmt::format(" from {:g} s", timing.offset_sec()));
}

std::vector<std::string> RateLines(const BlockDescription& block) {
  std::vector<std::string> lines;
  for (const PeriodicEventData& timing : block.updates) {
    lines.push_back(DescribeTiming(timing));
  }
  if (block.updates_every_step) lines.push_back("every step");
  for (const PeriodicEventData& timing : block.publishes) {
    lines.push_back("publishes " + DescribeTiming(timing));
  }
  if (block.publishes_every_step) lines.push_back("publishes every step");
  return lines;
}

}  // namespace internal

BlockDescription DescribeBlock(const SystemBase& system, int max_depth,
                               const ElementNames& element_names) {
  BlockDescription block = internal::Describe(system, max_depth);
  internal::NamePorts(element_names, &block);
  // Names from outside come before names from inside.
  internal::SpreadDown(&block);
  internal::SpreadUp(&block);
  internal::SpreadDown(&block);
  return block;
}

}  // namespace wyvern::systems
