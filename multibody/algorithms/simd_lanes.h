#pragma once

#include <type_traits>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::engine {

/* A few neighbouring entries of an array, worked on at once: four doubles, or
one of any other scalar. Arrays that are read in lanes have room for a whole
lane from any entry on: PaddedSize().

Loops that gain by it are templates on the type of the lanes, L: Lanes<T>, or
for doubles a WideRegister, if the processor has it, with the same bits.
RunInLanes() chooses. All functions that a loop calls are inlined, and none
takes an L by value, since the two kinds of code pass it in different places. */

/** Number of entries of a lane: 4 doubles, or one of another scalar. */
template <typename T>
inline constexpr int kLanes = std::is_same_v<T, double> ? 4 : 1;

/** A lane as an array of Eigen. */
template <typename T>
using Lanes = Eigen::Array<T, kLanes<T>, 1>;

/** The least whole number of lanes with room for one from entry n - 1 on. */
template <typename T>
constexpr int PaddedSize(int n) {
  return (n + 2 * kLanes<T> - 2) / kLanes<T> * kLanes<T>;
}

/** Reads the kLanes entries from `from` on. */
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void Load(const T* from, L* lanes) {
  if constexpr (std::is_same_v<L, Lanes<T>>) {
    *lanes = Eigen::Map<const L>(from);
  } else {
    wyvern::internal::LoadRegister(from, lanes);
  }
}

/** Writes the kLanes entries from `to` on. */
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void Store(const L& lanes, T* to) {
  if constexpr (std::is_same_v<L, Lanes<T>>) {
    Eigen::Map<L>{to} = lanes;
  } else {
    wyvern::internal::StoreRegister(lanes, to);
  }
}

/** Stores the first `count` entries, or all if there are no more. */
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void StoreFirst(const L& lanes, int count, T* to) {
  if (count >= kLanes<T>) {
    Store(lanes, to);
  } else {
    for (int i = 0; i < count; ++i) to[i] = lanes[i];
  }
}

/** Calls f, compiled for wide registers with all that it calls inlined. */
template <typename F>
[[gnu::flatten]] WYVERN_WIDE_REGISTERS void RunWide(const F& f) {
  f();
}

/** Calls f, which computes with Ts: for doubles with all that it calls inlined
into code for wide registers, where the processor has them. Their instructions
leave operands as they are, so that code without lanes gains too. */
template <typename T, typename F>
void RunInRegisters(const F& f) {
  if constexpr (std::is_same_v<T, double>) {
    if (wyvern::internal::kHasWideRegisters) return RunWide(f);
  }
  f();
}

/** Calls f with WideRegister as its template argument. */
template <typename F>
WYVERN_WIDE_REGISTERS void RunWideLanes(const F& f) {
  f.template operator()<wyvern::internal::WideRegister>();
}

/** Calls f with the type L of lanes for the processor as its template argument.
f has to be a generic lambda that is always inlined. */
template <typename T, typename F>
EIGEN_ALWAYS_INLINE void RunInLanes(const F& f) {
  if constexpr (std::is_same_v<T, double>) {
    if (wyvern::internal::kHasWideRegisters) return RunWideLanes(f);
  }
  f.template operator()<Lanes<T>>();
}

/** Sets all entries of a lane to 0. */
template <typename L>
EIGEN_ALWAYS_INLINE void SetZero(L* lanes) {
  if constexpr (std::is_same_v<L, wyvern::internal::WideRegister>) {
    *lanes = L{};
  } else {
    lanes->setZero();
  }
}

}  // namespace wyvern::multibody::engine
