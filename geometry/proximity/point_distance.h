#pragma once

#include "wyvern/geometry/proximity/collision_shape.h"

namespace wyvern::geometry::internal {

/** The signed distance of a point Q from a shape, with the nearest point N of
its surface, in the shape's frame G: p_GQ = p_GN + distance * grad_G. */
template <typename T>
struct PointDistance {
  Vector3<T> p_GN;
  T distance;
  /** Unit; the outward normal at N, if Q is on the surface. */
  Vector3<T> grad_G;
};

/** Closed forms, but for the ellipsoid: the root of a monotone function, found
to rounding. Where several points are the nearest, the choice is fixed. Exact
derivatives. Allocates nothing. */
template <typename T>
PointDistance<T> CalcPointDistance(const CollisionShape& shape,
                                   const Vector3<T>& p_GQ);

}  // namespace wyvern::geometry::internal
