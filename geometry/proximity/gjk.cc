#include "wyvern/geometry/proximity/gjk.h"

#include <algorithm>
#include <limits>

#include "wyvern/geometry/proximity/least_support.h"

/* The subproblem: of a simplex of up to four points, the nearest point to the
origin, as weights of the points it lies between. For a triangle, the regions of
vertices, edges and the face are told apart by signs of dot products (C.
Ericson, "Real-Time Collision Detection", section 5.1.5); a tetrahedron that
does not contain the origin has its nearest point on one of its four triangles.
*/

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// Weights of the nearest point of conv(w[index[0..n-1]]); zero for the others.
struct Nearest {
  double weights[4]{};
  double distance2{std::numeric_limits<double>::infinity()};
};

Nearest OnVertex(const Vector3d* w, int i) {
  Nearest result;
  result.weights[i] = 1;
  result.distance2 = w[i].squaredNorm();
  return result;
}

// The point (1 - t) w_i + t w_j, for t in (0, 1).
Nearest OnEdge(const Vector3d* w, int i, int j, double t) {
  Nearest result;
  result.weights[i] = 1 - t;
  result.weights[j] = t;
  result.distance2 = ((1 - t) * w[i] + t * w[j]).squaredNorm();
  return result;
}

Nearest Segment(const Vector3d* w, int i, int j) {
  const Vector3d edge = w[j] - w[i];
  const double t = -w[i].dot(edge), length2 = edge.squaredNorm();
  if (t <= 0) return OnVertex(w, i);
  if (t >= length2) return OnVertex(w, j);
  return OnEdge(w, i, j, t / length2);
}

Nearest Triangle(const Vector3d* w, int i, int j, int k) {
  const Vector3d ab = w[j] - w[i], ac = w[k] - w[i];
  const double d1 = -ab.dot(w[i]), d2 = -ac.dot(w[i]);
  if (d1 <= 0 && d2 <= 0) return OnVertex(w, i);
  const double d3 = -ab.dot(w[j]), d4 = -ac.dot(w[j]);
  if (d3 >= 0 && d4 <= d3) return OnVertex(w, j);
  const double d5 = -ab.dot(w[k]), d6 = -ac.dot(w[k]);
  if (d6 >= 0 && d5 <= d6) return OnVertex(w, k);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return OnEdge(w, i, j, d1 / (d1 - d3));
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return OnEdge(w, i, k, d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  const double along = d4 - d3, back = d5 - d6;
  if (va <= 0 && along >= 0 && back >= 0) {
    return OnEdge(w, j, k, along / (along + back));
  }
  const double sum = va + vb + vc;
  Nearest result;
  if (!(sum > 0)) {  // No area: one of the edges.
    result = Segment(w, i, j);
    for (const Nearest& other : {Segment(w, i, k), Segment(w, j, k)}) {
      if (other.distance2 < result.distance2) result = other;
    }
    return result;
  }
  result.weights[i] = va / sum;
  result.weights[j] = vb / sum;
  result.weights[k] = vc / sum;
  result.distance2 = (result.weights[i] * w[i] + result.weights[j] * w[j] +
                      result.weights[k] * w[k])
                         .squaredNorm();
  return result;
}

Nearest Tetrahedron(const Vector3d* w) {
  // Six times the volumes of the tetrahedra that the origin makes with each
  // face; the origin is inside if all have the sign of the whole.
  const Vector3d a = w[1] - w[0], b = w[2] - w[0], c = w[3] - w[0];
  const double whole = a.dot(b.cross(c));
  const Vector3d o = -w[0];
  double part[4];
  part[1] = o.dot(b.cross(c));
  part[2] = a.dot(o.cross(c));
  part[3] = a.dot(b.cross(o));
  part[0] = whole - part[1] - part[2] - part[3];
  const double size = a.norm() * b.norm() * c.norm();
  Nearest best;
  if (std::abs(whole) > 1e-14 * size) {
    bool inside = true;
    for (int i = 0; i < 4; ++i) inside = inside && part[i] / whole > 0;
    if (inside) {
      for (int i = 0; i < 4; ++i) best.weights[i] = part[i] / whole;
      best.distance2 = 0;
      return best;
    }
  }
  // The nearest point of the other face was the one before the last corner
  // came: it is nearer on one of these.
  static constexpr int kFaces[3][3] = {{0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  for (const auto& face : kFaces) {
    const Nearest here = Triangle(w, face[0], face[1], face[2]);
    if (here.distance2 < best.distance2) best = here;
  }
  return best;
}

Nearest SolveSimplex(const Vector3d* w, int n) {
  switch (n) {
    case 1:
      return OnVertex(w, 0);
    case 2:
      return Segment(w, 0, 1);
    case 3:
      return Triangle(w, 0, 1, 2);
    default:
      return Tetrahedron(w);
  }
}

// Keeps the points with weight, and updates v.
void Reduce(const Nearest& nearest, GjkResult* result) {
  int n = 0;
  result->v.setZero();
  for (int i = 0; i < result->size; ++i) {
    if (nearest.weights[i] <= 0) continue;
    result->points[n] = result->points[i];
    result->weights[n] = nearest.weights[i];
    result->v += nearest.weights[i] * result->points[i].w;
    ++n;
  }
  result->size = n;
}

// Puts v in the place of the points it is made of.
void Collapse(GjkResult* result) {
  MinkowskiPoint v{result->v, Vector3d::Zero(), Vector3d::Zero()};
  for (int i = 0; i < result->size; ++i) {
    v.a += result->weights[i] * result->points[i].a;
    v.b += result->weights[i] * result->points[i].b;
  }
  result->points[0] = v;
  result->weights[0] = 1;
  result->size = 1;
}

// Returns true if the nearest point is on the face that the simplex tells, and
// ends with it.
bool Finish(const MinkowskiDifference& difference, GjkResult* result) {
  LeastSupport least;
  if (!FindLeastSupport(difference, {result->points, size_t(result->size)},
                        -result->v, result->scale, &least) ||
      !least.is_exact || !(least.support < 0)) {
    return false;
  }
  result->points[0] = least.foot;
  result->weights[0] = 1;
  result->size = 1;
  result->v = least.foot.w;
  result->is_exact = result->is_proven = true;
  return true;
}

// How much |v|² can be above the least |v|². It shows progress where |v|²
// itself has no more digits: v turned by 1e-9 is as long.
double GapAt(const MinkowskiDifference& difference, const GjkResult& result) {
  const Vector3d& v = result.v;
  return v.dot(v - difference.Support(-v).w);
}

}  // namespace

GjkResult CalcNearestPoint(const MinkowskiDifference& difference,
                           double farthest) {
  constexpr int kMaxSteps = 200;
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  GjkResult result;
  Vector3d start = difference.X_AB().translation();
  if (!(start.norm() > 0)) start = Vector3d::UnitX();
  result.points[0] = difference.Support(start);
  result.weights[0] = 1;
  result.size = 1;
  result.v = result.points[0].w;
  result.scale = result.v.norm();
  // From what share of |v|² that is left to gain Newton's method is tried.
  double try_at = difference.is_curved() ? 0.1 : 0;

  for (int k = 0; k < kMaxSteps; ++k) {
    const double v2 = result.v.squaredNorm();
    // So near that rounding of v turns it: a face that it is on does not turn.
    if (v2 <= 1e-12 * result.scale * result.scale &&
        Finish(difference, &result)) {
      break;
    }
    if (v2 <= 1e-20 * result.scale * result.scale) {
      result.overlap = true;
      return result;
    }
    const MinkowskiPoint next = difference.Support(-result.v);
    result.scale = std::max(result.scale, next.w.norm());
    const double along = result.v.dot(next.w);
    const double gap = v2 - along;
    const double size = std::sqrt(v2);
    const bool is_far = along > 0 && along > size * farthest;
    result.is_proven = is_far || gap <= 1e-10 * size * result.scale;
    if (is_far || gap <= 10 * kEpsilon * (v2 + size * result.scale)) break;
    if (gap < try_at * v2) {
      if (Finish(difference, &result)) break;
      try_at = 0.1 * gap / v2;
    }
    GjkResult trial = result;
    trial.points[trial.size++] = next;
    Vector3d w[4];
    for (int i = 0; i < trial.size; ++i) w[i] = trial.points[i].w;
    Reduce(SolveSimplex(w, trial.size), &trial);
    if (trial.size < 4 && !(trial.v.squaredNorm() < v2) &&
        !(GapAt(difference, trial) < 0.9 * gap)) {
      // The simplex is too thin to be solved. Its nearest point, one of the
      // difference, can take its place: towards `next` it goes on down.
      if (result.size == 1) break;
      Collapse(&result);
      continue;
    }
    result = trial;
    if (result.size == 4) {
      result.overlap = true;
      return result;
    }
    if (k == kMaxSteps - 1) {
      result.is_proven =
          GapAt(difference, result) <= 1e-10 * result.v.norm() * result.scale;
    }
  }
  return result;
}

}  // namespace wyvern::geometry::internal
