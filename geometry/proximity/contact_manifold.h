#pragma once

#include <array>

#include "wyvern/geometry/proximity/shape_distance.h"

namespace wyvern::geometry::internal {

/** Contact points of one pair of shapes, in the world. */
template <typename T>
struct ContactManifold {
  static constexpr int kMaxPoints = 8;
  int size{0};
  std::array<ShapeDistance<T>, kMaxPoints> points;

  /** Adds a point if it is inside of both shapes, and there is room. */
  void AddIfDeep(const ShapeDistance<T>& point) {
    if (point.distance < 0 && size < kMaxPoints) points[size++] = point;
  }
};

/** The points, all with negative distance, where two overlapping shapes push
against each other; none if they do not overlap. See ProximityEngine.
@throws std::logic_error as CalcShapeDistance(). */
template <typename T>
void CalcContactManifold(const CollisionShape& A,
                         const math::RigidTransform<T>& X_WA,
                         const CollisionShape& B,
                         const math::RigidTransform<T>& X_WB,
                         ContactManifold<T>* manifold);

}  // namespace wyvern::geometry::internal
