#pragma once

#include <type_traits>

#include "wyvern/systems/common/eigen_types.h"

/** @file
Eigen's triangular solvers pass over entries of value 0, and with them
their derivatives. */

namespace wyvern::multibody::engine {

/** L⁻¹ x in place of x, for a lower triangular L. */
template <typename T>
void SolveLower(const Eigen::Ref<const MatrixX<T>>& L,
                Eigen::Ref<VectorX<T>> x) {
  if constexpr (std::is_same_v<T, double>) {
    L.template triangularView<Eigen::Lower>().solveInPlace(x);
  } else {
    for (Eigen::Index k = 0; k < L.rows(); ++k) {
      x[k] /= L(k, k);
      for (Eigen::Index i = k + 1; i < L.rows(); ++i) x[i] -= L(i, k) * x[k];
    }
  }
}

/** L⁻ᵀ x in place of x. */
template <typename T>
void SolveLowerTransposed(const Eigen::Ref<const MatrixX<T>>& L,
                          Eigen::Ref<VectorX<T>> x) {
  if constexpr (std::is_same_v<T, double>) {
    L.template triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  } else {
    for (Eigen::Index k = L.rows() - 1; k >= 0; --k) {
      for (Eigen::Index i = k + 1; i < L.rows(); ++i) x[k] -= L(i, k) * x[i];
      x[k] /= L(k, k);
    }
  }
}

}  // namespace wyvern::multibody::engine
