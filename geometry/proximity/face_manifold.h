#pragma once

#include "wyvern/geometry/proximity/contact_manifold.h"

namespace wyvern::geometry::internal {

/** The contact points of two overlapping boxes, hulls, cylinders or capsules by
clipping the face of one that looks at the other to the outline of the other's;
`deepest` is their distance. Where no face is in contact it is the only point.
*/
void CalcFaceManifold(const CollisionShape& A,
                      const math::RigidTransform<double>& X_WA,
                      const CollisionShape& B,
                      const math::RigidTransform<double>& X_WB,
                      const ShapeDistance<double>& deepest,
                      ContactManifold<double>* manifold);

}  // namespace wyvern::geometry::internal
