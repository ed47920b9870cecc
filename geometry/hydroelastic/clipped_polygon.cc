#include "wyvern/geometry/hydroelastic/clipped_polygon.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"

// A point is in a tetrahedron where none of its four barycentric coordinates is
// negative. They are linear: they are calculated at the corners once, and go
// along with them from cut to cut (Sutherland & Hodgman, "Reentrant polygon
// clipping", CACM 17, 1974). As they have no unit, 1e-12 of them is "in the
// plane of the face" for tetrahedra of any size.

namespace wyvern::geometry::internal {

using math::internal::ValuesOf;

template <typename T>
Vector3<T> ClippedPolygon<T>::CalcAreaVector() const {
  Vector3<T> twice = Vector3<T>::Zero();
  for (int i = 1; i + 1 < size_; ++i) {
    twice += (p_[i] - p_[0]).cross(p_[i + 1] - p_[0]);
  }
  return 0.5 * twice;
}

template <typename T>
void ClippedPolygon<T>::Clip(int k) {
  next_size_ = 0;
  for (int i = 0; i < size_; ++i) {
    const int j = i + 1 < size_ ? i + 1 : 0;
    const T& a = b_[i][k];
    const T& b = b_[j][k];
    if (a >= 0) Emit(p_[i], b_[i]);
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
      // From the inner end, whichever way the side is gone along.
      const int in = a > 0 ? i : j, out = a > 0 ? j : i;
      const T t = b_[in][k] / (b_[in][k] - b_[out][k]);
      Vector4<T> numbers = b_[in] + t * (b_[out] - b_[in]);
      numbers[k] = 0;
      Emit(p_[in] + t * (p_[out] - p_[in]), numbers);
    }
  }
  size_ = next_size_ < 3 ? 0 : next_size_;
  std::copy_n(next_p_.begin(), size_, p_.begin());
  std::copy_n(next_b_.begin(), size_, b_.begin());
}

template <typename T>
void ClippedPolygon<T>::ClipToTetrahedron(const VolumeMesh<double>& mesh,
                                          int element,
                                          const Vector3<T>& normal) {
  constexpr double kInPlane = 1e-12;
  Eigen::Vector4d low, high;
  for (int i = 0; i < size_; ++i) {
    b_[i] = mesh.CalcBarycentric(p_[i], element);
    const Eigen::Vector4d b = ValuesOf(b_[i]);
    low = i == 0 ? b : Eigen::Vector4d(low.cwiseMin(b));
    high = i == 0 ? b : Eigen::Vector4d(high.cwiseMax(b));
  }
  for (int k = 0; k < 4 && size_ > 0; ++k) {
    if (high[k] <= kInPlane) {
      const bool is_behind =
          low[k] >= -kInPlane &&
          mesh.inward_normal(element, k).dot(ValuesOf(normal)) < 0;
      if (!is_behind) size_ = 0;
    } else if (low[k] < 0) {
      Clip(k);
    }
  }
}

template <typename T>
void CutTetrahedron(const VolumeMesh<double>& mesh, int element,
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
  const VolumeElement& tetrahedron = mesh.element(element);
  const auto add = [&](int i, int j) {
    const T t = h[i] / (h[i] - h[j]);
    const Eigen::Vector3d& p_i = mesh.vertex(tetrahedron.vertex(i));
    const Eigen::Vector3d& p_j = mesh.vertex(tetrahedron.vertex(j));
    polygon->Add(p_i + t * (p_j - p_i));
  };
  // Around the polygon, one of the two ends of an edge stays.
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

#define WYVERN_INSTANTIATE(T)                                           \
  template class ClippedPolygon<T>;                                     \
  template void CutTetrahedron<T>(const VolumeMesh<double>&, int,       \
                                  const Vector4<T>&, const Vector3<T>&, \
                                  ClippedPolygon<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
