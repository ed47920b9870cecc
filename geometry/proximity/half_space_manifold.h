#pragma once

#include "wyvern/geometry/proximity/contact_manifold.h"

namespace wyvern::geometry::internal {

/** The points of A below the plane of a half space B that stand for all of
them: a box's corners, a capsule's two ends, on a cylinder the lowest point of
each rim and four fixed points of the lower one, a hull's vertices (at most
eight: the lowest and the outermost), else the lowest point. */
template <typename T>
void CalcHalfSpaceManifold(const CollisionShape& A,
                           const math::RigidTransform<T>& X_WA,
                           const math::RigidTransform<T>& X_WB,
                           ContactManifold<T>* manifold);

}  // namespace wyvern::geometry::internal
