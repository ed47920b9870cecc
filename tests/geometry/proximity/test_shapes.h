#pragma once

/** @file
Shapes of every kind, and random ones, for tests of collision queries.
 */

#include <vector>

#include "tests/geometry/math/random_pose.h"
#include "wyvern/geometry/proximity/collision_shape.h"

namespace wyvern::geometry::internal {

/** One of each bounded kind, of about the same size. */
inline std::vector<CollisionShape> BoundedShapes() {
  std::vector<CollisionShape> shapes = {
      MakeCollisionShape(Sphere(0.6)),
      MakeCollisionShape(Capsule(0.3, 1.1)),
      MakeCollisionShape(Cylinder(0.5, 0.9)),
      MakeCollisionShape(Ellipsoid(0.4, 0.6, 0.9)),
      MakeCollisionShape(Box(0.8, 1.0, 1.3)),
  };
  // A pyramid with a square base.
  CollisionShape pyramid;
  pyramid.kind = ShapeKind::kConvex;
  pyramid.name = "Convex";
  pyramid.polytope = std::make_shared<const ConvexPolytope>(ConvexPolytope(
      {{0.6, 0.5, -0.3},
       {-0.6, 0.5, -0.3},
       {-0.6, -0.5, -0.3},
       {0.6, -0.5, -0.3},
       {0.1, 0.1, 0.9}},
      {4, 3, 2, 1, 0, 3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 3, 4, 3, 3, 0, 4}));
  shapes.push_back(pyramid);
  return shapes;
}

/** The bounded shapes and a half space. */
inline std::vector<CollisionShape> AllShapes() {
  std::vector<CollisionShape> shapes = BoundedShapes();
  shapes.push_back(MakeCollisionShape(HalfSpace()));
  return shapes;
}

}  // namespace wyvern::geometry::internal
