#pragma once

/** @file
What the sources of other layers find when they are compiled here once more, for
symbolic::Expression: it is the only one of their scalars. Included first.
Classes are instantiated by who includes them, once all of their parts are
there. */

#include "wyvern/multibody/symbolic/plant/symbolic_plant.h"

namespace wyvern::symbolic {
/** Returns the number that decides a branch.
@throws std::runtime_error if it has variables. */
inline double ValueOf(const Expression& e) { return ExtractDoubleOrThrow(e); }
}  // namespace wyvern::symbolic

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS
#undef WYVERN_WITH_AUTODIFF
#undef WYVERN_AUTODIFF
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) F(::wyvern::symbolic::Expression)
#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...) static_assert(true)
#define WYVERN_WITH_AUTODIFF(...)
#define WYVERN_AUTODIFF 0
