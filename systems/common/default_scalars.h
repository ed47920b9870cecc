#pragma once

/** @file The scalar types every class template of the library is built for.

A header declares, its .cc defines, and the .cc's last line is one of these:
@code
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Gain);
@endcode */

#include "wyvern/systems/common/autodiff.h"

/** Instantiates a class template, `class ::ns::Name`, on every scalar. */
#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...) \
  template __VA_ARGS__<double>;                    \
  template __VA_ARGS__<::wyvern::AutoDiffXd>

/** Expands F(T) for every scalar: for function templates. */
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) \
  F(double)                               \
  F(::wyvern::AutoDiffXd)
