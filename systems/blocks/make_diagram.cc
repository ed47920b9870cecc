#include "wyvern/systems/blocks/make_diagram.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/nested_blocks.h"
#include "wyvern/systems/framework/diagram_additions.h"
#include "wyvern/systems/framework/loop_solver.h"
#include "wyvern/systems/yaml/yaml_io.h"

/* A block or wire that was read knows its place in the file, which is put in
front of whatever goes wrong with it. Systems and, where there are many, ports
are looked up in tables, so the work is linear in the size of the data.
*/

namespace wyvern::systems {

namespace {

// Throws an error about something that was read at a place, or was not read.
[[noreturn]] void ThrowAt(const std::string& where, const std::string& what) {
  if (where.empty()) throw std::logic_error("Diagram: " + what);
  throw std::runtime_error(fmt::format("{}: {}", where, what));
}

// Calls a function whose errors are about something that was read at a place;
// `who` begins them.
template <typename Function>
auto CallAt(const std::string& where, const std::string& who,
            const Function& function) {
  try {
    return function();
  } catch (const std::exception& error) {
    ThrowAt(where, who + error.what());
  }
}

std::string ListNames(std::vector<std::string> names) {
  constexpr std::size_t kMostNames = 60;
  const std::size_t count = names.size();
  if (count == 0) return "none";
  names.resize(std::min(count, kMostNames));
  return fmt::format("{}{}", fmt::join(names, ", "),
                     count > kMostNames ? ", ..." : "");
}

// The Systems of a builder by name, and their ports.
class Ports {
 public:
  explicit Ports(DiagramBuilder<double>* builder) : builder_(*builder) {
    for (const System<double>* system : builder_.GetSystems()) {
      systems_.emplace(system->get_name(), Entry{system, {}, {}});
    }
  }

  void AddBlock(const std::string& name, const Block& block,
                const BlockSite& site) {
    const std::string who = block.where().empty() && !name.empty()
                                ? fmt::format("block '{}': ", name)
                                : "";
    CallAt(block.where(), who, [&] {
      if (name.empty()) {
        throw std::logic_error("the name is empty; give a name.");
      }
      if (systems_.contains(name)) {
        throw std::logic_error(fmt::format(
            "there is a block '{}' already; give this one another name.",
            name));
      }
      auto system = block.Make(site);
      system->set_name(name);
      systems_.emplace(name,
                       Entry{builder_.AddSystem(std::move(system)), {}, {}});
    });
  }

  const OutputPort<double>& GetOutput(const PortName& port) {
    auto& [system, inputs, outputs] = FindSystem(port);
    const int index = FindPort(
        port, "output", *system, system->num_output_ports(),
        [s = system](int i) { return s->get_output_port(i).get_name(); },
        &outputs);
    return system->get_output_port(index);
  }

  const InputPort<double>& GetInput(const PortName& port) {
    auto& [system, inputs, outputs] = FindSystem(port);
    const int index = FindPort(
        port, "input", *system, system->num_input_ports(),
        [s = system](int i) { return s->get_input_port(i).get_name(); },
        &inputs);
    return system->get_input_port(index);
  }

 private:
  using Index = std::unordered_map<std::string, int>;
  struct Entry {
    const System<double>* system{};
    // Indexes of ports; filled when one is looked for.
    Index inputs;
    Index outputs;
  };

  Entry& FindSystem(const PortName& port) {
    const std::size_t slash = port.name.rfind('/');
    if (slash == port.name.npos) {
      ThrowAt(port.where,
              fmt::format("'{}' is no port; give block/port.", port.name));
    }
    const std::string name = port.name.substr(0, slash);
    const auto found = systems_.find(name);
    if (found != systems_.end()) return found->second;
    std::vector<std::string> names;
    for (const System<double>* system : builder_.GetSystems()) {
      names.push_back(system->get_name());
    }
    const std::string nearest = yaml::internal::FindNearest(name, names);
    ThrowAt(port.where,
            nearest.empty()
                ? fmt::format("there is no block '{}'; the blocks are [{}].",
                              name, ListNames(names))
                : fmt::format("there is no block '{}'; is '{}' meant?", name,
                              nearest));
  }

  template <typename NameOf>
  static int FindPort(const PortName& port, const char* kind,
                      const System<double>& system, int count,
                      const NameOf& name_of, Index* index) {
    if (index->empty()) {
      for (int i = 0; i < count; ++i) index->emplace(name_of(i), i);
    }
    const std::string name = port.name.substr(port.name.rfind('/') + 1);
    const auto found = index->find(name);
    if (found != index->end()) return found->second;
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(name_of(i));
    const std::string nearest = yaml::internal::FindNearest(name, names);
    ThrowAt(
        port.where,
        fmt::format(
            "the block '{}' has no {} port '{}'{} Its {} ports are "
            "[{}].",
            system.get_name(), kind, name,
            nearest.empty() ? "." : fmt::format("; is '{}' meant?", nearest),
            kind, ListNames(names)));
  }

  DiagramBuilder<double>& builder_;
  std::unordered_map<std::string, Entry> systems_;
};

// Collects what is wrong, so that one error can list it all.
class Mistakes {
 public:
  template <typename Function>
  void Try(const Function& function) {
    try {
      function();
    } catch (const std::runtime_error& error) {
      Note(error.what(), std::current_exception());
    } catch (const std::logic_error& error) {
      Note(error.what(), std::current_exception());
    }
  }

  // Throws if there were any: a single one as it was.
  void ThrowIfAny() const {
    if (count_ == 0) return;
    if (count_ == 1) std::rethrow_exception(first_);
    std::vector<std::string> shown = texts_;
    if (count_ > kMostShown) shown.push_back("...");
    throw std::runtime_error(fmt::format("the diagram has {} mistakes:\n  {}",
                                         count_, fmt::join(shown, "\n  ")));
  }

 private:
  static constexpr std::size_t kMostShown = 20;

  void Note(const char* text, std::exception_ptr error) {
    if (count_++ == 0) first_ = std::move(error);
    if (count_ <= kMostShown) texts_.emplace_back(text);
  }

  std::size_t count_{0};
  std::exception_ptr first_;
  std::vector<std::string> texts_;
};

void AddAndConnect(const NamedList<Block>& blocks,
                   const std::vector<Connection>& connections,
                   const BlockSite& site, Ports* ports,
                   DiagramBuilder<double>* builder) {
  // Too many blocks are found before one is made.
  site.CountBlocks(std::ssize(blocks.items));
  Mistakes mistakes;
  for (const auto& [name, block] : blocks.items) {
    mistakes.Try([&, &name = name, &block = block] {
      ports->AddBlock(name, block, site);
    });
  }
  // Wires to blocks that could not be made say nothing new.
  mistakes.ThrowIfAny();
  for (const Connection& one : connections) {
    mistakes.Try([&] {
      const OutputPort<double>& from = ports->GetOutput(one.from);
      const InputPort<double>& to = ports->GetInput(one.to);
      CallAt(one.to.where, "", [&] {
        builder->Connect(from, to);
        if (one.solve.value_or(false)) {
          LoopSolver<double>::AddToDiagram(to, builder);
        }
      });
    });
  }
  mistakes.ThrowIfAny();
}

// Returns the name of a port, as YAML has it.
template <typename Port>
PortName NamePort(const Port& port) {
  return PortName(
      fmt::format("{}/{}", port.get_system().get_name(), port.get_name()));
}

// Returns whether `solve: true` of one wire makes this System.
bool IsWireThatSolves(const System<double>& system,
                      const Diagram<double>& diagram) {
  const auto* solver = dynamic_cast<const LoopSolver<double>*>(&system);
  if (solver == nullptr || !solver->has_default_options()) return false;
  const auto& wires = diagram.connection_map();
  if (!wires.contains({solver, InputPortIndex(0)})) return false;
  return std::ranges::count_if(wires, [solver](const auto& wire) {
           return wire.second.first == solver;
         }) == 1;
}

}  // namespace

void AddBlocks(const NamedList<Block>& blocks,
               const std::vector<Connection>& connections,
               const BlockSite& site, DiagramBuilder<double>* builder) {
  Ports ports(builder);
  const internal::ThrowsAtOnce<double> throws_at_once(builder);
  AddAndConnect(blocks, connections, site, &ports, builder);
}

std::unique_ptr<Diagram<double>> MakeDiagram(const DiagramData& data,
                                             const BlockSite& site) {
  DiagramBuilder<double> builder;
  builder.set_throws_at_once(true);
  Ports ports(&builder);
  AddAndConnect(data.blocks, data.connections, site, &ports, &builder);
  for (const auto& [name, targets] : data.inputs.items) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const InputPort<double>& input = ports.GetInput(targets[i]);
      CallAt(targets[i].where, "", [&, &name = name] {
        if (i == 0) {
          builder.ExportInput(input, name);
        } else {
          builder.ConnectInput(name, input);
        }
      });
    }
    if (targets.empty()) {
      throw std::logic_error(fmt::format(
          "Diagram: the input '{}' feeds no port; give the ports of blocks "
          "that it feeds.",
          name));
    }
  }
  for (const auto& [name, source] : data.outputs.items) {
    const OutputPort<double>& output = ports.GetOutput(source);
    CallAt(source.where, "",
           [&, &name = name] { builder.ExportOutput(output, name); });
  }
  return builder.Build();
}

std::unique_ptr<Diagram<double>> LoadDiagram(const std::string& filename) {
  const BlockSite site;
  const BlockSite inner(site, filename);
  return MakeDiagram(internal::ReadDiagramFile(filename, {}), inner);
}

DiagramData DescribeDiagram(const Diagram<double>& diagram) {
  DiagramData result;
  std::unordered_map<const System<double>*, int> order;
  for (const System<double>* system : diagram.GetSystems()) {
    order.emplace(system, static_cast<int>(order.size()));
    if (IsWireThatSolves(*system, diagram)) continue;
    result.blocks.items.emplace_back(system->get_name(),
                                     BlockRegistry::Get().Describe(*system));
  }
  // The map is in the order of addresses.
  using Wire = std::pair<std::pair<int, int>, Connection>;
  std::vector<Wire> wires;
  for (const auto& [to, from] : diagram.connection_map()) {
    if (IsWireThatSolves(*to.first, diagram)) continue;
    const bool solves = IsWireThatSolves(*from.first, diagram);
    const auto& source =
        solves ? diagram.connection_map().at({from.first, InputPortIndex(0)})
               : from;
    wires.push_back({{order.at(to.first), to.second},
                     {NamePort(source.first->get_output_port(source.second)),
                      NamePort(to.first->get_input_port(to.second)),
                      solves ? std::optional(true) : std::nullopt}});
  }
  std::ranges::sort(wires, {}, &Wire::first);
  for (Wire& wire : wires) {
    result.connections.push_back(std::move(wire.second));
  }
  for (InputPortIndex i(0); i < diagram.num_input_ports(); ++i) {
    std::vector<PortName> targets;
    for (const auto& [system, index] : diagram.GetInputPortLocators(i)) {
      targets.push_back(NamePort(system->get_input_port(index)));
    }
    result.inputs.items.emplace_back(diagram.get_input_port(i).get_name(),
                                     std::move(targets));
  }
  for (OutputPortIndex i(0); i < diagram.num_output_ports(); ++i) {
    const auto& [system, index] = diagram.get_output_port_locator(i);
    result.outputs.items.emplace_back(diagram.get_output_port(i).get_name(),
                                      NamePort(system->get_output_port(index)));
  }
  return result;
}

std::string SaveDiagram(const Diagram<double>& diagram) {
  return yaml::SaveYamlString(DescribeDiagram(diagram));
}

}  // namespace wyvern::systems
