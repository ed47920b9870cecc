#include "wyvern/systems/framework/diagram.h"

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/exact_cast.h"

/* A Diagram gets its whole structure at once, as a blueprint: from a
DiagramBuilder, or from a Diagram of another scalar, part by part.
What may be wrong with it is looked for before any of it is taken, by
RequireInitializable(). Initialize() compiles it in this order: subsystems
are adopted and their sizes added up, then their constraints, the Diagram's
own ports, the wiring, and the forced events. The blueprint speaks of Systems
by address, the wiring by number; Contexts share the wiring alone. A
Diagram's parameters are one flat list in the order of subsystems, which is
cut into parts again to set defaults. Searches for a System's part go down
recursively and return null where it is not; only the functions that users
call turn that into an error.

Construction, structure and Contexts. Computations are in
diagram_dynamics.cc, events in diagram_events.cc. */

namespace wyvern::systems {

template <typename T>
Diagram<T>::Diagram()
    : Diagram(SystemScalarConverter::MakeWithoutSubtypeChecking<
              ::wyvern::systems::Diagram>()) {}

template <typename T>
Diagram<T>::Diagram(SystemScalarConverter converter)
    : System<T>(std::move(converter)),
      wiring_(std::make_shared<internal::DiagramWiring>()) {
  // Until Initialize() runs, the Diagram is valid but has no subsystems.
  AllocateForcedEvents();
}

template <typename T>
template <typename U>
Diagram<T>::Diagram(const Diagram<U>& other)
    : Diagram(SystemScalarConverter::MakeWithoutSubtypeChecking<
                  ::wyvern::systems::Diagram>(),
              other) {}

template <typename T>
template <typename U>
Diagram<T>::Diagram(SystemScalarConverter converter, const Diagram<U>& other)
    : Diagram(std::move(converter)) {
  internal::DiagramBlueprint<T> blueprint;
  for (const auto& system : other.blueprint_.systems) {
    blueprint.systems.push_back(system->template ToScalarType<T>());
    blueprint.systems.back()->set_name(system->get_name());
  }
  const auto converted = [&](const System<U>* system) -> const System<T>* {
    return blueprint.systems[other.index_of_.at(system)].get();
  };
  for (const auto& [input, output] : other.blueprint_.connections) {
    blueprint.connections[{converted(input.first), input.second}] = {
        converted(output.first), output.second};
  }
  for (const auto& input : other.blueprint_.inputs) {
    blueprint.inputs.push_back({input.name, {}});
    for (const auto& [system, port] : input.feeds) {
      blueprint.inputs.back().feeds.emplace_back(converted(system), port);
    }
  }
  for (const auto& output : other.blueprint_.outputs) {
    blueprint.outputs.push_back(
        {output.name, {converted(output.source.first), output.source.second}});
  }
  Initialize(std::move(blueprint));
}

template <typename T>
Diagram<T>::~Diagram() {
  // Others may share ownership of a subsystem, which then has no parent.
  for (const auto& system : blueprint_.systems) {
    if (system != nullptr && system->get_parent() == this) {
      this->set_parent(system.get(), nullptr);
    }
  }
}

template <typename T>
void Diagram<T>::RequireInitializable(
    const internal::DiagramBlueprint<T>& blueprint) const {
  if (num_subsystems() > 0) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::BuildInto(): Diagram {} has been built already; build "
        "into a new one.",
        this->GetSystemPathname()));
  }
  const bool has_inputs = this->num_input_ports() > 0;
  if (has_inputs || this->num_output_ports() > 0) {
    throw std::logic_error(fmt::format(
        "DiagramBuilder::BuildInto(): Diagram {} ({}) has declared {} ports of "
        "its own; {}.",
        this->GetSystemPathname(), this->GetSystemType(),
        has_inputs ? "input" : "output",
        has_inputs ? "let the builder export those of its parts"
                   : "declare them after those that the builder exports"));
  }
  for (const auto& system : blueprint.systems) {
    if (system.get() == this) {
      throw std::logic_error(fmt::format(
          "DiagramBuilder::BuildInto(): Diagram {} has been added to what is "
          "to be built into it; build into another.",
          this->GetSystemPathname()));
    }
    const auto* diagram = dynamic_cast<const Diagram<T>*>(system.get());
    if (diagram != nullptr && diagram->num_subsystems() == 0) {
      throw std::logic_error(fmt::format(
          "DiagramBuilder::Build(): Diagram {} ({}) has not been built itself; "
          "call BuildInto() with it first.",
          system->GetSystemPathname(), system->GetSystemType()));
    }
    if (system->get_parent() == nullptr) continue;
    throw std::logic_error(fmt::format(
        "DiagramBuilder::Build(): System {} ({}) is part of another Diagram "
        "already; a System can be in one Diagram only.",
        system->GetSystemPathname(), system->GetSystemType()));
  }
}

template <typename T>
void Diagram<T>::Initialize(internal::DiagramBlueprint<T> blueprint) {
  blueprint_ = std::move(blueprint);
  AdoptSystems();
  AdoptConstraints();
  DeclarePorts();
  CompileWiring();
  AllocateForcedEvents();
}

template <typename T>
void Diagram<T>::AdoptSystems() {
  auto& sizes = this->get_mutable_context_sizes();
  for (int i = 0; i < num_subsystems(); ++i) {
    System<T>* system = blueprint_.systems[i].get();
    this->set_parent(system, this);
    index_of_[system] = i;
    if (system->has_break_times()) this->DeclareBreakTimes();
    const auto& part = this->get_context_sizes(*system);
    sizes.num_q += part.num_q;
    sizes.num_v += part.num_v;
    sizes.num_z += part.num_z;
    sizes.num_discrete += part.num_discrete;
    sizes.num_abstract += part.num_abstract;
    sizes.num_numeric_parameters += part.num_numeric_parameters;
    sizes.num_abstract_parameters += part.num_abstract_parameters;
    this->get_mutable_system_scalar_converter().RemoveUnlessAlsoSupportedBy(
        system->get_system_scalar_converter());
  }
  int residual_size = 0;
  for (const auto& system : blueprint_.systems) {
    residual_size += system->implicit_time_derivatives_residual_size();
  }
  this->set_implicit_time_derivatives_residual_size(residual_size);
}

template <typename T>
void Diagram<T>::AdoptConstraints() {
  for (const auto& system : blueprint_.systems) {
    for (int i = 0; i < system->num_constraints(); ++i) {
      const auto* part = &system->get_constraint(SystemConstraintIndex(i));
      this->AddConstraint(std::make_unique<SystemConstraint<T>>(
          this,
          [this, part](const Context<T>& context, VectorX<T>* value) {
            part->Calc(this->GetSubsystemContext(part->get_system(), context),
                       value);
          },
          part->bounds(), system->get_name() + ": " + part->description()));
    }
  }
}

template <typename T>
void Diagram<T>::DeclarePorts() {
  for (const auto& input : blueprint_.inputs) {
    const auto& [system, index] = input.feeds.front();
    const InputPort<T>& port = system->get_input_port(index);
    InputPort<T>& own = this->DeclareInputPort(
        input.name, port.get_data_type(), port.size(), port.get_random_type());
    bool is_optional = true;
    for (const auto& [reader, port_index] : input.feeds) {
      const InputPort<T>& fed = reader->get_input_port(port_index);
      is_optional = is_optional && fed.is_optional();
      if (own.units().empty()) own.set_units(fed.units());
    }
    own.set_optional(is_optional);
  }
  for (const auto& output : blueprint_.outputs) {
    const auto& [system, index] = output.source;
    this->AddOutputPort(
        std::make_unique<DiagramOutputPort<T>>(
            this, this, output.name, OutputPortIndex(this->num_output_ports()),
            this->AddTicket(), &system->get_output_port(index),
            SubsystemIndex(index_of_.at(system))),
        nullptr);
  }
}

template <typename T>
void Diagram<T>::CompileWiring() {
  auto wiring = std::make_shared<internal::DiagramWiring>();
  for (const auto& system : blueprint_.systems) {
    wiring->inputs.emplace_back(system->num_input_ports());
  }
  for (const auto& [input, output] : blueprint_.connections) {
    wiring->inputs[index_of_.at(input.first)][input.second] = {
        .system = index_of_.at(output.first), .port = output.second};
  }
  for (size_t p = 0; p < blueprint_.inputs.size(); ++p) {
    for (const auto& [system, index] : blueprint_.inputs[p].feeds) {
      wiring->inputs[index_of_.at(system)][index] = {
          .system = -1, .port = static_cast<int>(p)};
    }
  }
  for (const auto& output : blueprint_.outputs) {
    wiring->outputs.emplace_back(index_of_.at(output.source.first),
                                 output.source.second);
  }
  wiring_ = std::move(wiring);
}

// Structure.

template <typename T>
std::vector<const System<T>*> Diagram<T>::GetSystems() const {
  std::vector<const System<T>*> result;
  for (const auto& system : blueprint_.systems) result.push_back(system.get());
  return result;
}

template <typename T>
auto Diagram<T>::GetInputPortLocators(InputPortIndex port_index) const
    -> std::vector<InputPortLocator> {
  this->get_input_port_base(port_index);  // Checks the index.
  // An input port that a derived class declared itself feeds no subsystem.
  if (port_index >= static_cast<int>(blueprint_.inputs.size())) return {};
  return blueprint_.inputs[port_index].feeds;
}

template <typename T>
auto Diagram<T>::get_output_port_locator(OutputPortIndex port_index) const
    -> const OutputPortLocator& {
  this->get_output_port_base(port_index);  // Checks the index.
  if (port_index >= static_cast<int>(blueprint_.outputs.size())) {
    throw std::logic_error(fmt::format(
        "Diagram::get_output_port_locator(): Diagram {} declares output port "
        "{} itself, so that no part of it is its source.",
        this->GetSystemPathname(), port_index));
  }
  return blueprint_.outputs[port_index].source;
}

template <typename T>
bool Diagram<T>::AreConnected(const OutputPort<T>& output,
                              const InputPort<T>& input) const {
  const auto found =
      blueprint_.connections.find({&input.get_system(), input.get_index()});
  return found != blueprint_.connections.end() &&
         found->second ==
             OutputPortLocator{&output.get_system(), output.get_index()};
}

template <typename T>
const System<T>* Diagram<T>::FindByName(std::string_view name) const {
  for (const auto& system : blueprint_.systems) {
    if (system->get_name() == name) return system.get();
  }
  return nullptr;
}

template <typename T>
bool Diagram<T>::HasSubsystemNamed(std::string_view name) const {
  return FindByName(name) != nullptr;
}

template <typename T>
const System<T>& Diagram<T>::GetSubsystemByName(std::string_view name) const {
  const System<T>* found = FindByName(name);
  if (found == nullptr) {
    std::string names;
    for (const auto& system : blueprint_.systems) {
      names +=
          fmt::format("{}'{}'", names.empty() ? "" : ", ", system->get_name());
    }
    throw std::logic_error(fmt::format(
        "Diagram::GetSubsystemByName(): Diagram {} has no subsystem named "
        "'{}'; it has {}.",
        this->GetSystemPathname(), name, names));
  }
  return *found;
}

template <typename T>
void Diagram<T>::ThrowWrongType(const System<T>& system,
                                const std::string& wanted) const {
  throw std::logic_error(fmt::format(
      "Diagram::GetDowncastSubsystemByName(): subsystem {} is a {}, not a {}; "
      "name its own type.",
      system.GetSystemPathname(), NiceTypeName::Get(system), wanted));
}

template <typename T>
SubsystemIndex Diagram<T>::GetSystemIndex(const System<T>* sys) const {
  const auto found = index_of_.find(sys);
  if (found == index_of_.end()) {
    throw std::logic_error(fmt::format(
        "Diagram::GetSystemIndex(): System {} is not a direct subsystem of {}; "
        "pass one of GetSystems().",
        sys == nullptr ? "null" : sys->GetSystemPathname(),
        this->GetSystemPathname()));
  }
  return SubsystemIndex(found->second);
}

template <typename T>
void Diagram<T>::Accept(SystemVisitor<T>* v) const {
  wyvern::internal::RequireNotNull("Diagram::Accept", "v", v,
                                   "pass a SystemVisitor");
  v->VisitDiagram(*this);
}

// Walks backwards from each output, through connections and the subsystems'
// own feedthroughs, to the inputs.
template <typename T>
std::multimap<int, int> Diagram<T>::GetDirectFeedthroughs() const {
  std::vector<std::multimap<int, int>>
      inside;  // By subsystem: output to input.
  for (const auto& system : blueprint_.systems) {
    inside.emplace_back();
    for (const auto& [in, out] : system->GetDirectFeedthroughs()) {
      inside.back().emplace(out, in);
    }
  }
  std::multimap<int, int> result;
  const int num_wired = static_cast<int>(wiring_->outputs.size());
  for (int out = 0; out < num_wired; ++out) {
    std::set<std::pair<int, int>> seen;
    std::vector<std::pair<int, int>> todo{wiring_->outputs[out]};
    std::set<int> reached;
    while (!todo.empty()) {
      const auto at = todo.back();
      todo.pop_back();
      if (!seen.insert(at).second) continue;
      const auto range = inside[at.first].equal_range(at.second);
      for (auto it = range.first; it != range.second; ++it) {
        const auto& from = wiring_->inputs[at.first][it->second];
        if (from.port < 0) continue;
        if (from.system >= 0) {
          todo.emplace_back(from.system, from.port);
        } else {
          reached.insert(from.port);
        }
      }
    }
    for (const int in : reached) result.emplace(in, out);
  }
  return result;
}

// Contexts.

template <typename T>
std::unique_ptr<ContextBase> Diagram<T>::DoAllocateContext() const {
  std::vector<std::unique_ptr<Context<T>>> subcontexts;
  for (const auto& system : blueprint_.systems) {
    subcontexts.emplace_back(
        static_cast<Context<T>*>(this->AllocateSubcontext(*system).release()));
  }
  return std::make_unique<DiagramContext<T>>(std::move(subcontexts), wiring_);
}

template <typename T>
std::unique_ptr<AbstractValue> Diagram<T>::DoAllocateInputValue(
    const InputPort<T>& port) const {
  if (port.get_index() >= static_cast<int>(blueprint_.inputs.size())) {
    throw std::logic_error(fmt::format(
        "Diagram::AllocateInputAbstract(): {} feeds no part of the Diagram; "
        "let the DiagramBuilder export the ports of its parts.",
        port.GetFullDescription()));
  }
  const auto& [system, index] =
      blueprint_.inputs[port.get_index()].feeds.front();
  return system->AllocateInputAbstract(system->get_input_port(index));
}

template <typename T>
std::unique_ptr<ContinuousState<T>> Diagram<T>::AllocateTimeDerivatives()
    const {
  std::vector<std::unique_ptr<ContinuousState<T>>> parts;
  for (const auto& system : blueprint_.systems) {
    parts.push_back(system->AllocateTimeDerivatives());
  }
  auto result = std::make_unique<DiagramContinuousState<T>>(std::move(parts));
  result->set_system_id(this->get_system_id());
  return result;
}

template <typename T>
std::unique_ptr<DiscreteValues<T>> Diagram<T>::AllocateDiscreteVariables()
    const {
  std::vector<std::unique_ptr<DiscreteValues<T>>> parts;
  for (const auto& system : blueprint_.systems) {
    parts.push_back(system->AllocateDiscreteVariables());
  }
  auto result = std::make_unique<DiagramDiscreteValues<T>>(std::move(parts));
  result->set_system_id(this->get_system_id());
  return result;
}

template <typename T>
template <typename Visit>
void Diagram<T>::ForEachParameters(Parameters<T>* parameters,
                                   Visit&& visit) const {
  int next_numeric = 0;
  int next_abstract = 0;
  for (int i = 0; i < num_subsystems(); ++i) {
    std::vector<BasicVector<T>*> numeric;
    for (int k = 0; k < subsystem(i).num_numeric_parameter_groups(); ++k) {
      numeric.push_back(
          &parameters->get_mutable_numeric_parameter(next_numeric++));
    }
    std::vector<AbstractValue*> abstract;
    for (int k = 0; k < subsystem(i).num_abstract_parameters(); ++k) {
      abstract.push_back(
          &parameters->get_mutable_abstract_parameter(next_abstract++));
    }
    Parameters<T> part;
    part.set_numeric_parameters(std::make_unique<DiscreteValues<T>>(numeric));
    part.set_abstract_parameters(std::make_unique<AbstractValues>(abstract));
    part.set_system_id(subsystem(i).get_system_id());
    visit(i, &part);
  }
}

template <typename T>
void Diagram<T>::SetDefaultState(const Context<T>& context,
                                 State<T>* state) const {
  this->ValidateContext(context);
  auto& parts = ExactCast<DiagramState<T>>(*state);
  for (int i = 0; i < num_subsystems(); ++i) {
    subsystem(i).SetDefaultState(SubContext(context, i),
                                 &parts.get_mutable_substate(i));
  }
}

template <typename T>
void Diagram<T>::SetDefaultParameters(const Context<T>& context,
                                      Parameters<T>* params) const {
  this->ValidateContext(context);
  ForEachParameters(params, [&](int i, Parameters<T>* part) {
    subsystem(i).SetDefaultParameters(SubContext(context, i), part);
  });
}

template <typename T>
void Diagram<T>::SetRandomState(const Context<T>& context, State<T>* state,
                                RandomGenerator* generator) const {
  this->ValidateContext(context);
  auto& parts = ExactCast<DiagramState<T>>(*state);
  for (int i = 0; i < num_subsystems(); ++i) {
    subsystem(i).SetRandomState(SubContext(context, i),
                                &parts.get_mutable_substate(i), generator);
  }
}

template <typename T>
void Diagram<T>::SetRandomParameters(const Context<T>& context,
                                     Parameters<T>* params,
                                     RandomGenerator* generator) const {
  this->ValidateContext(context);
  ForEachParameters(params, [&](int i, Parameters<T>* part) {
    subsystem(i).SetRandomParameters(SubContext(context, i), part, generator);
  });
}

// Parts of subsystems.

namespace {

/** The number of the subsystem of `diagram` that is `target` or contains it; -1
if there is none. The walk goes up from the target, so its cost is the depth of
the target and not the number of subsystems. */
template <typename T>
int FindBranch(const Diagram<T>& diagram, const System<T>& target) {
  const SystemBase* system = &target;
  while (system != nullptr && system->get_parent() != &diagram) {
    system = system->get_parent();
  }
  if (system == nullptr) return -1;
  return diagram.GetSystemIndex(static_cast<const System<T>*>(system));
}

}  // namespace

template <typename T>
const Context<T>* Diagram<T>::DoGetTargetSystemContext(
    const System<T>& target_system, const Context<T>* context) const {
  if (&target_system == this) return context;
  const int i = FindBranch(*this, target_system);
  if (i < 0) return nullptr;
  return subsystem(i).DoGetTargetSystemContext(target_system,
                                               &SubContext(*context, i));
}

template <typename T>
const State<T>* Diagram<T>::DoGetTargetSystemState(
    const System<T>& target_system, const State<T>* state) const {
  if (&target_system == this) return state;
  const int i = FindBranch(*this, target_system);
  if (i < 0) return nullptr;
  return subsystem(i).DoGetTargetSystemState(
      target_system, &ExactCast<DiagramState<T>>(*state).get_substate(i));
}

template <typename T>
State<T>* Diagram<T>::DoGetMutableTargetSystemState(
    const System<T>& target_system, State<T>* state) const {
  return const_cast<State<T>*>(DoGetTargetSystemState(target_system, state));
}

template <typename T>
const ContinuousState<T>* Diagram<T>::DoGetTargetSystemContinuousState(
    const System<T>& target_system, const ContinuousState<T>* xc) const {
  if (&target_system == this) return xc;
  const int i = FindBranch(*this, target_system);
  if (i < 0) return nullptr;
  return subsystem(i).DoGetTargetSystemContinuousState(
      target_system,
      &ExactCast<DiagramContinuousState<T>>(*xc).get_substate(i));
}

template <typename T>
const CompositeEventCollection<T>*
Diagram<T>::DoGetTargetSystemCompositeEventCollection(
    const System<T>& target_system,
    const CompositeEventCollection<T>* events) const {
  if (&target_system == this) return events;
  const int i = FindBranch(*this, target_system);
  if (i < 0) return nullptr;
  const auto& parts = ExactCast<DiagramCompositeEventCollection<T>>(*events);
  return subsystem(i).DoGetTargetSystemCompositeEventCollection(
      target_system, &parts.get_subevent_collection(i));
}

template <typename T>
CompositeEventCollection<T>*
Diagram<T>::DoGetMutableTargetSystemCompositeEventCollection(
    const System<T>& target_system, CompositeEventCollection<T>* events) const {
  return const_cast<CompositeEventCollection<T>*>(
      DoGetTargetSystemCompositeEventCollection(target_system, events));
}

template <typename T>
void Diagram<T>::ThrowNotWithin(const char* function,
                                const System<T>& subsystem) const {
  throw std::logic_error(fmt::format(
      "Diagram::{}(): System {} ({}) is not within Diagram {}; pass one of its "
      "subsystems.",
      function, subsystem.GetSystemPathname(), subsystem.GetSystemType(),
      this->GetSystemPathname()));
}

template <typename T>
const ContinuousState<T>& Diagram<T>::GetSubsystemDerivatives(
    const System<T>& subsystem, const ContinuousState<T>& derivatives) const {
  this->ValidateCreatedForThisSystem(derivatives);
  return RequireSubsystem(
      "GetSubsystemDerivatives", subsystem,
      DoGetTargetSystemContinuousState(subsystem, &derivatives));
}

template <typename T>
const DiscreteValues<T>& Diagram<T>::GetSubsystemDiscreteValues(
    const System<T>& subsystem,
    const DiscreteValues<T>& discrete_values) const {
  this->ValidateCreatedForThisSystem(discrete_values);
  const auto& parts = ExactCast<DiagramDiscreteValues<T>>(discrete_values);
  return parts.get_subdiscrete(GetSystemIndex(&subsystem));
}

template <typename T>
const CompositeEventCollection<T>&
Diagram<T>::GetSubsystemCompositeEventCollection(
    const System<T>& subsystem,
    const CompositeEventCollection<T>& events) const {
  this->ValidateCreatedForThisSystem(events);
  return RequireSubsystem(
      "GetSubsystemCompositeEventCollection", subsystem,
      DoGetTargetSystemCompositeEventCollection(subsystem, &events));
}

template <typename T>
CompositeEventCollection<T>&
Diagram<T>::GetMutableSubsystemCompositeEventCollection(
    const System<T>& subsystem, CompositeEventCollection<T>* events) const {
  return const_cast<CompositeEventCollection<T>&>(
      GetSubsystemCompositeEventCollection(subsystem, *events));
}

template <typename T>
const State<T>& Diagram<T>::GetSubsystemState(const System<T>& subsystem,
                                              const State<T>& state) const {
  return RequireSubsystem("GetSubsystemState", subsystem,
                          DoGetTargetSystemState(subsystem, &state));
}

template <typename T>
State<T>& Diagram<T>::GetMutableSubsystemState(const System<T>& subsystem,
                                               State<T>* state) const {
  return const_cast<State<T>&>(GetSubsystemState(subsystem, *state));
}

template <typename T>
State<T>& Diagram<T>::GetMutableSubsystemState(const System<T>& subsystem,
                                               Context<T>* context) const {
  return this->GetMutableSubsystemContext(subsystem, context)
      .get_mutable_state();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Diagram);
// The converting constructors are templates of their own.
#if WYVERN_AUTODIFF
template wyvern::systems::Diagram<double>::Diagram(
    wyvern::systems::SystemScalarConverter,
    const wyvern::systems::Diagram<wyvern::AutoDiffXd>&);
template wyvern::systems::Diagram<wyvern::AutoDiffXd>::Diagram(
    wyvern::systems::SystemScalarConverter,
    const wyvern::systems::Diagram<double>&);
template wyvern::systems::Diagram<double>::Diagram(
    const wyvern::systems::Diagram<wyvern::AutoDiffXd>&);
template wyvern::systems::Diagram<wyvern::AutoDiffXd>::Diagram(
    const wyvern::systems::Diagram<double>&);
#endif
