#pragma once

#include <limits>

#include "wyvern/geometry/proximity/collision_shape.h"

namespace wyvern::multibody::internal {

/** Returns the smallest side of a shape's bounding box along the shape's own
axes, [m]; infinite for a half space. */
inline double CalcSmallestExtent(const geometry::Shape& shape) {
  const auto collision_shape = geometry::internal::MakeCollisionShape(shape);
  if (collision_shape.kind == geometry::internal::ShapeKind::kHalfSpace) {
    return std::numeric_limits<double>::infinity();
  }
  const auto box = geometry::internal::CalcWorldAabb(collision_shape, {});
  return (box.upper - box.lower).minCoeff();
}

}  // namespace wyvern::multibody::internal
