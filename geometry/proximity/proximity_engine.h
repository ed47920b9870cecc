#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/proximity/broad_phase.h"
#include "wyvern/geometry/proximity/collision_filter.h"
#include "wyvern/geometry/proximity/collision_shape.h"
#include "wyvern/geometry/proximity/penetration_as_point_pair.h"
#include "wyvern/geometry/proximity/separating_axis_cache.h"
#include "wyvern/geometry/proximity/signed_distance_pair.h"
#include "wyvern/geometry/proximity/signed_distance_to_point.h"
#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/systems/common/sorted_pair.h"

namespace wyvern::geometry {

/** Scratch memory of a ProximityEngine's queries. One thread at a time uses it;
its content changes only the time to a result, never the result. */
class ProximityScratch {
 private:
  friend class ProximityEngine;
  internal::BroadPhase broad_phase_;
  std::vector<internal::Aabb> boxes_;
  std::vector<internal::HalfSpaceBound> bounds_;
  std::vector<internal::IndexPair> near_;
  internal::SeparatingAxisCache gaps_;
};

/** Collision queries over flat arrays: shapes by index, in the order of
increasing GeometryId, and their poses in the world by the same index.

Results are sorted by the pair of ids, with id_A < id_B, and depend on the
shapes and poses alone. Queries that take a ProximityScratch allocate nothing
once it, and the output, have grown to their size. Pairs are excluded if both
are fixed to the same frame, if both are anchored, or by the collision filter.

Queries take T = double or AutoDiffXd. With AutoDiffXd, pairs of shapes without
a closed form throw std::logic_error naming the shapes, if they are near enough
to be reported. */
class ProximityEngine {
 public:
  /** Adds a geometry that moves with `frame`, or, given X_WG, one that does not
  move at all.
  @throws std::logic_error if `id` is there, or the shape has no proximity form.
  */
  void AddGeometry(
      GeometryId id, const Shape& shape, FrameId frame,
      const std::optional<math::RigidTransform<double>>& X_WG = std::nullopt);
  /** Removes a geometry.
  @throws std::logic_error if `id` is not there. */
  void RemoveGeometry(GeometryId id) { RemoveGeometries({&id, 1}); }
  /** Removes geometries, each named once. O(n log n).
  @throws std::logic_error if one of `ids` is not there; all others are then
  still there. */
  void RemoveGeometries(std::span<const GeometryId> ids);
  /** Gives a geometry another shape.
  @throws std::logic_error if `id` is not there, or the shape has no proximity
  form. */
  void ReplaceShape(GeometryId id, const Shape& shape);
  /** Changes the pose of an anchored geometry. */
  void SetAnchoredPose(GeometryId id, const math::RigidTransform<double>& X_WG);

  /** Number of geometries. */
  int num_geometries() const { return static_cast<int>(ids_.size()); }
  /** By index; increasing. */
  const std::vector<GeometryId>& ids() const { return ids_; }
  /** The index of a geometry, or -1. */
  int FindIndex(GeometryId id) const;
  /** True for geometries that do not move. Their entries of X_WGs are not read
  by the broad phase, and must be the pose they were added with. */
  bool is_anchored(int index) const { return items_[index].is_anchored; }
  /** The box around a geometry at X_WG, along the axes of W. A half space has
  none. */
  internal::Aabb CalcBox(int index,
                         const math::RigidTransform<double>& X_WG) const {
    const Item& item = items_[index];
    return item.is_anchored ? item.anchored_box
                            : CalcWorldAabb(item.shape, X_WG);
  }
  /** The shape of a geometry, by index. */
  const internal::CollisionShape& shape(int index) const {
    return items_[index].shape;
  }
  /** The filter that excludes pairs, to be changed. */
  internal::CollisionFilter& collision_filter() { return filter_; }
  /** The filter that excludes pairs. */
  const internal::CollisionFilter& collision_filter() const { return filter_; }
  /** Returns true if the filter excludes the pair.
  @throws std::logic_error if one of them is not there. */
  bool IsExcluded(GeometryId a, GeometryId b) const;

  /** The contact points of every overlapping pair, several for each: for faces
  against faces the corners of their overlap, for a shape against a half space
  the points below its plane. At most kMaxContactPoints a pair, of positive
  depth, their normal the same for all of a pair but for two cylinders or
  capsules side by side with a half space. With a `reach`, meter, those of pairs
  less than that apart too: points that are apart have a negative depth. */
  static constexpr int kMaxContactPoints = 8;
  /** Replaces `points` by the contact points, sorted by pair. */
  template <typename T>
  void CalcContactManifolds(const std::vector<math::RigidTransform<T>>& X_WGs,
                            ProximityScratch* scratch,
                            std::vector<PenetrationAsPointPair<T>>* points,
                            double reach = 0) const;

  /** One point pair for every overlapping pair, with the least translation that
  separates them. */
  template <typename T>
  void CalcPenetrations(const std::vector<math::RigidTransform<T>>& X_WGs,
                        ProximityScratch* scratch,
                        std::vector<PenetrationAsPointPair<T>>* pairs) const;

  /** Every pair whose signed distance is at most `max_distance`, meter.
  @throws std::logic_error unless it is >= 0 (infinity is fine). */
  template <typename T>
  void CalcSignedDistances(const std::vector<math::RigidTransform<T>>& X_WGs,
                           double max_distance, ProximityScratch* scratch,
                           std::vector<SignedDistancePair<T>>* pairs) const;

  /** Computes the signed distance of one pair by index, excluded or not. */
  template <typename T>
  SignedDistancePair<T> CalcSignedDistance(
      const std::vector<math::RigidTransform<T>>& X_WGs, int a, int b) const;

  /** Computes the signed distance of every geometry that is at most `threshold`
  from Q, in the order of ids. */
  template <typename T>
  void CalcSignedDistancesToPoint(
      const std::vector<math::RigidTransform<T>>& X_WGs, const Vector3<T>& p_WQ,
      double threshold, std::vector<SignedDistanceToPoint<T>>* distances) const;

  /** The pairs whose bounding boxes overlap each other or a half space: all
  that collide, and others. */
  template <typename T>
  void FindCollisionCandidates(
      const std::vector<math::RigidTransform<T>>& X_WGs,
      ProximityScratch* scratch,
      std::vector<SortedPair<GeometryId>>* pairs) const;

  /** True if any pair overlaps. */
  template <typename T>
  bool HasCollisions(const std::vector<math::RigidTransform<T>>& X_WGs,
                     ProximityScratch* scratch) const;

  /** @name Pairs, one by one
  For who decides pair by pair what to calculate, by index in ids().
  @{ */
  /** The pairs (a < b), not excluded, whose bounding boxes are at most `margin`
  apart, meter, or from a half space; sorted, and kept in the scratch until its
  next use. */
  template <typename T>
  const std::vector<internal::IndexPair>& FindNearPairs(
      const std::vector<math::RigidTransform<T>>& X_WGs, double margin,
      ProximityScratch* scratch) const;
  /** Adds what CalcContactManifolds() has for this pair. The scratch is that
  of FindNearPairs(), whose order pairs are best taken in. */
  template <typename T>
  void AddContactManifold(const std::vector<math::RigidTransform<T>>& X_WGs,
                          const internal::IndexPair& pair,
                          ProximityScratch* scratch,
                          std::vector<PenetrationAsPointPair<T>>* points,
                          double reach = 0) const;
  /** Adds what CalcPenetrations() has for this pair. */
  template <typename T>
  void AddPenetration(const std::vector<math::RigidTransform<T>>& X_WGs,
                      const internal::IndexPair& pair,
                      std::vector<PenetrationAsPointPair<T>>* pairs) const;
  /** True if the two overlap. */
  template <typename T>
  bool Overlap(const std::vector<math::RigidTransform<T>>& X_WGs,
               const internal::IndexPair& pair) const;
  /** @} */

  /** All pairs that are not excluded, whatever the poses. */
  std::vector<SortedPair<GeometryId>> AllPairs() const;

 private:
  struct Item {
    internal::CollisionShape shape;
    FrameId frame;
    bool is_anchored{};
    int filter_row{};
    internal::Aabb anchored_box;  // In the world; for anchored geometries.
  };

  int IndexOrThrow(const char* function, GeometryId id) const;
  bool IsExcludedAt(int a, int b) const {
    const Item& A = items_[a];
    const Item& B = items_[b];
    return A.frame == B.frame || (A.is_anchored && B.is_anchored) ||
           filter_.IsExcludedAt(A.filter_row, B.filter_row);
  }
  // Fills the lists of the broad phase, in the order of indices.
  void ListGeometries();
  // Inserts a geometry that has been given its index into the lists.
  void ListGeometry(int index);

  std::vector<GeometryId> ids_;
  std::vector<Item> items_;
  internal::BroadPhaseModel broad_phase_model_;
  internal::CollisionFilter filter_;
};

}  // namespace wyvern::geometry
