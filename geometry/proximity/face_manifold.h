#pragma once

#include "wyvern/geometry/proximity/contact_manifold.h"

namespace wyvern::geometry::internal {

/** Replaces the points of `manifold` by those of two overlapping boxes, hulls,
cylinders or capsules whose faces are in contact, or their sides: the face of
one that looks at the other, clipped to the outline of the other's. They overlap
by `depth` along `nhat_BA_W`. Returns false if none of the points is as deep: no
faces are in contact, or the deepest point is not one of their corners. */
bool CalcFaceManifold(const CollisionShape& A,
                      const math::RigidTransform<double>& X_WA,
                      const CollisionShape& B,
                      const math::RigidTransform<double>& X_WB,
                      const Eigen::Vector3d& nhat_BA_W, double depth,
                      ContactManifold<double>* manifold);

}  // namespace wyvern::geometry::internal
