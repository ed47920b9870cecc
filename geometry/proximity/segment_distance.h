#pragma once

#include <algorithm>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/to_double.h"

/* Points P = A + s a, |s| <= h, and Q = B + t b, |t| <= k, with unit a and b
and r = A - B, minimize |r + s a - t b|². With c = a·b, the unbounded minimum in
s for a given t is s = c t - a·r, and in t for a given s, t = c s + b·r; in
both, s (1 - c²) = c b·r - a·r. Clamping s, then t, then s again is exact, as
the function is convex and quadratic. Rounding may move s by much where the
angle is small, but the distance by no more than its own rounding. Parallel
segments, to an angle of 1e-13: s is free; the middle of the overlap is taken,
which is farther by at most that angle times the length. */

namespace wyvern::geometry::internal {

/** The points of two segments that are the nearest to each other. */
template <typename T>
struct SegmentPair {
  Vector3<T> p;
  Vector3<T> q;
};

/** Segments by their middle, unit direction and half length. Parallel ones give
the middle of the stretch that they have side by side. */
template <typename T>
SegmentPair<T> CalcClosestPoints(const Vector3<T>& A, const Vector3<T>& a,
                                 double h, const Vector3<T>& B,
                                 const Vector3<T>& b, double k) {
  const auto clamp = [](const T& x, double limit) {
    if (ToDouble(x) > limit) return T(limit);
    if (ToDouble(x) < -limit) return T(-limit);
    return x;
  };
  const Vector3<T> r = A - B;
  const T c = a.dot(b), ar = a.dot(r), br = b.dot(r);
  const T sin2 = a.cross(b).squaredNorm();
  T s;
  if (ToDouble(sin2) > 1e-26) {
    s = clamp((c * br - ar) / sin2, h);
  } else {
    // Along a, B's segment spans -ar ± k.
    const double middle = -ToDouble(ar);
    const double low = std::max(-h, middle - k);
    const double high = std::min(h, middle + k);
    s = low <= high ? T(0.5 * (low + high)) : clamp(-ar, h);
  }
  const T t = clamp(c * s + br, k);
  s = clamp(c * t - ar, h);
  return {A + s * a, B + t * b};
}

}  // namespace wyvern::geometry::internal
