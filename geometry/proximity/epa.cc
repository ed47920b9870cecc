#include "wyvern/geometry/proximity/epa.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include <Eigen/Geometry>

#include "wyvern/geometry/proximity/least_support.h"

/* The difference A - B holds the origin. A polytope of its points, with faces
outward, grows inside of it: of the faces the one nearest to the origin is
tried, with normal n and distance d. The support point w along n is beyond it by
n·w - d. If that is rounding, the face is on the boundary, n is the direction
and d the depth (van den Bergen, GDC 2001); if not, the faces that see w are
replaced by a cone from their outline to w. Limit: of two boxes, the least
overlap over their fifteen axes. A polytope spoiled by rounding gives up its
faces, and a search in ever smaller steps goes to the direction of least
support, from the best one and from some of the nearest faces elsewhere.

Around curved parts faces become ever smaller. There Newton's method
(least_support.h) goes from a face to the direction of least support near it,
and the faces around that direction are left out: those elsewhere show whether
there is a smaller depth, once the polytope is wide enough around it. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

constexpr int kMaxPoints = 150;
constexpr int kMaxFaces = 2 * kMaxPoints;
constexpr int kMaxTries = 500;
// A search from one of two directions nearer than this (a cosine) does for
// both.
constexpr double kNeighbour = 0.97;
constexpr int kMaxDescents = 16;
// Around curved parts depths that differ by this share of the size are one.
constexpr double kCurved = 1e-9;

struct Face {
  std::array<int, 3> p;  // Counter-clockwise from outside.
  Vector3d normal;
  double distance;  // Of its plane from the origin, along the normal.
};

// A convex polytope of points of the difference with the origin inside.
class ExpandingPolytope {
 public:
  ExpandingPolytope(const MinkowskiDifference& difference, const GjkResult& gjk)
      : difference_(difference), scale_(gjk.scale) {
    for (int i = 0; i < gjk.size; ++i) points_[num_points_++] = gjk.points[i];
    CompleteTetrahedron();
    for (int i = 0; i < 4; ++i) is_outline_[i].reset();
    if (num_points_ < 4) return;
    static constexpr int kFaces[4][4] = {
        {0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    for (const auto& f : kFaces) {
      // Turned so that the fourth point is behind.
      const Vector3d n = Normal(f[0], f[1], f[2]);
      const bool flip = n.dot(w(f[3]) - w(f[0])) > 0;
      AddFace(f[0], flip ? f[2] : f[1], flip ? f[1] : f[2]);
    }
  }

  EpaResult Expand() {
    // A difference without volume has no inside to be deep in.
    if (num_faces_ < 4) return Flat();
    // Shapes moved apart by the support along any direction are apart: depths
    // from above. The nearest face gives those from below, which only grow.
    best_ = Flat();
    best_.depth = std::numeric_limits<double>::infinity();
    double least = -best_.depth;
    while (true) {
      const int f = NearestFace();
      if (f < 0 ||
          (is_exact_ && faces_[f].distance >= best_.depth - kCurved * scale_)) {
        if (f < 0 && !is_exact_) return Flat();
        Vector3d rim;
        if (!is_isolated_ || IsRimHigh(&rim)) return best_;
        const MinkowskiPoint beyond = difference_.Support(rim);
        if (!(rim.dot(beyond.w) >= best_.depth - kCurved * scale_)) {
          is_isolated_ = false;  // It is not, after all.
          least = -std::numeric_limits<double>::infinity();
        } else if (num_points_ == kMaxPoints || !AddPoint(beyond)) {
          return GiveUp();
        }
        continue;
      }
      const Face nearest = faces_[f];
      // Rounding has turned a thin face over, or takes as much from depths of
      // the origin on the boundary. (With some left out, others may be new.)
      if (!is_isolated_ && nearest.distance < least - 1e-8 * scale_) {
        return GiveUp();
      }
      least = std::max(least, nearest.distance);
      MinkowskiPoint next = difference_.Support(nearest.normal);
      scale_ = std::max(scale_, next.w.norm());
      const double depth = nearest.normal.dot(next.w);
      if (depth - nearest.distance <= 1e-11 * scale_) {
        if (!is_isolated_) return ResultAt(nearest);
        // Less than the best: one of the faces left out may have less still.
        least = -std::numeric_limits<double>::infinity();
        SetBest(nearest, depth);
        continue;
      }
      if (depth < best_.depth) {
        // The faces that were left out count again.
        if (is_isolated_) least = -std::numeric_limits<double>::infinity();
        SetBest(nearest, depth);
        if (difference_.is_curved()) FinishFrom(nearest, &next);
      }
      if (num_points_ == kMaxPoints || !AddPoint(next)) return GiveUp();
    }
  }

  // From GJK's direction, or those along which it sees the shapes when they are
  // farther apart, instead of from faces.
  EpaResult ExpandFrom(const GjkResult& gjk) {
    const Vector3d start = -gjk.v.normalized();
    best_.depth = std::numeric_limits<double>::infinity();
    for (const double apart : {0.0, 1e-6, 1e-4, 1e-2}) {
      Vector3d normal = start;
      if (apart > 0) {
        const Vector3d by = apart * scale_ * start;
        normal = -CalcNearestPoint(difference_.MovedApart(by)).v.normalized();
      }
      SearchFrom(normal);
      if (is_exact_) return best_;
    }
    return Touching(best_);
  }

 private:
  const Vector3d& w(int i) const { return points_[i].w; }
  Vector3d Normal(int i, int j, int k) const {
    return (w(j) - w(i)).cross(w(k) - w(i));
  }

  // Returns false, adding nothing, for a face without area.
  bool AddFace(int i, int j, int k) {
    const Vector3d n = Normal(i, j, k);
    const double length = n.norm();
    if (!(length > 1e-22 * scale_ * scale_)) return false;
    Face face{{i, j, k}, n / length, 0};
    face.distance = face.normal.dot((w(i) + w(j) + w(k)) / 3);
    faces_[num_faces_++] = face;
    return true;
  }

  // Returns the nearest face that may hide a smaller depth than the best; -1 if
  // there is none.
  int NearestFace() const {
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int f = 0; f < num_faces_; ++f) {
      if (!(faces_[f].distance < least)) continue;
      if (is_isolated_ &&
          faces_[f].normal.dot(best_.normal) > LeastSupport::kIsolation) {
        continue;
      }
      best = f;
      least = faces_[f].distance;
    }
    return best;
  }

  // Faces are left out for their normals, but the directions that they hide go
  // farther. The polytope's support, from anywhere where it is less than the
  // best, goes down to a face's normal: not to one that was left out, if on the
  // rim around these it is no less. Else tells where it is least there.
  bool IsRimHigh(Vector3d* rim) const {
    constexpr int kDirections = 12;
    const double cosine = LeastSupport::kIsolation;
    const double sine = std::sqrt(1 - cosine * cosine);
    const Vector3d u = best_.normal.unitOrthogonal();
    const Vector3d v = best_.normal.cross(u);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kDirections; ++k) {
      const double angle = 2 * std::numbers::pi * k / kDirections;
      const Vector3d here = cosine * best_.normal +
                            sine * (std::cos(angle) * u + std::sin(angle) * v);
      double support = -std::numeric_limits<double>::infinity();
      for (int i = 0; i < num_points_; ++i) {
        support = std::max(support, here.dot(w(i)));
      }
      if (support < least) {
        least = support;
        *rim = here;
      }
    }
    return least >= best_.depth - kCurved * scale_;
  }

  void SetBest(const Face& face, double depth) {
    is_exact_ = is_isolated_ = false;
    const Vector3d weight = WeightsOf(face, face.distance * face.normal);
    const auto [a, b] = At(face.p, weight);
    best_ = ResultAlong(face.normal, depth, a, b);
  }

  // Newton's method from a face whose support is the least up to now: from its
  // points, or if the best is not between them, from those next to it. Where it
  // finds less, that is the best, and its farthest point the next, if the face
  // sees it.
  void FinishFrom(const Face& face, MinkowskiPoint* next) {
    const Vector3d weight = WeightsOf(face, face.distance * face.normal);
    std::array<int, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(),
              [&weight](int i, int j) { return weight[i] > weight[j]; });
    std::array<MinkowskiPoint, 3> points;
    for (int i = 0; i < 3; ++i) points[i] = points_[face.p[order[i]]];
    LeastSupport found;
    found.num_edges = -1;
    for (size_t n = 3; n > 0 && !is_exact_; --n) {
      const double before = best_.depth;
      if (FinishFrom(face.normal, points, n, &found, found.num_edges) &&
          best_.depth < before &&
          face.normal.dot(found.farthest.w) > face.distance + 1e-6 * scale_) {
        *next = found.farthest;
      }
    }
  }

  // Newton's method from some of the difference's points. What it finds is the
  // best if it is less, or as much and with its points. False if it finds none.
  bool FinishFrom(const Vector3d& normal,
                  const std::array<MinkowskiPoint, 3>& points, size_t n,
                  LeastSupport* result, int tried_edges = -1) {
    LeastSupport& found = *result;
    if (!FindLeastSupport(difference_, {points.data(), n}, normal, scale_,
                          &found, tried_edges)) {
      return false;
    }
    const bool has_points = found.is_exact && !is_exact_ &&
                            found.support <= best_.depth + 1e-11 * scale_;
    if (!has_points && !(found.support < best_.depth)) return true;
    is_exact_ = found.is_exact;
    is_isolated_ = found.is_isolated;
    best_ = found.is_exact
                ? ResultAlong(found.normal, found.support, found.foot.a,
                              found.foot.b)
                : ResultAlong(found.normal, found.support, best_.a, best_.b);
    return true;
  }

  // The faces show no more. From the best direction, and from those of the
  // nearest faces in other places, a search goes down to where the support is
  // least around, and Newton's method from there.
  EpaResult GiveUp() {
    std::array<Vector3d, kMaxDescents> tried;
    for (int k = 0; k < kMaxDescents; ++k) {
      int from = -1;
      double least = best_.depth;
      for (int f = 0; k > 0 && f < num_faces_; ++f) {
        const auto is_tried = [&](const Vector3d& n) {
          return n.dot(faces_[f].normal) > kNeighbour;
        };
        if (faces_[f].distance < least &&
            std::none_of(tried.begin(), tried.begin() + k, is_tried)) {
          from = f;
          least = faces_[f].distance;
        }
      }
      if (k > 0 && from < 0) break;
      tried[k] = k > 0 ? faces_[from].normal : best_.normal;
      if (k == 0 && is_exact_) continue;
      SearchFrom(tried[k]);
    }
    return is_exact_ ? best_ : Touching(best_);
  }

  // Goes down from a direction to where the support is least around, and from
  // there by Newton's method.
  void SearchFrom(const Vector3d& normal) {
    EpaResult low = best_;
    low.normal = normal;
    low.depth = normal.dot(difference_.Support(normal).w);
    low = Descend(low);
    if (low.depth < best_.depth) {
      best_ = low;
      is_exact_ = false;
    }
    for (const double beside : {1e-2, 1e-4, 1e-6}) {
      FinishAround(low.normal, beside);
    }
  }

  // Newton's method from a direction for which few points are known: with those
  // farthest along it and along others a little beside it.
  void FinishAround(const Vector3d& normal, double beside) {
    constexpr int kAround = 6, kRounds = 3;
    std::array<MinkowskiPoint, kAround + 1> all;
    int n = 0;
    const auto add = [&](const Vector3d& u) {
      const MinkowskiPoint point = difference_.Support(u);
      for (int i = 0; i < n; ++i) {
        if ((all[i].w - point.w).norm() <= 1e-9 * scale_) return;
      }
      all[n++] = point;
    };
    add(normal);
    const Vector3d u = normal.unitOrthogonal(), v = normal.cross(u);
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2 * std::numbers::pi * k / kAround;
      add(normal + beside * (std::cos(angle) * u + std::sin(angle) * v));
    }
    for (int i = 0; i < n; ++i) {
      Follow(normal, {{all[i]}}, 1, kRounds);
      for (int j = i + 1; j < n; ++j) {
        Follow(normal, {{all[i], all[j]}}, 2, kRounds);
        for (int k = j + 1; k < n; ++k) {
          Follow(normal, {{all[i], all[j], all[k]}}, 3, 0);
        }
      }
    }
  }

  // Newton's method from some points, and where it ends at a direction along
  // which another is the farthest, with that one in addition or instead.
  void Follow(const Vector3d& normal,
              const std::array<MinkowskiPoint, 3>& points, size_t n,
              int rounds) {
    LeastSupport found;
    if (!FinishFrom(normal, points, n, &found) || found.is_exact ||
        rounds == 0) {
      return;
    }
    for (size_t drop = 0; drop <= n; ++drop) {
      std::array<MinkowskiPoint, 3> next;
      size_t size = 0;
      for (size_t i = 0; i < n; ++i) {
        if (i != drop) next[size++] = points[i];
      }
      if (size == 3) continue;
      next[size++] = found.farthest;
      Follow(found.normal, next, size, rounds - 1);
    }
  }

  // Returns the nearest points for a direction that was found without points,
  // with the shapes moved along it until they touch or are apart.
  EpaResult Touching(const EpaResult& found) const {
    EpaResult result;
    double least = std::numeric_limits<double>::infinity();
    for (const double clear : {0.0, 1e-3, 1e-5}) {
      const Vector3d apart = (found.depth + clear * scale_) * found.normal;
      const GjkResult touch = CalcNearestPoint(difference_.MovedApart(apart));
      Vector3d a = Vector3d::Zero(), b = -apart;
      for (int i = 0; i < touch.size; ++i) {
        a += touch.weights[i] * touch.points[i].a;
        b += touch.weights[i] * touch.points[i].b;
      }
      const double off = (a - b - found.depth * found.normal).norm();
      if (!(off < least)) continue;
      least = off;
      result = ResultAlong(found.normal, found.depth, a, b);
      if (off <= 1e-11 * scale_) break;
    }
    return result;
  }

  // Replaces the faces that see `point` by a cone from their outline. Returns
  // false if rounding leaves no proper one; the polytope is of no more use
  // then.
  bool AddPoint(const MinkowskiPoint& point) {
    int num_edges = 0;
    int kept = 0;
    for (int f = 0; f < num_faces_; ++f) {
      // A face in one plane with the point goes too: no new one is flat then.
      if (faces_[f].normal.dot(point.w) - faces_[f].distance <
          -1e-12 * scale_) {
        faces_[kept++] = faces_[f];
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        const int i = faces_[f].p[k], j = faces_[f].p[(k + 1) % 3];
        // An edge between two such faces comes twice, once each way.
        if (is_outline_[j][i]) {
          is_outline_[j].reset(i);
        } else {
          is_outline_[i].set(j);
          edges_[num_edges++] = {i, j};
        }
      }
    }
    // Keep the edges that came once, and clear the marks.
    int size = 0;
    for (int e = 0; e < num_edges; ++e) {
      const auto [i, j] = edges_[e];
      if (!is_outline_[i][j]) continue;
      is_outline_[i].reset(j);
      edges_[size++] = {i, j};
    }
    num_faces_ = kept;
    if (size < 3 || num_faces_ + size > kMaxFaces) return false;
    is_outline_[num_points_].reset();
    points_[num_points_++] = point;
    for (int e = 0; e < size; ++e) {
      if (!AddFace(edges_[e][0], edges_[e][1], num_points_ - 1)) return false;
    }
    return true;
  }

  // Adds points that span space with those there.
  void CompleteTetrahedron() {
    for (int axis = 0; axis < 3 && num_points_ == 1; ++axis) {
      TryPoint(Vector3d::Unit(axis));
      if (num_points_ == 1) TryPoint(-Vector3d::Unit(axis));
    }
    if (num_points_ == 2) {
      const Vector3d line = (w(1) - w(0)).normalized();
      Vector3d across = line.unitOrthogonal();
      for (int turn = 0; turn < 4 && num_points_ == 2; ++turn) {
        TryPoint(across);
        across = line.cross(across);
      }
    }
    if (num_points_ == 3) {
      const Vector3d n = Normal(0, 1, 2).normalized();
      TryPoint(n);
      if (num_points_ == 3) TryPoint(-n);
    }
  }

  void TryPoint(const Vector3d& direction) {
    const MinkowskiPoint point = difference_.Support(direction);
    const double small = 1e-9 * (scale_ + point.w.norm());
    const Vector3d from = point.w - w(0);
    double distance = from.norm();
    if (num_points_ == 2) {
      distance = from.cross((w(1) - w(0)).normalized()).norm();
    } else if (num_points_ == 3) {
      distance = std::abs(from.dot(Normal(0, 1, 2).normalized()));
    }
    if (distance > small) points_[num_points_++] = point;
    scale_ = std::max(scale_, point.w.norm());
  }

  EpaResult Flat() const {
    Vector3d normal = Vector3d::UnitX();
    if (num_points_ == 2) normal = (w(1) - w(0)).unitOrthogonal();
    if (num_points_ == 3) normal = Normal(0, 1, 2).normalized();
    return {points_[0].a, points_[0].a, normal, 0.0};
  }

  // Weights of the corners of a face that give the point x of its plane; they
  // add up to 1, and one is negative if x is beyond the opposite edge.
  Vector3d WeightsOf(const Face& face, const Vector3d& x) const {
    const auto [i, j, k] = face.p;
    const double whole = Normal(i, j, k).dot(face.normal);
    const double a = (w(j) - x).cross(w(k) - x).dot(face.normal) / whole;
    const double b = (w(k) - x).cross(w(i) - x).dot(face.normal) / whole;
    return {a, b, 1 - a - b};
  }

  // Among the faces in one plane with `face`, the one in front of which the
  // origin lies gives the points of A and B.
  EpaResult ResultAt(const Face& face) const {
    const Vector3d x = face.distance * face.normal;
    std::array<int, 3> p = face.p;
    Vector3d weight = WeightsOf(face, x);
    for (int f = 0; f < num_faces_; ++f) {
      const Face& other = faces_[f];
      if (other.distance > face.distance + 1e-11 * scale_ ||
          other.normal.dot(face.normal) < 1 - 1e-12) {
        continue;
      }
      const Vector3d here = WeightsOf(other, x);
      if (here.minCoeff() > weight.minCoeff()) {
        weight = here;
        p = other.p;
      }
    }
    const auto [a, b] = At(p, weight);
    const EpaResult result = ResultAlong(face.normal, face.distance, a, b);
    // A face that is thin, or none of whose neighbours has the point.
    const bool is_off =
        (a - b - face.distance * face.normal).norm() > 1e-10 * scale_;
    return is_off ? Touching(result) : result;
  }

  // The points of A and B at weights of three points, cut to their triangle.
  std::pair<Vector3d, Vector3d> At(const std::array<int, 3>& p,
                                   const Vector3d& weight) const {
    const Vector3d inside = weight.cwiseMax(0) / weight.cwiseMax(0).sum();
    Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();
    for (int i = 0; i < 3; ++i) {
      a += inside[i] * points_[p[i]].a;
      b += inside[i] * points_[p[i]].b;
    }
    return {a, b};
  }

  // Split the difference between a - b and the depth along the normal evenly.
  static EpaResult ResultAlong(const Vector3d& normal, double depth,
                               const Vector3d& a, const Vector3d& b) {
    const Vector3d middle = 0.5 * (a + b);
    const Vector3d half = 0.5 * depth * normal;
    return {middle + half, middle - half, normal, depth};
  }

  // From a polytope with too few points, or too thin faces, to go on with: to a
  // direction with no smaller support around it, in ever smaller steps.
  EpaResult Descend(EpaResult best) const {
    int num_tries = kMaxTries;
    for (double step = 0.1; step > 1e-9 && num_tries > 0;) {
      const Vector3d u = step * best.normal.unitOrthogonal();
      const Vector3d v = best.normal.cross(u);
      bool is_found = false;
      for (const Vector3d& to : {u, v, Vector3d(-u), Vector3d(-v)}) {
        const Vector3d normal = (best.normal + to).normalized();
        const double depth = normal.dot(difference_.Support(normal).w);
        --num_tries;
        if (!(depth < best.depth)) continue;
        best = ResultAlong(normal, depth, best.a, best.b);
        is_found = true;
        break;
      }
      if (!is_found) step /= 2;
    }
    return best;
  }

  const MinkowskiDifference& difference_;
  double scale_;
  // The direction of least support up to now. Exact: Newton's method found it,
  // with its points. Isolated: no other around it has less.
  EpaResult best_;
  bool is_exact_{false};
  bool is_isolated_{false};
  int num_points_{0};
  int num_faces_{0};
  std::array<MinkowskiPoint, kMaxPoints> points_;
  std::array<Face, kMaxFaces> faces_;
  // Edges around what AddPoint() takes away; marks of them, by their ends.
  std::array<std::array<int, 2>, 3 * kMaxFaces> edges_;
  // Cleared as points come, which seldom are as many.
  struct Marks {
    Marks() {}
    std::array<uint64_t, (kMaxPoints + 63) / 64> bits;
    void reset() { bits.fill(0); }
    void reset(int i) { bits[i / 64] &= ~(uint64_t{1} << (i % 64)); }
    void set(int i) { bits[i / 64] |= uint64_t{1} << (i % 64); }
    bool operator[](int i) const { return bits[i / 64] >> (i % 64) & 1; }
  };
  std::array<Marks, kMaxPoints> is_outline_;
};

}  // namespace

EpaResult CalcPenetrationDepth(const MinkowskiDifference& difference,
                               const GjkResult& gjk) {
  return ExpandingPolytope(difference, gjk).Expand();
}

EpaResult CalcSeparation(const MinkowskiDifference& difference,
                         const GjkResult& gjk) {
  return ExpandingPolytope(difference, gjk).ExpandFrom(gjk);
}

}  // namespace wyvern::geometry::internal
