#pragma once

#include <filesystem>

#include "examples/support/arm_experiment.h"
#include "examples/support/html_report.h"

namespace wyvern::examples {

/// A row per joint: tracking error, peak torque or force, its share of the
/// limit, and why the joint fails where it does; those that fail come first.
Table MakeJointTable(const ArmLog& log, double bound);

/// Steps, wall time, real-time rate and tracking error against its bound.
std::vector<Fact> MakeFacts(const ArmLog& log, double bound);

/// Writes log.csv and report.html into the folder of the options, with the
/// command line, the version of Wyvern and the date.
/// @throws std::runtime_error naming the file that cannot be written.
void WriteArmReport(const ArmLog& log, const ArmOptions& options);

}  // namespace wyvern::examples
