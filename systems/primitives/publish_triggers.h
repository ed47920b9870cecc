#pragma once

#include <string_view>

#include "wyvern/systems/framework/event.h"

namespace wyvern::systems {

namespace internal {

/** Returns the triggers of a sink whose user gives only a period, [s]: kForced,
and kPeriodic if the period is positive, otherwise kPerStep. */
TriggerTypeSet DefaultPublishTriggers(double publish_period);

/** @throws std::logic_error if a trigger is none of kForced, kPerStep and
kPeriodic, the period is negative or not finite, or it is positive without
kPeriodic or zero with it. */
void RequireTriggers(std::string_view who,
                     const TriggerTypeSet& publish_triggers,
                     double publish_period);

}  // namespace internal

}  // namespace wyvern::systems
