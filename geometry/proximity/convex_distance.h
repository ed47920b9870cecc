#pragma once

#include "wyvern/geometry/proximity/shape_distance.h"

namespace wyvern::geometry::internal {

/** The signed distance of two bounded convex shapes, at least one of them with
a volume besides that of its rounding (spheres and capsules are points and
segments with a radius). Exact to rounding for polytopes and their roundings,
and to about 1e-9 of their size if one is a cylinder or an ellipsoid. It may end
with any distance greater than `farthest`, meter, once it has shown that theirs
is. Allocates nothing. */
ShapeDistance<double> CalcConvexDistance(
    const CollisionShape& A, const math::RigidTransform<double>& X_WA,
    const CollisionShape& B, const math::RigidTransform<double>& X_WB,
    double farthest);

/** True if their supports along the unit vector u_W, from B to A, show that
they are more than `farthest` apart, by 1e-8 of their size or more: far enough
that no rounding gives CalcConvexDistance() another answer. Allocates nothing.
*/
bool AreApartAlong(const CollisionShape& A,
                   const math::RigidTransform<double>& X_WA,
                   const CollisionShape& B,
                   const math::RigidTransform<double>& X_WB,
                   const Eigen::Vector3d& u_W, double farthest);

}  // namespace wyvern::geometry::internal
