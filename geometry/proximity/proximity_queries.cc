#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/proximity/contact_manifold.h"
#include "wyvern/geometry/proximity/convex_distance.h"
#include "wyvern/geometry/proximity/point_distance.h"
#include "wyvern/geometry/proximity/proximity_engine.h"
#include "wyvern/geometry/proximity/shape_distance.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Each query goes the same way: the broad phase lists the pairs whose boxes are
near, the collision filter drops some, the closed form or GJK and EPA measure
the rest (shape_distance.h, contact_manifold.h), and results are sorted by ids,
so that neither the order of trees nor of registration shows. With AutoDiffXd
the choice of pairs is made on values; derivatives enter at the measure. */

namespace wyvern::geometry {

using internal::Aabb;
using internal::AreApartAlong;
using internal::CalcShapeDistance;
using internal::ContactManifold;
using internal::IndexPair;
using internal::ShapeDistance;
using internal::ShapeKind;
using math::RigidTransform;

namespace {

const RigidTransform<double>& ValueOf(const RigidTransform<double>& X) {
  return X;
}
template <typename T>
RigidTransform<double> ValueOf(const RigidTransform<T>& X) {
  return RigidTransform<double>::MakeUnchecked(ToDouble(X.GetAsMatrix34()));
}

template <typename T>
PenetrationAsPointPair<T> MakePair(GeometryId a, GeometryId b,
                                   const ShapeDistance<T>& point) {
  return {a, b, point.p_WCa, point.p_WCb, point.nhat_BA_W, -point.distance};
}

// With AutoDiffXd, pairs without a closed form throw, but only if they would
// be reported: their distance as a number decides.
template <typename T>
bool IsFarther(const internal::CollisionShape& A, const RigidTransform<T>& X_WA,
               const internal::CollisionShape& B, const RigidTransform<T>& X_WB,
               double limit) {
  if constexpr (std::is_same_v<T, double>) {
    return false;
  } else {
    return !HasClosedForm(A, B) &&
           CalcShapeDistance(A, ValueOf(X_WA), B, ValueOf(X_WB), limit)
                   .distance > limit;
  }
}

}  // namespace

template <typename T>
const std::vector<IndexPair>& ProximityEngine::FindNearPairs(
    const std::vector<RigidTransform<T>>& X_WGs, double margin,
    ProximityScratch* scratch) const {
  const int n = num_geometries();
  if (static_cast<int>(X_WGs.size()) != n) {
    throw std::logic_error(fmt::format(
        "ProximityEngine: was given {} poses for {} geometries; give one for "
        "each, in the order of ids().",
        X_WGs.size(), n));
  }
  std::vector<Aabb>& boxes = scratch->boxes_;
  boxes.resize(n);
  const Eigen::Vector3d grow = Eigen::Vector3d::Constant(margin / 2);
  for (int i = 0; i < n; ++i) {
    boxes[i] = CalcBox(i, ValueOf(X_WGs[i]));
    if (margin == 0) continue;
    boxes[i].lower -= grow;
    boxes[i].upper += grow;
  }
  scratch->bounds_.clear();
  for (const int i : broad_phase_model_.unbounded) {
    const RigidTransform<double>& X_WG = ValueOf(X_WGs[i]);
    const Eigen::Vector3d up = X_WG.rotation().matrix().col(2);
    scratch->bounds_.push_back({up, up.dot(X_WG.translation()) + margin / 2});
  }
  scratch->broad_phase_.FindPairs(broad_phase_model_, boxes, scratch->bounds_,
                                  &scratch->near_);
  std::erase_if(scratch->near_, [this](const IndexPair& pair) {
    return IsExcludedAt(pair.a, pair.b);
  });
  scratch->gaps_.StartQuery(scratch->near_.capacity());
  return scratch->near_;
}

template <typename T>
void ProximityEngine::AddContactManifold(
    const std::vector<RigidTransform<T>>& X_WGs, const IndexPair& pair,
    ProximityScratch* scratch, std::vector<PenetrationAsPointPair<T>>* points,
    double reach) const {
  const auto& [a, b] = pair;
  const auto& A = items_[a].shape;
  const auto& B = items_[b].shape;
  if constexpr (std::is_same_v<T, double>) {
    const Eigen::Vector3d* u_W = scratch->gaps_.Find(pair);
    if (u_W != nullptr && !HasClosedForm(A, B) &&
        AreApartAlong(A, X_WGs[a], B, X_WGs[b], *u_W, reach)) {
      scratch->gaps_.Keep(pair, *u_W);
      return;
    }
  }
  if (IsFarther(A, X_WGs[a], B, X_WGs[b], reach)) return;
  ContactManifold<T> manifold;
  manifold.reach = reach;
  CalcContactManifold(A, X_WGs[a], B, X_WGs[b], &manifold);
  if (manifold.gap_W) scratch->gaps_.Keep(pair, *manifold.gap_W);
  for (int k = 0; k < manifold.size; ++k) {
    points->push_back(MakePair(ids_[a], ids_[b], manifold.points[k]));
  }
}

template <typename T>
void ProximityEngine::CalcContactManifolds(
    const std::vector<RigidTransform<T>>& X_WGs, ProximityScratch* scratch,
    std::vector<PenetrationAsPointPair<T>>* points, double reach) const {
  points->clear();
  for (const IndexPair& pair : FindNearPairs(X_WGs, reach, scratch)) {
    AddContactManifold(X_WGs, pair, scratch, points, reach);
  }
}

template <typename T>
void ProximityEngine::AddPenetration(
    const std::vector<RigidTransform<T>>& X_WGs, const IndexPair& pair,
    std::vector<PenetrationAsPointPair<T>>* pairs) const {
  const auto& [a, b] = pair;
  const auto& A = items_[a].shape;
  const auto& B = items_[b].shape;
  if (IsFarther(A, X_WGs[a], B, X_WGs[b], 0)) return;
  const ShapeDistance<T> point = CalcShapeDistance(A, X_WGs[a], B, X_WGs[b], 0);
  if (point.distance <= 0) {
    pairs->push_back(MakePair(ids_[a], ids_[b], point));
  }
}

template <typename T>
void ProximityEngine::CalcPenetrations(
    const std::vector<RigidTransform<T>>& X_WGs, ProximityScratch* scratch,
    std::vector<PenetrationAsPointPair<T>>* pairs) const {
  pairs->clear();
  for (const IndexPair& pair : FindNearPairs(X_WGs, 0, scratch)) {
    AddPenetration(X_WGs, pair, pairs);
  }
}

template <typename T>
SignedDistancePair<T> ProximityEngine::CalcSignedDistance(
    const std::vector<RigidTransform<T>>& X_WGs, int a, int b) const {
  const ShapeDistance<T> point =
      CalcShapeDistance(items_[a].shape, X_WGs[a], items_[b].shape, X_WGs[b]);
  return {ids_[a],
          ids_[b],
          X_WGs[a].inverse() * point.p_WCa,
          X_WGs[b].inverse() * point.p_WCb,
          point.distance,
          point.nhat_BA_W};
}

template <typename T>
void ProximityEngine::CalcSignedDistances(
    const std::vector<RigidTransform<T>>& X_WGs, double max_distance,
    ProximityScratch* scratch,
    std::vector<SignedDistancePair<T>>* pairs) const {
  if (!(max_distance >= 0)) {
    throw std::logic_error(fmt::format(
        "ProximityEngine::CalcSignedDistances(): the largest distance is {}; "
        "it must not be negative.",
        max_distance));
  }
  FindNearPairs(X_WGs, std::min(max_distance, 1e300), scratch);
  pairs->clear();
  for (const auto& [a, b] : scratch->near_) {
    if (IsFarther(items_[a].shape, X_WGs[a], items_[b].shape, X_WGs[b],
                  max_distance)) {
      continue;
    }
    SignedDistancePair<T> pair = CalcSignedDistance(X_WGs, a, b);
    if (pair.distance <= max_distance) pairs->push_back(std::move(pair));
  }
}

template <typename T>
void ProximityEngine::CalcSignedDistancesToPoint(
    const std::vector<RigidTransform<T>>& X_WGs, const Vector3<T>& p_WQ,
    double threshold, std::vector<SignedDistanceToPoint<T>>* distances) const {
  constexpr char kWho[] = "ProximityEngine::CalcSignedDistancesToPoint";
  wyvern::internal::RequireFinite(kWho, "p_WQ", p_WQ);
  wyvern::internal::RequireInRange(kWho, "threshold", threshold, 0,
                                   std::numeric_limits<double>::infinity());
  distances->clear();
  for (int i = 0; i < num_geometries(); ++i) {
    const Vector3<T> p_GQ = X_WGs[i].rotation().matrix().transpose() *
                            (p_WQ - X_WGs[i].translation());
    const auto point = CalcPointDistance(items_[i].shape, p_GQ);
    if (!(point.distance <= threshold)) continue;
    distances->emplace_back(ids_[i], point.p_GN, point.distance,
                            X_WGs[i].rotation() * point.grad_G);
  }
}

template <typename T>
void ProximityEngine::FindCollisionCandidates(
    const std::vector<RigidTransform<T>>& X_WGs, ProximityScratch* scratch,
    std::vector<SortedPair<GeometryId>>* pairs) const {
  FindNearPairs(X_WGs, 0, scratch);
  pairs->clear();
  for (const auto& [a, b] : scratch->near_) {
    pairs->emplace_back(ids_[a], ids_[b]);
  }
}

template <typename T>
bool ProximityEngine::Overlap(const std::vector<RigidTransform<T>>& X_WGs,
                              const IndexPair& pair) const {
  return CalcShapeDistance(items_[pair.a].shape, ValueOf(X_WGs[pair.a]),
                           items_[pair.b].shape, ValueOf(X_WGs[pair.b]), 0)
             .distance <= 0;
}

template <typename T>
bool ProximityEngine::HasCollisions(const std::vector<RigidTransform<T>>& X_WGs,
                                    ProximityScratch* scratch) const {
  return std::ranges::any_of(
      FindNearPairs(X_WGs, 0, scratch),
      [&](const IndexPair& pair) { return Overlap(X_WGs, pair); });
}

#define WYVERN_INSTANTIATE(T)                                                  \
  template const std::vector<IndexPair>& ProximityEngine::FindNearPairs<T>(    \
      const std::vector<RigidTransform<T>>&, double, ProximityScratch*) const; \
  template void ProximityEngine::AddContactManifold<T>(                        \
      const std::vector<RigidTransform<T>>&, const IndexPair&,                 \
      ProximityScratch*, std::vector<PenetrationAsPointPair<T>>*, double)      \
      const;                                                                   \
  template void ProximityEngine::AddPenetration<T>(                            \
      const std::vector<RigidTransform<T>>&, const IndexPair&,                 \
      std::vector<PenetrationAsPointPair<T>>*) const;                          \
  template bool ProximityEngine::Overlap<T>(                                   \
      const std::vector<RigidTransform<T>>&, const IndexPair&) const;          \
  template void ProximityEngine::CalcContactManifolds<T>(                      \
      const std::vector<RigidTransform<T>>&, ProximityScratch*,                \
      std::vector<PenetrationAsPointPair<T>>*, double) const;                  \
  template void ProximityEngine::CalcPenetrations<T>(                          \
      const std::vector<RigidTransform<T>>&, ProximityScratch*,                \
      std::vector<PenetrationAsPointPair<T>>*) const;                          \
  template void ProximityEngine::CalcSignedDistances<T>(                       \
      const std::vector<RigidTransform<T>>&, double, ProximityScratch*,        \
      std::vector<SignedDistancePair<T>>*) const;                              \
  template SignedDistancePair<T> ProximityEngine::CalcSignedDistance<T>(       \
      const std::vector<RigidTransform<T>>&, int, int) const;                  \
  template void ProximityEngine::CalcSignedDistancesToPoint<T>(                \
      const std::vector<RigidTransform<T>>&, const Vector3<T>&, double,        \
      std::vector<SignedDistanceToPoint<T>>*) const;                           \
  template void ProximityEngine::FindCollisionCandidates<T>(                   \
      const std::vector<RigidTransform<T>>&, ProximityScratch*,                \
      std::vector<SortedPair<GeometryId>>*) const;                             \
  template bool ProximityEngine::HasCollisions<T>(                             \
      const std::vector<RigidTransform<T>>&, ProximityScratch*) const;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry
