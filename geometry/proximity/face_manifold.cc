#include "wyvern/geometry/proximity/face_manifold.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "wyvern/geometry/proximity/penetration_as_point_pair.h"

/* The contact normal n points from B to A. Each shape shows a face towards the
other: a polygon, or a line for the side of a cylinder or a capsule. The one
whose normal is nearer to ±n is the reference, with outward normal f; the other,
the incident face, is cut off at the planes through the reference's edges along
f (I. E. Sutherland, G. W. Hodgman, "Reentrant polygon clipping", CACM 17,
1974). Corners x left over that are below the reference's plane, or within reach
of it, are contacts between x and its projection along f. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using math::RigidTransform;

constexpr int kMaxCorners = 32;
constexpr int kCapCorners = 8;

// In the world; two corners are a line, which has no normal.
struct Polygon {
  int size{0};
  // Clipping adds at most a corner for each edge.
  std::array<Vector3d, 2 * kMaxCorners> corners;
  Vector3d normal;
  bool is_face() const { return size > 2; }
};

Polygon PolytopeFace(const ConvexPolytope& polytope,
                     const RigidTransform<double>& X_WG,
                     const Vector3d& towards_G) {
  const int f = polytope.FaceAlong(towards_G);
  const auto face = polytope.face(f);
  const int n = static_cast<int>(face.size());
  Polygon result;
  result.size = std::min(n, kMaxCorners);
  for (int k = 0; k < result.size; ++k) {
    // Take equally spaced corners if there are too many.
    result.corners[k] = X_WG * polytope.vertex(face[k * n / result.size]);
  }
  result.normal = X_WG.rotation() * polytope.normal(f);
  return result;
}

Polygon CylinderFace(const CollisionShape& shape,
                     const RigidTransform<double>& X_WG,
                     const Vector3d& towards_G) {
  Polygon result;
  const double r = shape.radius(), h = shape.half[2];
  const double across = towards_G.head<2>().norm();
  const double up = std::copysign(1.0, towards_G[2]);
  if (across > std::abs(towards_G[2])) {
    const Vector3d rim(r * towards_G[0] / across, r * towards_G[1] / across, 0);
    result.size = 2;
    result.corners[0] = X_WG * Vector3d(rim[0], rim[1], h);
    result.corners[1] = X_WG * Vector3d(rim[0], rim[1], -h);
    return result;
  }
  result.size = kCapCorners;
  for (int k = 0; k < kCapCorners; ++k) {
    const double angle = up * 2 * std::numbers::pi * k / kCapCorners;
    result.corners[k] =
        X_WG * Vector3d(r * std::cos(angle), r * std::sin(angle), up * h);
  }
  result.normal = up * X_WG.rotation().matrix().col(2);
  return result;
}

Polygon CapsuleLine(const CollisionShape& shape,
                    const RigidTransform<double>& X_WG,
                    const Vector3d& towards_W) {
  Polygon result;
  result.size = 2;
  const Vector3d skin = shape.radius() * towards_W;
  result.corners[0] = X_WG * Vector3d(0, 0, shape.half[2]) + skin;
  result.corners[1] = X_WG * Vector3d(0, 0, -shape.half[2]) + skin;
  return result;
}

Polygon FaceTowards(const CollisionShape& shape,
                    const RigidTransform<double>& X_WG,
                    const Vector3d& towards_W) {
  const Vector3d towards_G = X_WG.rotation().matrix().transpose() * towards_W;
  switch (shape.kind) {
    case ShapeKind::kBox:
    case ShapeKind::kConvex:
      return PolytopeFace(*shape.polytope, X_WG, towards_G);
    case ShapeKind::kCylinder:
      return CylinderFace(shape, X_WG, towards_G);
    case ShapeKind::kCapsule:
      return CapsuleLine(shape, X_WG, towards_W);
    default:
      return {};
  }
}

// Keeps what is on the inner side, n·x <= offset.
void Clip(const Vector3d& n, double offset, Polygon* polygon) {
  Polygon result;
  const int size = polygon->size;
  for (int k = 0; k < size; ++k) {
    // A line is cut once; a polygon is cyclic.
    const bool last_of_line = size == 2 && k == 1;
    const Vector3d& x = polygon->corners[k];
    const Vector3d& y = polygon->corners[(k + 1) % size];
    const double dx = n.dot(x) - offset, dy = n.dot(y) - offset;
    if (dx <= 0) result.corners[result.size++] = x;
    if (!last_of_line && ((dx < 0 && dy > 0) || (dx > 0 && dy < 0))) {
      result.corners[result.size++] = x + (y - x) * (dx / (dx - dy));
    }
    if (result.size == 2 * kMaxCorners) break;
  }
  polygon->size = result.size;
  std::copy_n(result.corners.begin(), result.size, polygon->corners.begin());
}

void ClipToOutline(const Polygon& outline, Polygon* polygon) {
  for (int k = 0; k < outline.size && polygon->size > 0; ++k) {
    const Vector3d& x = outline.corners[k];
    const Vector3d& y = outline.corners[(k + 1) % outline.size];
    const Vector3d out = (y - x).cross(outline.normal);
    Clip(out, out.dot(x), polygon);
  }
}

// Keeps the deepest of the points and the outermost in four directions fixed
// to the reference.
void KeepOutermost(const Vector3d& t1, const Vector3d& t2, const double* depth,
                   Polygon* polygon, bool* keep) {
  std::fill(keep, keep + polygon->size, false);
  const auto keep_best = [&](auto&& score) {
    int best = 0;
    for (int k = 1; k < polygon->size; ++k) {
      if (score(k) > score(best) + 1e-12) best = k;
    }
    keep[best] = true;
  };
  const auto& x = polygon->corners;
  keep_best([&](int k) { return depth[k]; });
  for (const Vector3d& t : {t1, t2, Vector3d(-t1), Vector3d(-t2)}) {
    keep_best([&](int k) { return t.dot(x[k]); });
  }
}

// Two lines side by side: the ends of the stretch they share.
void AddLines(const Polygon& a, const Polygon& b, const Vector3d& n,
              ContactManifold<double>* manifold) {
  constexpr double kParallel = 0.02;
  const Vector3d u = (a.corners[1] - a.corners[0]).normalized();
  const Vector3d v = (b.corners[1] - b.corners[0]).normalized();
  if (u.cross(v).norm() > kParallel) return;
  const double a0 = u.dot(a.corners[0]), a1 = u.dot(a.corners[1]);
  const double b0 = u.dot(b.corners[0]), b1 = u.dot(b.corners[1]);
  const double low = std::max(a0, std::min(b0, b1));
  const double high = std::min(a1, std::max(b0, b1));
  if (!(high > low)) return;
  for (const double s : {low, high}) {
    ShapeDistance<double> point;
    point.p_WCa = a.corners[0] + (s - a0) * u;
    const Vector3d on_b =
        b.corners[0] + (b.corners[1] - b.corners[0]) * ((s - b0) / (b1 - b0));
    point.distance = n.dot(point.p_WCa - on_b);
    point.nhat_BA_W = n;
    point.p_WCb = point.p_WCa - point.distance * n;
    manifold->AddIfNear(point);
  }
}

void AddClipped(const Polygon& reference, Polygon incident, bool A_is_reference,
                ContactManifold<double>* manifold) {
  const Vector3d& f = reference.normal;
  ClipToOutline(reference, &incident);
  double depth[2 * kMaxCorners];
  bool keep[2 * kMaxCorners];
  int below = 0;
  const double offset = f.dot(reference.corners[0]);
  for (int k = 0; k < incident.size; ++k) {
    depth[k] = offset - f.dot(incident.corners[k]);
    if (!(depth[k] > -manifold->reach)) continue;
    depth[below] = depth[k];
    incident.corners[below++] = incident.corners[k];
  }
  incident.size = below;
  std::fill(keep, keep + below, true);
  if (below > ContactManifold<double>::kMaxPoints) {
    const Vector3d t1 =
        (reference.corners[1] - reference.corners[0]).normalized();
    KeepOutermost(t1, f.cross(t1), depth, &incident, keep);
  }
  for (int k = 0; k < below; ++k) {
    if (!keep[k]) continue;
    const Vector3d& x = incident.corners[k];
    const Vector3d on_reference = x + depth[k] * f;
    if (A_is_reference) {
      manifold->AddIfNear({on_reference, x, -f, -depth[k]});
    } else {
      manifold->AddIfNear({x, on_reference, f, -depth[k]});
    }
  }
}

}  // namespace

bool CalcFaceManifold(const CollisionShape& A,
                      const RigidTransform<double>& X_WA,
                      const CollisionShape& B,
                      const RigidTransform<double>& X_WB, const Vector3d& n,
                      double depth, ContactManifold<double>* manifold) {
  // Within two degrees of a face's normal, the face is in contact.
  constexpr double kAligned = 0.9994;
  manifold->size = 0;
  const Polygon face_A = FaceTowards(A, X_WA, -n);
  const Polygon face_B = FaceTowards(B, X_WB, n);
  const double aligned_A = face_A.is_face() ? -n.dot(face_A.normal) : -1;
  const double aligned_B = face_B.is_face() ? n.dot(face_B.normal) : -1;
  if (face_A.size == 2 && face_B.size == 2) {
    AddLines(face_A, face_B, n, manifold);
  } else if (face_A.size >= 2 && face_B.size >= 2 &&
             std::max(aligned_A, aligned_B) > kAligned) {
    // B is the reference if both are equal to rounding.
    const bool A_is_reference = aligned_A > aligned_B + 1e-9;
    if (A_is_reference) {
      AddClipped(face_A, face_B, true, manifold);
    } else {
      AddClipped(face_B, face_A, false, manifold);
    }
  }
  double most = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold->size; ++k) {
    most = std::max(most, -manifold->points[k].distance);
  }
  // Touching shapes have no depth except rounding.
  const double needed = depth - std::min(manifold->reach, kTouchingDistance);
  return most > 0 ? 1.001 * most >= needed : most >= 1.001 * needed;
}

}  // namespace wyvern::geometry::internal
