#include "wyvern/geometry/math/wrap_to.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::math::internal {

void RequirePeriod(double value, double low, double high) {
  if (low < high && std::isfinite(high - low) && std::isfinite(value)) return;
  throw std::logic_error(fmt::format(
      "wrap_to(): {} can not be brought into [{}, {}); all three must be "
      "finite, and low less than high.",
      value, low, high));
}

}  // namespace wyvern::math::internal
