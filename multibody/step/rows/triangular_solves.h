#pragma once

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/step/rows/add_columns.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
Cholesky factorization and solutions with its factor, for every scalar: Eigen's
triangular solvers pass over entries of value 0, and with them their
derivatives. */

namespace wyvern::multibody::internal {

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

/** L⁻¹ x in place of x, for a lower triangular L. Four columns at a time; the
reciprocals wait for nothing. */
template <typename T>
void SolveLower(const Eigen::Ref<const MatrixX<T>>& L,
                Eigen::Ref<VectorX<T>> x) {
  const int n = static_cast<int>(L.rows());
  const Eigen::Index ld = L.outerStride();
  for (int k = 0; k < n; k += 4) {
    const int end = std::min(k + 4, n);
    for (int j = k; j < end; ++j) {
      x[j] *= 1.0 / L(j, j);
      for (int i = j + 1; i < end; ++i) x[i] -= L(i, j) * x[j];
    }
    if (end == n) return;
    AddColumns<-1, T>(&L.coeffRef(end, k), ld, &x[k], 1, 4, n - end, &x[end]);
  }
}

/** L⁻ᵀ x in place of x. */
template <typename T>
void SolveLowerTransposed(const Eigen::Ref<const MatrixX<T>>& L,
                          Eigen::Ref<VectorX<T>> x) {
  const int n = static_cast<int>(L.rows());
  for (int end = n; end > 0; end -= 4) {
    const int start = std::max(end - 4, 0);
    for (int j = end - 1; j >= start; --j) {
      const T* const column = L.data() + j * L.outerStride();
      T sum = 0;
      for (int i = end; i < n; ++i) sum += column[i] * x[i];
      x[j] -= sum;
    }
    for (int j = end - 1; j >= start; --j) {
      x[j] *= 1.0 / L(j, j);
      for (int i = start; i < j; ++i) x[i] -= L(j, i) * x[j];
    }
  }
}

}  // namespace wyvern::multibody::internal
