#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"

namespace wyvern::multibody::dynamics {

/** Whether a > b. Of expressions, whose comparison is a formula, unless it is
known to be false. */
template <typename T>
inline bool IsAbove(const T& a, const T& b) {
  if constexpr (std::is_convertible_v<decltype(a > b), bool>) {
    return a > b;
  } else {
    return !is_false(a > b);
  }
}

/** Inverts a small symmetric positive definite D by D = L Lᵀ. `scale` is the
size of what each diagonal entry was summed from. False if a pivot is not above
rounding of it, which a pivot that is not finite is not either. */
template <typename T, int nv>
inline bool InvertPivotBlock(const NodeMatrix<T, nv, nv>& D,
                             const NodeVector<T, nv>& scale,
                             NodeMatrix<T, nv, nv>* inverse) {
  using std::sqrt;
  constexpr double kTolerance = 8 * std::numeric_limits<double>::epsilon();
  if constexpr (nv == 1) {
    if (!IsAbove<T>(D(0, 0), kTolerance * scale[0])) return false;
    (*inverse)(0, 0) = 1.0 / D(0, 0);
    return true;
  } else {
    // K = L⁻¹ row by row, each from those above; D⁻¹ = Kᵀ K.
    const int n = static_cast<int>(D.rows());
    NodeMatrix<T, nv, nv> L = D;
    NodeMatrix<T, nv, nv> K = NodeMatrix<T, nv, nv>::Identity(n, n);
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < j; ++k) {
        for (int i = j; i < n; ++i) L(i, j) -= L(i, k) * L(j, k);
      }
      if (!IsAbove<T>(L(j, j), kTolerance * scale[j])) return false;
      const T r = 1.0 / sqrt(L(j, j));
      for (int i = j; i < n; ++i) L(i, j) *= r;
      for (int k = 0; k < j; ++k) {
        for (int c = 0; c <= k; ++c) K(j, c) -= L(j, k) * K(k, c);
      }
      for (int c = 0; c <= j; ++c) K(j, c) *= r;
    }
    inverse->noalias() = K.transpose() * K;
    return true;
  }
}

}  // namespace wyvern::multibody::dynamics
