#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace wyvern::systems::internal {

/** How far apart x and its neighbour are to be for a difference quotient, so
that the error of truncation is about that of rounding: of order one, f(x + h)
- f(x), and of order two, f(x + h) - f(x - h). Relative to x, or to `least` if
that is larger. */
inline double ForwardDifferenceStep(double x, double least = 1) {
  return std::sqrt(std::numeric_limits<double>::epsilon()) *
         std::max(least, std::abs(x));
}
inline double CentralDifferenceStep(double x, double least = 1) {
  return std::cbrt(std::numeric_limits<double>::epsilon()) *
         std::max(least, std::abs(x));
}

}  // namespace wyvern::systems::internal
