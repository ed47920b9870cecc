#include "wyvern/systems/framework/leaf_events.h"

#include <algorithm>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::internal {

template <typename T>
void AddReference(const Event<T>& event, CompositeEventCollection<T>* events) {
  if (const auto* p = dynamic_cast<const PublishEvent<T>*>(&event)) {
    events->get_mutable_publish_events().AddEventReference(p);
  } else if (const auto* d =
                 dynamic_cast<const DiscreteUpdateEvent<T>*>(&event)) {
    events->get_mutable_discrete_update_events().AddEventReference(d);
  } else {
    events->get_mutable_unrestricted_update_events().AddEventReference(
        &dynamic_cast<const UnrestrictedUpdateEvent<T>&>(event));
  }
}

template <typename T>
const Event<T>& LeafEvents<T>::Keep(const Event<T>& event,
                                    TriggerType trigger) {
  owned_.push_back(event.Clone());
  owned_.back()->set_trigger_type(trigger);
  return *owned_.back();
}

template <typename T>
void LeafEvents<T>::Add(const Event<T>& event, TriggerType trigger,
                        CompositeEventCollection<T>* events) {
  AddReference(Keep(event, trigger), events);
}

template <typename T>
void LeafEvents<T>::AddPeriodic(const PeriodicEventData& when,
                                const Event<T>& event) {
  Keep(event, TriggerType::kPeriodic);
  owned_.back()->set_event_data(when);
  auto found =
      std::find_if(periodic_.begin(), periodic_.end(),
                   [&when](const Timing& t) { return t.when == when; });
  if (found == periodic_.end()) {
    periodic_.push_back(
        {when, std::make_unique<LeafCompositeEventCollection<T>>(), {}});
    found = periodic_.end() - 1;
  }
  found->all.push_back(owned_.back().get());
  AddReference(*owned_.back(), found->events.get());
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::LeafEvents);

namespace wyvern::systems::internal {
#define WYVERN_INSTANTIATE_ADD_REFERENCE(T)            \
  template void AddReference<T>(const Event<T>& event, \
                                CompositeEventCollection<T>* events);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_ADD_REFERENCE)
#undef WYVERN_INSTANTIATE_ADD_REFERENCE
}  // namespace wyvern::systems::internal
