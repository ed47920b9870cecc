#pragma once

#include <cmath>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** @file
Several numbers at once: the only header that names registers.

A kernel is written once, for packs of numbers. The compiler makes two functions
of it: one for registers of four numbers (AVX2 without FMA, which would round
otherwise), one for what every processor has. RunBest() picks at run time. Both
give the same bits, since each operation acts number by number and sums are
taken in one order. The build option WYVERN_KERNELS=plain leaves the first kind
out.

Packs are passed by pointer or reference, since registers as values depend on
compiler flags; and all that a kernel calls is inlined into it. */

/** Four numbers. Arithmetic and comparisons act number by number. */
using Pack4 = double __attribute__((vector_size(32)));
/** Two numbers. */
using Pack2 = double __attribute__((vector_size(16)));

/** Number of entries of a Pack<T>: 4 doubles, or one of another scalar. */
template <typename T>
inline constexpr int kPackSize = std::is_same_v<T, double> ? 4 : 1;

/** Neighbouring entries of an array of any scalar, as an array of Eigen. */
template <typename T>
using Pack = Eigen::Array<T, kPackSize<T>, 1>;

/** The least whole number of packs with room for one from entry n - 1 on: the
size of an array that is read in packs from any of its n entries. */
template <typename T>
constexpr int PaddedSize(int n) {
  return (n + 2 * kPackSize<T> - 2) / kPackSize<T> * kPackSize<T>;
}

/** @name Dispatch
@{ */

#if defined(__x86_64__) && !defined(__AVX2__) && !WYVERN_PLAIN_KERNELS
#define WYVERN_WIDE_REGISTERS __attribute__((target("avx2")))
#else
#define WYVERN_WIDE_REGISTERS
#endif

/** Whether the processor has registers of four numbers, which are AVX2's: NEON
would do with two narrow ones for each, and round otherwise where it multiplies
and adds in one instruction. The environment variable WYVERN_REGISTERS=narrow
says no at a program's start; other values say nothing. */
#if WYVERN_PLAIN_KERNELS
inline constexpr bool kHasWideRegisters = false;
#else
extern const bool kHasWideRegisters;
#endif

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

/** Runs a kernel, whose packs are Pack4, on the widest registers that the
processor has. Arguments are passed by value: give large ones by pointer. */
template <class Kernel, class... Arguments>
[[gnu::always_inline]] inline auto RunBest(const Kernel& kernel,
                                           Arguments... arguments) {
#if WYVERN_PLAIN_KERNELS
  return kernel(arguments...);
#else
  return kHasWideRegisters ? RunOnWideRegisters<Kernel>(arguments...)
                           : kernel(arguments...);
#endif
}

/** Calls f, compiled for wide registers with all that it calls inlined. */
template <typename F>
[[gnu::flatten]] WYVERN_WIDE_REGISTERS void RunInlinedOnWideRegisters(
    const F& f) {
  f();
}

/** Variant for code without packs, which computes with Ts. For doubles all that
f calls is inlined into code for wide registers, where the processor has them:
their instructions leave operands as they are, so that such code gains too. */
template <typename T, typename F>
void RunBest(const F& f) {
  if constexpr (std::is_same_v<T, double>) {
    if (kHasWideRegisters) return RunInlinedOnWideRegisters(f);
  }
  f();
}

/** Calls f with Pack4 as its template argument. */
template <typename F>
WYVERN_WIDE_REGISTERS void RunWithWidePacks(const F& f) {
  f.template operator()<Pack4>();
}

/** Variant for kernels of any scalar: calls f with its packs' type as template
argument: Pack4, or Pack<T> if T is not double or the registers are narrow. f
has to be a generic lambda that is always inlined. */
template <typename T, typename F>
EIGEN_ALWAYS_INLINE void RunBestPacks(const F& f) {
  if constexpr (std::is_same_v<T, double>) {
    if (kHasWideRegisters) return RunWithWidePacks(f);
  }
  f.template operator()<Pack<T>>();
}
/** @} */

/** @name Numbers anywhere in memory
GCC 12 moves what memcpy() copies in pieces of 8 and 16 bytes, through the
stack.
@{ */
using Pack4InMemory [[gnu::aligned(8), gnu::may_alias]] = Pack4;
using Pack2InMemory [[gnu::aligned(8), gnu::may_alias]] = Pack2;

/** Reads the entries from `from` on. */
[[gnu::always_inline]] inline void Load(const double* from, Pack4* to) {
  *to = *reinterpret_cast<const Pack4InMemory*>(from);
}
[[gnu::always_inline]] inline void Load(const double* from, Pack2* to) {
  *to = *reinterpret_cast<const Pack2InMemory*>(from);
}
template <typename T>
EIGEN_ALWAYS_INLINE void Load(const T* from, Pack<T>* to) {
  *to = Eigen::Map<const Pack<T>>(from);
}

/** Writes the entries from `to` on. */
[[gnu::always_inline]] inline void Store(const Pack4& from, double* to) {
  *reinterpret_cast<Pack4InMemory*>(to) = from;
}
[[gnu::always_inline]] inline void Store(const Pack2& from, double* to) {
  *reinterpret_cast<Pack2InMemory*>(to) = from;
}
template <typename T>
EIGEN_ALWAYS_INLINE void Store(const Pack<T>& from, T* to) {
  Eigen::Map<Pack<T>>{to} = from;
}

/** Writes the first n entries, or all if there are no more. */
template <typename P, typename T>
EIGEN_ALWAYS_INLINE void StoreFirst(const P& from, int n, T* to) {
  if (n >= kPackSize<T>) return Store(from, to);
  for (int i = 0; i < n; ++i) to[i] = from[i];
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
  Load(x, &pack);
  *y += s * pack;
}
/** @} */

/** Sets all entries to 0. */
[[gnu::always_inline]] inline void SetZero(Pack4* x) { *x = Pack4{}; }
template <typename T>
EIGEN_ALWAYS_INLINE void SetZero(Eigen::ArrayBase<T>* x) {
  x->setZero();
}

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
