#include "wyvern/geometry/proximity/minkowski_difference.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Adds the curved part of one shape along u in its frame; returns false for a
// shape without a curved part.
bool AddCurvedPart(const CollisionShape& shape, const Vector3d& u,
                   const Vector3d& t1, const Vector3d& t2, Vector3d* point,
                   CurvedSupport* support) {
  if (shape.kind == ShapeKind::kCylinder) {
    // h = r |u_xy|, with one radius of curvature, around the axis.
    const double across = u.head<2>().norm();
    if (!(across > 1e-6)) return false;
    const double r = shape.radius();
    const double x = u[0] / across, y = u[1] / across;
    *point = Vector3d(r * x, r * y, 0);
    const double s1 = x * t1[1] - y * t1[0], s2 = x * t2[1] - y * t2[0];
    support->H11 += r / across * s1 * s1;
    support->H12 += r / across * s1 * s2;
    support->H22 += r / across * s2 * s2;
  } else if (shape.kind == ShapeKind::kEllipsoid) {
    // h² = sum a_i² u_i², less the ball that is taken off.
    const double rounding = MinkowskiDifference::RoundingRadius(shape);
    const double h = shape.half.cwiseProduct(u).norm();
    const Vector3d x = shape.half.cwiseAbs2().cwiseProduct(u) / h;
    *point = x - rounding * u;
    const Vector3d s1 = shape.half.cwiseProduct(t1);
    const Vector3d s2 = shape.half.cwiseProduct(t2);
    const double x1 = x.dot(t1), x2 = x.dot(t2);
    support->H11 += (s1.squaredNorm() - x1 * x1) / h - rounding;
    support->H12 += (s1.dot(s2) - x1 * x2) / h - rounding * t1.dot(t2);
    support->H22 += (s2.squaredNorm() - x2 * x2) / h - rounding;
  } else {
    point->setZero();
  }
  return true;
}

}  // namespace

bool MinkowskiDifference::CalcCurvedSupport(const Vector3d& u,
                                            const Vector3d& t1,
                                            const Vector3d& t2,
                                            CurvedSupport* support) const {
  support->H11 = support->H12 = support->H22 = 0;
  if (!AddCurvedPart(A_, u, t1, t2, &support->a, support)) return false;
  if (!IsCurved(B_)) {
    support->b.setZero();
    return true;
  }
  const Matrix3d& R = X_AB_.rotation().matrix();
  Vector3d b;
  if (!AddCurvedPart(B_, -(R.transpose() * u), R.transpose() * t1,
                     R.transpose() * t2, &b, support)) {
    return false;
  }
  support->b = R * b;
  return true;
}

}  // namespace wyvern::geometry::internal
