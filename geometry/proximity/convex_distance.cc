#include "wyvern/geometry/proximity/convex_distance.h"

#include <algorithm>

#include "wyvern/geometry/proximity/epa.h"
#include "wyvern/geometry/proximity/gjk.h"

/* With cores A' and B' and radii r_A and r_B, the distance is that of the cores
less both radii, as rounding adds a ball to A - B. Cores apart: GJK's nearest
point v = a - b gives it, and the normal v / |v|. Cores that overlap by d along
the outward normal n of A' - B': -d, and the normal -n. So it is with d < 0
where GJK finds no end. */

namespace wyvern::geometry::internal {

ShapeDistance<double> CalcConvexDistance(
    const CollisionShape& A, const math::RigidTransform<double>& X_WA,
    const CollisionShape& B, const math::RigidTransform<double>& X_WB,
    double farthest) {
  using Eigen::Vector3d;
  const MinkowskiDifference difference(A, X_WA, B, X_WB);
  const double r_A = MinkowskiDifference::RoundingRadius(A);
  const double r_B = MinkowskiDifference::RoundingRadius(B);
  // More by rounding, so that the end is on the same side of `farthest`.
  const GjkResult gjk = CalcNearestPoint(
      difference, std::max(0.0, (1 + 1e-12) * (farthest + r_A + r_B)));
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero(), normal;
  double core;
  const bool is_deep =
      gjk.overlap || (!gjk.is_exact && gjk.v.norm() <= 1e-9 * gjk.scale);
  if (is_deep || !gjk.is_proven) {
    const EpaResult epa = is_deep ? CalcPenetrationDepth(difference, gjk)
                                  : CalcSeparation(difference, gjk);
    a = epa.a;
    b = epa.b;
    normal = -epa.normal;
    core = -epa.depth;
  } else {
    for (int i = 0; i < gjk.size; ++i) {
      a += gjk.weights[i] * gjk.points[i].a;
      b += gjk.weights[i] * gjk.points[i].b;
    }
    core = gjk.v.norm();
    normal = gjk.v / core;
  }
  return {X_WA * Vector3d(a - r_A * normal), X_WA * Vector3d(b + r_B * normal),
          X_WA.rotation() * normal, core - r_A - r_B};
}

bool AreApartAlong(const CollisionShape& A,
                   const math::RigidTransform<double>& X_WA,
                   const CollisionShape& B,
                   const math::RigidTransform<double>& X_WB,
                   const Eigen::Vector3d& u_W, double farthest) {
  const MinkowskiDifference difference(A, X_WA, B, X_WB);
  const Eigen::Vector3d u_A = X_WA.rotation().matrix().transpose() * u_W;
  const MinkowskiPoint nearest = difference.Support(-u_A);
  const double radii = MinkowskiDifference::RoundingRadius(A) +
                       MinkowskiDifference::RoundingRadius(B);
  const double size = nearest.a.norm() + nearest.b.norm() + radii;
  return u_A.dot(nearest.w) > farthest + radii + 1e-8 * size;
}

}  // namespace wyvern::geometry::internal
