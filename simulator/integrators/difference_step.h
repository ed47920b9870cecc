#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace wyvern::systems::internal {

/** How far apart x and its neighbour are to be for a difference quotient, so
that the error of truncation is about that of rounding: of order one, f(x + h)
- f(x), and of order two, f(x + h) - f(x - h). Relative to x, or to 1 if that is
larger. */
inline double ForwardDifferenceStep(double x) {
  return std::sqrt(std::numeric_limits<double>::epsilon()) *
         std::max(1.0, std::abs(x));
}
inline double CentralDifferenceStep(double x) {
  return std::cbrt(std::numeric_limits<double>::epsilon()) *
         std::max(1.0, std::abs(x));
}

}  // namespace wyvern::systems::internal
