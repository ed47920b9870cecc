#pragma once

/** @file
The scalar types every class template of the library is built for.

A header declares, its .cc defines, and the .cc's last line is one of these:
@code
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Gain);
@endcode

WYVERN_AUTODIFF is 1 unless the library was configured without AutoDiffXd
(CMake option of that name), which more than halves what it takes to compile.
Then every class is there for double alone, and no System converts: its
ToAutoDiffXd() throws, its ToAutoDiffXdMaybe() returns null.

WYVERN_SYMBOLIC is 1 in a program that links wyvern::symbolic: then System
classes of its own convert to symbolic::Expression, too, unless their
scalar_conversion::Traits say otherwise. Whoever does not link it compiles
nothing for expressions. */

#include "wyvern/systems/common/autodiff.h"

#ifndef WYVERN_AUTODIFF
#define WYVERN_AUTODIFF 1
#endif

#ifndef WYVERN_SYMBOLIC
#define WYVERN_SYMBOLIC 0
#endif

namespace wyvern::symbolic {
class Expression;
}  // namespace wyvern::symbolic

namespace wyvern {
/** True if class templates of the program are for symbolic::Expression, too. */
inline constexpr bool kForSymbolic = WYVERN_SYMBOLIC;

/** True if the library has its class templates for T. */
template <typename T>
inline constexpr bool kHasScalar =
    WYVERN_AUTODIFF || !std::is_same_v<T, AutoDiffXd>;
}  // namespace wyvern

#if WYVERN_AUTODIFF

/** Instantiates a class template on every scalar. The argument is the word
"class" and the template's full name. */
#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...) \
  template __VA_ARGS__<double>;                    \
  template __VA_ARGS__<::wyvern::AutoDiffXd>

/** Expands F(T) for every scalar: for function templates. */
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) \
  F(double)                               \
  F(::wyvern::AutoDiffXd)

/** Expands to its arguments, if every scalar is there. */
#define WYVERN_WITH_AUTODIFF(...) __VA_ARGS__

#else

#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...) template __VA_ARGS__<double>
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) F(double)
#define WYVERN_WITH_AUTODIFF(...)

#endif
