#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Impulse of one row of a constraint as a function of its velocity v:

  g = clamp((v_hat - v) / R, lower, upper),  R > 0,

the minimizer's impulse of a compliant, damped row that is pulled to v_hat and
whose impulse is bounded: an equality (no bounds), a limit (lower = 0), a
controller with an effort limit, dry friction (v_hat = 0). [m/s, N s] or, of an
angle, [rad/s, N m s]. */
template <typename T>
struct RowLaw {
  T v_hat{0};
  T R{1};
  double lower{};
  double upper{};

  T CalcImpulse(const T& v) const {
    const T g = (v_hat - v) / R;
    return g < lower ? T(lower) : g > upper ? T(upper) : g;
  }

  /** -dg/dv, of the side on which it is larger at a kink. */
  T CalcSlope(const T& v) const {
    const T g = (v_hat - v) / R;
    return g < lower || g > upper ? T(0) : T(1 / R);
  }
};

}  // namespace wyvern::multibody::internal
