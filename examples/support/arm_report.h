#pragma once

#include <filesystem>

#include "examples/support/arm_experiment.h"
#include "wyvern/simulator/report/report.h"

namespace wyvern::examples {

/// A row per joint: tracking error, peak torque or force, its share of the
/// limit, and why the joint fails where it does; those that fail come first.
report::Table MakeJointTable(const ArmLog& log, double bound);

/// Steps, wall time, real-time rate and tracking error against its bound.
std::vector<report::Fact> MakeFacts(const ArmLog& log, double bound);

/// Whether the joints stay within the bound.
std::vector<report::Check> MakeChecks(const ArmLog& log, double bound);

/// Writes log.csv and report.html into the folder of the options, with the
/// command line, the version of Wyvern and the date.
/// @throws std::runtime_error naming the file that cannot be written.
void WriteArmReport(const ArmLog& log, const ArmOptions& options);

}  // namespace wyvern::examples
