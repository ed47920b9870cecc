#pragma once

#include <cmath>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

/** @file
The register type of kernels, and functions of scalars and, number by number, of
registers. A kernel is written once for a register type V and runs on the widest
registers of the processor; its sums are taken in one order, so that the bits do
not depend on V. Registers are passed by pointer or reference, since registers
as values depend on compiler flags. */

/** Names the register type V that a kernel runs on. */
template <class V>
struct RegisterType {};

template <class Kernel, class... Arguments>
WYVERN_WIDE_REGISTERS auto RunOnWideRegisters(Arguments... arguments) {
  return Kernel()(RegisterType<wyvern::internal::WideRegister>(), arguments...);
}

/** Makes a kernel of a function template, as WYVERN_KERNEL(Multiply<V>), that
RunBest() runs with the register type V. Functions that it calls have to be
always inlined too, so that they are compiled for that type. */
#define WYVERN_KERNEL(...)                        \
  []<class V>(RegisterType<V>, auto... arguments) \
      __attribute__((always_inline)) {            \
    return __VA_ARGS__(arguments...);             \
  }

/** Runs a kernel on the widest registers that the processor has. Arguments are
passed by value: give large ones by pointer. */
template <class Kernel, class... Arguments>
[[gnu::always_inline]] inline auto RunBest(const Kernel& kernel,
                                           Arguments... arguments) {
  return wyvern::internal::kHasWideRegisters
             ? RunOnWideRegisters<Kernel>(arguments...)
             : kernel(RegisterType<wyvern::internal::NarrowRegister>(),
                      arguments...);
}

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
