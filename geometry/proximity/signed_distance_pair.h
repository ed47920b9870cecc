#pragma once

#include <utility>

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry {

/** The signed distance of two geometries A and B, negative where they overlap,
and a point of each surface that has it: p_WCa - p_WCb = distance * nhat_BA_W.

@tparam T double or AutoDiffXd. */
template <typename T>
struct SignedDistancePair {
  SignedDistancePair() = default;
  /** Takes the values of the fields. */
  SignedDistancePair(GeometryId a, GeometryId b, const Vector3<T>& p_ACa_in,
                     const Vector3<T>& p_BCb_in, const T& dist,
                     const Vector3<T>& nhat_BA_W_in)
      : id_A(a),
        id_B(b),
        p_ACa(p_ACa_in),
        p_BCb(p_BCb_in),
        distance(dist),
        nhat_BA_W(nhat_BA_W_in) {}

  /** Exchanges the roles of A and B. */
  void SwapAAndB() {
    std::swap(id_A, id_B);
    std::swap(p_ACa, p_BCb);
    nhat_BA_W = -nhat_BA_W;
  }

  /** Id of A. */
  GeometryId id_A;
  /** Id of B. */
  GeometryId id_B;
  /** The witness points, each in the frame of its geometry, meter. */
  Vector3<T> p_ACa{Vector3<T>::Zero()};
  /** Witness point on B, in the frame of B, meter. */
  Vector3<T> p_BCb{Vector3<T>::Zero()};
  /** Meter. */
  T distance{0};
  /** Unit vector from B towards A: how the distance grows as A moves. */
  Vector3<T> nhat_BA_W{Vector3<T>::Zero()};
};

}  // namespace wyvern::geometry
