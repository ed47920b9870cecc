#pragma once

#include <memory>

#include "wyvern/simulator/simulator.h"

namespace wyvern::fuzz {

/** Runs `system` from `start` to the time `end` [s], with a stop half way, and
ends the program unless
- every number is finite,
- a second run gives the same numbers, bit for bit,
- a copy of the Context made half way has the values of the original then, and
  keeps them while the original goes on,
- a Simulator loaded with what was saved half way gives the same end, bit for
  bit.
Errors of a user's kind pass, if they are plain and the same each time. Returns
the Context at the end; null if there was such an error.
@param fixed_step [s] for an integrator without error control; 0 for one with.
*/
std::unique_ptr<systems::Context<double>> RequireSimulationLaws(
    const systems::System<double>& system,
    const systems::Context<double>& start, double end, double fixed_step = 0);

}  // namespace wyvern::fuzz
