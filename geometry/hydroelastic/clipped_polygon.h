#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/geometry/meshes/volume_mesh.h"

namespace wyvern::geometry::internal {

/** Polygons with less area, m², are left out of contact surfaces. */
inline constexpr double kLeastFaceArea = 1e-14;

/** A tetrahedron in motion: where its vertices are now. It may be inside out.
 */
class MovedTetrahedron {
 public:
  /** @return false if it is flat, for which there are no gradients. */
  bool Set(const std::array<Eigen::Vector3d, 4>& corners);

  const std::array<Eigen::Vector3d, 4>& corners() const { return corners_; }
  template <typename T>
  Vector4<T> CalcBarycentric(const Vector3<T>& p) const {
    const Vector3<T> b = gradients_ * (p - corners_[0]);
    return {1.0 - b[0] - b[1] - b[2], b[0], b[1], b[2]};
  }
  /** Returns the gradient of barycentric coordinate k; it points in through the
  face opposite to corner k. */
  Eigen::Vector3d gradient(int k) const {
    if (k > 0) return gradients_.row(k - 1).transpose();
    return -gradients_.colwise().sum().transpose();
  }
  /** Computes the gradient of the linear function with these values at the
  corners. */
  Eigen::Vector3d CalcGradient(const Eigen::Vector4d& values) const {
    return gradients_.transpose() *
           (values.tail<3>().array() - values[0]).matrix();
  }

 private:
  std::array<Eigen::Vector3d, 4> corners_;
  // Row i is the gradient of coordinate i + 1.
  Eigen::Matrix3d gradients_;
};

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
  /** The centroid of its area.
  @param normal unit, around which the corners run
  @param area CalcAreaVector() . normal; positive */
  Vector3<T> CalcCentroid(const Vector3<T>& normal, const T& area) const;
  /** Turns it over. */
  void Reverse() { std::reverse(p().begin(), p().begin() + size_); }
  /** Moves it to another frame. */
  void Transform(const math::RigidTransform<T>& X) {
    for (int i = 0; i < size_; ++i) p()[i] = X * p()[i];
  }
  /** The part inside of a tetrahedron. A polygon in the plane of a face belongs
  to the tetrahedron behind it, where `normal` does not point, so that of two
  that share the face one has it. What is left has three corners or more, or
  none.
  @param outer the vertex across from a face that no other tetrahedron is behind
  of, in the plane of which a polygon counts; -1 for none */
  void ClipToTetrahedron(const VolumeMesh<double>& mesh, int element,
                         const Vector3<T>& normal, int outer = -1);
  void ClipToTetrahedron(const MovedTetrahedron& tetrahedron,
                         const Vector3<T>& normal);
  /** The part where a linear function of position is not negative; nothing, if
  it is positive nowhere, unless it is zero all over and that `may_be_zero`. */
  template <typename Function>
  void ClipToPositive(const Function& function, bool may_be_zero = false) {
    bool is_any = false, is_all = true;
    for (int i = 0; i < size_; ++i) {
      T& b = this->b()[i][0];
      b = function(p(i));
      is_any = is_any || b > 0;
      is_all = is_all && b >= 0;
    }
    if (!is_any && !(is_all && may_be_zero)) {
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
  // Keeps where no barycentric coordinate is negative. `is_behind(k)` is
  // whether the tetrahedron is on the side of its face k that the normal does
  // not point to.
  template <typename CalcBarycentric, typename IsBehind>
  void ClipByBarycentric(const CalcBarycentric& calc_barycentric,
                         const IsBehind& is_behind);
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
template <typename T>
void CutTetrahedron(const std::array<Eigen::Vector3d, 4>& corners,
                    const Vector4<T>& h, const Vector3<T>& normal,
                    ClippedPolygon<T>* polygon);

/** @name Before the cut
@{ */
/** Sets signed distances at rounding level to zero, so that a plane through a
vertex passes through it exactly. The tolerance is 1e-12 of the scale, which is
a body's own; places far from the body add kFar of their distance to it, because
they have fewer digits. Derivatives stay, because the plane moves on. */
template <typename T>
void Snap(double scale, Vector4<T>* h) {
  for (int i = 0; i < 4; ++i) {
    const double value = math::internal::ValueOf((*h)[i]);
    if (std::abs(value) <= 1e-12 * scale) (*h)[i] -= value;
  }
}
inline constexpr double kFar = 1e-2;

/** True if the plane h = 0 cuts nothing out. */
template <typename T>
bool HasOneSign(const Vector4<T>& h) {
  const Eigen::Vector4d values = math::internal::ValuesOf(h);
  return !(values.minCoeff() < 0 && values.maxCoeff() >= 0);
}

/** The least cosine of the angle between the normal of a face, out of N into M,
and the way in which M's field rises, or against it that of N's: cos(5 pi / 8).
*/
inline constexpr double kLeastCosine = -0.38268343236508984;
/** @} */

}  // namespace wyvern::geometry::internal
