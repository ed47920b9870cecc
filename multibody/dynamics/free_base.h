#pragma once

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::dynamics {

/** Whether a node is a floating base, whose screws about its own origin are
(e_k, 0), (0, e_k) with e_k the orthonormal axes of its inboard frame F: its
tree's first six velocities. */
inline bool IsFreeBase(const Model::Node& node) {
  return node.nv == 6 && node.parent == 0 && !node.is_reversed &&
         TraitsOf(node.type).rotates_freely;
}

/** H v of a free base's screws H, a column of six after another. */
template <typename T>
EIGEN_STRONG_INLINE void FreeBaseTimes(const T* H, const T* v,
                                       Vector6<T>* result) {
  for (int i = 0; i < 3; ++i) {
    (*result)[i] = H[i] * v[0] + H[6 + i] * v[1] + H[12 + i] * v[2];
    (*result)[3 + i] = H[i] * v[3] + H[6 + i] * v[4] + H[12 + i] * v[5];
  }
}

/** HᵀF of the same. */
template <typename T>
EIGEN_STRONG_INLINE void FreeBaseTransposeTimes(const T* H, const Vector6<T>& F,
                                                T* result) {
  for (int k = 0; k < 3; ++k) {
    const T* const e = H + 6 * k;
    result[k] = e[0] * F[0] + e[1] * F[1] + e[2] * F[2];
    result[3 + k] = e[0] * F[3] + e[1] * F[4] + e[2] * F[5];
  }
}

}  // namespace wyvern::multibody::dynamics
