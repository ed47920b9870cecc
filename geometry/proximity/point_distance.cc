#include "wyvern/geometry/proximity/point_distance.h"

#include <algorithm>
#include <cmath>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Each function splits space into the regions whose nearest point is on one
feature (face, edge, vertex; by value, so that derivatives follow the region),
and is exact there. On a boundary between regions both agree; on the medial
surface, where they do not, the first in a fixed order wins.

Ellipsoid: the nearest point is N_i = a_i² q_i / (t + a_i²) with t the largest
root of F(t) = sum (a_i q_i / (t + a_i²))² - 1, convex and decreasing for
t > -a_min². (D. Eberly, "Distance from a point to an ellipse, an ellipsoid, or
a hyperellipsoid".) Newton from the left of the root is monotone there. If q has
no part along the shortest axis and is near the centre, there is no root:
t = -a_min², and N's part along that axis closes the equation. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

using math::internal::ValueOf;

// The ball of radius r about C.
template <typename T>
PointDistance<T> FromBall(const Vector3<T>& p_GC, double r,
                          const Vector3<T>& p_GQ, const Vector3d& fallback) {
  const Vector3<T> p_CQ = p_GQ - p_GC;
  const double length = ToDouble(p_CQ).norm();
  if (!(length > 1e-14 * (r + 1e-300))) {
    const Vector3<T> grad = fallback.cast<T>();
    const T inside = grad.dot(p_CQ) - r;
    return {p_GQ - inside * grad, inside, grad};
  }
  const T distance = p_CQ.norm();
  const Vector3<T> grad = p_CQ / distance;
  return {p_GC + r * grad, distance - r, grad};
}

template <typename T>
PointDistance<T> FromCapsule(const Vector3d& half, const Vector3<T>& q) {
  Vector3<T> p_GC(T(0), T(0), q[2]);
  if (ValueOf(q[2]) > half[2]) p_GC[2] = half[2];
  if (ValueOf(q[2]) < -half[2]) p_GC[2] = -half[2];
  const Vector3d fallback = std::abs(ValueOf(q[2])) > half[2]
                                ? Vector3d(0, 0, ValueOf(q[2]) > 0 ? 1 : -1)
                                : Vector3d(Vector3d::UnitX());
  return FromBall(p_GC, half[0], q, fallback);
}

// A product of slabs |x_i| <= h_i, given the signed distances d_i of Q from
// each slab and the unit vectors outwards.
template <typename T, int n>
PointDistance<T> FromSlabs(const Vector3<T>& q, const T (&d)[n],
                           const Vector3<T> (&outward)[n]) {
  int deepest = 0, outside = 0;
  for (int i = 0; i < n; ++i) {
    if (ValueOf(d[i]) > ValueOf(d[deepest])) deepest = i;
    if (ValueOf(d[i]) > 0) ++outside;
  }
  if (outside <= 1) {
    const Vector3<T>& grad = outward[deepest];
    return {q - d[deepest] * grad, d[deepest], grad};
  }
  Vector3<T> p_NQ = Vector3<T>::Zero();
  for (int i = 0; i < n; ++i) {
    if (ValueOf(d[i]) > 0) p_NQ += d[i] * outward[i];
  }
  const T distance = p_NQ.norm();
  return {q - p_NQ, distance, p_NQ / distance};
}

template <typename T>
PointDistance<T> FromBox(const Vector3d& half, const Vector3<T>& q) {
  T d[3];
  Vector3<T> outward[3];
  for (int i = 0; i < 3; ++i) {
    const double side = ValueOf(q[i]) < 0 ? -1 : 1;
    d[i] = side * q[i] - half[i];
    outward[i] = (side * Vector3d::Unit(i)).template cast<T>();
  }
  return FromSlabs(q, d, outward);
}

template <typename T>
PointDistance<T> FromCylinder(const Vector3d& half, const Vector3<T>& q) {
  using std::sqrt;
  const double side = ValueOf(q[2]) < 0 ? -1 : 1;
  const T rho2 = q[0] * q[0] + q[1] * q[1];
  Vector3<T> radial(T(1), T(0), T(0));
  T rho = q[0];
  if (ValueOf(rho2) > 1e-28 * half[0] * half[0]) {
    rho = sqrt(rho2);
    radial = Vector3<T>(q[0] / rho, q[1] / rho, T(0));
  }
  const T d[2] = {rho - half[0], side * q[2] - half[2]};
  const Vector3<T> outward[2] = {radial, Vector3<T>(T(0), T(0), T(side))};
  return FromSlabs(q, d, outward);
}

// In units of a_min², and from the end of the range, where near the centre the
// root is: with s = t + 1 and e_i = (a_i² - a_min²) / a_min², t + ratio_i is
// s + e_i. Returns the root s, or 0 where there is none.
double EllipsoidRoot(const Vector3d& ratio, const Vector3d& e,
                     const Vector3d& z) {
  // F(s) = sum (ratio_i z_i / (s + e_i))² - 1 for s > 0.
  const auto f = [&](double s, double* slope) {
    double sum = -1;
    *slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = ratio[i] * z[i] / (s + e[i]);
      sum += x * x;
      *slope -= 2 * x * x / (s + e[i]);
    }
    return sum;
  };
  // The term of the shortest axis alone bounds the root from below, as does
  // each of the others.
  double low = 0;
  for (int i = 0; i < 3; ++i) {
    low = std::max(low, ratio[i] * std::abs(z[i]) - e[i]);
  }
  double slope;
  if (low <= 0) {
    // No part along the shortest axis.
    double sum = -1;
    for (int i = 0; i < 3; ++i) {
      if (e[i] > 0) {
        const double x = ratio[i] * z[i] / e[i];
        sum += x * x;
      }
    }
    if (sum <= 0) return 0;
    low = 1e-300;
  }
  double s = low;
  for (int k = 0; k < 200; ++k) {
    const double value = f(s, &slope);
    if (!(value > 0) || !(slope < 0)) break;
    const double next = s - value / slope;
    if (!(next > s)) break;
    s = next;
  }
  return s;
}

template <typename T>
PointDistance<T> FromEllipsoid(const Vector3d& a, const Vector3<T>& q) {
  using std::max;
  using std::sqrt;
  int shortest;
  const double a_min = a.minCoeff(&shortest);
  const Vector3d ratio = (a / a_min).array().square();
  const Vector3d z = ToDouble(q).cwiseQuotient(a);
  const Vector3d e = (a.array() / a_min - 1) * (a.array() / a_min + 1);
  const double s0 = EllipsoidRoot(ratio, e, z);
  Vector3<T> p_GN;
  if (s0 <= 0) {
    T rest(1);
    for (int i = 0; i < 3; ++i) {
      if (e[i] > 0) {
        p_GN[i] = q[i] * (ratio[i] / e[i]);
        rest -= p_GN[i] * p_GN[i] / (a[i] * a[i]);
      } else {
        p_GN[i] = T(0);
      }
    }
    if (ValueOf(rest) > 0) {
      p_GN[shortest] = (ValueOf(q[shortest]) < 0 ? -a_min : a_min) * sqrt(rest);
    }
  } else {
    // One more Newton step, in T, carries the derivatives of the root.
    T value(-1), slope(0);
    for (int i = 0; i < 3; ++i) {
      const T x = ratio[i] * q[i] / (a[i] * (s0 + e[i]));
      value += x * x;
      slope -= 2.0 * x * x / (s0 + e[i]);
    }
    const T s = s0 - value / slope;
    for (int i = 0; i < 3; ++i) p_GN[i] = ratio[i] * q[i] / (s + e[i]);
  }
  Vector3<T> grad;
  for (int i = 0; i < 3; ++i) grad[i] = p_GN[i] / (a[i] * a[i]);
  grad = grad / grad.norm();
  return {p_GN, grad.dot(q - p_GN), grad};
}

// The feature of a polygon that a point in front of it is nearest to: a
// triangle fan is not needed, as the polygon is convex.
struct PolygonFeature {
  double distance2;
  int a;  // First vertex, or -1 for the face itself.
  int b;  // Second vertex of an edge, or -1.
};

PolygonFeature FindPolygonFeature(const ConvexPolytope& p, int f,
                                  const Vector3d& q) {
  const auto face = p.face(f);
  const int n = static_cast<int>(face.size());
  bool inside = true;
  PolygonFeature best{std::numeric_limits<double>::infinity(), -1, -1};
  for (int k = 0; k < n; ++k) {
    const int i = face[k], j = face[(k + 1) % n];
    const Vector3d edge = p.vertex(j) - p.vertex(i);
    const Vector3d from = q - p.vertex(i);
    if (edge.cross(from).dot(p.normal(f)) >= 0) continue;
    inside = false;
    const double t = from.dot(edge) / edge.squaredNorm();
    PolygonFeature here{0, i, j};
    if (t <= 0)
      here = {from.squaredNorm(), i, -1};
    else if (t >= 1)
      here = {(q - p.vertex(j)).squaredNorm(), j, -1};
    else
      here.distance2 = (from - t * edge).squaredNorm();
    if (here.distance2 < best.distance2) best = here;
  }
  if (inside) {
    const double d = p.normal(f).dot(q) - p.offset(f);
    return {d * d, -1, -1};
  }
  return best;
}

template <typename T>
PointDistance<T> FromPolytope(const ConvexPolytope& p, const Vector3<T>& q_T) {
  const Vector3d q = ToDouble(q_T);
  int front = 0;
  double most = -std::numeric_limits<double>::infinity();
  PolygonFeature best{std::numeric_limits<double>::infinity(), -1, -1};
  int best_face = 0;
  for (int f = 0; f < p.num_faces(); ++f) {
    const double d = p.normal(f).dot(q) - p.offset(f);
    if (d > most) {
      most = d;
      front = f;
    }
    if (d <= 0) continue;
    const PolygonFeature here = FindPolygonFeature(p, f, q);
    if (here.distance2 < best.distance2) {
      best = here;
      best_face = f;
    }
  }
  if (most <= 0) best_face = front;
  if (most <= 0 || best.a < 0) {
    const Vector3<T> grad = p.normal(best_face).cast<T>();
    const T d = grad.dot(q_T) - p.offset(best_face);
    return {q_T - d * grad, d, grad};
  }
  Vector3<T> p_GN = p.vertex(best.a).cast<T>();
  if (best.b >= 0) {
    const Vector3<T> edge = (p.vertex(best.b) - p.vertex(best.a)).cast<T>();
    p_GN += edge * ((q_T - p_GN).dot(edge) / edge.squaredNorm());
  }
  const Vector3<T> p_NQ = q_T - p_GN;
  const T distance = p_NQ.norm();
  if (!(ValueOf(distance) > 0)) {
    return {p_GN, T(0), p.normal(best_face).cast<T>()};
  }
  return {p_GN, distance, p_NQ / distance};
}

}  // namespace

template <typename T>
PointDistance<T> CalcPointDistance(const CollisionShape& shape,
                                   const Vector3<T>& q) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return FromBall<T>(Vector3<T>::Zero(), shape.half[0], q,
                         Vector3d::UnitX());
    case ShapeKind::kCapsule:
      return FromCapsule(shape.half, q);
    case ShapeKind::kCylinder:
      return FromCylinder(shape.half, q);
    case ShapeKind::kEllipsoid:
      return FromEllipsoid(shape.half, q);
    case ShapeKind::kBox:
      return FromBox(shape.half, q);
    case ShapeKind::kConvex:
      return FromPolytope(*shape.polytope, q);
    case ShapeKind::kHalfSpace:
      break;
  }
  return {Vector3<T>(q[0], q[1], T(0)), q[2], Vector3<T>::UnitZ()};
}

#define WYVERN_INSTANTIATE(T)                                           \
  template PointDistance<T> CalcPointDistance<T>(const CollisionShape&, \
                                                 const Vector3<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
