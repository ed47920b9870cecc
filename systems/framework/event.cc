#include "wyvern/systems/framework/event.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/event_collection.h"

namespace wyvern::systems {

template <typename T>
void Event<T>::AddToComposite(TriggerType trigger_type,
                              CompositeEventCollection<T>* events) const {
  wyvern::internal::RequireNotNull(
      "Event::AddToComposite", "events", events,
      "pass the one given to DoCalcNextUpdateTime()");
  if (trigger_type == TriggerType::kUnknown ||
      (trigger_type_ != TriggerType::kUnknown &&
       trigger_type_ != trigger_type)) {
    throw std::logic_error(
        "Event::AddToComposite(): the trigger type is unknown, or another than "
        "the event already has; set one of them.");
  }
  DoAddToComposite(trigger_type, events);
}

template <typename T>
void Event<T>::AddToComposite(CompositeEventCollection<T>* events) const {
  AddToComposite(trigger_type_, events);
}

template <typename T>
void PublishEvent<T>::DoAddToComposite(
    TriggerType trigger_type, CompositeEventCollection<T>* events) const {
  PublishEvent<T> event(*this);
  event.set_trigger_type(trigger_type);
  events->AddPublishEvent(std::move(event));
}

template <typename T>
void DiscreteUpdateEvent<T>::DoAddToComposite(
    TriggerType trigger_type, CompositeEventCollection<T>* events) const {
  DiscreteUpdateEvent<T> event(*this);
  event.set_trigger_type(trigger_type);
  events->AddDiscreteUpdateEvent(std::move(event));
}

template <typename T>
void UnrestrictedUpdateEvent<T>::DoAddToComposite(
    TriggerType trigger_type, CompositeEventCollection<T>* events) const {
  UnrestrictedUpdateEvent<T> event(*this);
  event.set_trigger_type(trigger_type);
  events->AddUnrestrictedUpdateEvent(std::move(event));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Event);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::PublishEvent);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::DiscreteUpdateEvent);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::UnrestrictedUpdateEvent);
