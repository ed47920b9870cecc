#pragma once

#include <limits>

#include "wyvern/geometry/proximity/collision_shape.h"

namespace wyvern::geometry::internal {

/** The signed distance of two shapes with a point of the surface of each, in
the world: p_WCa - p_WCb = distance * nhat_BA_W, the unit vector from B to A.
Negative: the least translation that separates them. */
template <typename T>
struct ShapeDistance {
  Vector3<T> p_WCa;
  Vector3<T> p_WCb;
  Vector3<T> nhat_BA_W;
  T distance;

  void Swap() {
    p_WCa.swap(p_WCb);
    nhat_BA_W = -nhat_BA_W;
  }
};

/** True if the pair has a closed form: a sphere with anything, a half space
with anything but a half space, two capsules. These work for every scalar. */
bool HasClosedForm(const CollisionShape& A, const CollisionShape& B);

/** Closed forms, or GJK and EPA (convex_distance.h). Once it has shown that the
distance is greater than `farthest`, meter, it may end with any that is.
Allocates nothing with T = double.
@throws std::logic_error for two half spaces, and with AutoDiffXd for pairs
without a closed form, naming the shapes. */
template <typename T>
ShapeDistance<T> CalcShapeDistance(
    const CollisionShape& A, const math::RigidTransform<T>& X_WA,
    const CollisionShape& B, const math::RigidTransform<T>& X_WB,
    double farthest = std::numeric_limits<double>::infinity());

}  // namespace wyvern::geometry::internal
