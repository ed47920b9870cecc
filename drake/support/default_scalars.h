#pragma once

/** @file
Instantiates and declares the templates of a program of Drake's style.
The default scalars are double and AutoDiffXd; symbolic::Expression is none. */

#include <tuple>

#include "wyvern/systems/common/default_scalars.h"

/** `class Name`, with its namespaces, for every scalar. */
#define DRAKE_DEFINE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_SCALARS(...) \
  WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(__VA_ARGS__)
#define DRAKE_DEFINE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_NONSYMBOLIC_SCALARS( \
    ...)                                                                           \
  WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(__VA_ARGS__)

#define DRAKE_DECLARE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_SCALARS(...) \
  extern template __VA_ARGS__<double> WYVERN_WITH_AUTODIFF(                 \
      ; extern template __VA_ARGS__<::wyvern::AutoDiffXd>)
#define DRAKE_DECLARE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_NONSYMBOLIC_SCALARS( \
    ...)                                                                            \
  DRAKE_DECLARE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_SCALARS(__VA_ARGS__)

/** Functions, as a list of pointers in parentheses: ((&Twice<T>, &Half<T>)). */
#define DRAKE_DEFINE_FUNCTION_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_SCALARS( \
    pointers)                                                             \
  template <typename T>                                                   \
  static auto DrakeFunctionPointers() {                                   \
    return std::make_tuple pointers;                                      \
  }                                                                       \
  [[gnu::used]] static const auto drake_functions_of_double =             \
      DrakeFunctionPointers<double>() WYVERN_WITH_AUTODIFF(               \
          ; [[gnu::used]] static const auto drake_functions_of_autodiff = \
                DrakeFunctionPointers<::wyvern::AutoDiffXd>())
#define DRAKE_DEFINE_FUNCTION_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_NONSYMBOLIC_SCALARS( \
    pointers)                                                                         \
  DRAKE_DEFINE_FUNCTION_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_SCALARS(pointers)
