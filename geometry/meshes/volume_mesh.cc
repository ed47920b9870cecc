#include "wyvern/geometry/meshes/volume_mesh.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/geometry/meshes/dual_basis.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::geometry {

template <class T>
VolumeMesh<T>::VolumeMesh(std::vector<VolumeElement> elements,
                          std::vector<Vector3<T>> vertices)
    : elements_(std::move(elements)), vertices_(std::move(vertices)) {
  const char* const name = "VolumeMesh";
  if (elements_.empty()) {
    throw std::logic_error(fmt::format(
        "{}: it was given {} vertices and no elements; give one at least.",
        name, vertices_.size()));
  }
  internal::RequireVertices(name, vertices_);
  gradients_.reserve(elements_.size());
  for (int e = 0; e < num_elements(); ++e) {
    const VolumeElement& tet = elements_[e];
    internal::RequireElement(
        name, e,
        std::array{tet.vertex(0), tet.vertex(1), tet.vertex(2), tet.vertex(3)},
        vertices_.size());
    gradients_.push_back(CalcGradients(e));
  }
}

// With the edges d_i = p_Vi - p_V0, the gradients g_i of the coordinates of the
// vertices 1 to 3 are the dual basis, g_i . d_j = 1 if i = j, else 0:
// g_1 = d_2 x d_3 / det, and so on around, with det = d_1 . (d_2 x d_3), which
// is six times the volume.
template <class T>
Matrix3<T> VolumeMesh<T>::CalcGradients(int e) const {
  using math::internal::ValueOf;
  const Vector3<T> d1 = edge_vector(e, 0, 1);
  const Vector3<T> d2 = edge_vector(e, 0, 2);
  const Vector3<T> d3 = edge_vector(e, 0, 3);
  T det;
  const Matrix3<T> result = internal::CalcDualBasis(d1, d2, d3, &det);
  // The heights are 1 / |g_i|. Below the rounding of the longest edge, a height
  // is none.
  const Eigen::Matrix3d g = math::internal::ValuesOf(result);
  const double steepest =
      std::max(g.rowwise().norm().maxCoeff(), g.colwise().sum().norm());
  double longest = 0;
  for (const auto& [a, b] :
       {std::pair(0, 1), {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}) {
    longest = std::max(longest,
                       math::internal::ValuesOf(edge_vector(e, a, b)).norm());
  }
  const double most = 1 / (4 * std::numeric_limits<double>::epsilon());
  if (!(ValueOf(det) > 0) || !(steepest * longest < most)) {
    throw std::logic_error(fmt::format(
        "VolumeMesh: element {} of the vertices {}, {}, {}, {} has a volume of "
        "{} m³; it must be positive, and no height less than rounding: the "
        "right-hand normal of the first three "
        "points to the fourth.",
        e, elements_[e].vertex(0), elements_[e].vertex(1),
        elements_[e].vertex(2), elements_[e].vertex(3), ValueOf(det) / 6));
  }
  return result;
}

template <class T>
Vector3<T> VolumeMesh<T>::inward_normal(int e, int f) const {
  const Matrix3<T>& grad = gradients_[RequireTetrahedron(e)];
  internal::CheckedIndex("VolumeMesh: face", f, 4);
  if (f > 0) return grad.row(f - 1).transpose().normalized();
  return -grad.colwise().sum().transpose().normalized();
}

template <class T>
T VolumeMesh<T>::CalcTetrahedronVolume(int e) const {
  return edge_vector(e, 0, 1).dot(
             edge_vector(e, 0, 2).cross(edge_vector(e, 0, 3))) /
         6.0;
}

template <class T>
T VolumeMesh<T>::CalcVolume() const {
  T sum(0);
  for (int e = 0; e < num_elements(); ++e) sum += CalcTetrahedronVolume(e);
  return sum;
}

template <class T>
void VolumeMesh<T>::TransformVertices(const math::RigidTransform<T>& X_NM) {
  vertices_ = internal::Transformed("VolumeMesh", X_NM, vertices_);
  const Matrix3<T> R_MN = X_NM.rotation().matrix().transpose();
  for (Matrix3<T>& rows : gradients_) rows = rows * R_MN;
}

template <class T>
bool VolumeMesh<T>::Equal(const VolumeMesh<T>& mesh,
                          double vertex_tolerance) const {
  return elements_ == mesh.elements_ &&
         internal::AreNear(vertices_, mesh.vertices_, vertex_tolerance);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class VolumeMesh);

}  // namespace wyvern::geometry
