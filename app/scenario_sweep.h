#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wyvern/app/sweep.h"

namespace wyvern::app {

/** A sweep over a scenario. */
struct ScenarioSweep {
  /** The scenario's file, and settings that all samples have. */
  std::string scenario;
  /** Settings of all samples, as "path=value". */
  std::vector<std::string> settings;
  /** Outputs kept of a run: "system/port" or "system/port[2]", followed by
  ":final" (the default), or by ":min" or ":max" over its steps. */
  std::vector<std::string> outputs{"plant/state"};
  /** Where each sample leaves its scenario and its logs, in folders of their
  numbers; nowhere if empty. */
  std::filesystem::path sample_folder{};
};

/** The study of it. Its outputs have the names of the ports' elements; the note
is why a run ended. What of the scenario's models is read is what is in their
files when a sample runs.
@throws std::runtime_error or std::logic_error if the scenario cannot be run
with the first sample's settings, or an output names nothing. */
SweepStudy MakeStudy(const ScenarioSweep& sweep, SweepPlan plan);

}  // namespace wyvern::app
