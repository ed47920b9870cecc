#pragma once

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry {

/** The signed distance from a geometry G to a point Q, negative inside of G,
with the point N of G's surface nearest to Q.

@tparam T double or AutoDiffXd. */
template <typename T>
struct SignedDistanceToPoint {
  SignedDistanceToPoint() = default;
  /** Takes the values of the fields. */
  SignedDistanceToPoint(GeometryId id_G_in, const Vector3<T>& p_GN_in,
                        T distance_in, const Vector3<T>& grad_W_in)
      : id_G(id_G_in),
        p_GN(p_GN_in),
        distance(distance_in),
        grad_W(grad_W_in) {}

  /** Id of G. */
  GeometryId id_G;
  /** The nearest point of the surface, in G, meter. */
  Vector3<T> p_GN{Vector3<T>::Zero()};
  /** Meter. */
  T distance{0};
  /** The gradient of the distance at Q, a unit vector. Where it is not unique,
  as in the centre of a sphere, it is one of the possible ones. */
  Vector3<T> grad_W{Vector3<T>::Zero()};
};

}  // namespace wyvern::geometry
