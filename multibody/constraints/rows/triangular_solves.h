#pragma once

#include <cmath>
#include <type_traits>

#include "wyvern/multibody/constraints/rows/add_columns.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
Cholesky factorization and solutions with its factor, for every scalar: Eigen's
triangular solvers pass over entries of value 0, and with them their
derivatives. */

namespace wyvern::multibody::engine {

/** A = L Lᵀ, with L in place of A's lower triangle; the upper one stays. False
if A is not definite. */
template <typename T>
bool FactorizeLower(Eigen::Ref<MatrixX<T>> A) {
  using std::sqrt;
  const int n = static_cast<int>(A.rows());
  const Eigen::Index ld = A.outerStride();
  for (int k = 0; k < n; ++k) {
    T* const column = &A(k, k);
    AddColumns<-1, T>(&A(k, 0), ld, &A(k, 0), ld, k, n - k, column);
    if (!(column[0] > 0)) return false;
    const T inverse = 1.0 / sqrt(column[0]);
    for (int i = 0; i < n - k; ++i) column[i] *= inverse;
  }
  return true;
}

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
