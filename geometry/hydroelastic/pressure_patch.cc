#include "wyvern/geometry/hydroelastic/pressure_patch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "wyvern/systems/common/default_scalars.h"

/* The moments of a polygon are sums over the fan of triangles about its first
corner o. A triangle o, o + u, o + v of area t has the first moment t (u + v)
/ 3 and the second moment t (u u' + v v' + (u + v)(u + v)') / 12 about o.

The root of a symmetric 2x2 matrix S is (S + s 1) / t, with s² = det S and t²
= tr S + 2 s. */

namespace wyvern::geometry::internal {

using math::internal::ValueOf;
using math::internal::ValuesOf;

namespace {

// The root of zero has no derivative.
template <typename T>
T CalcRoot(const T& z) {
  using std::sqrt;
  return z > 0 ? T(sqrt(z)) : T(0);
}

}  // namespace

template <typename T>
auto PressurePatch<T>::MakePoint(const T& x, const T& y, const T& share) const
    -> Point {
  return {centroid + x * axes[0] + y * axes[1],
          pressure + slope_x * x + slope_y * y, share};
}

template <typename T>
auto PressurePatch<T>::CalcCentre() const -> Point {
  Point point{centroid, pressure, area};
  if (pressure == 0) return point;
  T x = (xx * slope_x + xy * slope_y) / pressure;
  T y = (xy * slope_x + yy * slope_y) / pressure;
  // The variance of a pressure of one sign is at most half of its square; only
  // rounding makes it larger.
  const double variance = ValueOf(T(slope_x * x + slope_y * y) / pressure);
  if (!(variance <= 1)) {
    x /= std::sqrt(variance);
    y /= std::sqrt(variance);
  }
  point.p_WQ += x * axes[0] + y * axes[1];
  return point;
}

template <typename T>
auto PressurePatch<T>::CalcPoints() const -> std::array<Point, kNumPoints> {
  const T s = CalcRoot<T>(xx * yy - xy * xy);
  const T t = CalcRoot<T>(xx + yy + 2.0 * s);
  // The points are at ±a ± b, where a = (u, w) and b = (w, v) are the columns
  // of the root: their second moment is that of the patch.
  T u(0), v(0), w(0);
  if (t > 0) {
    u = (xx + s) / t;
    v = (yy + s) / t;
    w = xy / t;
  }
  const T share = area / 4.0;
  return {MakePoint(u + w, v + w, share), MakePoint(u - w, w - v, share),
          MakePoint(w - u, v - w, share), MakePoint(-u - w, -v - w, share)};
}

template <typename T>
double CalcSpreadOfOnePoint(const std::vector<PressurePatch<T>>& patches) {
  // Patches without positive pressure count only if there are no others.
  const bool some_press = std::ranges::any_of(
      patches, [](const auto& patch) { return patch.pressure > 0; });
  double area = 0;
  int num_patches = 0;
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  const auto for_each = [&](const auto& visit) {
    for (const PressurePatch<T>& patch : patches) {
      if (some_press && !(patch.pressure > 0)) continue;
      visit(patch, ValueOf(patch.area), ValuesOf(patch.centroid));
    }
  };
  for_each([&](const auto&, double A, const Eigen::Vector3d& C) {
    area += A;
    centroid += A * C;
    ++num_patches;
  });
  if (!(area > 0)) return 0;
  centroid /= area;
  // Compute the second moment of all patches about their centroid.
  Eigen::Matrix3d S = Eigen::Matrix3d::Zero();
  for_each([&](const auto& patch, double A, const Eigen::Vector3d& C) {
    const Eigen::Vector3d d = C - centroid;
    const Eigen::Vector3d x = ValuesOf(patch.axes[0]);
    const Eigen::Vector3d y = ValuesOf(patch.axes[1]);
    const Eigen::Vector3d Sx = ValueOf(patch.xx) * x + ValueOf(patch.xy) * y;
    const Eigen::Vector3d Sy = ValueOf(patch.xy) * x + ValueOf(patch.yy) * y;
    S += A * (d * d.transpose() + Sx * x.transpose() + Sy * y.transpose());
  });
  // Divide the sum of products of two eigenvalues by the eigenvalues' sum. For
  // a flat surface the result is at most the smaller eigenvalue.
  const double trace = S.trace();
  const double least = (trace * trace - S.squaredNorm()) / (2 * trace);
  constexpr double kShare = 0.25;
  return trace > 0 ? kShare * least / num_patches : 0;
}

template <typename T>
void PressedPolygon<T>::Set(const ClippedPolygon<T>& polygon,
                            const Vector3<T>& normal,
                            const Vector3<double>& p_FQ, const T& pressure,
                            const Vector3<T>& gradient) {
  const Matrix3<T> R =
      math::RotationMatrix<T>::MakeFromOneVector(normal, 2).matrix();
  axes_ = {R.col(0), R.col(1), normal};
  slope_x_ = gradient.dot(axes_[0]);
  slope_y_ = gradient.dot(axes_[1]);
  origin_ = polygon.p(0);
  all_.size = polygon.size();
  for (int i = 0; i < all_.size; ++i) {
    const Vector3<T> arm = polygon.p(i) - origin_;
    all_.corners[i] = {arm.dot(axes_[0]), arm.dot(axes_[1]),
                       pressure + gradient.dot(polygon.p(i) - p_FQ)};
  }
}

template <typename T>
auto PressedPolygon<T>::Cut(double sign) const -> Corners {
  Corners part;
  for (int i = 0; i < all_.size; ++i) {
    const Corner& a = all_.corners[i];
    const Corner& b = all_.corners[i + 1 < all_.size ? i + 1 : 0];
    if (sign * a.pressure >= 0) part.corners[part.size++] = a;
    const bool crosses = (a.pressure < 0 && b.pressure > 0) ||
                         (a.pressure > 0 && b.pressure < 0);
    if (!crosses) continue;
    const T t = a.pressure / (a.pressure - b.pressure);
    part.corners[part.size++] = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y),
                                 T(0)};
  }
  return part;
}

template <typename T>
void PressedPolygon<T>::AddPatches(
    int face, const math::RigidTransform<T>& X_WF, double sign,
    std::vector<PressurePatch<T>>* patches) const {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int i = 0; i < all_.size; ++i) {
    const double p = ValueOf(all_.corners[i].pressure);
    low = std::min(low, p);
    high = std::max(high, p);
  }
  // A smaller part of one sign is rounding of the other part.
  constexpr double kRounding = 1e-9;
  if (low >= -kRounding * high || high <= -kRounding * low) {
    AddPatch(all_, face, X_WF, sign, patches);
    return;
  }
  for (const double side : {1.0, -1.0}) {
    AddPatch(Cut(side), face, X_WF, sign, patches);
  }
}

template <typename T>
void PressedPolygon<T>::AddPatch(const Corners& part, int face,
                                 const math::RigidTransform<T>& X_WF,
                                 double sign,
                                 std::vector<PressurePatch<T>>* patches) const {
  T area(0), x(0), y(0), xx(0), xy(0), yy(0);
  const Corner& o = part.corners[0];
  for (int i = 1; i + 1 < part.size; ++i) {
    const T ux = part.corners[i].x - o.x, uy = part.corners[i].y - o.y;
    const T vx = part.corners[i + 1].x - o.x, vy = part.corners[i + 1].y - o.y;
    const T t = 0.5 * (ux * vy - uy * vx);
    const T sx = ux + vx, sy = uy + vy;
    area += t;
    x += t * sx;
    y += t * sy;
    xx += t * (ux * ux + vx * vx + sx * sx);
    xy += t * (ux * uy + vx * vy + sx * sy);
    yy += t * (uy * uy + vy * vy + sy * sy);
  }
  if (!(area >= kLeastFaceArea)) return;
  PressurePatch<T> patch;
  patch.face = face;
  patch.area = area;
  x /= 3.0 * area;
  y /= 3.0 * area;
  const T scale = 1.0 / (12.0 * area);
  patch.xx = scale * xx - x * x;
  patch.xy = scale * xy - x * y;
  patch.yy = scale * yy - y * y;
  x += o.x;
  y += o.y;
  patch.centroid = X_WF * Vector3<T>(origin_ + x * axes_[0] + y * axes_[1]);
  patch.pressure = all_.corners[0].pressure + slope_x_ * x + slope_y_ * y;
  patch.slope_x = slope_x_;
  patch.slope_y = slope_y_;
  for (int i = 0; i < 3; ++i) patch.axes[i] = X_WF.rotation() * axes_[i];
  if (sign < 0) patch.axes[2] = -patch.axes[2];
  patches->push_back(patch);
}

#define WYVERN_INSTANTIATE(T)       \
  template struct PressurePatch<T>; \
  template class PressedPolygon<T>; \
  template double CalcSpreadOfOnePoint<T>(const std::vector<PressurePatch<T>>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
