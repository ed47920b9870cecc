#include "wyvern/geometry/meshes/triangle_surface_mesh.h"

#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::geometry {

template <class T>
TriangleSurfaceMesh<T>::TriangleSurfaceMesh(
    std::vector<SurfaceTriangle> triangles, std::vector<Vector3<T>> vertices)
    : triangles_(std::move(triangles)), vertices_(std::move(vertices)) {
  Measure();
}

template <class T>
void TriangleSurfaceMesh<T>::Assign(
    const std::vector<SurfaceTriangle>& triangles,
    const std::vector<Vector3<T>>& vertices) {
  triangles_ = triangles;
  vertices_ = vertices;
  Measure();
}

template <class T>
void TriangleSurfaceMesh<T>::RequireVerticesAndTriangles() const {
  const char* const name = "TriangleSurfaceMesh";
  if (triangles_.empty()) {
    throw std::logic_error(fmt::format(
        "{}: it was given {} vertices and no triangles; give one at least.",
        name, vertices_.size()));
  }
  internal::RequireVertices(name, vertices_);
  for (int t = 0; t < num_triangles(); ++t) {
    const SurfaceTriangle& triangle = triangles_[t];
    internal::RequireElement(
        name, t,
        std::array{triangle.vertex(0), triangle.vertex(1), triangle.vertex(2)},
        vertices_.size());
  }
}

template <class T>
void TriangleSurfaceMesh<T>::Measure() {
  using std::sqrt;
  RequireVerticesAndTriangles();
  areas_.clear();
  normals_.clear();
  areas_.reserve(triangles_.size());
  normals_.reserve(triangles_.size());
  total_area_ = 0;
  centroid_.setZero();
  for (int t = 0; t < num_triangles(); ++t) {
    const Vector3<T>& a = corner(t, 0);
    const Vector3<T> twice = (corner(t, 1) - a).cross(corner(t, 2) - a);
    const T square = twice.squaredNorm();
    // The root of zero has no derivative.
    const bool is_flat = !(square > 0);
    const T length = is_flat ? T(0) : sqrt(square);
    areas_.push_back(length / 2.0);
    normals_.push_back(is_flat ? Vector3<T>(Vector3<T>::Zero())
                               : Vector3<T>(twice / length));
    total_area_ += areas_.back();
    centroid_ += areas_.back() * element_centroid(t);
  }
  if (total_area_ > 0) centroid_ /= total_area_;
}

template <class T>
Vector3<T> TriangleSurfaceMesh<T>::element_centroid(int t) const {
  return (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3.0;
}

template <class T>
std::pair<Vector3<T>, Vector3<T>> TriangleSurfaceMesh<T>::CalcBoundingBox()
    const {
  return internal::CalcBoundingBox("TriangleSurfaceMesh", vertices_);
}

template <class T>
void TriangleSurfaceMesh<T>::TransformVertices(
    const math::RigidTransform<T>& X_NM) {
  vertices_ = internal::Transformed("TriangleSurfaceMesh", X_NM, vertices_);
  for (Vector3<T>& n : normals_) n = X_NM.rotation() * n;
  if (total_area_ > 0) centroid_ = X_NM * centroid_;
}

template <class T>
void TriangleSurfaceMesh<T>::ReverseFaceWinding() {
  for (SurfaceTriangle& t : triangles_) t.ReverseWinding();
  for (Vector3<T>& n : normals_) n = -n;
}

template <class T>
bool TriangleSurfaceMesh<T>::Equal(const TriangleSurfaceMesh<T>& mesh) const {
  return triangles_ == mesh.triangles_ &&
         internal::AreNear(vertices_, mesh.vertices_, 0);
}

template <class T>
bool TriangleSurfaceMesh<T>::IsDegenerate(int t) const {
  using math::internal::ValueOf;
  using math::internal::ValuesOf;
  const Eigen::Vector3d a = ValuesOf(corner(t, 0));
  const double b = (ValuesOf(corner(t, 1)) - a).norm();
  const double c = (ValuesOf(corner(t, 2)) - a).norm();
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * b * c;
  return !(2 * ValueOf(areas_[t]) > rounding);
}

// The coordinate of a vertex grows in the plane, across the side opposite to
// it, by 1 over the height 2 A / |side|: with the side s counter-clockwise,
// grad b = n x s / (2 A).
template <class T>
std::pair<Vector3<T>, Vector3<T>> TriangleSurfaceMesh<T>::CalcGradBarycentric(
    int t) const {
  if (IsDegenerate(RequireTriangle(t))) {
    throw std::runtime_error(
        fmt::format("TriangleSurfaceMesh: triangle {} has no area, and "
                    "therefore neither barycentric coordinates nor gradients.",
                    t));
  }
  const Vector3<T> n = normals_[t] / (2.0 * areas_[t]);
  return {n.cross(corner(t, 0) - corner(t, 2)),
          n.cross(corner(t, 1) - corner(t, 0))};
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class TriangleSurfaceMesh);

}  // namespace wyvern::geometry
