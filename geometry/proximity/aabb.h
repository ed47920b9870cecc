#pragma once

#include <Eigen/Core>

namespace wyvern::geometry::internal {

/** A box along the axes of a frame, by its corners, meter. */
struct Aabb {
  Eigen::Vector3d lower{Eigen::Vector3d::Zero()};
  Eigen::Vector3d upper{Eigen::Vector3d::Zero()};

  Eigen::Vector3d centre() const { return 0.5 * (lower + upper); }
  /** Returns the surface area, [m²]. */
  double area() const {
    const Eigen::Vector3d d = upper - lower;
    return 2 * (d[0] * d[1] + d[1] * d[2] + d[2] * d[0]);
  }
  /** How far it goes along a direction: the most that p . direction is. */
  double CalcReach(const Eigen::Vector3d& direction) const {
    return 0.5 * (direction.dot(lower + upper) +
                  direction.cwiseAbs().dot(upper - lower));
  }
  void Include(const Aabb& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }
};

/** True if they have a point in common; touching counts. */
inline bool Overlap(const Aabb& a, const Aabb& b) {
  return a.lower[0] <= b.upper[0] && b.lower[0] <= a.upper[0] &&
         a.lower[1] <= b.upper[1] && b.lower[1] <= a.upper[1] &&
         a.lower[2] <= b.upper[2] && b.lower[2] <= a.upper[2];
}

}  // namespace wyvern::geometry::internal
