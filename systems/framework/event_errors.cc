#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/framework/event.h"

// Reasons for which events of any scalar are refused.

namespace wyvern::systems::internal {

void ThrowNullCallback() {
  throw std::logic_error(
      "Event: the callback given is an empty function; pass one that can be "
      "called, or none.");
}

void ThrowNullEvent() {
  throw std::logic_error(
      "EventCollection::AddEventReference(): the event given is null; pass an "
      "event that outlives the collection.");
}

void ThrowSubeventIndex(int index, int num_subsystems) {
  throw std::out_of_range(
      fmt::format("DiagramEventCollection: the events of subsystem {} were "
                  "asked for; there "
                  "are {} subsystems.",
                  index, num_subsystems));
}

void ThrowSubevents(int index, bool is_null) {
  throw std::logic_error(fmt::format(
      "DiagramEventCollection::set_subevent_collection(): the collection given "
      "for subsystem {} {}; pass a collection that no other one contains.",
      index, is_null ? "is null" : "is in a Diagram's collection already"));
}

}  // namespace wyvern::systems::internal
