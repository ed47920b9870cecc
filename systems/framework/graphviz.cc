// A System gives its drawing as a fragment: statements, and for each port what
// an edge is to name; a Diagram puts those of its parts together in
// diagram_graphviz.cc. Periodic events are known to the System, but those of
// each step are asked for with a Context, which is made for that alone.
// SystemBase does not know its scalar type, and so each type is tried. The
// label of a record node must escape more than another label: braces, bars,
// angle brackets and spaces have a meaning there.

#include "wyvern/systems/framework/graphviz.h"

#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/framework/system.h"

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

// "every 0.01 s from 0.005 s".
std::string DescribeTiming(const PeriodicEventData& timing) {
  return fmt::format("every {:g} s{}", timing.period_sec(),
                     timing.offset_sec() == 0
                         ? ""
                         : fmt::format(" from {:g} s", timing.offset_sec()));
}

// A line for each rate at which it updates its state, then for each at which it
// publishes. Returns whether T is the System's scalar.
template <typename T>
bool AddRates(const SystemBase& base, std::vector<std::string>* lines) {
  const auto* system = dynamic_cast<const System<T>*>(&base);
  if (system == nullptr) return false;
  std::vector<std::string> publishes;
  for (const auto& [timing, events] : system->MapPeriodicEventsByTiming()) {
    bool updates = false, publishing = false;
    for (const Event<T>* event : events) {
      const bool is_publish =
          dynamic_cast<const PublishEvent<T>*>(event) != nullptr;
      (is_publish ? publishing : updates) = true;
    }
    if (updates) lines->push_back(DescribeTiming(timing));
    if (publishing) publishes.push_back("publishes " + DescribeTiming(timing));
  }
  // Those of each step are asked for with a Context.
  const auto context = system->AllocateContext();
  const auto events = system->AllocateCompositeEventCollection();
  system->GetPerStepEvents(*context, events.get());
  if (events->HasDiscreteUpdateEvents() ||
      events->HasUnrestrictedUpdateEvents()) {
    lines->push_back("every step");
  }
  if (events->HasPublishEvents()) publishes.push_back("publishes every step");
  lines->insert(lines->end(), publishes.begin(), publishes.end());
  return true;
}

std::vector<std::string> DescribeRates(const SystemBase& system) {
  std::vector<std::string> lines;
  if (AddRates<double>(system, &lines)) return lines;
#if WYVERN_AUTODIFF
  AddRates<AutoDiffXd>(system, &lines);
#endif
  return lines;
}

// The cells of the ports, and what an edge to each names: nothing for one that
// carries nothing, which has no cell either.
template <typename Ports>
std::string DrawPorts(const Ports& ports, const std::string& node, char letter,
                      char side, std::vector<std::string>* edge_ends) {
  std::string cells;
  for (size_t i = 0; i < ports.size(); ++i) {
    const PortBase& port = *ports[i];
    if (port.get_data_type() == kVectorValued && port.size() == 0) {
      edge_ends->push_back("");
      continue;
    }
    cells += fmt::format("{}<{}{}>{}", cells.empty() ? "" : "|", letter, i,
                         EscapeDotRecord(port.get_name()));
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
  const std::string inputs = internal::DrawPorts(inputs_, params.node_id, 'u',
                                                 'w', &result.input_ports);
  const std::string outputs = internal::DrawPorts(outputs_, params.node_id, 'y',
                                                  'e', &result.output_ports);
  std::string header;
  std::vector<std::string> lines = params.header_lines;
  const std::vector<std::string> rates = internal::DescribeRates(*this);
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
