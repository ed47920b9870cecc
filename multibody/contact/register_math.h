#pragma once

#include <cmath>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

/** @file
Four numbers at once: the only header of the contact solver that names
registers. A kernel is written once, for Pack4. The compiler makes two functions
of it: one for registers of four numbers (AVX2), one for what every processor
has. RunBest() picks at run time. Both round alike, since each operation acts
number by number and sums are taken in one order.

Packs are passed by pointer or reference, since registers as values depend on
compiler flags. */

/** Four numbers. Arithmetic and comparisons act number by number. */
using Pack4 = wyvern::internal::WideRegister;
/** Two numbers. */
using Pack2 = wyvern::internal::NarrowRegister;

template <class Kernel, class... Arguments>
WYVERN_WIDE_REGISTERS auto RunOnWideRegisters(Arguments... arguments) {
  return Kernel()(arguments...);
}

/** Makes a kernel of a function, as WYVERN_KERNEL(Multiply), for RunBest().
The function and all that it calls have to be always inlined. */
#define WYVERN_KERNEL(...)                               \
  [](auto... arguments) __attribute__((always_inline)) { \
    return __VA_ARGS__(arguments...);                    \
  }

/** Runs a kernel on the widest registers that the processor has. Arguments are
passed by value: give large ones by pointer. */
template <class Kernel, class... Arguments>
[[gnu::always_inline]] inline auto RunBest(const Kernel& kernel,
                                           Arguments... arguments) {
  return wyvern::internal::kHasWideRegisters
             ? RunOnWideRegisters<Kernel>(arguments...)
             : kernel(arguments...);
}

/** @name Numbers in memory
@{ */
using wyvern::internal::LoadRegister;
using wyvern::internal::StoreRegister;

/** Stores the first n numbers of x, or all if n is 4 or more. */
[[gnu::always_inline]] inline void StoreFirst(const Pack4& x, int n,
                                              double* to) {
  if (n >= 4) return StoreRegister(x, to);
  for (int i = 0; i < n; ++i) to[i] = x[i];
}

/** Reads the numbers at four indices. */
[[gnu::always_inline]] inline void Gather(const double* from, const int* index,
                                          Pack4* to) {
  *to = Pack4{from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
}

/** *y += s x, of four numbers at x. */
[[gnu::always_inline]] inline void AddScaled(double s, const double* x,
                                             Pack4* y) {
  Pack4 pack;
  LoadRegister(x, &pack);
  *y += s * pack;
}
/** @} */

/** *x = sqrt(*x). */
template <class T>
[[gnu::always_inline]] inline void TakeSquareRoot(T* x) {
  using std::sqrt;
  *x = sqrt(*x);
}
[[gnu::always_inline]] inline void TakeSquareRoot(Pack4* x) {
#ifdef __SSE2__
  Pack2 low = __builtin_shufflevector(*x, *x, 0, 1);
  Pack2 high = __builtin_shufflevector(*x, *x, 2, 3);
  low = _mm_sqrt_pd(low);
  high = _mm_sqrt_pd(high);
  *x = __builtin_shufflevector(low, high, 0, 1, 2, 3);
#else
  for (int i = 0; i < 4; ++i) (*x)[i] = std::sqrt((*x)[i]);
#endif
}

/** *x = 0 if `condition` is not positive; if it is NaN, *x stays. */
template <class T>
[[gnu::always_inline]] inline void ZeroUnlessPositive(const T& condition,
                                                      T* x) {
  if (condition <= 0) *x = T(0);
}
[[gnu::always_inline]] inline void ZeroUnlessPositive(const Pack4& condition,
                                                      Pack4* x) {
  *x = condition <= 0.0 ? Pack4{} : *x;
}

}  // namespace wyvern::multibody::internal
