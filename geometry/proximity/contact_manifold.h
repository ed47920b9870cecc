#pragma once

#include <array>
#include <optional>

#include "wyvern/geometry/proximity/shape_distance.h"

namespace wyvern::geometry::internal {

/** Contact points of one pair of shapes, in the world. */
template <typename T>
struct ContactManifold {
  static constexpr int kMaxPoints = 8;
  /** Points less than this apart count, [m]; 0 for those that overlap. */
  double reach{0};
  int size{0};
  /** Unit direction from B to A, in the world, along which a search found the
  pair to be apart. */
  std::optional<Eigen::Vector3d> gap_W;
  std::array<ShapeDistance<T>, kMaxPoints> points;

  /** Adds a point if it is within reach, and there is room. */
  void AddIfNear(const ShapeDistance<T>& point) {
    if (point.distance < reach && size < kMaxPoints) points[size++] = point;
  }
};

/** The points where two overlapping shapes push against each other, all with
negative distance; or with a reach, where they would if they came nearer by up
to that. None if they are farther apart. See ProximityEngine.
@throws std::logic_error as CalcShapeDistance(). */
template <typename T>
void CalcContactManifold(const CollisionShape& A,
                         const math::RigidTransform<T>& X_WA,
                         const CollisionShape& B,
                         const math::RigidTransform<T>& X_WB,
                         ContactManifold<T>* manifold);

}  // namespace wyvern::geometry::internal
