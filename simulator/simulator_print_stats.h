#pragma once

#include <string>

#include "wyvern/simulator/simulator.h"

namespace wyvern::systems {

/** The statistics of a simulation so far, and its settings, as lines of text:
general ones, those of the integrator, and those of error control if on. */
template <typename T>
std::string FormatSimulatorStatistics(const Simulator<T>& simulator);

/** Prints FormatSimulatorStatistics() on standard output. */
template <typename T>
void PrintSimulatorStatistics(const Simulator<T>& simulator);

}  // namespace wyvern::systems
