#pragma once

/** @file
First-order approximations of a System around an operating point. */

#include <memory>
#include <variant>

#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

template <typename T>
class System;
template <typename T>
class Context;
template <typename T>
class AffineSystem;
template <typename T>
class LinearSystem;

/** The linear system that `system` is to first order around the equilibrium x0,
u0 in `context`, in the coordinates x - x0, u - u0, y - y0.

The state of `system` must be continuous only, or one group of discrete
variables with one periodic update (then the result has its period); or there is
none. The input is one vector-valued port or none, and so is the output; other
input ports keep their values in `context`.

Derivatives are exact, by automatic differentiation, so `system` must convert to
AutoDiffXd. Include linear_system.h to use the result.

@param equilibrium_check_tolerance largest |dx/dt| or |x[n+1] - x[n]| (the
largest element, in the state's units) to be taken for zero.
@throws std::runtime_error if x0, u0 is not an equilibrium.
@throws std::logic_error on another kind of state, an abstract or unconnected
input port, or a System that does not convert. */
std::unique_ptr<LinearSystem<double>> Linearize(
    const System<double>& system, const Context<double>& context,
    std::variant<InputPortSelection, InputPortIndex> input_port_index =
        InputPortSelection::kUseFirstInputIfItExists,
    std::variant<OutputPortSelection, OutputPortIndex> output_port_index =
        OutputPortSelection::kUseFirstOutputIfItExists,
    double equilibrium_check_tolerance = 1e-6);

/** The affine system that `system` is to first order around any operating
point, in its own coordinates x, u, y:

    dx/dt = A x + B u + f0,  f0 = f(x0, u0) - A x0 - B u0
    y     = C x + D u + y0,  y0 = g(x0, u0) - C x0 - D u0

or with x[n+1] for dx/dt. Otherwise as Linearize(). */
std::unique_ptr<AffineSystem<double>> FirstOrderTaylorApproximation(
    const System<double>& system, const Context<double>& context,
    std::variant<InputPortSelection, InputPortIndex> input_port_index =
        InputPortSelection::kUseFirstInputIfItExists,
    std::variant<OutputPortSelection, OutputPortIndex> output_port_index =
        OutputPortSelection::kUseFirstOutputIfItExists);

}  // namespace wyvern::systems
