#pragma once

#include <string>

#include "examples/support/arm_experiment.h"
#include "examples/support/arm_options.h"

namespace wyvern::examples {

/// The arm's logged motion as a page that plays it, 25 frames a second. Without
/// it, empty: if the library has no viewer, or what the robot looks like cannot
/// be read, which `*remark` then says.
std::string MakeArmReplay(const ArmLog& log, const ArmOptions& options,
                          std::string* remark);

}  // namespace wyvern::examples
