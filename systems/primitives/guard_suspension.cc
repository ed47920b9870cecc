#include "wyvern/systems/primitives/guard_suspension.h"

namespace wyvern::systems::internal {

namespace {

thread_local int num_suspensions = 0;

}  // namespace

GuardSuspension::GuardSuspension() { ++num_suspensions; }
GuardSuspension::~GuardSuspension() { --num_suspensions; }
bool GuardSuspension::is_active() { return num_suspensions > 0; }

}  // namespace wyvern::systems::internal
