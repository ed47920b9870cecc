#pragma once

#include "wyvern/geometry/proximity/gjk.h"

namespace wyvern::geometry::internal {

/** The point of the boundary of a Minkowski difference that is nearest to the
origin inside of it. */
struct EpaResult {
  Eigen::Vector3d a;
  Eigen::Vector3d b;
  /** Outward unit normal there; a - b = depth * normal. */
  Eigen::Vector3d normal;
  double depth{};
};

/** Grows GJK's last simplex to a polytope inside of the difference, at its face
nearest to the origin, until that face is on the difference's boundary.

G. van den Bergen, "Proximity queries and penetration depth computation on 3D
game objects", GDC 2001. The depth is exact for polytopes. Around curved parts
Newton's method finishes (least_support.h), and depths that differ by 1e-9 of
the size are one: less would not show in a force. If rounding or 150 points end
the search, as around cylinders with one axis, the depth is that of a direction
which separates by it. Allocates nothing. */
EpaResult CalcPenetrationDepth(const MinkowskiDifference& difference,
                               const GjkResult& gjk);

/** Computes the separation if the difference does not contain the origin and
GJK has ended without a proof: descends from GJK's direction to the direction of
least support, which is unique and whose depth is minus the distance. */
EpaResult CalcSeparation(const MinkowskiDifference& difference,
                         const GjkResult& gjk);

}  // namespace wyvern::geometry::internal
