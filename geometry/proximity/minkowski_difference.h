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

/** Contribution of the curved parts of two shapes to A - B at its farthest
point along a unit vector: their points, in A's frame, and the second derivative
H of the support, t_i . H t_j for two unit vectors across it, [m]. Eigenvalues
of H are radii of curvature. */
struct CurvedSupport {
  Eigen::Vector3d a;
  Eigen::Vector3d b;
  double H11{0};
  double H12{0};
  double H22{0};
};

/** The set of differences {a - b} of the cores of two shapes, in A's frame: a
core is the shape without its rounding, the largest ball that rolls around in
it. A sphere's is a point, a capsule's a segment; that of an ellipsoid takes its
least radius of curvature off along every normal. The cores overlap if the
origin is in the set, and otherwise their distance is its distance from the
origin. */
class MinkowskiDifference {
 public:
  MinkowskiDifference(const CollisionShape& A,
                      const math::RigidTransform<double>& X_WA,
                      const CollisionShape& B,
                      const math::RigidTransform<double>& X_WB)
      : A_(A), B_(B), X_AB_(X_WA.InvertAndCompose(X_WB)) {}

  const math::RigidTransform<double>& X_AB() const { return X_AB_; }

  /** With B moved, in A's frame. */
  MinkowskiDifference MovedApart(const Eigen::Vector3d& by) const {
    MinkowskiDifference moved(*this);
    moved.X_AB_.set_translation(X_AB_.translation() + by);
    return moved;
  }

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
    switch (shape.kind) {
      case ShapeKind::kSphere:
      case ShapeKind::kCapsule:
        return shape.radius();
      case ShapeKind::kEllipsoid: {
        const double least = shape.half.minCoeff();
        return least / shape.half.maxCoeff() * least;
      }
      default:
        return 0;
    }
  }

  /** @name Flat and curved parts
  A point of the boundary of a core is a flat part, one of finitely many or
  between them, and a curved part: of a cylinder, an end of its axis and a point
  of the circle around it; of an ellipsoid, its centre and the rest; of the
  others, itself and nothing.
  @{ */
  bool is_curved() const { return IsCurved(A_) || IsCurved(B_); }
  /** Returns the flat part's point for a point of A, or of B, in A's frame. */
  Eigen::Vector3d FlatPartOfA(const Eigen::Vector3d& a) const {
    return IsCurved(A_) ? FlatPart(A_, a) : a;
  }
  Eigen::Vector3d FlatPartOfB(const Eigen::Vector3d& b) const {
    if (!IsCurved(B_)) return b;
    const double z =
        X_AB_.rotation().matrix().col(2).dot(b - X_AB_.translation());
    return X_AB_ * FlatPart(B_, Eigen::Vector3d(0, 0, z));
  }
  /** Along a unit vector u_A, with unit vectors t1 and t2 across it. Returns
  false along the axis of a cylinder. */
  bool CalcCurvedSupport(const Eigen::Vector3d& u_A,
                         const Eigen::Vector3d& t1_A,
                         const Eigen::Vector3d& t2_A,
                         CurvedSupport* support) const;
  /** @} */

 private:
  static bool IsCurved(const CollisionShape& shape) {
    return shape.kind == ShapeKind::kCylinder ||
           shape.kind == ShapeKind::kEllipsoid;
  }
  static Eigen::Vector3d FlatPart(const CollisionShape& shape,
                                  const Eigen::Vector3d& point) {
    if (shape.kind == ShapeKind::kEllipsoid) return Eigen::Vector3d::Zero();
    return {0, 0, std::copysign(shape.half[2], point[2])};
  }
  static Eigen::Vector3d CoreSupport(const CollisionShape& shape,
                                     const Eigen::Vector3d& direction) {
    if (shape.kind == ShapeKind::kSphere) return Eigen::Vector3d::Zero();
    if (shape.kind == ShapeKind::kCapsule) {
      return {0, 0, std::copysign(shape.half[2], direction[2])};
    }
    Eigen::Vector3d point = CalcSupportPoint<double>(shape, direction);
    if (shape.kind == ShapeKind::kEllipsoid) {
      point -= RoundingRadius(shape) * direction.normalized();
    }
    return point;
  }

  const CollisionShape& A_;
  const CollisionShape& B_;
  math::RigidTransform<double> X_AB_;
};

}  // namespace wyvern::geometry::internal
