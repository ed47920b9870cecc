#pragma once

#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** Makes models under `element` static, with a warning, if they have frames but
no links: their frames are fixed in place. libsdformat refuses a model without
links that is not static. */
void FixFramesAlone(const SdfElement& element, WarningLog* log);

}  // namespace wyvern::multibody::internal
