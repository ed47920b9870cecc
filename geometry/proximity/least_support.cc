#include "wyvern/geometry/proximity/least_support.h"

#include <algorithm>
#include <array>

#include <Eigen/Geometry>
#include <Eigen/LU>

/* The support h(u) = max u·w over the difference is convex, and where w is the
farthest point along the unit vector u, its gradient is w and its second
derivative H(u), across u, has the radii of curvature at w. On the sphere of
unit vectors, along a tangent t, h has the slope t·w and the second derivative
t·H t - h: Newton's method needs no more. At its end w = h u is the point of the
boundary that the origin is nearest to, seen along u.

Edges and faces have no such w: all their points are farthest along u, and u is
across them. So w = f + c(u), with f in the convex hull of flat parts f_i (ends
of a capsule's segment or of a cylinder's axis, vertices of polytopes) and c
from the curved parts. With k+1 of the f_i apart, u stays across their k edges:
two, one or no unknowns are left, and f is where the foot asks for it, if that
is in the hull. Points f_i that are too few show as a support greater than h(u).

Isolation: along a great circle h'' + h is the radius of curvature. Where that
is h(u) or more, h does not go below h(u), nor where the foot is far enough from
the ends of an edge. Twice of what is enough is asked for, as the curvature
changes in the neighbourhood. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

constexpr int kMaxSteps = 12;

// The hull of up to three flat parts, by the edges from the first.
struct Flat {
  std::array<Vector3d, 3> a, b;
  std::array<Vector3d, 2> edge;
  int num_edges{0};
  Vector3d origin() const { return a[0] - b[0]; }
};

Flat MakeFlat(const MinkowskiDifference& difference,
              std::span<const MinkowskiPoint> points) {
  Flat flat;
  flat.a[0] = difference.FlatPartOfA(points[0].a);
  flat.b[0] = difference.FlatPartOfB(points[0].b);
  for (size_t i = 1; i < points.size() && flat.num_edges < 2; ++i) {
    const Vector3d a = difference.FlatPartOfA(points[i].a);
    const Vector3d b = difference.FlatPartOfB(points[i].b);
    const Vector3d edge = a - b - flat.origin();
    const double length = edge.norm();
    if (!(length > 0)) continue;
    if (flat.num_edges == 1 && edge.cross(flat.edge[0]).norm() <=
                                   1e-9 * length * flat.edge[0].norm()) {
      continue;
    }
    flat.edge[flat.num_edges++] = edge;
    flat.a[flat.num_edges] = a;
    flat.b[flat.num_edges] = b;
  }
  return flat;
}

}  // namespace

bool FindLeastSupport(const MinkowskiDifference& difference,
                      std::span<const MinkowskiPoint> points,
                      const Vector3d& start, double scale, LeastSupport* result,
                      int tried_edges) {
  const Flat flat = MakeFlat(difference, points);
  result->num_edges = flat.num_edges;
  if (flat.num_edges == tried_edges) return false;
  const Vector3d origin = flat.origin();
  const int k = flat.num_edges;
  Vector3d u = start;
  if (k == 1)
    u -= flat.edge[0] * (flat.edge[0].dot(u) / flat.edge[0].dot(flat.edge[0]));
  if (k == 2) {
    const Vector3d n = flat.edge[0].cross(flat.edge[1]);
    u = n.dot(start) < 0 ? Vector3d(-n) : n;
  }
  const double length = u.norm();
  if (!(length > 0.1 * (k == 2 ? length : start.norm()))) return false;
  u /= length;

  CurvedSupport curved;
  double h = 0, curvature = 0;
  bool is_found = false;
  for (int step = 0; step < kMaxSteps; ++step) {
    // Across u, and across the edges.
    const Vector3d t1 =
        k == 0 ? u.unitOrthogonal() : flat.edge[0].cross(u).normalized();
    const Vector3d t2 = u.cross(t1);
    if (!difference.CalcCurvedSupport(u, t1, t2, &curved)) return false;
    const Vector3d w = origin + curved.a - curved.b;
    h = u.dot(w);
    if (k == 2) is_found = true;
    if (is_found) break;
    // The nearest of the points that are seen, where they are next to the
    // origin and any direction sees them: towards it.
    const auto face_origin = [&] {
      Vector3d from = w;
      if (k == 1) {
        from -=
            flat.edge[0] * (flat.edge[0].dot(w) / flat.edge[0].squaredNorm());
      }
      const double distance = from.norm();
      if (step > 0 || !(distance > 0 && distance <= 1e-6 * scale)) return false;
      u = -from / distance;
      return true;
    };
    Vector3d move;
    if (k == 1) {
      curvature = curved.H11;
      const double slope = t1.dot(w), bend = curvature - h;
      // A ring of directions of nearly as much support, where steps stay large,
      // has none that is found more exactly.
      const bool is_ring = std::abs(bend) <= 1e-9 * scale;
      is_found = std::abs(slope) <= 1e-13 * scale && bend > -1e-9 * scale;
      if (is_found) break;
      if (bend > 1e-12 * scale) {
        move = t1 * (-slope / bend);
      } else if (face_origin()) {
        continue;
      } else if (is_ring) {
        move = t1 * std::copysign(0.5, -slope);
      } else {
        return false;
      }
    } else {
      const double k11 = curved.H11, k12 = curved.H12, k22 = curved.H22;
      const double mean = 0.5 * (k11 + k22), half = 0.5 * (k11 - k22);
      curvature = mean - std::sqrt(half * half + k12 * k12);
      if (!(curvature - h > 1e-12 * scale)) {
        if (face_origin()) continue;
        return false;
      }
      const double det = (k11 - h) * (k22 - h) - k12 * k12;
      const double g1 = t1.dot(w), g2 = t2.dot(w);
      move = t1 * ((k12 * g2 - (k22 - h) * g1) / det) +
             t2 * ((k12 * g1 - (k11 - h) * g2) / det);
    }
    const double size = move.norm();
    if (!(size < 1e3)) return false;
    if (size > 0.5) move *= 0.5 / size;
    u = (u + move).normalized();
    // The remaining error is the square of this.
    is_found = size < 1e-7;
  }
  if (!is_found) return false;

  result->normal = u;
  result->farthest = difference.Support(u);
  result->support = u.dot(result->farthest.w);
  result->is_exact = result->is_isolated = false;
  if (result->support > h + 1e-12 * scale) return true;
  // The foot: origin + sum s_i edge_i + c = h u.
  const Vector3d rest = h * u - curved.a + curved.b - origin;
  double weights[3] = {1, 0, 0};
  double room = 0;  // From the foot to the rim of the flat part.
  Vector3d error = rest;
  if (k == 1) {
    const double length2 = flat.edge[0].squaredNorm();
    weights[1] = flat.edge[0].dot(rest) / length2;
    weights[0] = 1 - weights[1];
    error -= weights[1] * flat.edge[0];
    room = std::min(weights[0], weights[1]) * std::sqrt(length2);
  } else if (k == 2) {
    const Vector3d &e = flat.edge[0], &f = flat.edge[1];
    const Vector3d n = e.cross(f);
    const double n2 = n.squaredNorm();
    weights[1] = rest.cross(f).dot(n) / n2;
    weights[2] = e.cross(rest).dot(n) / n2;
    weights[0] = 1 - weights[1] - weights[2];
    error -= weights[1] * e + weights[2] * f;
    room = std::min({weights[0], weights[1], weights[2]}) * std::sqrt(n2) /
           std::max({e.norm(), f.norm(), (f - e).norm()});
  }
  const double least = std::min({weights[0], weights[1], weights[2]});
  if (!(least >= -1e-12) || !(error.norm() <= 1e-11 * scale)) return true;
  MinkowskiPoint& foot = result->foot;
  foot.a = curved.a;
  foot.b = curved.b;
  for (int i = 0; i <= k; ++i) {
    foot.a += weights[i] * flat.a[i];
    foot.b += weights[i] * flat.b[i];
  }
  foot.w = h * u;
  result->support = h;
  result->is_exact = true;
  result->is_isolated =
      (k == 2 || curvature >= 2 * h) && (k == 0 || room >= 0.11 * h);
  return true;
}

}  // namespace wyvern::geometry::internal
