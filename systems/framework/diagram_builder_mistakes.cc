#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/algebraic_loop.h"
#include "wyvern/systems/framework/diagram_builder.h"

/* Mistakes of a whole Diagram are found here, and all mistakes become one
exception. Algebraic loops are looked for between ports and not between Systems,
along connections and direct feedthroughs, so that two Systems may well feed
each other: an input leads to the outputs that it feeds through to, an output to
the inputs that it is connected to. A cycle has no state in it, and so no order
of computation. Each strongly connected part of this graph is one mistake, with
a cycle of it and the fewest connections that leave no cycle. A System that
solves a loop is not passed. */

namespace wyvern::systems {

template <typename T>
void DiagramBuilder<T>::AddMistake(const CallSite& at,
                                   const std::string& text) {
  if (throws_at_once_) throw std::logic_error(text);
  if (at.line > 0) {
    has_mistaken_calls_ = true;
    mistakes_.push_back(fmt::format("{}:{}: {}", at.file, at.line, text));
  } else {
    mistakes_.push_back(text);
  }
}

template <typename T>
std::string DiagramBuilder<T>::ListOpenInputs() const {
  constexpr int kMostShown = 20;
  int count = 0;
  std::string text;
  for (const auto& system : blueprint_.systems) {
    for (InputPortIndex i(0); i < system->num_input_ports(); ++i) {
      const InputPort<T>& port = system->get_input_port(i);
      const bool carries_nothing =
          port.get_data_type() == kVectorValued && port.size() == 0;
      if (port.is_optional() || carries_nothing || IsExplained(port) ||
          IsConnectedOrExported(port)) {
        continue;
      }
      if (++count <= kMostShown) {
        text += fmt::format("\n  {}", port.GetFullDescription());
      }
    }
  }
  if (count > kMostShown) {
    text += fmt::format("\n  and {} more", count - kMostShown);
  }
  return text;
}

template <typename T>
void DiagramBuilder<T>::ThrowMistakes() {
  if (mistakes_.empty()) return;
  constexpr int kMostShown = 100;
  const int count = num_mistakes();
  std::string text = mistakes_.front();
  if (count > 1) {
    text = fmt::format("DiagramBuilder::Build(): {} mistakes in the wiring:",
                       count);
    for (int i = 0; i < std::min(count, kMostShown); ++i) {
      text += fmt::format("\n  {}. {}", i + 1, mistakes_[i]);
    }
    if (count > kMostShown) {
      text += fmt::format("\n  and {} more", count - kMostShown);
    }
  }
  const std::string open = has_mistaken_calls_ ? ListOpenInputs() : "";
  if (!open.empty()) {
    text +=
        "\nNothing feeds these inputs; connect or export each, or fix its "
        "value in the Context:" +
        open;
  }
  mistakes_.clear();
  explained_.clear();
  missing_inputs_.clear();
  has_mistaken_calls_ = false;
  throw std::logic_error(text);
}

template <typename T>
void DiagramBuilder<T>::FindTwinNames() {
  std::set<std::string> names;
  for (const auto& system : blueprint_.systems) {
    const std::string& name = system->get_name();
    if (!name.empty() && names.insert(name).second) continue;
    AddMistake({}, fmt::format(
                       "DiagramBuilder::Build(): {} of type {}; give each "
                       "System of a Diagram a name of its own.",
                       name.empty()
                           ? std::string("the name is empty of a System")
                           : fmt::format("the name '{}' is used twice, once by "
                                         "a System",
                                         name),
                       system->GetSystemType()));
  }
}

template <typename T>
void DiagramBuilder<T>::FindAlgebraicLoops() {
  std::map<InputPortLocator, int> input_node;
  std::map<OutputPortLocator, int> output_node;
  std::vector<const PortBase*> ports;
  for (const auto& system : blueprint_.systems) {
    for (InputPortIndex i(0); i < system->num_input_ports(); ++i) {
      input_node[{system.get(), i}] = static_cast<int>(ports.size());
      ports.push_back(&system->get_input_port(i));
    }
    for (OutputPortIndex i(0); i < system->num_output_ports(); ++i) {
      output_node[{system.get(), i}] = static_cast<int>(ports.size());
      ports.push_back(&system->get_output_port(i));
    }
  }
  internal::DirectedGraph graph(ports.size());
  std::vector<bool> is_output(ports.size(), false);
  for (const auto& [input, output] : blueprint_.connections) {
    graph[output_node.at(output)].push_back(input_node.at(input));
    is_output[output_node.at(output)] = true;
  }
  for (const auto& system : blueprint_.systems) {
    if (dynamic_cast<const internal::SolvesLoop*>(system.get()) != nullptr) {
      continue;
    }
    for (const auto& [in, out] : system->GetDirectFeedthroughs()) {
      graph[input_node.at({system.get(), InputPortIndex(in)})].push_back(
          output_node.at({system.get(), OutputPortIndex(out)}));
    }
  }
  for (const internal::Loop& loop : internal::FindLoops(graph, is_output)) {
    std::string cycle, cure;
    for (const int node : loop.cycle) {
      cycle += fmt::format("  {} ->\n", ports[node]->GetFullDescription());
    }
    for (const auto& [from, to] : loop.cuts) {
      cure += fmt::format("  {} -> {}\n", ports[from]->GetFullDescription(),
                          ports[to]->GetFullDescription());
    }
    AddMistake({}, fmt::format(
                       "DiagramBuilder::Build(): an algebraic loop:\n{}  the "
                       "first again.\nThe shortest cure is at:\n{}There, put a "
                       "block with state in it (InsertBefore() with a "
                       "ZeroOrderHold delays by a period), or let "
                       "LoopSolver::AddToDiagram() solve the loop. Or list "
                       "what an output really depends on when declaring it, so "
                       "that it has no direct feedthrough.",
                       cycle, cure));
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::DiagramBuilder);
