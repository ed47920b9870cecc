#pragma once

/** @file
What the sources of other layers find when they are compiled here once more, for
symbolic::Expression. Included first. */

#include "wyvern/multibody/symbolic/plant/symbolic_plant.h"

namespace wyvern::symbolic {
/** Returns the number that decides a branch.
@throws std::runtime_error if it has variables. */
inline double ValueOf(const Expression& e) { return ToDouble(e); }
}  // namespace wyvern::symbolic

#include "wyvern/systems/symbolic/expression_scalars_private.h"
