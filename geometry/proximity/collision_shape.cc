#include "wyvern/geometry/proximity/collision_shape.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A Shape becomes a kind with three half sizes and, if it has flat faces, a
polytope; a Mesh is its convex hull. Boxes that are too thin for the polytope
are refused here. A support point of a direction without a unique one is any
of them, but always the same. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

CollisionShape Make(const Sphere& s) {
  return {ShapeKind::kSphere, "Sphere", Vector3d::Constant(s.radius()), {}};
}
CollisionShape Make(const Capsule& s) {
  return {ShapeKind::kCapsule,
          "Capsule",
          {s.radius(), s.radius(), s.length() / 2},
          {}};
}
CollisionShape Make(const Cylinder& s) {
  return {ShapeKind::kCylinder,
          "Cylinder",
          {s.radius(), s.radius(), s.length() / 2},
          {}};
}
CollisionShape Make(const Ellipsoid& s) {
  return {ShapeKind::kEllipsoid, "Ellipsoid", {s.a(), s.b(), s.c()}, {}};
}
CollisionShape Make(const HalfSpace&) {
  return {ShapeKind::kHalfSpace, "HalfSpace", Vector3d::Zero(), {}};
}
CollisionShape Make(const Box& s) {
  const Vector3d half = s.size() / 2;
  // ConvexPolytope asks for 1e-20, and works with squares of areas.
  const double largest = s.size().maxCoeff();
  const Vector3d sides = s.size() / largest;
  const double share = sides.prod() / sides.squaredNorm();
  if (!(share > 1e-19 && share * largest * largest > 1e-150 &&
        largest < 1e75)) {
    throw std::logic_error(fmt::format(
        "ProximityEngine: {} is too thin, too small or too large to find "
        "contacts with: its smallest face has {} of the area of its size "
        "squared; give it sides of 1e-75 to 1e75 m that are nearer to one "
        "another, or a Capsule for a rod.",
        s.to_string(), share));
  }
  return {
      ShapeKind::kBox, "Box", half,
      std::make_shared<const ConvexPolytope>(ConvexPolytope::MakeBox(half))};
}

CollisionShape FromHull(std::string_view name,
                        const PolygonSurfaceMesh<double>& hull) {
  return {ShapeKind::kConvex, name, Vector3d::Zero(),
          std::make_shared<const ConvexPolytope>(hull.vertices(),
                                                 hull.face_data())};
}
CollisionShape Make(const Convex& s) {
  return FromHull("Convex", s.GetConvexHull());
}
CollisionShape Make(const Mesh& s) {
  return FromHull("Mesh", s.GetConvexHull());
}
CollisionShape Make(const MeshcatCone&) {
  throw std::logic_error(
      "ProximityEngine: a MeshcatCone was given the proximity role; it is for "
      "visualisation only. Use a Convex in its place.");
}

// +1 or -1, so that zero has a side too.
template <typename T>
double SideOf(const T& x) {
  return ToDouble(x) < 0 ? -1.0 : 1.0;
}

template <typename T>
Vector3<T> CylinderSupport(const Vector3d& half, const Vector3<T>& u) {
  using std::sqrt;
  const T rho2 = u[0] * u[0] + u[1] * u[1];
  const double z = half[2] * SideOf(u[2]);
  const double flat = 1e-30 * ToDouble(u[2] * u[2]);
  if (!(ToDouble(rho2) > flat)) {
    return Vector3<T>(T(half[0]), T(0), T(z));
  }
  const T scale = half[0] / sqrt(rho2);
  return Vector3<T>(scale * u[0], scale * u[1], T(z));
}

}  // namespace

CollisionShape MakeCollisionShape(const Shape& shape) {
  return shape.Visit<CollisionShape>([](const auto& s) { return Make(s); });
}

Aabb CalcWorldAabb(const CollisionShape& shape,
                   const math::RigidTransform<double>& X_WG) {
  using std::sqrt;
  const Eigen::Matrix3d& R = X_WG.rotation().matrix();
  const Vector3d& half = shape.half;
  Vector3d centre = X_WG.translation();
  Vector3d reach = half;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      break;
    case ShapeKind::kCapsule:
      reach = half[2] * R.col(2).cwiseAbs() + Vector3d::Constant(half[0]);
      break;
    case ShapeKind::kCylinder:
      // |z_i| h + r sqrt(1 - z_i²): the rim's farthest point along axis i.
      reach = half[2] * R.col(2).cwiseAbs() +
              half[0] * (1 - R.col(2).array().square()).max(0).sqrt().matrix();
      break;
    case ShapeKind::kEllipsoid:
      reach = (R * half.asDiagonal()).rowwise().norm();
      break;
    case ShapeKind::kBox:
      reach = R.cwiseAbs() * half;
      break;
    case ShapeKind::kConvex: {
      const auto& polytope = *shape.polytope;
      centre = X_WG * Vector3d(0.5 * (polytope.lower() + polytope.upper()));
      reach = R.cwiseAbs() * (0.5 * (polytope.upper() - polytope.lower()));
      break;
    }
    case ShapeKind::kHalfSpace:
      reach = Vector3d::Constant(std::numeric_limits<double>::infinity());
      break;
  }
  return {centre - reach, centre + reach};
}

template <typename T>
Vector3<T> CalcSupportPoint(const CollisionShape& shape, const Vector3<T>& u) {
  const Vector3d& half = shape.half;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return half[0] * u.normalized();
    case ShapeKind::kCapsule:
      return half[0] * u.normalized() +
             Vector3<T>(T(0), T(0), T(half[2] * SideOf(u[2])));
    case ShapeKind::kCylinder:
      return CylinderSupport(half, u);
    case ShapeKind::kEllipsoid: {
      // Maximize u·x on |x_i/a_i| = 1: x_i = a_i² u_i / |a∘u|.
      const Vector3<T> au = half.template cast<T>().cwiseProduct(u);
      return half.template cast<T>().cwiseProduct(au) / au.norm();
    }
    case ShapeKind::kBox:
      return Vector3<T>(T(half[0] * SideOf(u[0])), T(half[1] * SideOf(u[1])),
                        T(half[2] * SideOf(u[2])));
    case ShapeKind::kConvex: {
      const Vector3d direction = ToDouble(u);
      const int vertex = shape.polytope->SupportVertex(direction);
      return shape.polytope->vertex(vertex).template cast<T>();
    }
    case ShapeKind::kHalfSpace:
      break;
  }
  return Vector3<T>::Zero();
}

#define WYVERN_INSTANTIATE(T)                                    \
  template Vector3<T> CalcSupportPoint<T>(const CollisionShape&, \
                                          const Vector3<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
