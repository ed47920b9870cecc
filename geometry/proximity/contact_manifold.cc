#include "wyvern/geometry/proximity/contact_manifold.h"

#include <algorithm>
#include <type_traits>

#include "wyvern/geometry/proximity/box_axis.h"
#include "wyvern/geometry/proximity/face_manifold.h"
#include "wyvern/geometry/proximity/half_space_manifold.h"
#include "wyvern/geometry/proximity/penetration_as_point_pair.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::geometry::internal {
namespace {

using math::RigidTransform;

// Two capsules: the nearest points, or for parallel ones the ends of the
// stretch that they have side by side.
template <typename T>
void CapsuleManifold(const CollisionShape& A, const RigidTransform<T>& X_WA,
                     const CollisionShape& B, const RigidTransform<T>& X_WB,
                     ContactManifold<T>* manifold) {
  constexpr double kParallel = 0.02;
  const Vector3<T> a = X_WA.rotation().matrix().col(2);
  const Vector3<T> b = X_WB.rotation().matrix().col(2);
  const double sine = ToDouble(Vector3<T>(a.cross(b))).norm();
  // B's segment spans middle ± reach along a.
  const T middle = a.dot(X_WB.translation() - X_WA.translation());
  const double m = ToDouble(middle);
  const double reach = B.half[2];
  if (!(sine < kParallel && std::abs(m) < A.half[2] + reach)) {
    manifold->AddIfNear(CalcShapeDistance(A, X_WA, B, X_WB));
    return;
  }
  const T low = m - reach > -A.half[2] ? T(middle - reach) : T(-A.half[2]);
  const T high = m + reach < A.half[2] ? T(middle + reach) : T(A.half[2]);
  CollisionShape ball;
  ball.half.setConstant(A.radius());
  for (const T& s : {low, high}) {
    const RigidTransform<T> X_WBall(X_WA.rotation(),
                                    X_WA.translation() + s * a);
    manifold->AddIfNear(CalcShapeDistance(ball, X_WBall, B, X_WB));
  }
}

// Finishes if two boxes are apart, or have faces in contact.
bool CalcBoxManifold(const CollisionShape& A,
                     const RigidTransform<double>& X_WA,
                     const CollisionShape& B,
                     const RigidTransform<double>& X_WB,
                     ContactManifold<double>* manifold) {
  const BoxAxis axis = FindBoxAxis(
      A.half, X_WA, B.half, X_WB, std::min(manifold->reach, kTouchingDistance));
  if (!axis.overlap) {
    manifold->gap_W = axis.nhat_BA_W;
    // They are at least that far apart.
    return -axis.depth >= manifold->reach;
  }
  return axis.is_face && CalcFaceManifold(A, X_WA, B, X_WB, axis.nhat_BA_W,
                                          axis.depth, manifold);
}

void CalcDoubleManifold(const CollisionShape& A,
                        const RigidTransform<double>& X_WA,
                        const CollisionShape& B,
                        const RigidTransform<double>& X_WB,
                        ContactManifold<double>* manifold) {
  using enum ShapeKind;
  if (A.kind == kBox && B.kind == kBox &&
      CalcBoxManifold(A, X_WA, B, X_WB, manifold)) {
    return;
  }
  manifold->size = 0;
  const ShapeDistance<double> deepest =
      CalcShapeDistance(A, X_WA, B, X_WB, manifold->reach);
  const bool has_closed_form = HasClosedForm(A, B);
  if (!(deepest.distance < manifold->reach)) {
    if (!has_closed_form) manifold->gap_W = deepest.nhat_BA_W;
    return;
  }
  const bool one_point =
      has_closed_form || A.kind == kEllipsoid || B.kind == kEllipsoid;
  if (one_point || !CalcFaceManifold(A, X_WA, B, X_WB, deepest.nhat_BA_W,
                                     -deepest.distance, manifold)) {
    manifold->AddIfNear(deepest);
  }
}

}  // namespace

template <typename T>
void CalcContactManifold(const CollisionShape& A, const RigidTransform<T>& X_WA,
                         const CollisionShape& B, const RigidTransform<T>& X_WB,
                         ContactManifold<T>* manifold) {
  using enum ShapeKind;
  manifold->size = 0;
  manifold->gap_W.reset();
  if (A.kind == kHalfSpace && B.kind != kHalfSpace) {
    CalcHalfSpaceManifold(B, X_WB, X_WA, manifold);
    for (int k = 0; k < manifold->size; ++k) manifold->points[k].Swap();
    return;
  }
  if (B.kind == kHalfSpace && A.kind != kHalfSpace) {
    CalcHalfSpaceManifold(A, X_WA, X_WB, manifold);
    return;
  }
  if (A.kind == kCapsule && B.kind == kCapsule) {
    CapsuleManifold(A, X_WA, B, X_WB, manifold);
    return;
  }
  if constexpr (std::is_same_v<T, double>) {
    CalcDoubleManifold(A, X_WA, B, X_WB, manifold);
  } else {
    manifold->AddIfNear(CalcShapeDistance(A, X_WA, B, X_WB));
  }
}

#define WYVERN_INSTANTIATE(T)                                \
  template void CalcContactManifold<T>(                      \
      const CollisionShape&, const math::RigidTransform<T>&, \
      const CollisionShape&, const math::RigidTransform<T>&, \
      ContactManifold<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
