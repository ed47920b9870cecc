#include "wyvern/simulator/simulator.h"

#include <stdexcept>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/leaf_events.h"

/* How a Simulator handles events. Events of one kind that are due at one
moment, for whatever reason, are one collection: a System that has several is
called once. Unrestricted updates come first, then discrete ones, then publish
events; what fails is tried again alone by the next AdvanceTo(). */

namespace wyvern::systems {

template <typename T>
template <typename EventType>
const EventCollection<EventType>* Simulator<T>::Merge(
    const EventCollection<EventType>& (Composite::*kind)() const,
    EventCollection<EventType>& (Composite::*merged)() const,
    bool initialization, bool per_step) const {
  const EventCollection<EventType>* only = nullptr;
  EventCollection<EventType>* all = nullptr;
  const auto add = [&](const Composite& source) {
    const EventCollection<EventType>& events = (source.*kind)();
    if (!events.HasEvents()) return;
    if (only == nullptr) {
      only = &events;
      return;
    }
    // Only now are they worth copying together.
    if (all == nullptr) {
      all = &((*merged_events_).*merged)();
      all->SetFrom(*only);
      only = all;
    }
    all->AddToEnd(events);
  };
  if (initialization) add(*initialization_events_);
  if (per_step) add(*per_step_events_);
  if (timed_events_are_due_) add(*timed_events_);
  if (witnessed_events_are_due_) add(*witnessed_events_);
  return only;
}

template <typename T>
void Simulator<T>::HandleUpdates(SimulatorStatus* status) {
  // If the discrete updates fail, only they are to be tried again.
  if (!are_unrestricted_updates_done_) {
    const auto* unrestricted =
        Merge(&Composite::get_unrestricted_update_events,
              &Composite::get_mutable_unrestricted_update_events, false,
              per_step_updates_are_due_);
    if (unrestricted) Note(HandleUnrestrictedUpdate(*unrestricted), status);
    are_unrestricted_updates_done_ = true;
  }
  const auto* discrete = Merge(&Composite::get_discrete_update_events,
                               &Composite::get_mutable_discrete_update_events,
                               false, per_step_updates_are_due_);
  if (discrete) Note(HandleDiscreteUpdate(*discrete), status);
  are_unrestricted_updates_done_ = false;
  timed_events_are_due_ = false;
  witnessed_events_are_due_ = false;
  per_step_updates_are_due_ = false;
}

template <typename T>
void Simulator<T>::HandlePublishes(bool initializing, SimulatorStatus* status) {
  const auto* publish = Merge(&Composite::get_publish_events,
                              &Composite::get_mutable_publish_events,
                              initializing, /* per_step = */ true);
  if (publish) Note(HandlePublish(*publish), status);
  if (initializing ? publish_at_initialization_ : publish_every_time_step_) {
    Note(HandlePublish(system_.get_forced_publish_events()), status);
  }
}

template <typename T>
EventStatus Simulator<T>::HandleUnrestrictedUpdate(
    const EventCollection<UnrestrictedUpdateEvent<T>>& events) {
  if (!events.HasEvents()) return EventStatus::DidNothing();
  EventStatus status = system_.CalcUnrestrictedUpdate(
      *context_, events, unrestricted_updates_.get());
  if (status.did_nothing() || status.failed()) return status;
  system_.ApplyUnrestrictedUpdate(events, unrestricted_updates_.get(),
                                  context_.get());
  ++num_unrestricted_updates_;
  return status;
}

template <typename T>
EventStatus Simulator<T>::HandleDiscreteUpdate(
    const EventCollection<DiscreteUpdateEvent<T>>& events) {
  if (!events.HasEvents()) return EventStatus::DidNothing();
  EventStatus status = system_.CalcDiscreteVariableUpdate(
      *context_, events, discrete_updates_.get());
  if (status.did_nothing() || status.failed()) return status;
  system_.ApplyDiscreteVariableUpdate(events, discrete_updates_.get(),
                                      context_.get());
  ++num_discrete_updates_;
  return status;
}

template <typename T>
EventStatus Simulator<T>::HandlePublish(
    const EventCollection<PublishEvent<T>>& events) {
  if (!events.HasEvents()) return EventStatus::DidNothing();
  EventStatus status = system_.Publish(*context_, events);
  if (!status.did_nothing() && !status.failed()) ++num_publishes_;
  return status;
}

template <typename T>
void Simulator<T>::CallMonitor(SimulatorStatus* status) {
  const auto monitor = monitor_;
  if (*monitor) Note((*monitor)(*context_), status);
}

template <typename T>
void Simulator<T>::Note(const EventStatus& event_status,
                        SimulatorStatus* status) const {
  const double now = ToDouble(context_->get_time());
  if (event_status.failed()) {
    status->SetEventHandlerFailed(now, event_status.system(),
                                  event_status.message());
    throw std::runtime_error(status->FormatMessage());
  }
  if (event_status.reached_termination() && status->succeeded()) {
    status->SetReachedTermination(now, event_status.system(),
                                  event_status.message());
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Simulator);
