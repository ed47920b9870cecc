#pragma once

#include <memory>
#include <string_view>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/proximity/aabb.h"
#include "wyvern/geometry/proximity/convex_polytope.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** Kind of a shape, by which the pair functions are chosen. */
enum class ShapeKind {
  kSphere,
  kCapsule,
  kCylinder,
  kEllipsoid,
  kBox,
  kConvex,
  kHalfSpace,
};

/** A shape as collision queries see it, in its frame G. */
struct CollisionShape {
  ShapeKind kind{ShapeKind::kSphere};
  /** Class name of the shape it was made from, for messages. */
  std::string_view name;
  /** Half the size along Gx, Gy, Gz, meter: of a sphere (r, r, r), of a
  cylinder and of the straight part of a capsule (r, r, length/2), of a box half
  its edges, of an ellipsoid its semi-axes. */
  Eigen::Vector3d half{Eigen::Vector3d::Zero()};
  /** For kBox and kConvex; shared by copies. */
  std::shared_ptr<const ConvexPolytope> polytope;

  double radius() const { return half[0]; }
};

/** Returns the shape as collision queries need it.
@throws std::logic_error for a shape that has no proximity form, naming it.
 */
CollisionShape MakeCollisionShape(const Shape& shape);

/** The box along the world's axes that bounds the shape at X_WG. For all kinds
but kConvex it is the smallest such; unbounded for a half space. */
Aabb CalcWorldAabb(const CollisionShape& shape,
                   const math::RigidTransform<double>& X_WG);

/** A point of the shape farthest along `direction_G`, which need not be a unit
vector but must not be zero. Not for half spaces. */
template <typename T>
Vector3<T> CalcSupportPoint(const CollisionShape& shape,
                            const Vector3<T>& direction_G);

}  // namespace wyvern::geometry::internal
