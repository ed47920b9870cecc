#include "wyvern/geometry/hydroelastic/clipped_polygon.h"

#include <cmath>
#include <utility>

#include "wyvern/geometry/meshes/dual_basis.h"
#include "wyvern/systems/common/default_scalars.h"

/* A point is in a tetrahedron where none of its four barycentric coordinates is
negative. They are linear: they are calculated at the corners once, and go
along with them from cut to cut (Sutherland & Hodgman, "Reentrant polygon
clipping", CACM 17, 1974). As they have no unit, 1e-12 of them is "in the
plane of the face" for tetrahedra of any size. */

namespace wyvern::geometry::internal {

using math::internal::ValuesOf;

template <typename T>
Vector3<T> ClippedPolygon<T>::CalcAreaVector() const {
  Vector3<T> twice = Vector3<T>::Zero();
  for (int i = 1; i + 1 < size_; ++i) {
    twice += (p(i) - p(0)).cross(p(i + 1) - p(0));
  }
  return 0.5 * twice;
}

template <typename T>
Vector3<T> ClippedPolygon<T>::CalcCentroid(const Vector3<T>& normal,
                                           const T& area) const {
  const Vector3<T>& a = p(0);
  Vector3<T> centroid = a;
  for (int k = 1; k + 1 < size_; ++k) {
    const Vector3<T> b = p(k) - a, c = p(k + 1) - a;
    centroid += b.cross(c).dot(normal) / (6.0 * area) * (b + c);
  }
  return centroid;
}

bool MovedTetrahedron::Set(const std::array<Eigen::Vector3d, 4>& corners) {
  corners_ = corners;
  const Eigen::Vector3d d1 = corners[1] - corners[0];
  const Eigen::Vector3d d2 = corners[2] - corners[0];
  const Eigen::Vector3d d3 = corners[3] - corners[0];
  double determinant;
  gradients_ = CalcDualBasis(d1, d2, d3, &determinant);
  // |d1·(d2 x d3)| relative to the edges' lengths: below rounding the
  // tetrahedron has no volume.
  return std::abs(determinant) > 1e-14 * d1.norm() * d2.norm() * d3.norm();
}

template <typename T>
template <int num_numbers>
void ClippedPolygon<T>::Clip(int k) {
  const Corners& p = p_[now_];
  const Numbers& b = b_[now_];
  now_ = 1 - now_;
  Corners& next_p = p_[now_];
  Numbers& next_b = b_[now_];
  int n = 0;
  for (int i = 0; i < size_; ++i) {
    const int j = i + 1 < size_ ? i + 1 : 0;
    const T& b_i = b[i][k];
    const T& b_j = b[j][k];
    if (b_i >= 0) {
      next_p[n] = p[i];
      next_b[n].template head<num_numbers>() =
          b[i].template head<num_numbers>();
      ++n;
    }
    if ((b_i > 0 && b_j < 0) || (b_i < 0 && b_j > 0)) {
      // Interpolating from the inner corner gives the same bits for both
      // directions of the side.
      const int in = b_i > 0 ? i : j, out = b_i > 0 ? j : i;
      const T t = b[in][k] / (b[in][k] - b[out][k]);
      const auto b_in = b[in].template head<num_numbers>();
      const auto b_out = b[out].template head<num_numbers>();
      next_b[n].template head<num_numbers>() = b_in + t * (b_out - b_in);
      next_b[n][k] = 0;
      next_p[n] = p[in] + t * (p[out] - p[in]);
      ++n;
    }
  }
  size_ = n < 3 ? 0 : n;
}

template <typename T>
template <typename CalcBarycentric, typename IsBehind>
void ClippedPolygon<T>::ClipByBarycentric(
    const CalcBarycentric& calc_barycentric, const IsBehind& is_behind) {
  constexpr double kInPlane = 1e-12;
  Eigen::Vector4d low, high;
  for (int i = 0; i < size_; ++i) {
    b()[i] = calc_barycentric(p(i));
    const Eigen::Vector4d values = ValuesOf(b()[i]);
    low = i == 0 ? values : Eigen::Vector4d(low.cwiseMin(values));
    high = i == 0 ? values : Eigen::Vector4d(high.cwiseMax(values));
  }
  for (int k = 0; k < 4 && size_ > 0; ++k) {
    if (high[k] > kInPlane) continue;
    if (!(low[k] >= -kInPlane && is_behind(k))) size_ = 0;
  }
  for (int k = 0; k < 4 && size_ > 0; ++k) {
    if (high[k] > kInPlane && low[k] < 0) Clip<4>(k);
  }
}

template <typename T>
void ClippedPolygon<T>::ClipToTetrahedron(const VolumeMesh<double>& mesh,
                                          int element, const Vector3<T>& normal,
                                          int outer) {
  ClipByBarycentric(
      [&](const Vector3<T>& q) { return mesh.CalcBarycentric(q, element); },
      [&](int k) {
        return k == outer ||
               mesh.inward_normal(element, k).dot(ValuesOf(normal)) < 0;
      });
}

template <typename T>
void ClippedPolygon<T>::ClipToTetrahedron(const MovedTetrahedron& tetrahedron,
                                          const Vector3<T>& normal) {
  ClipByBarycentric(
      [&](const Vector3<T>& q) { return tetrahedron.CalcBarycentric(q); },
      [&](int k) { return tetrahedron.gradient(k).dot(ValuesOf(normal)) < 0; });
}

template <typename T>
void CutTetrahedron(const VolumeMesh<double>& mesh, int element,
                    const Vector4<T>& h, const Vector3<T>& normal,
                    ClippedPolygon<T>* polygon) {
  const VolumeElement& tetrahedron = mesh.element(element);
  CutTetrahedron(
      {mesh.vertex(tetrahedron.vertex(0)), mesh.vertex(tetrahedron.vertex(1)),
       mesh.vertex(tetrahedron.vertex(2)), mesh.vertex(tetrahedron.vertex(3))},
      h, normal, polygon);
}

template <typename T>
void CutTetrahedron(const std::array<Eigen::Vector3d, 4>& corners,
                    const Vector4<T>& h, const Vector3<T>& normal,
                    ClippedPolygon<T>* polygon) {
  polygon->Clear();
  std::array<int, 4> above, below;
  int num_above = 0, num_below = 0;
  for (int i = 0; i < 4; ++i) {
    if (h[i] >= 0) {
      above[num_above++] = i;
    } else {
      below[num_below++] = i;
    }
  }
  if (num_above == 0 || num_below == 0) return;
  const auto add = [&](int i, int j) {
    const T t = h[i] / (h[i] - h[j]);
    polygon->Add(corners[i] + t * (corners[j] - corners[i]));
  };
  // Successive corners are on edges that share a vertex of the tetrahedron.
  if (num_above == 2) {
    add(above[0], below[0]);
    add(above[0], below[1]);
    add(above[1], below[1]);
    add(above[1], below[0]);
  } else {
    for (int a = 0; a < num_above; ++a) {
      for (int b = 0; b < num_below; ++b) add(above[a], below[b]);
    }
  }
  if (polygon->CalcAreaVector().dot(normal) < 0) polygon->Reverse();
}

#define WYVERN_INSTANTIATE(T)                                            \
  template class ClippedPolygon<T>;                                      \
  template void ClippedPolygon<T>::Clip<1>(int);                         \
  template void CutTetrahedron<T>(const VolumeMesh<double>&, int,        \
                                  const Vector4<T>&, const Vector3<T>&,  \
                                  ClippedPolygon<T>*);                   \
  template void CutTetrahedron<T>(const std::array<Eigen::Vector3d, 4>&, \
                                  const Vector4<T>&, const Vector3<T>&,  \
                                  ClippedPolygon<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
