#include "wyvern/systems/primitives/conditional_diagram.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_events.h"

/* The gate's state says which System is active. Everything that a Diagram does
for all its parts is done here for the active System and the gate alone.

The events of Systems that are not active are gathered, too, but for guards that
are due there (excludes_guards() of their collections). If a source jumps
exactly at one of them, the gate's guard is due at the same moment; it is an
unrestricted update, which goes first, and the event then sees the new state of
the gate. When the gate activates a System whose state is to be reset, the same
update writes the default state, and the System's updates of initialization
follow at once. Conditions within the System may have changed while it was not
active: the gates there change in the same update, too, so that an event of this
moment finds all of them up to date.

A triggered System has its periodic events at triggers, whatever their periods,
and no others. */

namespace wyvern::systems::internal {

namespace {

template <typename T>
const System<T>& RequireSystem(const char* who,
                               const std::shared_ptr<System<T>>& system) {
  return *wyvern::internal::RequireNotNull(who, "a System", system,
                                           "give a System to wrap");
}

// Throws unless a System has the ports of the first one.
template <typename T>
void RequireEqualPorts(const char* who, const System<T>& first,
                       const System<T>& other) {
  const auto describe = [](const System<T>& system) {
    std::string text;
    const auto add = [&text](const auto& port) {
      text += fmt::format(" {}[{}]", port.get_name(),
                          port.get_data_type() == kVectorValued
                              ? std::to_string(port.size())
                              : "abstract");
    };
    for (int i = 0; i < system.num_input_ports(); ++i) {
      add(system.get_input_port(i));
    }
    text += " ->";
    for (int i = 0; i < system.num_output_ports(); ++i) {
      add(system.get_output_port(i));
    }
    return text;
  };
  const std::string wanted = describe(first);
  const std::string given = describe(other);
  if (given == wanted) return;
  throw std::logic_error(fmt::format(
      "{}(): the System '{}' has the ports{}, but those of '{}' are{}; give "
      "Systems whose ports have the same names and sizes.",
      who, other.get_name(), given, first.get_name(), wanted));
}

template <typename T>
std::vector<int> GetOutputSizes(const char* who, const System<T>& system) {
  std::vector<int> sizes;
  for (int i = 0; i < system.num_output_ports(); ++i) {
    const OutputPort<T>& port = system.get_output_port(i);
    if (port.get_data_type() != kVectorValued) {
      throw std::logic_error(
          fmt::format("{}(): the output port '{}' of '{}' is abstract, so it "
                      "cannot be held; "
                      "give a System whose output ports are vectors.",
                      who, port.get_name(), system.get_name()));
    }
    sizes.push_back(port.size());
  }
  return sizes;
}

}  // namespace

template <typename T>
ConditionalDiagram<T>::ConditionalDiagram(
    SystemScalarConverter converter, const char* who,
    const std::string& condition, const ActivationRule& rule,
    std::vector<std::shared_ptr<System<T>>> systems,
    const ActivationOptions& options)
    : Diagram<T>(std::move(converter)) {
  wyvern::internal::RequireNotEmpty(who, "the list of Systems",
                                    systems.empty());
  for (std::size_t i = 0; i < systems.size(); ++i) {
    RequireSystem(who, systems[i]);
    if (systems[i]->get_name().empty()) {
      systems[i]->set_name(fmt::format("system{}", i));
    }
    RequireEqualPorts(who, *systems[0], *systems[i]);
    if (systems[i]->implicit_time_derivatives_residual_size() !=
        systems[i]->num_continuous_states()) {
      throw std::logic_error(fmt::format(
          "{}(): the System '{}' declares a residual of {} derivatives for {} "
          "states; give a System with one for each state.",
          who, systems[i]->get_name(),
          systems[i]->implicit_time_derivatives_residual_size(),
          systems[i]->num_continuous_states()));
    }
  }
  const std::vector<int> sizes = GetOutputSizes(who, *systems[0]);
  DiagramBuilder<T> builder;
  std::vector<System<T>*> added;
  for (auto& system : systems) added.push_back(builder.AddSystem(system));
  auto* gate = builder.template AddNamedSystem<ActivationGate<T>>(
      "gate", rule, sizes, options);
  builder.ExportInput(gate->get_input_port(0), condition);
  const int num_inputs = added[0]->num_input_ports();
  const int num_outputs = added[0]->num_output_ports();
  for (int i = 0; i < num_inputs; ++i) {
    const std::string name = added[0]->get_input_port(i).get_name();
    builder.ExportInput(added[0]->get_input_port(i), name);
    for (std::size_t k = 1; k < added.size(); ++k) {
      builder.ConnectInput(name, added[k]->get_input_port(i));
    }
  }
  for (int i = 0; i < num_outputs; ++i) {
    for (std::size_t k = 0; k < added.size(); ++k) {
      builder.Connect(
          added[k]->get_output_port(i),
          gate->get_input_port(1 + static_cast<int>(k) * num_outputs + i));
    }
    builder.ExportOutput(gate->get_output_port(i),
                         added[0]->get_output_port(i).get_name());
  }
  builder.BuildInto(this);
  FindParts();
}

template <typename T>
ConditionalDiagram<T>::~ConditionalDiagram() = default;

template <typename T>
void ConditionalDiagram<T>::FindParts() {
  parts_ = this->GetSystems();
  gate_ = &this->template GetDowncastSubsystemByName<ActivationGate<T>>("gate");
  nested_.resize(num_systems());
  for (int i = 0; i < num_systems(); ++i) {
    std::vector<int> path{i};
    FindNested(*parts_[i], &path, &nested_[i]);
  }
}

template <typename T>
void ConditionalDiagram<T>::FindNested(const System<T>& system,
                                       std::vector<int>* path,
                                       std::vector<Nested>* found) const {
  if (const auto* nested =
          dynamic_cast<const ConditionalDiagram<T>*>(&system)) {
    found->push_back({nested, *path});
  } else if (const auto* diagram = dynamic_cast<const Diagram<T>*>(&system)) {
    const std::vector<const System<T>*> parts = diagram->GetSystems();
    for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
      path->push_back(i);
      FindNested(*parts[i], path, found);
      path->pop_back();
    }
  }
}

template <typename T>
const System<T>& ConditionalDiagram<T>::get_system(int index) const {
  wyvern::internal::RequireIndex("ConditionalDiagram::get_system", "the index",
                                 index, num_systems());
  return *parts_[index];
}

template <typename T>
int ConditionalDiagram<T>::get_active(const Context<T>& context) const {
  this->ValidateContext(context);
  return gate_->GetActive(GateContext(context));
}

template <typename T>
const Context<T>& ConditionalDiagram<T>::PartOf(const Context<T>& context,
                                                int i) {
  return static_cast<const DiagramContext<T>&>(context).GetSubsystemContext(
      SubsystemIndex(i));
}

template <typename T>
bool ConditionalDiagram<T>::IsRunning(const Context<T>& context,
                                      int system) const {
  const Context<T>& gate = GateContext(context);
  const GatePhase phase = gate_->GetPhase(gate);
  if (is_triggered()) return phase == GatePhase::kRun;
  return gate_->GetActive(gate) == system &&
         gate_->CalcSelected(gate) == system;
}

// Derivatives and power.

template <typename T>
void ConditionalDiagram<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  auto& parts = static_cast<DiagramContinuousState<T>&>(*derivatives);
  const int active = gate_->GetActive(GateContext(context));
  for (int i = 0; i < num_systems(); ++i) {
    if (parts_[i]->num_continuous_states() == 0) continue;
    ContinuousState<T>& part = parts.get_mutable_substate(i);
    if (i == active) {
      part.SetFrom(parts_[i]->EvalTimeDerivatives(PartOf(context, i)));
    } else {
      for (int k = 0; k < part.size(); ++k) part[k] = T(0);
    }
  }
}

template <typename T>
void ConditionalDiagram<T>::DoCalcImplicitTimeDerivativesResidual(
    const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
    EigenPtr<VectorX<T>> residual) const {
  const auto& parts =
      static_cast<const DiagramContinuousState<T>&>(proposed_derivatives);
  const int active = gate_->GetActive(GateContext(context));
  int next = 0;
  for (int i = 0; i < num_systems(); ++i) {
    const ContinuousState<T>& part = parts.get_substate(i);
    auto segment = residual->segment(next, part.size());
    if (i == active && part.size() > 0) {
      parts_[i]->CalcImplicitTimeDerivativesResidual(PartOf(context, i), part,
                                                     &segment);
    } else {
      for (int k = 0; k < part.size(); ++k) segment[k] = part[k];
    }
    next += part.size();
  }
}

template <typename T>
T ConditionalDiagram<T>::DoCalcConservativePower(
    const Context<T>& context) const {
  const int active = gate_->GetActive(GateContext(context));
  if (active < 0) return T(0);
  return parts_[active]->EvalConservativePower(PartOf(context, active));
}

template <typename T>
T ConditionalDiagram<T>::DoCalcNonConservativePower(
    const Context<T>& context) const {
  const int active = gate_->GetActive(GateContext(context));
  if (active < 0) return T(0);
  return parts_[active]->EvalNonConservativePower(PartOf(context, active));
}

// When.

template <typename T>
void ConditionalDiagram<T>::CalcNextPhase(
    const Context<T>& context, DiagramCompositeEventCollection<T>* parts,
    T* time) const {
  const Context<T>& gate = GateContext(context);
  const GatePhase phase = gate_->GetPhase(gate);
  const int system = is_triggered() ? 0 : gate_->GetActive(gate);
  parts->Clear();
  if (phase == GatePhase::kRun) {
    parts_[system]->GetPeriodicEvents(
        PartOf(context, system),
        &parts->get_mutable_subevent_collection(system));
  } else if (phase == GatePhase::kInitialize) {
    parts_[system]->GetInitializationEvents(
        PartOf(context, system),
        &parts->get_mutable_subevent_collection(system));
  }
  parts->get_mutable_subevent_collection(num_systems())
      .get_mutable_discrete_update_events()
      .AddEventReference(&gate_->advance_event());
  *time = context.get_time();
}

template <typename T>
void ConditionalDiagram<T>::DoCalcNextUpdateTime(
    const Context<T>& context, CompositeEventCollection<T>* events,
    T* time) const {
  auto& parts = static_cast<DiagramCompositeEventCollection<T>&>(*events);
  const Context<T>& gate = GateContext(context);
  if (gate_->GetPhase(gate) != GatePhase::kSteady &&
      !events->excludes_guards()) {
    CalcNextPhase(context, &parts, time);
    return;
  }
  auto& gate_events = parts.get_mutable_subevent_collection(num_systems());
  *time = gate_->CalcNextUpdateTime(gate, &gate_events);
  if (is_triggered()) return;
  const int active = gate_->GetActive(gate);
  std::vector<T>& times = parts.mutable_times();
  times.resize(num_systems() + 1, T(0));
  times[num_systems()] = *time;
  for (int i = 0; i < num_systems(); ++i) {
    auto& part = parts.get_mutable_subevent_collection(i);
    part.set_excludes_guards(events->excludes_guards() || i != active);
    times[i] = parts_[i]->CalcNextUpdateTime(PartOf(context, i), &part);
    // A System that is not active never does what it is to do now.
    if (i != active && times[i] <= context.get_time()) {
      times[i] = T(std::numeric_limits<double>::infinity());
      part.Clear();
    }
    if (times[i] < *time) *time = times[i];
  }
  const double soonest = ToDouble(*time);
  if (soonest == std::numeric_limits<double>::infinity()) return;
  const double latest = soonest + SameTimeTolerance(soonest);
  parts.ClearEventsAfter(latest);
}

template <typename T>
void ConditionalDiagram<T>::DoGetWitnessFunctions(
    const Context<T>& context,
    std::vector<const WitnessFunction<T>*>* witnesses) const {
  const Context<T>& gate = GateContext(context);
  gate_->GetWitnessFunctions(gate, witnesses);
  const int active = gate_->GetActive(gate);
  if (active >= 0) {
    parts_[active]->GetWitnessFunctions(PartOf(context, active), witnesses);
  }
}

// Handling.

template <typename T>
EventStatus ConditionalDiagram<T>::DispatchPublishHandler(
    const Context<T>& context,
    const EventCollection<PublishEvent<T>>& events) const {
  const auto& all =
      static_cast<const DiagramEventCollection<PublishEvent<T>>&>(events);
  EventStatus status = EventStatus::DidNothing();
  for (int i = 0; i < num_systems(); ++i) {
    const auto& part = all.get_subevent_collection(i);
    if (!part.HasEvents() || !IsRunning(context, i)) continue;
    status.KeepMoreSevere(parts_[i]->Publish(PartOf(context, i), part));
  }
  return status;
}

template <typename T>
EventStatus ConditionalDiagram<T>::DispatchDiscreteVariableUpdateHandler(
    const Context<T>& context,
    const EventCollection<DiscreteUpdateEvent<T>>& events,
    DiscreteValues<T>* discrete_state) const {
  const auto& all =
      static_cast<const DiagramEventCollection<DiscreteUpdateEvent<T>>&>(
          events);
  auto& xd = static_cast<DiagramDiscreteValues<T>&>(*discrete_state);
  const bool is_started = gate_->IsStarted(GateContext(context));
  EventStatus status = EventStatus::DidNothing();
  for (int i = 0; i <= num_systems(); ++i) {
    const auto& part = all.get_subevent_collection(i);
    if (!part.HasEvents()) continue;
    if (i < num_systems() && is_started && !IsRunning(context, i)) continue;
    status.KeepMoreSevere(parts_[i]->CalcDiscreteVariableUpdate(
        PartOf(context, i), part,
        &xd.get_mutable_subdiscrete(SubsystemIndex(i))));
    if (status.failed()) break;
  }
  return status;
}

template <typename T>
int ConditionalDiagram<T>::FindActivated(const Context<T>& context,
                                         const State<T>& state) const {
  if (is_triggered()) return -1;
  const auto& states = static_cast<const DiagramState<T>&>(state);
  const int after =
      gate_->GetActive(states.get_substate(num_systems()).get_discrete_state());
  return after == gate_->GetActive(GateContext(context)) ? -1 : after;
}

template <typename T>
void ConditionalDiagram<T>::Activate(const Context<T>& context, int system,
                                     DiagramState<T>* state) const {
  const bool resets = options().states == WhenInactive::kReset;
  if (resets) {
    parts_[system]->SetDefaultState(PartOf(context, system),
                                    &state->get_mutable_substate(system));
  }
  FollowConditions(context, system, resets, state);
}

template <typename T>
void ConditionalDiagram<T>::FollowConditions(const Context<T>& context,
                                             int system, bool restarts,
                                             DiagramState<T>* state) const {
  for (const Nested& nested : nested_[system]) {
    const Context<T>* part = &context;
    State<T>* part_state = state;
    for (const int i : nested.path) {
      part = &PartOf(*part, i);
      part_state =
          &static_cast<DiagramState<T>*>(part_state)->get_mutable_substate(i);
    }
    nested.diagram->FollowCondition(*part, restarts,
                                    static_cast<DiagramState<T>*>(part_state));
  }
}

template <typename T>
void ConditionalDiagram<T>::FollowCondition(const Context<T>& context,
                                            bool restarts,
                                            DiagramState<T>* state) const {
  const Context<T>& gate = GateContext(context);
  DiscreteValues<T>* const next =
      &state->get_mutable_substate(num_systems()).get_mutable_discrete_state();
  if (restarts) {
    gate_->Restart(gate, next);
    for (int i = 0; i < num_systems(); ++i) {
      FollowConditions(context, i, true, state);
    }
    return;
  }
  gate_->Follow(gate, next);
  const int activated = FindActivated(context, *state);
  if (activated >= 0) {
    Activate(context, activated, state);
  } else if (const int active = gate_->GetActive(*next); active >= 0) {
    FollowConditions(context, active, false, state);
  }
}

template <typename T>
EventStatus ConditionalDiagram<T>::DispatchUnrestrictedUpdateHandler(
    const Context<T>& context,
    const EventCollection<UnrestrictedUpdateEvent<T>>& events,
    State<T>* state) const {
  const auto& all =
      static_cast<const DiagramEventCollection<UnrestrictedUpdateEvent<T>>&>(
          events);
  auto& states = static_cast<DiagramState<T>&>(*state);
  const bool is_started = gate_->IsStarted(GateContext(context));
  EventStatus status = EventStatus::DidNothing();
  for (int i = 0; i <= num_systems(); ++i) {
    const auto& part = all.get_subevent_collection(i);
    if (!part.HasEvents()) continue;
    if (i < num_systems() && is_started && !IsRunning(context, i)) continue;
    status.KeepMoreSevere(parts_[i]->CalcUnrestrictedUpdate(
        PartOf(context, i), part, &states.get_mutable_substate(i)));
    if (status.failed()) return status;
  }
  const int activated = FindActivated(context, *state);
  if (activated >= 0) Activate(context, activated, &states);
  return status;
}

template <typename T>
void ConditionalDiagram<T>::DoApplyUnrestrictedUpdate(
    const EventCollection<UnrestrictedUpdateEvent<T>>& events, State<T>* state,
    Context<T>* context) const {
  // The Context has the old state of the gate until the update is applied.
  const int activated = FindActivated(*context, *state);
  Diagram<T>::DoApplyUnrestrictedUpdate(events, state, context);
  if (activated < 0) return;
  static_cast<DiagramContext<T>*>(context)
      ->GetMutableSubsystemContext(SubsystemIndex(activated))
      .get_mutable_state()
      .SetFrom(static_cast<DiagramState<T>&>(*state).get_substate(activated));
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::ConditionalDiagram);
