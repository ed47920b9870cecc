#pragma once

#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** A force on one velocity v that decreases with it:

  f(v) = -damping v - clamp(b_f v, ±friction) + clamp(a - b v, ±effort)
         + max(0, a_lo - b_lim v) + min(0, a_hi - b_lim v),

viscous damping, dry friction, a PD controller with an effort limit, and the two
position limits of a joint; b, b_f, damping and b_lim are not negative, so that
f is monotone and piecewise linear. */
template <typename T>
struct DofForceLaw {
  T damping{0};
  bool has_friction{false};
  T friction{0};
  T b_friction{0};
  bool has_controller{false};
  T a{0};
  T b{0};
  double effort{};
  bool has_limits{false};
  T a_lower{0};
  T a_upper{0};
  T b_limit{0};

  /** The controller's force, within its limit. */
  T CalcControllerForce(const T& v) const {
    const T u = a - b * v;
    return u > effort ? T(effort) : u < -effort ? T(-effort) : u;
  }

  /** The force of dry friction. */
  T CalcFrictionForce(const T& v) const {
    if (!has_friction) return T(0);
    const T f = -b_friction * v;
    return f > friction ? friction : f < -friction ? T(-friction) : f;
  }

  /** The force of the two limits. */
  T CalcLimitForce(const T& v) const {
    if (!has_limits) return T(0);
    const T lower = a_lower - b_limit * v;
    const T upper = a_upper - b_limit * v;
    return (lower > 0 ? lower : T(0)) + (upper < 0 ? upper : T(0));
  }

  /** The line that f follows at v: f = intercept - slope v. */
  void CalcLine(const T& v, T* intercept, T* slope) const {
    *intercept = T(0);
    *slope = damping;
    if (has_friction) {
      const T f = -b_friction * v;
      if (f > friction) {
        *intercept += friction;
      } else if (f < -friction) {
        *intercept -= friction;
      } else {
        *slope += b_friction;
      }
    }
    if (has_controller) {
      const T u = a - b * v;
      if (u > effort) {
        *intercept += effort;
      } else if (u < -effort) {
        *intercept -= effort;
      } else {
        *intercept += a;
        *slope += b;
      }
    }
    if (has_limits) {
      if (a_lower - b_limit * v > 0) {
        *intercept += a_lower;
        *slope += b_limit;
      }
      if (a_upper - b_limit * v < 0) {
        *intercept += a_upper;
        *slope += b_limit;
      }
    }
  }

  T CalcForce(const T& v) const {
    T intercept, slope;
    CalcLine(v, &intercept, &slope);
    return intercept - slope * v;
  }
};

}  // namespace wyvern::multibody::internal
