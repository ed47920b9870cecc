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

// The unit vector u of least support h across the edges, by Newton's method.
class SupportSearch {
 public:
  SupportSearch(const MinkowskiDifference& difference, const Flat& flat,
                double scale)
      : difference_(difference),
        flat_(flat),
        k_(flat.num_edges),
        scale_(scale) {}

  // Returns false if there is no minimum near a direction.
  bool Run(const Vector3d& start) {
    if (!Start(start)) return false;
    for (int i = 0; i < kMaxSteps; ++i) {
      const Progress progress = Improve(i == 0);
      if (progress != Progress::kMoved) return progress == Progress::kFound;
    }
    return is_last_;
  }

  void WriteResult(LeastSupport* result) const;

 private:
  enum class Progress { kMoved, kFound, kFailed };

  bool Start(const Vector3d& start);
  Progress Improve(bool is_first);
  bool FaceOrigin(bool is_first);
  Progress MoveAcrossEdge(const Vector3d& t, bool is_first);
  Progress MoveOnSphere(const Vector3d& t1, const Vector3d& t2, bool is_first);
  Progress Move(Vector3d move);
  bool FindFoot(double weights[3], double* room) const;

  const MinkowskiDifference& difference_;
  const Flat& flat_;
  const int k_;
  const double scale_;
  Vector3d u_, w_;
  CurvedSupport curved_;
  double h_{0}, curvature_{0};
  // The remaining error is at most the square of the last small move.
  bool is_last_{false};
};

// Starts across the edges, as near to a direction as that is.
bool SupportSearch::Start(const Vector3d& start) {
  u_ = start;
  if (k_ == 1) {
    u_ -= flat_.edge[0] *
          (flat_.edge[0].dot(u_) / flat_.edge[0].dot(flat_.edge[0]));
  }
  if (k_ == 2) {
    const Vector3d n = flat_.edge[0].cross(flat_.edge[1]);
    u_ = n.dot(start) < 0 ? Vector3d(-n) : n;
  }
  const double length = u_.norm();
  if (!(length > 0.1 * (k_ == 2 ? length : start.norm()))) return false;
  u_ /= length;
  return true;
}

SupportSearch::Progress SupportSearch::Improve(bool is_first) {
  // Across u, and across the edges.
  const Vector3d t1 =
      k_ == 0 ? u_.unitOrthogonal() : flat_.edge[0].cross(u_).normalized();
  const Vector3d t2 = u_.cross(t1);
  if (!difference_.CalcCurvedSupport(u_, t1, t2, &curved_)) {
    return Progress::kFailed;
  }
  w_ = flat_.origin() + curved_.a - curved_.b;
  h_ = u_.dot(w_);
  if (k_ == 2 || is_last_) return Progress::kFound;
  return k_ == 1 ? MoveAcrossEdge(t1, is_first)
                 : MoveOnSphere(t1, t2, is_first);
}

// Turns to the nearest of the points that are seen, if they are next to the
// origin, where any direction sees them.
bool SupportSearch::FaceOrigin(bool is_first) {
  Vector3d from = w_;
  if (k_ == 1) {
    from -=
        flat_.edge[0] * (flat_.edge[0].dot(w_) / flat_.edge[0].squaredNorm());
  }
  const double distance = from.norm();
  if (!is_first || !(distance > 0 && distance <= 1e-6 * scale_)) return false;
  u_ = -from / distance;
  return true;
}

// One unknown: the angle along the tangent t.
SupportSearch::Progress SupportSearch::MoveAcrossEdge(const Vector3d& t,
                                                      bool is_first) {
  curvature_ = curved_.H11;
  const double slope = t.dot(w_), bend = curvature_ - h_;
  if (std::abs(slope) <= 1e-13 * scale_ && bend > -1e-9 * scale_) {
    return Progress::kFound;
  }
  if (bend > 1e-12 * scale_) return Move(t * (-slope / bend));
  if (FaceOrigin(is_first)) return Progress::kMoved;
  // A ring of directions of nearly as much support, where steps stay large, has
  // none that is found more exactly.
  const bool is_ring = std::abs(bend) <= 1e-9 * scale_;
  return is_ring ? Move(t * std::copysign(0.5, -slope)) : Progress::kFailed;
}

// Two unknowns, along both tangents.
SupportSearch::Progress SupportSearch::MoveOnSphere(const Vector3d& t1,
                                                    const Vector3d& t2,
                                                    bool is_first) {
  const double k11 = curved_.H11, k12 = curved_.H12, k22 = curved_.H22;
  const double mean = 0.5 * (k11 + k22), half = 0.5 * (k11 - k22);
  curvature_ = mean - std::sqrt(half * half + k12 * k12);
  if (!(curvature_ - h_ > 1e-12 * scale_)) {
    return FaceOrigin(is_first) ? Progress::kMoved : Progress::kFailed;
  }
  const double det = (k11 - h_) * (k22 - h_) - k12 * k12;
  const double g1 = t1.dot(w_), g2 = t2.dot(w_);
  return Move(t1 * ((k12 * g2 - (k22 - h_) * g1) / det) +
              t2 * ((k12 * g1 - (k11 - h_) * g2) / det));
}

SupportSearch::Progress SupportSearch::Move(Vector3d move) {
  const double size = move.norm();
  if (!(size < 1e3)) return Progress::kFailed;
  if (size > 0.5) move *= 0.5 / size;
  u_ = (u_ + move).normalized();
  is_last_ = size < 1e-7;
  return Progress::kMoved;
}

// Finds the foot, origin + sum s_i edge_i + c = h u, by the weights of the flat
// parts, and how far it is from the rim of their hull. Returns false if it is
// not in the hull.
bool SupportSearch::FindFoot(double weights[3], double* room) const {
  const Vector3d rest = h_ * u_ - curved_.a + curved_.b - flat_.origin();
  Vector3d error = rest;
  if (k_ == 1) {
    const double length2 = flat_.edge[0].squaredNorm();
    weights[1] = flat_.edge[0].dot(rest) / length2;
    weights[0] = 1 - weights[1];
    error -= weights[1] * flat_.edge[0];
    *room = std::min(weights[0], weights[1]) * std::sqrt(length2);
  } else if (k_ == 2) {
    const Vector3d &e = flat_.edge[0], &f = flat_.edge[1];
    const Vector3d n = e.cross(f);
    const double n2 = n.squaredNorm();
    weights[1] = rest.cross(f).dot(n) / n2;
    weights[2] = e.cross(rest).dot(n) / n2;
    weights[0] = 1 - weights[1] - weights[2];
    error -= weights[1] * e + weights[2] * f;
    *room = std::min({weights[0], weights[1], weights[2]}) * std::sqrt(n2) /
            std::max({e.norm(), f.norm(), (f - e).norm()});
  }
  const double least = std::min({weights[0], weights[1], weights[2]});
  return least >= -1e-12 && error.norm() <= 1e-11 * scale_;
}

void SupportSearch::WriteResult(LeastSupport* result) const {
  result->normal = u_;
  result->farthest = difference_.Support(u_);
  result->support = u_.dot(result->farthest.w);
  result->is_exact = result->is_isolated = false;
  if (result->support > h_ + 1e-12 * scale_) return;
  double weights[3] = {1, 0, 0};
  double room = 0;
  if (!FindFoot(weights, &room)) return;
  MinkowskiPoint& foot = result->foot;
  foot.a = curved_.a;
  foot.b = curved_.b;
  for (int i = 0; i <= k_; ++i) {
    foot.a += weights[i] * flat_.a[i];
    foot.b += weights[i] * flat_.b[i];
  }
  foot.w = h_ * u_;
  result->support = h_;
  result->is_exact = true;
  result->is_isolated =
      (k_ == 2 || curvature_ >= 2 * h_) && (k_ == 0 || room >= 0.11 * h_);
}

}  // namespace

bool FindLeastSupport(const MinkowskiDifference& difference,
                      std::span<const MinkowskiPoint> points,
                      const Vector3d& start, double scale, LeastSupport* result,
                      int tried_edges) {
  const Flat flat = MakeFlat(difference, points);
  result->num_edges = flat.num_edges;
  if (flat.num_edges == tried_edges) return false;
  SupportSearch search(difference, flat, scale);
  if (!search.Run(start)) return false;
  search.WriteResult(result);
  return true;
}

}  // namespace wyvern::geometry::internal
