#pragma once

#include <filesystem>

#include "examples/support/arm_experiment.h"
#include "examples/support/html_report.h"

namespace wyvern::examples {

/// A row per joint: tracking error, peak torque and its share of the limit.
Table MakeJointTable(const ArmLog& log);

/// Steps, wall time, real-time rate and tracking error against its bound.
std::vector<Fact> MakeFacts(const ArmLog& log, double bound);

/// Writes log.csv and report.html into the folder.
/// @throws std::runtime_error naming the file that cannot be written.
void WriteArmReport(const ArmLog& log, double bound,
                    const std::filesystem::path& folder);

}  // namespace wyvern::examples
