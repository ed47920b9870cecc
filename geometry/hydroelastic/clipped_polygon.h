#pragma once

#include <algorithm>
#include <array>

#include <Eigen/Geometry>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/geometry/meshes/volume_mesh.h"

namespace wyvern::geometry::internal {

/** A flat convex polygon in the making: its corners, and at each up to four
numbers that are linear on it, of which it keeps where they are not negative.

@tparam T double or AutoDiffXd. */
template <typename T>
class ClippedPolygon {
 public:
  /** A cut adds one corner to a convex polygon. Rounding can make one that is
  not convex, to which a cut adds half as many as it has: 4, 6, 9, 13, 19. */
  static constexpr int kMaxCorners = 20;

  int size() const { return size_; }
  const Vector3<T>& p(int i) const { return p()[i]; }

  void Clear() { size_ = 0; }
  void Add(const Vector3<T>& p) { this->p()[size_++] = p; }
  /** The area as a vector, along the normal by the right-hand rule. */
  Vector3<T> CalcAreaVector() const;
  /** Turns it over. */
  void Reverse() { std::reverse(p().begin(), p().begin() + size_); }
  /** Moves it to another frame. */
  void Transform(const math::RigidTransform<T>& X) {
    for (int i = 0; i < size_; ++i) p()[i] = X * p()[i];
  }
  /** The part inside of a tetrahedron. A polygon in the plane of a face belongs
  to the tetrahedron behind it, where `normal` does not point, so that of two
  that share the face one has it. What is left has three corners or more, or
  none. */
  void ClipToTetrahedron(const VolumeMesh<double>& mesh, int element,
                         const Vector3<T>& normal);
  /** The part where a linear function of position is not negative; nothing, if
  it is positive nowhere. */
  template <typename Function>
  void ClipToPositive(const Function& function) {
    bool is_any = false, is_all = true;
    for (int i = 0; i < size_; ++i) {
      T& b = this->b()[i][0];
      b = function(p(i));
      is_any = is_any || b > 0;
      is_all = is_all && b >= 0;
    }
    if (!is_any) {
      Clear();
    } else if (!is_all) {
      Clip<1>(0);
    }
  }

 private:
  using Corners = std::array<Vector3<T>, kMaxCorners>;
  using Numbers = std::array<Vector4<T>, kMaxCorners>;

  Corners& p() { return p_[now_]; }
  const Corners& p() const { return p_[now_]; }
  Numbers& b() { return b_[now_]; }
  // Keeps where b_k >= 0, with the first `num_numbers` of b.
  template <int num_numbers>
  void Clip(int k);

  int size_{0};
  // A cut goes from one of two sets of corners to the other.
  int now_{0};
  std::array<Corners, 2> p_;
  std::array<Numbers, 2> b_;
};

/** The part of the plane h = 0 in a tetrahedron, with h given at its vertices:
a triangle or a quadrilateral, seen counter-clockwise from where h > 0; empty if
h has one sign. A tetrahedron that has a face in the plane has it as its part
if h is negative at its other vertex. `normal` points to where h > 0. */
template <typename T>
void CutTetrahedron(const VolumeMesh<double>& mesh, int element,
                    const Vector4<T>& h, const Vector3<T>& normal,
                    ClippedPolygon<T>* polygon);

}  // namespace wyvern::geometry::internal
