#include "wyvern/geometry/proximity/minkowski_difference.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Of one core, along u in its frame; zero for a shape without a curved part.
bool CalcCurvedPart(const CollisionShape& shape, double rounding,
                    const Vector3d& u, Vector3d* point, Matrix3d* H) {
  if (shape.kind == ShapeKind::kCylinder) {
    // h = r |u_xy|, with one radius of curvature, around the axis.
    const double across = u.head<2>().norm();
    if (!(across > 1e-6)) return false;
    const double r = shape.radius();
    *point = Vector3d(r * u[0] / across, r * u[1] / across, 0);
    const Vector3d t(-u[1] / across, u[0] / across, 0);
    *H = (r / across) * t * t.transpose();
  } else if (shape.kind == ShapeKind::kEllipsoid) {
    // h² = sum a_i² u_i², less the ball that is taken off.
    const Vector3d squares = shape.half.cwiseAbs2();
    const double h = shape.half.cwiseProduct(u).norm();
    const Vector3d x = squares.cwiseProduct(u) / h;
    *point = x - rounding * u;
    *H = -(x / h) * x.transpose() + rounding * u * u.transpose();
    H->diagonal() += squares / h - Vector3d::Constant(rounding);
  } else {
    point->setZero();
    H->setZero();
  }
  return true;
}

}  // namespace

bool MinkowskiDifference::CalcCurvedSupport(const Vector3d& u,
                                            CurvedSupport* support) const {
  const Matrix3d& R = X_AB_.rotation().matrix();
  if (!CalcCurvedPart(A_, RoundingRadius(A_), u, &support->a, &support->H)) {
    return false;
  }
  if (!IsCurved(B_)) {
    support->b.setZero();
    return true;
  }
  Vector3d b;
  Matrix3d H;
  if (!CalcCurvedPart(B_, RoundingRadius(B_), -(R.transpose() * u), &b, &H)) {
    return false;
  }
  support->b = R * b;
  support->H += R * H * R.transpose();
  return true;
}

}  // namespace wyvern::geometry::internal
