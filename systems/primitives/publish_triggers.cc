#include "wyvern/systems/primitives/publish_triggers.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::systems {

namespace internal {

TriggerTypeSet DefaultPublishTriggers(double publish_period) {
  return publish_period > 0.0
             ? TriggerTypeSet{TriggerType::kForced, TriggerType::kPeriodic}
             : TriggerTypeSet{TriggerType::kForced, TriggerType::kPerStep};
}

void RequireTriggers(std::string_view who,
                     const TriggerTypeSet& publish_triggers,
                     double publish_period) {
  wyvern::internal::RequireNonNegative(who, "publish_period", publish_period);
  if (publish_triggers.empty()) {
    throw std::logic_error(fmt::format(
        "{}: publish_triggers is empty; nothing would ever be written.", who));
  }
  for (TriggerType trigger : publish_triggers) {
    if (trigger != TriggerType::kForced && trigger != TriggerType::kPerStep &&
        trigger != TriggerType::kPeriodic) {
      throw std::logic_error(fmt::format(
          "{}: publish_triggers has the unsupported trigger {}; it may have "
          "kForced, kPerStep and kPeriodic.",
          who, static_cast<int>(trigger)));
    }
  }
  const bool is_periodic = publish_triggers.contains(TriggerType::kPeriodic);
  if (is_periodic != (publish_period > 0.0)) {
    throw std::logic_error(fmt::format(
        "{}: publish_period is {} and kPeriodic is {}; a positive period goes "
        "with kPeriodic, zero goes without it.",
        who, publish_period,
        is_periodic ? "among the triggers" : "not among the triggers"));
  }
}

}  // namespace internal

}  // namespace wyvern::systems
