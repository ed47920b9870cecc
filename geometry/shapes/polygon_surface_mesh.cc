#include "wyvern/geometry/shapes/polygon_surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::geometry {

namespace {
constexpr char kPolygonMesh[] = "PolygonSurfaceMesh";
}  // namespace

template <class T>
PolygonSurfaceMesh<T>::PolygonSurfaceMesh(std::vector<int> face_data,
                                          std::vector<Vector3<T>> vertices)
    : face_data_(std::move(face_data)), vertices_(std::move(vertices)) {
  MeasureAll();
}

template <class T>
void PolygonSurfaceMesh<T>::Assign(const std::vector<int>& face_data,
                                   const std::vector<Vector3<T>>& vertices) {
  face_data_ = face_data;
  vertices_ = vertices;
  MeasureAll();
}

template <class T>
void PolygonSurfaceMesh<T>::MeasureAll() {
  internal::RequireVertices(kPolygonMesh, vertices_);
  begin_.clear();
  areas_.clear();
  normals_.clear();
  centroids_.clear();
  total_area_ = 0;
  centroid_.setZero();
  const int size = static_cast<int>(face_data_.size());
  for (int i = 0; i < size; i += face_data_[i] + 1) {
    const int n = face_data_[i];
    if (n < 3 || n >= size - i) {
      throw std::logic_error(fmt::format(
          "PolygonSurfaceMesh: face {} is to have {} vertices, of {} numbers "
          "left; it must have three or more, and all of them.",
          begin_.size(), n, size - i - 1));
    }
    for (int k = 1; k <= n; ++k) {
      if (face_data_[i + k] < 0 || face_data_[i + k] >= num_vertices()) {
        throw std::logic_error(fmt::format(
            "PolygonSurfaceMesh: face {} has vertex {}; there are {}.",
            begin_.size(), face_data_[i + k], num_vertices()));
      }
    }
    begin_.push_back(i);
    Measure(num_faces() - 1);
  }
  if (total_area_ > 0) centroid_ /= total_area_;
}

template <class T>
void PolygonSurfaceMesh<T>::Measure(int f) {
  using std::sqrt;
  // A fan of triangles: their areas as vectors add up to the polygon's.
  const SurfacePolygon face = element(f);
  const Vector3<T>& a = vertices_[face.vertex(0)];
  Vector3<T> sum = Vector3<T>::Zero();
  for (int k = 1; k + 1 < face.num_vertices(); ++k) {
    sum += (vertex(face.vertex(k)) - a).cross(vertex(face.vertex(k + 1)) - a);
  }
  const T square = sum.squaredNorm();
  // The root of zero has no derivative.
  const bool is_flat = !(square > 0);
  const T twice = is_flat ? T(0) : sqrt(square);
  const Vector3<T> normal =
      is_flat ? Vector3<T>(Vector3<T>::Zero()) : Vector3<T>(sum / twice);
  const int n = face.num_vertices();
  Vector3<T> centroid = a;
  for (int k = 1; k + 1 < n && !is_flat; ++k) {
    const Vector3<T> b = vertex(face.vertex(k)) - a;
    const Vector3<T> c = vertex(face.vertex(k + 1)) - a;
    const T share = n == 3 ? T(1) : T(b.cross(c).dot(normal) / twice);
    centroid += share * (b + c) / 3.0;
  }
  areas_.push_back(twice / 2.0);
  normals_.push_back(normal);
  centroids_.push_back(centroid);
  total_area_ += areas_.back();
  centroid_ += areas_.back() * centroid;
}

template <class T>
T PolygonSurfaceMesh<T>::CalcVolume() const {
  T sum(0);
  // About a point near by, so that what is far from the origin loses no digits.
  for (int f = 0; f < num_faces(); ++f) {
    sum += areas_[f] * normals_[f].dot(centroids_[f] - centroids_[0]);
  }
  return sum / 3.0;
}

template <class T>
std::pair<Vector3<T>, Vector3<T>> PolygonSurfaceMesh<T>::CalcBoundingBox()
    const {
  return internal::CalcBoundingBox(kPolygonMesh, vertices_);
}

template <class T>
void PolygonSurfaceMesh<T>::TransformVertices(
    const math::RigidTransform<T>& X_NM) {
  vertices_ = internal::Transformed(kPolygonMesh, X_NM, vertices_);
  for (Vector3<T>& n : normals_) n = X_NM.rotation() * n;
  for (Vector3<T>& p : centroids_) p = X_NM * p;
  if (total_area_ > 0) centroid_ = X_NM * centroid_;
}

template <class T>
void PolygonSurfaceMesh<T>::ReverseFaceWinding() {
  for (const int i : begin_) {
    std::reverse(face_data_.begin() + i + 1,
                 face_data_.begin() + i + 1 + face_data_[i]);
  }
  for (Vector3<T>& n : normals_) n = -n;
}

template <class T>
bool PolygonSurfaceMesh<T>::Equal(const PolygonSurfaceMesh<T>& mesh) const {
  return face_data_ == mesh.face_data_ &&
         internal::AreNear(vertices_, mesh.vertices_, 0);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class PolygonSurfaceMesh);

}  // namespace wyvern::geometry
