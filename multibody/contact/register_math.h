#pragma once

#include <cmath>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

/** @file
Functions of scalars and, number by number, of registers. Results are written
through pointers, since registers in return values depend on compiler flags. */

using wyvern::internal::LoadRegister;
using wyvern::internal::StoreRegister;

/** *x = sqrt(*x). */
template <class T>
[[gnu::always_inline]] inline void TakeSquareRoot(T* x) {
  using std::sqrt;
  *x = sqrt(*x);
}
[[gnu::always_inline]] inline void TakeSquareRoot(
    wyvern::internal::NarrowRegister* x) {
#ifdef __SSE2__
  *x = _mm_sqrt_pd(*x);
#else
  *x = wyvern::internal::NarrowRegister{std::sqrt((*x)[0]), std::sqrt((*x)[1])};
#endif
}
[[gnu::always_inline]] inline void TakeSquareRoot(
    wyvern::internal::WideRegister* x) {
  auto low = __builtin_shufflevector(*x, *x, 0, 1);
  auto high = __builtin_shufflevector(*x, *x, 2, 3);
  TakeSquareRoot(&low);
  TakeSquareRoot(&high);
  *x = __builtin_shufflevector(low, high, 0, 1, 2, 3);
}

/** *x = 0 if `condition` is not positive; if it is NaN, *x stays. */
template <class T>
[[gnu::always_inline]] inline void ZeroUnlessPositive(const T& condition,
                                                      T* x) {
  if (condition <= 0) *x = T(0);
}
[[gnu::always_inline]] inline void ZeroUnlessPositive(
    const wyvern::internal::NarrowRegister& condition,
    wyvern::internal::NarrowRegister* x) {
  *x = condition <= 0.0 ? wyvern::internal::NarrowRegister{} : *x;
}
[[gnu::always_inline]] inline void ZeroUnlessPositive(
    const wyvern::internal::WideRegister& condition,
    wyvern::internal::WideRegister* x) {
  *x = condition <= 0.0 ? wyvern::internal::WideRegister{} : *x;
}

}  // namespace wyvern::multibody::internal
