#pragma once

/** @file
The scalar of sources that are compiled once more, for expressions:
symbolic::Expression alone. Included after the headers that must know the
default scalars and before such sources (sources_for_expressions.cmake).
`#pragma pop_macro("WYVERN_AUTODIFF")` says again what WYVERN_AUTODIFF was. */

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/symbolic/formula.h"

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_WITH_AUTODIFF
#pragma push_macro("WYVERN_AUTODIFF")
#undef WYVERN_AUTODIFF
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) F(::wyvern::symbolic::Expression)
#define WYVERN_WITH_AUTODIFF(...)
#define WYVERN_AUTODIFF 0

/** WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS stands for the first in the source of
a class, and for the second in a part of a class. */
#define WYVERN_INSTANTIATE_CLASSES(...) \
  template __VA_ARGS__<::wyvern::symbolic::Expression>
#define WYVERN_INSTANTIATE_PARTS(...) static_assert(true)
