#pragma once

#include <cmath>

#include "wyvern/systems/common/autodiff.h"

namespace wyvern::systems::sensors::internal {

/** The largest multiple of `step` that is not above x. It is constant but for
its jumps, so its derivatives are zero. Where x / step has no more digits for a
fraction, as where it overflows, that is x itself.
@pre step > 0 */
template <typename T>
T FloorToStep(const T& x, double step) {
  using std::floor;
  const T count = x / step;
  constexpr double kAllIntegers = 9007199254740992.0;  // 2^53
  if (!(count < kAllIntegers && count > -kAllIntegers)) return x;
  return T(floor(count) * step);
}

}  // namespace wyvern::systems::sensors::internal
