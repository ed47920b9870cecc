#pragma once

#include <string>
#include <vector>

#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/statistics_group.h"

namespace wyvern::systems {

/** The statistics of a simulation so far, and its settings: general ones, and
those of the integrator, with error control if that is on. */
template <typename T>
std::vector<StatisticsGroup> CollectStatistics(const Simulator<T>& simulator);

/** Returns the statistics as lines of text. */
template <typename T>
std::string FormatSimulatorStatistics(const Simulator<T>& simulator);

/** Prints FormatSimulatorStatistics() on standard output. */
template <typename T>
void PrintSimulatorStatistics(const Simulator<T>& simulator);

}  // namespace wyvern::systems
