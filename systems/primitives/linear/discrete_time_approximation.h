#pragma once

#include <memory>

#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems {

/** The discrete-time system that agrees with the continuous-time `system` at
the sample times k time_period [s] if the input is held constant in between;
exact, by the matrix exponential.
@throws std::logic_error if `system` is discrete or `time_period` is not
positive and finite. */
template <typename T>
std::unique_ptr<LinearSystem<T>> DiscreteTimeApproximation(
    const LinearSystem<T>& system, double time_period);

/** Overload for an affine system. */
template <typename T>
std::unique_ptr<AffineSystem<T>> DiscreteTimeApproximation(
    const AffineSystem<T>& system, double time_period);

}  // namespace wyvern::systems
