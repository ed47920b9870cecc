#pragma once

#include <cmath>

#include "wyvern/geometry/proximity/collision_shape.h"

namespace wyvern::geometry::internal {

/** A point w = a - b of A - B and the points it comes from, all in A's frame.
 */
struct MinkowskiPoint {
  Eigen::Vector3d w;
  Eigen::Vector3d a;
  Eigen::Vector3d b;
};

/** The set of differences {a - b} of the cores of two shapes, in A's frame: a
core is the shape without the rounding of a sphere or a capsule. The cores
overlap if the origin is in the set, and otherwise their distance is its
distance from the origin. */
class MinkowskiDifference {
 public:
  MinkowskiDifference(const CollisionShape& A,
                      const math::RigidTransform<double>& X_WA,
                      const CollisionShape& B,
                      const math::RigidTransform<double>& X_WB)
      : A_(A), B_(B), X_AB_(X_WA.InvertAndCompose(X_WB)) {}

  const math::RigidTransform<double>& X_AB() const { return X_AB_; }

  /** A point farthest along `direction_A`, of any length but zero. */
  MinkowskiPoint Support(const Eigen::Vector3d& direction_A) const {
    MinkowskiPoint point;
    point.a = CoreSupport(A_, direction_A);
    point.b =
        X_AB_ *
        CoreSupport(B_, -(X_AB_.rotation().matrix().transpose() * direction_A));
    point.w = point.a - point.b;
    return point;
  }
  static double RoundingRadius(const CollisionShape& shape) {
    const bool is_round =
        shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule;
    return is_round ? shape.radius() : 0.0;
  }

 private:
  static Eigen::Vector3d CoreSupport(const CollisionShape& shape,
                                     const Eigen::Vector3d& direction) {
    if (shape.kind == ShapeKind::kSphere) return Eigen::Vector3d::Zero();
    if (shape.kind == ShapeKind::kCapsule) {
      return {0, 0, std::copysign(shape.half[2], direction[2])};
    }
    return CalcSupportPoint<double>(shape, direction);
  }

  const CollisionShape& A_;
  const CollisionShape& B_;
  math::RigidTransform<double> X_AB_;
};

}  // namespace wyvern::geometry::internal
