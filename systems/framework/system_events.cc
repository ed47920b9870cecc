#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/system.h"

/* HandleEvents() has the order of one moment: unrestricted updates, then
discrete ones, then publishing, each from the Context that the one before
left. An update is computed into a copy of the state and then applied, so
that handlers of one kind all see the state before it. What a System answers
for its next update is checked: a time that is no nan and not past, and with
an event if it is finite. Where the Context's time is a hair before the true
one, "now" means the true one. The unique periodic update asks that all
periodic discrete updates, of all subsystems, have one timing.

When events happen, and what handles them. */

namespace wyvern::systems {

template <typename T>
T System<T>::CalcNextUpdateTime(const Context<T>& context,
                                CompositeEventCollection<T>* events) const {
  this->ValidateContext(context);
  RequireOutput("CalcNextUpdateTime", events);
  this->ValidateCreatedForThisSystem(*events);
  events->Clear();
  T time(std::numeric_limits<T>::quiet_NaN());
  DoCalcNextUpdateTime(context, events, &time);
  if (wyvern::internal::NumberIn(time) ==
      std::numeric_limits<double>::infinity()) {
    return time;
  }
  // A time equal to the Context's means "now". Before the first events of a
  // simulation the Context's time is slightly less than the true time.
  if (context.get_true_time().has_value() && time == context.get_time()) {
    time = *context.get_true_time();
  }
  const double t = wyvern::internal::NumberIn(time);
  const double now = ToDouble(context.get_time());
  if (std::isnan(t)) {
    throw std::logic_error(fmt::format(
        "System::CalcNextUpdateTime(): DoCalcNextUpdateTime() of System {} "
        "({}) gave no next update time at time {}, or nan; let it give a time "
        "and add events, or give infinity.",
        this->GetSystemPathname(), this->GetSystemType(), now));
  }
  if (t < now) {
    throw std::logic_error(fmt::format(
        "System::CalcNextUpdateTime(): System {} ({}) gave the next update "
        "time {} at time {}; it must not be in the past.",
        this->GetSystemPathname(), this->GetSystemType(), t, now));
  }
  if (std::isfinite(t) && !events->HasEvents()) {
    throw std::logic_error(fmt::format(
        "System::CalcNextUpdateTime(): System {} ({}) gave the next update "
        "time {} and no event; add an event or return infinity.",
        this->GetSystemPathname(), this->GetSystemType(), t));
  }
  return time;
}

template <typename T>
void System<T>::GetPerStepEvents(const Context<T>& context,
                                 CompositeEventCollection<T>* events) const {
  this->ValidateContext(context);
  RequireOutput("GetPerStepEvents", events);
  this->ValidateCreatedForThisSystem(*events);
  events->Clear();
  DoGetPerStepEvents(context, events);
}

template <typename T>
void System<T>::GetInitializationEvents(
    const Context<T>& context, CompositeEventCollection<T>* events) const {
  this->ValidateContext(context);
  RequireOutput("GetInitializationEvents", events);
  this->ValidateCreatedForThisSystem(*events);
  events->Clear();
  DoGetInitializationEvents(context, events);
}

template <typename T>
void System<T>::GetPeriodicEvents(const Context<T>& context,
                                  CompositeEventCollection<T>* events) const {
  this->ValidateContext(context);
  RequireOutput("GetPeriodicEvents", events);
  this->ValidateCreatedForThisSystem(*events);
  events->Clear();
  DoGetPeriodicEvents(context, events);
}

template <typename T>
void System<T>::RequireSuccess(const EventStatus& status) const {
  if (!status.failed()) return;
  status.ThrowOnFailure(
      fmt::format("System {}", this->GetSystemPathname()).c_str());
}

template <typename T>
void System<T>::HandleEvents(
    const EventCollection<UnrestrictedUpdateEvent<T>>& u,
    const EventCollection<DiscreteUpdateEvent<T>>& d,
    const EventCollection<PublishEvent<T>>* p, Context<T>* context) const {
  if (u.HasEvents()) {
    const std::unique_ptr<State<T>> state = context->CloneState();
    RequireSuccess(CalcUnrestrictedUpdate(*context, u, state.get()));
    ApplyUnrestrictedUpdate(u, state.get(), context);
  }
  if (d.HasEvents()) {
    const std::unique_ptr<DiscreteValues<T>> xd = AllocateDiscreteVariables();
    RequireSuccess(CalcDiscreteVariableUpdate(*context, d, xd.get()));
    ApplyDiscreteVariableUpdate(d, xd.get(), context);
  }
  if (p != nullptr && p->HasEvents()) RequireSuccess(Publish(*context, *p));
}

template <typename T>
void System<T>::ExecuteInitializationEvents(Context<T>* context) const {
  this->ValidateContext(context);
  const auto events = AllocateCompositeEventCollection();
  GetInitializationEvents(*context, events.get());
  HandleEvents(events->get_unrestricted_update_events(),
               events->get_discrete_update_events(),
               &events->get_publish_events(), context);
}

template <typename T>
void System<T>::ExecuteForcedEvents(Context<T>* context, bool publish) const {
  this->ValidateContext(context);
  HandleEvents(get_forced_unrestricted_update_events(),
               get_forced_discrete_update_events(),
               publish ? &get_forced_publish_events() : nullptr, context);
}

template <typename T>
void System<T>::ForcedPublish(const Context<T>& context) const {
  RequireSuccess(Publish(context, get_forced_publish_events()));
}

template <typename T>
void System<T>::CalcForcedDiscreteVariableUpdate(
    const Context<T>& context, DiscreteValues<T>* discrete_state) const {
  RequireSuccess(CalcDiscreteVariableUpdate(
      context, get_forced_discrete_update_events(), discrete_state));
}

template <typename T>
void System<T>::CalcForcedUnrestrictedUpdate(const Context<T>& context,
                                             State<T>* state) const {
  RequireSuccess(CalcUnrestrictedUpdate(
      context, get_forced_unrestricted_update_events(), state));
}

template <typename T>
EventStatus System<T>::Publish(
    const Context<T>& context,
    const EventCollection<PublishEvent<T>>& events) const {
  this->ValidateContext(context);
  return DispatchPublishHandler(context, events);
}

template <typename T>
EventStatus System<T>::CalcDiscreteVariableUpdate(
    const Context<T>& context,
    const EventCollection<DiscreteUpdateEvent<T>>& events,
    DiscreteValues<T>* discrete_state) const {
  this->ValidateContext(context);
  RequireOutput("CalcDiscreteVariableUpdate", discrete_state);
  this->ValidateCreatedForThisSystem(*discrete_state);
  discrete_state->SetFrom(context.get_discrete_state());
  return DispatchDiscreteVariableUpdateHandler(context, events, discrete_state);
}

template <typename T>
void System<T>::ApplyDiscreteVariableUpdate(
    const EventCollection<DiscreteUpdateEvent<T>>& events,
    DiscreteValues<T>* discrete_state, Context<T>* context) const {
  this->ValidateContext(context);
  RequireOutput("ApplyDiscreteVariableUpdate", discrete_state);
  this->ValidateCreatedForThisSystem(*discrete_state);
  DoApplyDiscreteVariableUpdate(events, discrete_state, context);
}

template <typename T>
EventStatus System<T>::CalcUnrestrictedUpdate(
    const Context<T>& context,
    const EventCollection<UnrestrictedUpdateEvent<T>>& events,
    State<T>* state) const {
  this->ValidateContext(context);
  RequireOutput("CalcUnrestrictedUpdate", state);
  this->ValidateCreatedForThisSystem(*state);
  state->SetFrom(context.get_state());
  return DispatchUnrestrictedUpdateHandler(context, events, state);
}

template <typename T>
void System<T>::ApplyUnrestrictedUpdate(
    const EventCollection<UnrestrictedUpdateEvent<T>>& events, State<T>* state,
    Context<T>* context) const {
  this->ValidateContext(context);
  RequireOutput("ApplyUnrestrictedUpdate", state);
  this->ValidateCreatedForThisSystem(*state);
  DoApplyUnrestrictedUpdate(events, state, context);
}

// Periodic discrete updates.

template <typename T>
std::map<PeriodicEventData, std::vector<const Event<T>*>,
         PeriodicEventDataComparator>
System<T>::MapPeriodicEventsByTiming(const Context<T>* context) const {
  if (context != nullptr) this->ValidateContext(*context);
  return DoMapPeriodicEventsByTiming(context);
}

template <typename T>
std::optional<PeriodicEventData>
System<T>::GetUniquePeriodicDiscreteUpdateAttribute() const {
  std::optional<PeriodicEventData> result;
  for (const auto& [timing, events] : MapPeriodicEventsByTiming()) {
    for (const Event<T>* event : events) {
      if (!event->is_discrete_update()) continue;
      if (result.has_value()) return std::nullopt;
      result = timing;
      break;
    }
  }
  return result;
}

template <typename T>
const DiscreteValues<T>& System<T>::EvalUniquePeriodicDiscreteUpdate(
    const Context<T>& context) const {
  return unique_update_entry_->template Eval<DiscreteValues<T>>(context);
}

template <typename T>
void System<T>::CalcUniquePeriodicDiscreteUpdate(
    const Context<T>& context, DiscreteValues<T>* updated) const {
  const auto events = AllocateForcedDiscreteUpdateEventCollection();
  events->Clear();
  std::optional<PeriodicEventData> timing;
  DoFindUniquePeriodicDiscreteUpdatesOrThrow("EvalUniquePeriodicDiscreteUpdate",
                                             context, &timing, events.get());
  if (!timing.has_value()) {
    throw std::logic_error(fmt::format(
        "System::EvalUniquePeriodicDiscreteUpdate(): System {} ({}) has no "
        "periodic discrete update; declare one.",
        this->GetSystemPathname(), this->GetSystemType()));
  }
  RequireSuccess(CalcDiscreteVariableUpdate(context, *events, updated));
}

template <typename T>
bool System<T>::IsDifferenceEquationSystem(double* time_period) const {
  if (this->num_continuous_states() > 0 || this->num_abstract_states() > 0 ||
      this->num_discrete_state_groups() != 1) {
    return false;
  }
  const auto timing = GetUniquePeriodicDiscreteUpdateAttribute();
  if (!timing.has_value() || timing->offset_sec() != 0) return false;
  if (time_period != nullptr) *time_period = timing->period_sec();
  return true;
}

template <typename T>
bool System<T>::IsDifferentialEquationSystem() const {
  if (this->num_discrete_state_groups() > 0 ||
      this->num_abstract_states() > 0) {
    return false;
  }
  for (int i = 0; i < this->num_input_ports(); ++i) {
    if (get_input_port(i).get_data_type() != kVectorValued) return false;
  }
  return true;
}

// Breaks: times that no step of an integrator may cross.

template <typename T>
T System<T>::CalcNextBreakTime(const Context<T>& context,
                               const T& after) const {
  this->ValidateContext(context);
  T time(std::numeric_limits<double>::infinity());
  if (!this->has_break_times()) return time;
  DoCalcNextBreakTime(context, after, &time);
  const double t = wyvern::internal::NumberIn(time);
  const double start = ToDouble(after);
  if (!(t > start)) {
    throw std::logic_error(fmt::format(
        "System::CalcNextBreakTime(): System {} ({}) gave the break {} as the "
        "first after time {}; let DoCalcNextBreakTime() give a later time, or "
        "leave it at infinity.",
        this->GetSystemPathname(), this->GetSystemType(), t, start));
  }
  return time;
}

template <typename T>
void System<T>::DoCalcNextBreakTime(const Context<T>&, const T&, T*) const {}

// Witness functions.

template <typename T>
std::string System<T>::DescribeDifficulties(const Context<T>& context,
                                            Difficulty least) const {
  this->ValidateContext(context);
  try {
    return DoDescribeDifficulties(context, least);
  } catch (const std::exception&) {
    // The caller is about to report another error, which must not be lost.
    return {};
  }
}

template <typename T>
std::string System<T>::DoDescribeDifficulties(const Context<T>&,
                                              Difficulty) const {
  return {};
}

template <typename T>
void System<T>::GetWitnessFunctions(
    const Context<T>& context,
    std::vector<const WitnessFunction<T>*>* w) const {
  this->ValidateContext(context);
  RequireOutput("GetWitnessFunctions", w);
  const size_t first = w->size();
  DoGetWitnessFunctions(context, w);
  if (w->size() == first) return;
  if (std::find(w->begin() + first, w->end(), nullptr) != w->end()) {
    throw std::logic_error(fmt::format(
        "System::GetWitnessFunctions(): System {} ({}) gave a null witness "
        "function; DoGetWitnessFunctions() must append what "
        "MakeWitnessFunction() made, or nothing.",
        this->GetSystemPathname(), this->GetSystemType()));
  }
}

template <typename T>
void System<T>::DoGetWitnessFunctions(
    const Context<T>&, std::vector<const WitnessFunction<T>*>*) const {}

template <typename T>
T System<T>::CalcWitnessValue(const Context<T>& context,
                              const WitnessFunction<T>& witness_func) const {
  this->ValidateContext(context);
  return DoCalcWitnessValue(context, witness_func);
}

// Collections.

template <typename T>
std::unique_ptr<CompositeEventCollection<T>>
System<T>::AllocateCompositeEventCollection() const {
  auto result = DoAllocateCompositeEventCollection();
  result->set_system_id(this->get_system_id());
  return result;
}

template <typename T>
void System<T>::set_forced_publish_events(
    std::unique_ptr<EventCollection<PublishEvent<T>>> forced) {
  RequireOutput("set_forced_publish_events", forced.get());
  forced_publish_ = std::move(forced);
}

template <typename T>
void System<T>::set_forced_discrete_update_events(
    std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>> forced) {
  RequireOutput("set_forced_discrete_update_events", forced.get());
  forced_discrete_ = std::move(forced);
}

template <typename T>
void System<T>::set_forced_unrestricted_update_events(
    std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>> forced) {
  RequireOutput("set_forced_unrestricted_update_events", forced.get());
  forced_unrestricted_ = std::move(forced);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::System);
