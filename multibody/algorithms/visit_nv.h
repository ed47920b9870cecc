#pragma once

#include <type_traits>

namespace wyvern::multibody::engine {

/** Calls f with a node's number of velocities as a compile-time constant, so
that what follows has fixed sizes. The world's node has none. */
template <typename F>
inline void VisitNv(int nv, F&& f) {
  switch (nv) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
  }
}

}  // namespace wyvern::multibody::engine
