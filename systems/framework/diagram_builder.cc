#include "wyvern/systems/framework/diagram_builder.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* The builder edits a blueprint of Systems, connections and exported ports, and
checks each call before it writes. Connections are kept by input port, since
an input has one source and an output any number of readers. An exported input
port can feed several ports and has the type and size of the first. What
concerns the whole is checked when it is built, in diagram_builder_mistakes.cc;
there the mistakes of calls and of the whole become one exception. */

namespace wyvern::systems {

template <typename T>
DiagramBuilder<T>::DiagramBuilder() = default;

template <typename T>
DiagramBuilder<T>::~DiagramBuilder() {
  ForgetNames();
}

// Checks.

template <typename T>
void DiagramBuilder<T>::RequireNotYetBuilt(const char* function) const {
  if (already_built_) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::{}(): the Diagram has been built already; use a new "
        "builder for another.",
        function));
  }
}

template <typename T>
void DiagramBuilder<T>::RequireAdded(const char* function,
                                     const System<T>& system) const {
  if (members_.contains(&system)) return;
  throw std::logic_error(fmt::format(
      "DiagramBuilder::{}(): System {} ({}) has not been added to this "
      "builder; call AddSystem() first.",
      function, system.GetSystemPathname(), system.GetSystemType()));
}

template <typename T>
void DiagramBuilder<T>::RequireNotFed(const char* function,
                                      const InputPort<T>& input) const {
  if (IsConnectedOrExported(input)) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::{}(): {} is connected or exported already; an input "
        "port takes one source. Use an Adder or Multiplexer to combine "
        "several.",
        function, input.GetFullDescription()));
  }
}

namespace {
std::string Describe(const PortBase& port) {
  return port.get_data_type() == kVectorValued
             ? fmt::format("a vector of {} elements", port.size())
             : std::string("an abstract value");
}

// Elements without a tag have any unit.
void RequireSameUnits(const char* function, const PortBase& one,
                      const PortBase& other) {
  const std::vector<std::string>& given = one.units();
  const std::vector<std::string>& wanted = other.units();
  if (given.empty() || wanted.empty()) return;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == wanted[i] || given[i].empty() || wanted[i].empty()) {
      continue;
    }
    throw std::logic_error(fmt::format(
        "DiagramBuilder::{}(): element {} of {} is in {}, but of {} in {}; "
        "convert it, for example with a Gain, or correct the unit of one end.",
        function, i, one.GetFullDescription(), given[i],
        other.GetFullDescription(), wanted[i]));
  }
}
}  // namespace

template <typename T>
template <typename Source>
void DiagramBuilder<T>::RequireSameValues(const char* function,
                                          const Source& one,
                                          const InputPort<T>& other) const {
  if (one.get_data_type() != other.get_data_type() ||
      one.size() != other.size()) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::{}(): {} carries {}, but {} carries {}; both ends "
        "must be the same.",
        function, one.GetFullDescription(), Describe(one),
        other.GetFullDescription(), Describe(other)));
  }
  if (one.get_data_type() == kVectorValued) {
    RequireSameUnits(function, one, other);
    return;
  }
  const auto given = one.Allocate();
  const auto wanted = other.Allocate();
  if (given->static_type_info() != wanted->static_type_info()) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::{}(): {} carries a {}, but {} takes a {}; both ends "
        "must be the same.",
        function, one.GetFullDescription(), given->GetNiceTypeName(),
        other.GetFullDescription(), wanted->GetNiceTypeName()));
  }
}

template <typename T>
void DiagramBuilder<T>::ThrowWrongType(const System<T>& system,
                                       const std::string& wanted) const {
  throw std::logic_error(fmt::format(
      "DiagramBuilder::GetDowncastSubsystemByName(): System '{}' is a {}, not "
      "a {}; name its own type.",
      system.get_name(), NiceTypeName::Get(system), wanted));
}

// Systems.

template <typename T>
void DiagramBuilder<T>::Add(std::shared_ptr<System<T>> system) {
  RequireNotYetBuilt("AddSystem");
  wyvern::internal::RequireNotNull("DiagramBuilder::AddSystem", "a pointer",
                                   system.get());
  if (members_.contains(system.get())) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::AddSystem(): System '{}' has been added already.",
        system->get_name()));
  }
  if (system->get_name().empty()) {
    std::string type = system->GetSystemType();
    type.resize(std::min(type.size(), type.find('<')));
    // The first number that nobody has.
    std::size_t number = blueprint_.systems.size();
    while (IsNameTaken(fmt::format("{}_{}", type, number))) ++number;
    system->set_name(fmt::format("{}_{}", type, number));
  }
  if (system->name_index_ == nullptr) {
    system->name_index_ = &names_;
    names_.Add(system->get_name());
  } else {
    knows_all_names_ = false;
  }
  members_.insert(system.get());
  blueprint_.systems.push_back(std::move(system));
}

template <typename T>
bool DiagramBuilder<T>::IsNameTaken(const std::string& name) const {
  if (knows_all_names_) return names_.Has(name);
  return std::ranges::any_of(blueprint_.systems, [&](const auto& other) {
    return other->get_name() == name;
  });
}

template <typename T>
void DiagramBuilder<T>::ForgetNames() {
  for (const auto& system : blueprint_.systems) {
    if (system->name_index_ == &names_) system->name_index_ = nullptr;
  }
}

template <typename T>
void DiagramBuilder<T>::IndexExports() {
  exported_.clear();
  input_names_.clear();
  output_names_.clear();
  for (int i = 0; i < num_input_ports(); ++i) {
    for (const auto& feed : blueprint_.inputs[i].feeds) exported_[feed] = i;
    input_names_.insert(blueprint_.inputs[i].name);
  }
  for (const auto& output : blueprint_.outputs) {
    output_names_.insert(output.name);
  }
}

template <typename T>
void DiagramBuilder<T>::RemoveSystem(const System<T>& system) {
  RequireNotYetBuilt("RemoveSystem");
  RequireAdded("RemoveSystem", system);
  std::erase_if(blueprint_.connections, [&](const auto& c) {
    return c.first.first == &system || c.second.first == &system;
  });
  for (auto& input : blueprint_.inputs) {
    std::erase_if(input.feeds,
                  [&](const auto& feed) { return feed.first == &system; });
  }
  std::erase_if(blueprint_.inputs,
                [](const auto& input) { return input.feeds.empty(); });
  std::erase_if(blueprint_.outputs, [&](const auto& output) {
    return output.source.first == &system;
  });
  IndexExports();
  std::erase_if(explained_, [&](const InputPortLocator& port) {
    return port.first == &system;
  });
  members_.erase(&system);
  std::erase_if(blueprint_.systems, [&](const auto& s) {
    if (s.get() != &system) return false;
    if (s->name_index_ == &names_) {
      names_.Remove(s->get_name());
      s->name_index_ = nullptr;
    }
    return true;
  });
}

template <typename T>
std::vector<const System<T>*> DiagramBuilder<T>::GetSystems() const {
  RequireNotYetBuilt("GetSystems");
  std::vector<const System<T>*> result;
  for (const auto& s : blueprint_.systems) result.push_back(s.get());
  return result;
}

template <typename T>
std::vector<System<T>*> DiagramBuilder<T>::GetMutableSystems() {
  RequireNotYetBuilt("GetMutableSystems");
  std::vector<System<T>*> result;
  for (const auto& s : blueprint_.systems) result.push_back(s.get());
  return result;
}

template <typename T>
bool DiagramBuilder<T>::HasSubsystemNamed(std::string_view name) const {
  RequireNotYetBuilt("HasSubsystemNamed");
  return IsNameTaken(std::string(name));
}

template <typename T>
const System<T>& DiagramBuilder<T>::GetSubsystemByName(
    std::string_view name) const {
  RequireNotYetBuilt("GetSubsystemByName");
  const System<T>* result = nullptr;
  int count = 0;
  for (const auto& s : blueprint_.systems) {
    if (s->get_name() == name) {
      result = s.get();
      ++count;
    }
  }
  if (count != 1) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::GetSubsystemByName(): {} Systems are named '{}'; "
        "exactly one must be.",
        count, name));
  }
  return *result;
}

template <typename T>
System<T>& DiagramBuilder<T>::GetMutableSubsystemByName(std::string_view name) {
  return const_cast<System<T>&>(GetSubsystemByName(name));
}

// Connections.

template <typename T>
void DiagramBuilder<T>::Connect(const OutputPort<T>& src,
                                const InputPort<T>& dest, const CallSite& at) {
  RequireNotYetBuilt("Connect");
  Attempt(at, &dest, [&] {
    RequireAdded("Connect", src.get_system());
    RequireAdded("Connect", dest.get_system());
    RequireNotFed("Connect", dest);
    RequireSameValues("Connect", src, dest);
    blueprint_.connections[{&dest.get_system(), dest.get_index()}] = {
        &src.get_system(), src.get_index()};
  });
}

template <typename T>
void DiagramBuilder<T>::Connect(const System<T>& src, const System<T>& dest,
                                const CallSite& at) {
  RequireNotYetBuilt("Connect");
  const OutputPort<T>* output{};
  const InputPort<T>* input{};
  // There may be no only port.
  const bool have_both = Attempt(at, nullptr, [&] {
    output = &src.get_output_port();
    input = &dest.get_input_port();
  });
  if (have_both) Connect(*output, *input, at);
}

template <typename T>
void DiagramBuilder<T>::Cascade(const System<T>& src, const System<T>& dest,
                                const CallSite& at) {
  Connect(src, dest, at);
}

template <typename T>
void DiagramBuilder<T>::Disconnect(const OutputPort<T>& src,
                                   const InputPort<T>& dest,
                                   const CallSite& at) {
  RequireNotYetBuilt("Disconnect");
  const auto found =
      blueprint_.connections.find({&dest.get_system(), dest.get_index()});
  if (found == blueprint_.connections.end() ||
      found->second != OutputPortLocator{&src.get_system(), src.get_index()}) {
    AddMistake(
        at, fmt::format("DiagramBuilder::Disconnect(): {} and {} are "
                        "not connected.",
                        src.GetFullDescription(), dest.GetFullDescription()));
    return;
  }
  blueprint_.connections.erase(found);
}

template <typename T>
void DiagramBuilder<T>::Disconnect(const System<T>& src, const System<T>& dest,
                                   const CallSite& at) {
  RequireNotYetBuilt("Disconnect");
  Attempt(at, nullptr, [&] {
    Disconnect(src.get_output_port(), dest.get_input_port(), at);
  });
}

template <typename T>
void DiagramBuilder<T>::PutBefore(const InputPort<T>& input,
                                  const System<T>& added, const CallSite& at) {
  const char* const function = "InsertBefore";
  const auto put = [&] {
    RequireAdded(function, input.get_system());
    const auto found =
        blueprint_.connections.find({&input.get_system(), input.get_index()});
    if (found == blueprint_.connections.end()) {
      throw std::logic_error(fmt::format(
          "DiagramBuilder::{}(): {} is not connected to an output port; call "
          "Connect() first.",
          function, input.GetFullDescription()));
    }
    const auto [source, index] = found->second;
    const InputPort<T>& first = added.get_input_port(0);
    RequireSameValues(function, source->get_output_port(index), first);
    RequireSameValues(function, added.get_output_port(0), input);
    found->second = {&added, OutputPortIndex(0)};
    blueprint_.connections[{&added, InputPortIndex(0)}] = {source, index};
  };
  try {
    if (!Attempt(at, nullptr, put) && added.num_input_ports() > 0) {
      Explain(added.get_input_port(0));
    }
  } catch (...) {
    RemoveSystem(added);
    throw;
  }
}

template <typename T>
auto DiagramBuilder<T>::FindInput(const InputPort<T>& port) ->
    typename internal::DiagramBlueprint<T>::Input* {
  const auto found = exported_.find({&port.get_system(), port.get_index()});
  return found == exported_.end() ? nullptr : &blueprint_.inputs[found->second];
}

template <typename T>
bool DiagramBuilder<T>::IsConnectedOrExported(const InputPort<T>& port) const {
  RequireNotYetBuilt("IsConnectedOrExported");
  return blueprint_.connections.contains(
             {&port.get_system(), port.get_index()}) ||
         const_cast<DiagramBuilder*>(this)->FindInput(port) != nullptr;
}

template <typename T>
bool DiagramBuilder<T>::ConnectToSame(const InputPort<T>& exemplar,
                                      const InputPort<T>& dest,
                                      const CallSite& at) {
  RequireNotYetBuilt("ConnectToSame");
  bool is_fed = true;
  Attempt(at, &dest, [&] {
    RequireAdded("ConnectToSame", exemplar.get_system());
    RequireAdded("ConnectToSame", dest.get_system());
    RequireNotFed("ConnectToSame", dest);
    const auto found = blueprint_.connections.find(
        {&exemplar.get_system(), exemplar.get_index()});
    if (found != blueprint_.connections.end()) {
      const auto [system, index] = found->second;
      Connect(system->get_output_port(index), dest, at);
    } else if (auto* input = FindInput(exemplar)) {
      RequireSameValues("ConnectToSame", exemplar, dest);
      input->feeds.emplace_back(&dest.get_system(), dest.get_index());
      exported_[input->feeds.back()] =
          static_cast<int>(input - blueprint_.inputs.data());
    } else if (IsExplained(exemplar)) {
      Explain(dest);
    } else {
      is_fed = false;
    }
  });
  return is_fed;
}

// Ports of the Diagram.

namespace {
std::string PortName(const std::variant<std::string, UseDefaultName>& given,
                     const std::string& system, const PortBase& port) {
  return std::holds_alternative<std::string>(given)
             ? std::get<std::string>(given)
             : fmt::format("{}_{}", system, port.get_name());
}

// Throws if the name is empty or in use; otherwise adds it to `names`.
void RequirePortName(const char* function, const std::string& name,
                     std::unordered_set<std::string>* names) {
  const bool exists = !name.empty() && !names->insert(name).second;
  if (name.empty() || exists) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::{}(): the name '{}' is {}; give the port a name of "
        "its own.",
        function, name, exists ? "in use already" : "empty"));
  }
}
}  // namespace

template <typename T>
InputPortIndex DiagramBuilder<T>::ExportInput(
    const InputPort<T>& input, std::variant<std::string, UseDefaultName> name,
    const CallSite& at) {
  RequireNotYetBuilt("ExportInput");
  std::string port_name = PortName(name, input.get_system().get_name(), input);
  const bool is_exported = Attempt(at, &input, [&] {
    RequireAdded("ExportInput", input.get_system());
    RequireNotFed("ExportInput", input);
    RequirePortName("ExportInput", port_name, &input_names_);
    blueprint_.inputs.push_back(
        {port_name, {{&input.get_system(), input.get_index()}}});
    exported_[blueprint_.inputs.back().feeds[0]] = num_input_ports() - 1;
  });
  if (is_exported) return InputPortIndex(num_input_ports() - 1);
  missing_inputs_.insert(std::move(port_name));
  return {};
}

template <typename T>
void DiagramBuilder<T>::ConnectInput(std::string_view diagram_port_name,
                                     const InputPort<T>& input,
                                     const CallSite& at) {
  for (int i = 0; i < num_input_ports(); ++i) {
    if (blueprint_.inputs[i].name == diagram_port_name) {
      return ConnectInput(InputPortIndex(i), input, at);
    }
  }
  RequireNotYetBuilt("ConnectInput");
  Explain(input);
  if (missing_inputs_.contains(std::string(diagram_port_name))) return;
  AddMistake(at, fmt::format("DiagramBuilder::ConnectInput(): the Diagram has "
                             "no input port named '{}' that could feed {}; "
                             "call ExportInput() first.",
                             diagram_port_name, input.GetFullDescription()));
}

template <typename T>
void DiagramBuilder<T>::ConnectInput(InputPortIndex diagram_port_index,
                                     const InputPort<T>& input,
                                     const CallSite& at) {
  RequireNotYetBuilt("ConnectInput");
  if (!diagram_port_index.is_valid() && !missing_inputs_.empty()) {
    return Explain(input);
  }
  Attempt(at, &input, [&] {
    RequireAdded("ConnectInput", input.get_system());
    RequireNotFed("ConnectInput", input);
    if (diagram_port_index < 0 || diagram_port_index >= num_input_ports()) {
      throw std::logic_error(fmt::format(
          "DiagramBuilder::ConnectInput(): the Diagram has no input port {}; "
          "it has {}.",
          static_cast<int>(diagram_port_index), num_input_ports()));
    }
    auto& feeds = blueprint_.inputs[diagram_port_index].feeds;
    // The first has the size and type; any can be the one that has units.
    for (const auto& [system, index] : feeds) {
      const InputPort<T>& fed = system->get_input_port(index);
      RequireSameValues("ConnectInput", fed, input);
      if (!fed.units().empty()) break;
    }
    feeds.emplace_back(&input.get_system(), input.get_index());
    exported_[feeds.back()] = diagram_port_index;
  });
}

template <typename T>
OutputPortIndex DiagramBuilder<T>::ExportOutput(
    const OutputPort<T>& output, std::variant<std::string, UseDefaultName> name,
    const CallSite& at) {
  RequireNotYetBuilt("ExportOutput");
  const bool is_exported = Attempt(at, nullptr, [&] {
    RequireAdded("ExportOutput", output.get_system());
    std::string port_name =
        PortName(name, output.get_system().get_name(), output);
    RequirePortName("ExportOutput", port_name, &output_names_);
    blueprint_.outputs.push_back(
        {std::move(port_name), {&output.get_system(), output.get_index()}});
  });
  if (!is_exported) return {};
  return OutputPortIndex(num_output_ports() - 1);
}

// Building.

namespace {

// Diagrams are walked by recursion, for which a thread may have a small stack.
constexpr int kMaxDepth = 256;

template <typename T>
int CountLevels(const System<T>& system) {
  const auto* diagram = dynamic_cast<const Diagram<T>*>(&system);
  if (diagram == nullptr) return 0;
  int levels = 0;
  for (const System<T>* inner : diagram->GetSystems()) {
    levels = std::max(levels, CountLevels(*inner));
  }
  return levels + 1;
}

template <typename T>
void RequirePossibleDepth(const System<T>& system) {
  const int levels = CountLevels(system) + 1;
  if (levels <= kMaxDepth) return;
  throw std::logic_error(fmt::format(
      "DiagramBuilder::Build(): with '{}' in it, the Diagram would have {} "
      "levels of Diagrams within Diagrams, and {} are possible; put more "
      "Systems into fewer Diagrams.",
      system.get_name(), levels, kMaxDepth));
}

}  // namespace

template <typename T>
internal::DiagramBlueprint<T> DiagramBuilder<T>::Compile(
    const Diagram<T>& target) {
  const CallSite nowhere;
  if (blueprint_.systems.empty()) {
    AddMistake(nowhere,
               "DiagramBuilder::Build(): there is no System; add at "
               "least one.");
  }
  Attempt(nowhere, nullptr, [&] { target.RequireInitializable(blueprint_); });
  for (const auto& system : blueprint_.systems) {
    Attempt(nowhere, nullptr, [&] { RequirePossibleDepth(*system); });
  }
  FindTwinNames();
  FindAlgebraicLoops();
  ThrowMistakes();
  already_built_ = true;
  ForgetNames();
  return std::move(blueprint_);
}

template <typename T>
std::unique_ptr<Diagram<T>> DiagramBuilder<T>::Build() {
  RequireNotYetBuilt("Build");
  std::unique_ptr<Diagram<T>> diagram(new Diagram<T>());
  diagram->Initialize(Compile(*diagram));
  return diagram;
}

template <typename T>
void DiagramBuilder<T>::BuildInto(Diagram<T>* target) {
  RequireNotYetBuilt("BuildInto");
  wyvern::internal::RequireNotNull("DiagramBuilder::BuildInto", "a pointer",
                                   target);
  target->Initialize(Compile(*target));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::DiagramBuilder);
