#pragma once

#include <span>

#include "wyvern/geometry/proximity/minkowski_difference.h"

namespace wyvern::geometry::internal {

/** A direction of least support of a Minkowski difference among those around
it: where the difference is apart from the origin, its distance from it; where
it holds the origin, a depth. */
struct LeastSupport {
  /** Unit, and the support along it, meter; negative: apart. */
  Eigen::Vector3d normal;
  double support{};
  /** A point of the difference farthest along the normal. */
  MinkowskiPoint farthest;
  /** True if `foot`, of the difference, is support * normal but for rounding:
  then no direction close by has less support. */
  bool is_exact{false};
  MinkowskiPoint foot;
  /** Number of edges of the examined flat part; set even if nothing is found.
   */
  int num_edges{0};
  /** True if that holds for all directions within kIsolation of the normal. */
  bool is_isolated{false};
  /** Cosine of 0.15 rad. */
  static constexpr double kIsolation = 0.98877;
};

/** Newton's method on unit directions, from `start`, for differences with a
curved part. It looks where the face of the difference is that of the flat parts
of `points` (one to three of the difference): a vertex, an edge or a triangle,
moved by a point of the curved parts. Returns false if there is none or it is
not found; and at once if they have `tried_edges` edges, as more points that
these were the first of have had. Allocates nothing. */
bool FindLeastSupport(const MinkowskiDifference& difference,
                      std::span<const MinkowskiPoint> points,
                      const Eigen::Vector3d& start, double scale,
                      LeastSupport* result, int tried_edges = -1);

}  // namespace wyvern::geometry::internal
