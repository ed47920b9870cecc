#pragma once

#include <limits>

#include "wyvern/geometry/proximity/minkowski_difference.h"

namespace wyvern::geometry::internal {

/** Result of GJK: a simplex of points of the difference, and its point
v = sum weight_i w_i that is nearest to the origin. */
struct GjkResult {
  MinkowskiPoint points[4];
  double weights[4]{};
  int size{0};
  Eigen::Vector3d v;
  /** True if the origin is in the simplex, within rounding. */
  bool overlap{false};
  /** True if v is known to be the nearest point, however near it is. */
  bool is_exact{false};
  /** True if |v| is shown to be the distance to 1e-10 of `scale`, or more than
  was asked for. */
  bool is_proven{false};
  /** The largest |w| that was met, meter. */
  double scale{0};
};

/** The nearest point to the origin of a Minkowski difference.

E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the
distance between complex objects in three-dimensional space", IEEE J. Robotics
and Automation 4 (1988). v·(v - w) bounds |v|² - |v*|², so that it ends to
rounding: for polytopes after finitely many steps. Around curved parts Newton's
method finishes (least_support.h). It may end with any |v| > `farthest` once it
has shown that the nearest point is farther than that. A simplex spoiled by
rounding, as around a rim that nearly touches, or 200 steps end it without a
proof. Allocates nothing. */
GjkResult CalcNearestPoint(
    const MinkowskiDifference& difference,
    double farthest = std::numeric_limits<double>::infinity());

}  // namespace wyvern::geometry::internal
