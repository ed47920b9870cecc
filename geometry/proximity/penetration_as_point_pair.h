#pragma once

#include <utility>

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry {

/** Geometries no farther apart than this touch, [m]: it is rounding of their
coordinates, up to a kilometre from the origin. */
inline constexpr double kTouchingDistance = 1e-12;

/** Two overlapping geometries A and B, by a point of the surface of each:
p_WCb - p_WCa = depth * nhat_BA_W. Moving A by that much separates them there.

@tparam T double or AutoDiffXd. */
template <typename T>
struct PenetrationAsPointPair {
  /** Exchanges the roles of A and B. */
  void SwapAAndB() {
    std::swap(id_A, id_B);
    std::swap(p_WCa, p_WCb);
    nhat_BA_W = -nhat_BA_W;
  }

  /** Id of A. */
  GeometryId id_A;
  /** Id of B. */
  GeometryId id_B;
  /** The point of A's surface farthest into B, meter. */
  Vector3<T> p_WCa{Vector3<T>::Zero()};
  /** The point of B's surface farthest into A, meter. */
  Vector3<T> p_WCb{Vector3<T>::Zero()};
  /** Unit normal from B into A. */
  Vector3<T> nhat_BA_W{Vector3<T>::Zero()};
  /** Meter; not negative. */
  T depth{-1};
};

}  // namespace wyvern::geometry
