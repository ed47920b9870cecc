#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/exact_cast.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/leaf_events.h"

/* A Diagram's collection of events is a tree of the shape of the Diagram. To
find the next time, each subsystem fills its part with its own next events;
the parts of those that come later than the soonest, by more than rounding,
are cleared again. To handle a collection, each part that has events goes to
its subsystem, with the subsystem's part of the state to write to. All
handlers read the same Context, and updates are applied when all are done, so
the order of subsystems does not matter. An update that fails stops those
after it; a publish does not.

Events: each subsystem has its part of every collection. */

namespace wyvern::systems {

template <typename T>
std::unique_ptr<CompositeEventCollection<T>>
Diagram<T>::DoAllocateCompositeEventCollection() const {
  std::vector<std::unique_ptr<CompositeEventCollection<T>>> parts;
  for (const auto& system : blueprint_.systems) {
    parts.push_back(system->AllocateCompositeEventCollection());
  }
  return std::make_unique<DiagramCompositeEventCollection<T>>(std::move(parts));
}

template <typename T>
std::unique_ptr<EventCollection<PublishEvent<T>>>
Diagram<T>::AllocateForcedPublishEventCollection() const {
  auto result = std::make_unique<DiagramEventCollection<PublishEvent<T>>>(
      num_subsystems());
  for (int i = 0; i < num_subsystems(); ++i) {
    result->set_and_own_subevent_collection(
        i, subsystem(i).AllocateForcedPublishEventCollection());
  }
  return result;
}

template <typename T>
std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>>
Diagram<T>::AllocateForcedDiscreteUpdateEventCollection() const {
  auto result =
      std::make_unique<DiagramEventCollection<DiscreteUpdateEvent<T>>>(
          num_subsystems());
  for (int i = 0; i < num_subsystems(); ++i) {
    result->set_and_own_subevent_collection(
        i, subsystem(i).AllocateForcedDiscreteUpdateEventCollection());
  }
  return result;
}

template <typename T>
std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>>
Diagram<T>::AllocateForcedUnrestrictedUpdateEventCollection() const {
  auto result =
      std::make_unique<DiagramEventCollection<UnrestrictedUpdateEvent<T>>>(
          num_subsystems());
  for (int i = 0; i < num_subsystems(); ++i) {
    result->set_and_own_subevent_collection(
        i, subsystem(i).AllocateForcedUnrestrictedUpdateEventCollection());
  }
  return result;
}

template <typename T>
void Diagram<T>::AllocateForcedEvents() {
  this->set_forced_publish_events(AllocateForcedPublishEventCollection());
  this->set_forced_discrete_update_events(
      AllocateForcedDiscreteUpdateEventCollection());
  this->set_forced_unrestricted_update_events(
      AllocateForcedUnrestrictedUpdateEventCollection());
}

// When.

template <typename T>
void Diagram<T>::DoCalcNextUpdateTime(const Context<T>& context,
                                      CompositeEventCollection<T>* events,
                                      T* time) const {
  auto& parts = static_cast<DiagramCompositeEventCollection<T>&>(*events);
  std::vector<T>& times = parts.mutable_times();
  times.resize(num_subsystems(), T(0.0));
  *time = T(std::numeric_limits<double>::infinity());
  for (int i = 0; i < num_subsystems(); ++i) {
    times[i] = subsystem(i).CalcNextUpdateTime(
        SubContext(context, i), &parts.get_mutable_subevent_collection(i));
    if (times[i] < *time) *time = times[i];
  }
  // Events within rounding of the soonest happen with it; the others happen
  // later.
  const double soonest = ToDouble(*time);
  if (soonest == std::numeric_limits<double>::infinity()) return;
  const double latest = soonest + internal::SameTimeTolerance(soonest);
  parts.ClearEventsAfter(latest);
}

template <typename T>
void Diagram<T>::DoCalcNextBreakTime(const Context<T>& context, const T& after,
                                     T* time) const {
  for (int i = 0; i < num_subsystems(); ++i) {
    if (!subsystem(i).has_break_times()) continue;
    const T next =
        subsystem(i).CalcNextBreakTime(SubContext(context, i), after);
    if (next < *time) *time = next;
  }
}

template <typename T>
void Diagram<T>::DoGetPerStepEvents(const Context<T>& context,
                                    CompositeEventCollection<T>* events) const {
  auto& parts = static_cast<DiagramCompositeEventCollection<T>&>(*events);
  for (int i = 0; i < num_subsystems(); ++i) {
    subsystem(i).GetPerStepEvents(SubContext(context, i),
                                  &parts.get_mutable_subevent_collection(i));
  }
}

template <typename T>
void Diagram<T>::DoGetInitializationEvents(
    const Context<T>& context, CompositeEventCollection<T>* events) const {
  auto& parts = static_cast<DiagramCompositeEventCollection<T>&>(*events);
  for (int i = 0; i < num_subsystems(); ++i) {
    subsystem(i).GetInitializationEvents(
        SubContext(context, i), &parts.get_mutable_subevent_collection(i));
  }
}

template <typename T>
void Diagram<T>::DoGetPeriodicEvents(
    const Context<T>& context, CompositeEventCollection<T>* events) const {
  auto& parts = static_cast<DiagramCompositeEventCollection<T>&>(*events);
  for (int i = 0; i < num_subsystems(); ++i) {
    subsystem(i).GetPeriodicEvents(SubContext(context, i),
                                   &parts.get_mutable_subevent_collection(i));
  }
}

template <typename T>
std::map<PeriodicEventData, std::vector<const Event<T>*>,
         PeriodicEventDataComparator>
Diagram<T>::DoMapPeriodicEventsByTiming(const Context<T>* context) const {
  std::map<PeriodicEventData, std::vector<const Event<T>*>,
           PeriodicEventDataComparator>
      result;
  for (int i = 0; i < num_subsystems(); ++i) {
    const Context<T>* part =
        context == nullptr ? nullptr : &SubContext(*context, i);
    for (const auto& [timing, events] :
         subsystem(i).MapPeriodicEventsByTiming(part)) {
      auto& all = result[timing];
      all.insert(all.end(), events.begin(), events.end());
    }
  }
  return result;
}

template <typename T>
void Diagram<T>::DoFindUniquePeriodicDiscreteUpdatesOrThrow(
    const char* api_name, const Context<T>& context,
    std::optional<PeriodicEventData>* timing,
    EventCollection<DiscreteUpdateEvent<T>>* events) const {
  auto& parts =
      ExactCast<DiagramEventCollection<DiscreteUpdateEvent<T>>>(*events);
  for (int i = 0; i < num_subsystems(); ++i) {
    subsystem(i).DoFindUniquePeriodicDiscreteUpdatesOrThrow(
        api_name, SubContext(context, i), timing,
        &parts.get_mutable_subevent_collection(i));
  }
}

template <typename T>
std::string Diagram<T>::DoDescribeDifficulties(const Context<T>& context,
                                               Difficulty least) const {
  std::string all;
  for (int i = 0; i < num_subsystems(); ++i) {
    const std::string part =
        subsystem(i).DescribeDifficulties(SubContext(context, i), least);
    if (part.empty()) continue;
    if (!all.empty()) all += ' ';
    all += part;
  }
  return all;
}

// Witness functions.

template <typename T>
void Diagram<T>::DoGetWitnessFunctions(
    const Context<T>& context,
    std::vector<const WitnessFunction<T>*>* witnesses) const {
  for (int i = 0; i < num_subsystems(); ++i) {
    subsystem(i).GetWitnessFunctions(SubContext(context, i), witnesses);
  }
}

template <typename T>
T Diagram<T>::DoCalcWitnessValue(const Context<T>& context,
                                 const WitnessFunction<T>& witness_func) const {
  const System<T>& system = witness_func.get_system();
  return witness_func.CalcWitnessValue(RequireSubsystem(
      "CalcWitnessValue", system, DoGetTargetSystemContext(system, &context)));
}

template <typename T>
void Diagram<T>::AddTriggeredWitnessFunctionToCompositeEventCollection(
    Event<T>* event, CompositeEventCollection<T>* events) const {
  const auto* data =
      event->template get_event_data<WitnessTriggeredEventData<T>>();
  if (data == nullptr || data->triggered_witness() == nullptr) {
    throw std::logic_error(fmt::format(
        "Diagram::AddTriggeredWitnessFunctionToCompositeEventCollection(): the "
        "event given to {} does not name the witness function that triggered "
        "it; set its WitnessTriggeredEventData.",
        this->GetSystemPathname()));
  }
  const System<T>& system = data->triggered_witness()->get_system();
  const CompositeEventCollection<T>& part = RequireSubsystem(
      "AddTriggeredWitnessFunctionToCompositeEventCollection", system,
      static_cast<const CompositeEventCollection<T>*>(
          DoGetMutableTargetSystemCompositeEventCollection(system, events)));
  event->AddToComposite(const_cast<CompositeEventCollection<T>*>(&part));
}

// Handling: a subsystem without events is not called.

template <typename T>
EventStatus Diagram<T>::DispatchPublishHandler(
    const Context<T>& context,
    const EventCollection<PublishEvent<T>>& events) const {
  const auto& parts =
      ExactCast<DiagramEventCollection<PublishEvent<T>>>(events);
  EventStatus status = EventStatus::DidNothing();
  for (int i = parts.FindEvents(0); i < num_subsystems();
       i = parts.FindEvents(i + 1)) {
    const auto& part = parts.get_subevent_collection(i);
    status.KeepMoreSevere(
        subsystem(i).DispatchPublishHandler(SubContext(context, i), part));
  }
  return status;
}

template <typename T>
EventStatus Diagram<T>::DispatchDiscreteVariableUpdateHandler(
    const Context<T>& context,
    const EventCollection<DiscreteUpdateEvent<T>>& events,
    DiscreteValues<T>* discrete_state) const {
  const auto& parts =
      ExactCast<DiagramEventCollection<DiscreteUpdateEvent<T>>>(events);
  auto& xd = ExactCast<DiagramDiscreteValues<T>>(*discrete_state);
  EventStatus status = EventStatus::DidNothing();
  for (int i = parts.FindEvents(0); i < num_subsystems();
       i = parts.FindEvents(i + 1)) {
    const auto& part = parts.get_subevent_collection(i);
    status.KeepMoreSevere(subsystem(i).DispatchDiscreteVariableUpdateHandler(
        SubContext(context, i), part,
        &xd.get_mutable_subdiscrete(SubsystemIndex(i))));
    if (status.failed()) break;
  }
  return status;
}

template <typename T>
EventStatus Diagram<T>::DispatchUnrestrictedUpdateHandler(
    const Context<T>& context,
    const EventCollection<UnrestrictedUpdateEvent<T>>& events,
    State<T>* state) const {
  const auto& parts =
      ExactCast<DiagramEventCollection<UnrestrictedUpdateEvent<T>>>(events);
  auto& states = ExactCast<DiagramState<T>>(*state);
  EventStatus status = EventStatus::DidNothing();
  for (int i = parts.FindEvents(0); i < num_subsystems();
       i = parts.FindEvents(i + 1)) {
    const auto& part = parts.get_subevent_collection(i);
    status.KeepMoreSevere(subsystem(i).DispatchUnrestrictedUpdateHandler(
        SubContext(context, i), part, &states.get_mutable_substate(i)));
    if (status.failed()) break;
  }
  return status;
}

template <typename T>
void Diagram<T>::DoApplyDiscreteVariableUpdate(
    const EventCollection<DiscreteUpdateEvent<T>>& events,
    DiscreteValues<T>* discrete_state, Context<T>* context) const {
  const auto& parts =
      ExactCast<DiagramEventCollection<DiscreteUpdateEvent<T>>>(events);
  auto& xd = ExactCast<DiagramDiscreteValues<T>>(*discrete_state);
  for (int i = parts.FindEvents(0); i < num_subsystems();
       i = parts.FindEvents(i + 1)) {
    const auto& part = parts.get_subevent_collection(i);
    subsystem(i).DoApplyDiscreteVariableUpdate(
        part, &xd.get_mutable_subdiscrete(SubsystemIndex(i)),
        &MutableSubContext(context, i));
  }
}

template <typename T>
void Diagram<T>::DoApplyUnrestrictedUpdate(
    const EventCollection<UnrestrictedUpdateEvent<T>>& events, State<T>* state,
    Context<T>* context) const {
  const auto& parts =
      ExactCast<DiagramEventCollection<UnrestrictedUpdateEvent<T>>>(events);
  auto& states = ExactCast<DiagramState<T>>(*state);
  for (int i = parts.FindEvents(0); i < num_subsystems();
       i = parts.FindEvents(i + 1)) {
    const auto& part = parts.get_subevent_collection(i);
    subsystem(i).DoApplyUnrestrictedUpdate(
        part, &states.get_mutable_substate(i), &MutableSubContext(context, i));
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Diagram);
