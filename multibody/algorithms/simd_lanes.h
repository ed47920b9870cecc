#pragma once

#include <type_traits>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::engine {

/* A few neighbouring entries of an array, worked on at once: four doubles, or
one of any other scalar. Arrays that are read in lanes have room for a whole
lane from any entry on: PaddedSize(). */

template <typename T>
inline constexpr int kLanes = std::is_same_v<T, double> ? 4 : 1;

template <typename T>
using Lanes = Eigen::Array<T, kLanes<T>, 1>;

/** The least whole number of lanes with room for one from entry n - 1 on. */
template <typename T>
constexpr int PaddedSize(int n) {
  return (n + 2 * kLanes<T> - 2) / kLanes<T> * kLanes<T>;
}

template <typename T>
EIGEN_STRONG_INLINE Lanes<T> Load(const T* from) {
  return Eigen::Map<const Lanes<T>>(from);
}

template <typename T>
EIGEN_STRONG_INLINE void Store(const Lanes<T>& lanes, T* to) {
  Eigen::Map<Lanes<T>>{to} = lanes;
}

/** Stores the first `count` entries, or all if there are no more. */
template <typename T>
EIGEN_STRONG_INLINE void StoreFirst(const Lanes<T>& lanes, int count, T* to) {
  if (count >= kLanes<T>) {
    Store<T>(lanes, to);
  } else {
    for (int i = 0; i < count; ++i) to[i] = lanes[i];
  }
}

}  // namespace wyvern::multibody::engine
