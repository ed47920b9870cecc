#pragma once

#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** Makes the models under `element` that have frames and no links static, with
a warning: their frames are fixed where they are. libsdformat refuses a model
without links that is not static. */
void FixFramesAlone(const SdfElement& element, WarningLog* log);

}  // namespace wyvern::multibody::internal
