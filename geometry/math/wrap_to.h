#pragma once

/** @file
A number brought into one period. */

#include <cmath>

#include "wyvern/geometry/math/scalar_value.h"

namespace wyvern::math {

namespace internal {
void RequirePeriod(double value, double low, double high);
}  // namespace internal

/** `value` less the whole number of periods `high` - `low` that brings it into
[low, high): wrap_to(x, -M_PI, M_PI) is an angle in [-π, π). The derivatives of
an AutoDiffXd value are kept.
@throws std::logic_error unless low < high, or if a number is not finite. */
template <typename T1, typename T2>
T1 wrap_to(const T1& value, const T2& low, const T2& high) {
  using internal::ValueOf;
  const double a = ValueOf(low), b = ValueOf(high);
  internal::RequirePeriod(ValueOf(value), a, b);
  const double period = b - a;
  T1 wrapped = value - T1(std::floor((ValueOf(value) - a) / period) * period);
  // Rounding can leave it on the wrong side of an end.
  if (ValueOf(wrapped) >= b) wrapped -= T1(period);
  if (ValueOf(wrapped) < a) wrapped += T1(a - ValueOf(wrapped));
  return wrapped;
}

}  // namespace wyvern::math
