#pragma once

#include <string>
#include <vector>

#include "wyvern/simulator/analysis/simulator_config.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::systems {

/** The names of the integrators, in alphabetical order, for
ResetIntegratorFromFlags() and SimulatorConfig. */
const std::vector<std::string>& GetIntegrationSchemes();

/** Gives the Simulator the integrator of the name `scheme`, with that maximum
step size [s]. Initialize() must follow.
@throws std::logic_error if there is no such scheme, or `simulator` is null. */
template <typename T>
IntegratorBase<T>& ResetIntegratorFromFlags(Simulator<T>* simulator,
                                            const std::string& scheme,
                                            const T& max_step_size);

/** Applies all of `config`. Replaces the integrator and sets the Context's
time, so Initialize() must follow.
@throws std::logic_error if a value is not possible, or `simulator` is null. */
template <typename T>
void ApplySimulatorConfig(const SimulatorConfig& config,
                          Simulator<T>* simulator);

/** Extracts the configuration with which ApplySimulatorConfig() makes another
Simulator run as this one does from its present time on.
@throws std::logic_error if GetIntegrationSchemes() lacks the integrator.
*/
template <typename T>
SimulatorConfig ExtractSimulatorConfig(const Simulator<T>& simulator);

}  // namespace wyvern::systems
