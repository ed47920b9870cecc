#include "wyvern/geometry/proximity/shape_distance.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/geometry/proximity/convex_distance.h"
#include "wyvern/geometry/proximity/point_distance.h"
#include "wyvern/geometry/proximity/segment_distance.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Signed distance of two shapes: a closed form if there is one, GJK and EPA
otherwise. A sphere is a point with a radius, so the distance of its centre
decides. A half space meets the lowest point of the other shape along its
normal. Two capsules are two segments with radii. If the segments cross, the
direction of their difference is lost to rounding, and the normal of the plane
that they span takes its place. Closed forms have derivatives; other pairs need
T = double. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using math::RigidTransform;

bool Is(const CollisionShape& shape, ShapeKind kind) {
  return shape.kind == kind;
}

// A is a sphere: the distance of its centre from B, less the radius.
template <typename T>
ShapeDistance<T> SphereToShape(const CollisionShape& A,
                               const RigidTransform<T>& X_WA,
                               const CollisionShape& B,
                               const RigidTransform<T>& X_WB) {
  const Vector3<T>& p_WA = X_WA.translation();
  const Vector3<T> p_BA =
      X_WB.rotation().matrix().transpose() * (p_WA - X_WB.translation());
  const PointDistance<T> point = CalcPointDistance(B, p_BA);
  ShapeDistance<T> result;
  result.nhat_BA_W = X_WB.rotation() * point.grad_G;
  result.distance = point.distance - A.radius();
  result.p_WCa = p_WA - A.radius() * result.nhat_BA_W;
  result.p_WCb = X_WB * point.p_GN;
  return result;
}

// B is a half space: A's lowest point over its plane.
template <typename T>
ShapeDistance<T> ShapeToHalfSpace(const CollisionShape& A,
                                  const RigidTransform<T>& X_WA,
                                  const RigidTransform<T>& X_WB) {
  const Vector3<T> up_W = X_WB.rotation().matrix().col(2);
  const Vector3<T> down_A = -(X_WA.rotation().matrix().transpose() * up_W);
  ShapeDistance<T> result;
  result.nhat_BA_W = up_W;
  result.p_WCa = X_WA * CalcSupportPoint<T>(A, down_A);
  result.distance = up_W.dot(result.p_WCa - X_WB.translation());
  result.p_WCb = result.p_WCa - result.distance * up_W;
  return result;
}

// Balls swept along two segments: the distance of the segments, less the radii.
template <typename T>
ShapeDistance<T> CapsuleToCapsule(const CollisionShape& A,
                                  const RigidTransform<T>& X_WA,
                                  const CollisionShape& B,
                                  const RigidTransform<T>& X_WB) {
  const Vector3<T> a = X_WA.rotation().matrix().col(2);
  const Vector3<T> b = X_WB.rotation().matrix().col(2);
  const SegmentPair<T> pair = CalcClosestPoints(
      X_WA.translation(), a, A.half[2], X_WB.translation(), b, B.half[2]);
  ShapeDistance<T> result;
  const Vector3<T> p_QP = pair.p - pair.q;
  const double radii = A.radius() + B.radius();
  const double apart = ToDouble(p_QP).norm();
  // Points within both segments are across them: where they nearly cross, that
  // tells the direction better than their small difference, which it turns by
  // rounding; where they are nearly parallel, too, it may not.
  const Vector3<T> across = a.cross(b);
  const double sine = ToDouble(across).norm();
  const double rounding =
      1e-15 * (ToDouble(pair.p).norm() + A.half[2] + B.half[2]);
  const auto along = [&](const Vector3<T>& u) {
    return std::abs(ToDouble(u).dot(ToDouble(p_QP)));
  };
  const auto is_better = [&] {
    const double in_plane = ToDouble(p_QP).cross(ToDouble(across)).norm();
    return in_plane * apart <=
           sine * (along(a) * A.half[2] + along(b) * B.half[2]);
  };
  T core(0);
  if (apart > 1e-14 * radii &&
      !(apart < std::min(1e-4, sine) * radii && along(a) <= rounding &&
        along(b) <= rounding && (sine > 1e-4 || is_better()))) {
    core = p_QP.norm();
    result.nhat_BA_W = p_QP / core;
  } else {
    // Out of the plane that they span, or anywhere across.
    result.nhat_BA_W =
        sine < 1e-10
            ? Vector3<T>(ToDouble(a).unitOrthogonal().template cast<T>())
            : Vector3<T>(across / across.norm());
    core = result.nhat_BA_W.dot(p_QP);
    if (ToDouble(core) < -1e-14 * radii) {
      core = -core;
      result.nhat_BA_W = -result.nhat_BA_W;
    }
  }
  result.distance = core - (A.radius() + B.radius());
  result.p_WCa = pair.p - A.radius() * result.nhat_BA_W;
  result.p_WCb = pair.q + B.radius() * result.nhat_BA_W;
  return result;
}

}  // namespace

bool HasClosedForm(const CollisionShape& A, const CollisionShape& B) {
  using enum ShapeKind;
  return Is(A, kSphere) || Is(B, kSphere) || Is(A, kHalfSpace) ||
         Is(B, kHalfSpace) || (Is(A, kCapsule) && Is(B, kCapsule));
}

template <typename T>
ShapeDistance<T> CalcShapeDistance(const CollisionShape& A,
                                   const RigidTransform<T>& X_WA,
                                   const CollisionShape& B,
                                   const RigidTransform<T>& X_WB,
                                   double farthest) {
  using enum ShapeKind;
  if (Is(A, kHalfSpace) && Is(B, kHalfSpace)) {
    throw std::logic_error(
        "ProximityEngine: the distance of a HalfSpace from a HalfSpace is "
        "asked for; it is unbounded. Exclude the pair by a collision filter.");
  }
  if (Is(A, kSphere)) return SphereToShape(A, X_WA, B, X_WB);
  if (Is(B, kHalfSpace)) return ShapeToHalfSpace(A, X_WA, X_WB);
  if (Is(B, kSphere) || Is(A, kHalfSpace)) {
    ShapeDistance<T> result = CalcShapeDistance(B, X_WB, A, X_WA);
    result.Swap();
    return result;
  }
  if (Is(A, kCapsule) && Is(B, kCapsule)) {
    return CapsuleToCapsule(A, X_WA, B, X_WB);
  }
  if constexpr (std::is_same_v<T, double>) {
    return CalcConvexDistance(A, X_WA, B, X_WB, farthest);
  } else {
    throw std::logic_error(fmt::format(
        "ProximityEngine: there is no query with AutoDiffXd for a {} and a "
        "{}; use T = double, or replace one of them by spheres.",
        A.name, B.name));
  }
}

#define WYVERN_INSTANTIATE(T)                                \
  template ShapeDistance<T> CalcShapeDistance<T>(            \
      const CollisionShape&, const math::RigidTransform<T>&, \
      const CollisionShape&, const math::RigidTransform<T>&, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
