#pragma once

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::systems::internal {

/** While one of these exists, the guards of ModalBlocks that this thread asks
for their next events are not due. A ConditionalDiagram so finds the next
samples of a System that is not active: a guard that is due there must wait, and
would hide all events after it. */
class GuardSuspension {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(GuardSuspension);
  GuardSuspension();
  ~GuardSuspension();
  /** True if one exists in this thread. */
  static bool is_active();
};

}  // namespace wyvern::systems::internal
