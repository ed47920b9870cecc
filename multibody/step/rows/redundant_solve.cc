#include "wyvern/multibody/step/rows/redundant_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/step/rows/add_columns.h"
#include "wyvern/multibody/step/rows/triangular_solves.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* With S = diag(sqrt(A_ii)), a Cholesky factorization that stops at the rank r,
  P S⁻¹ A S⁻¹ Pᵀ = L Lᵀ,   L n x r with rows of unit length.
The pivot of a row is the squared distance of that row of G from the span of
those before it, in the metric of M⁻¹, over its squared length. L has full
column rank, so that (L Lᵀ)⁺ = L (LᵀL)⁻¹ (LᵀL)⁻¹ Lᵀ. */

namespace wyvern::multibody::internal {
namespace {

// A pivot this much smaller than the best is put off.
constexpr double kPivotRatio = 1e-3;
// Rounding may leave a pivot of a unit diagonal this far below 0.
constexpr double kRounding = 1e-6;

[[noreturn]] void ThrowNotSemidefinite(int row) {
  throw RowError(row, fmt::format("RedundantSolve::Factorize(): row {} has an "
                                  "entry that is not finite, or larger than a "
                                  "semidefinite A can have.",
                                  row));
}

}  // namespace

template <typename T>
void RedundantSolve<T>::Reserve(int max_size) {
  L_.resize(max_size, max_size);
  gram_.resize(max_size, max_size);
  inverse_.resize(max_size);
  left_.resize(max_size);
  scratch_.resize(max_size);
  rank_scratch_.resize(max_size);
  permutation_.resize(max_size);
  rows_.resize(max_size);
  found_.reserve(max_size);
  size_ = 0;
  rank_ = 0;
}

template <typename T>
void RedundantSolve<T>::Scale(const Eigen::Ref<const MatrixX<T>>& A) {
  using std::isfinite;
  using std::sqrt;
  for (int i = 0; i < size_; ++i) {
    const double a = ToDouble(A(i, i));
    if (!isfinite(a) || a < 0) {
      throw RowError(
          i, fmt::format("RedundantSolve::Factorize(): entry {0} of the "
                         "diagonal is {1}; A is to be finite and positive "
                         "semidefinite.",
                         i, a));
    }
    inverse_[i] = a > 0 ? T(1 / sqrt(A(i, i))) : T(1);
    left_[i] = a > 0 ? 1 : 0;
    permutation_[i] = i;
  }
  is_in_order_ = true;
}

// Moves the k-th pivot to place k. Returns false if all that is left is below
// the tolerance.
template <typename T>
bool RedundantSolve<T>::ChoosePivot(int k, double rank_tolerance) {
  if (ToDouble(left_[k]) >= std::max(kPivotRatio, rank_tolerance)) return true;
  double best = 0;
  for (int i = k; i < size_; ++i) best = std::max(best, ToDouble(left_[i]));
  if (!(best > rank_tolerance)) return false;
  const double enough = std::max(kPivotRatio * best, rank_tolerance);
  int i = k;
  while (!(ToDouble(left_[i]) >= enough)) ++i;
  is_in_order_ = is_in_order_ && i == k;
  // The rows that were put off stay in order behind it.
  for (; i > k; --i) {
    std::swap(permutation_[i], permutation_[i - 1]);
    std::swap(left_[i], left_[i - 1]);
    for (int c = 0; c < k; ++c) std::swap(L_(i, c), L_(i - 1, c));
  }
  return true;
}

template <typename T>
void RedundantSolve<T>::FactorColumn(const Eigen::Ref<const MatrixX<T>>& A,
                                     int k) {
  using std::sqrt;
  const int pivot_row = permutation_[k];
  const int below = size_ - k;
  T* const column = &L_(k, k);
  if (is_in_order_) {
    const T* const a = &A.coeffRef(k, k);
    for (int i = 0; i < below; ++i) {
      column[i] = a[i] * (inverse_[k + i] * inverse_[k]);
    }
  } else {
    for (int i = 0; i < below; ++i) {
      const int row = permutation_[k + i];
      column[i] = (row >= pivot_row ? A(row, pivot_row) : A(pivot_row, row)) *
                  (inverse_[row] * inverse_[pivot_row]);
    }
  }
  AddColumns<-1, T>(&L_(k, 0), L_.rows(), &L_(k, 0), L_.rows(), k, below,
                    column);
  // column[0] and left_[k] are the same number, computed in two orders. They
  // differ by more than rounding only if A is not semidefinite.
  if (!(column[0] > 0.25 * left_[k])) ThrowNotSemidefinite(pivot_row);
  const T inverse = 1.0 / sqrt(column[0]);
  T* const left = &left_[k];
  bool is_semidefinite = true;
  for (int i = 0; i < below; ++i) {
    column[i] *= inverse;
    left[i] -= column[i] * column[i];
    is_semidefinite &= left[i] >= -kRounding;  // NaN is not.
  }
  if (is_semidefinite) return;
  int i = 0;
  while (left[i] >= -kRounding) ++i;
  ThrowNotSemidefinite(permutation_[k + i]);
}

template <typename T>
void RedundantSolve<T>::FactorGram() {
  const auto L = L_.topLeftCorner(size_, rank_);
  auto gram = gram_.topLeftCorner(rank_, rank_);
  gram.setZero();
  gram.template selfadjointView<Eigen::Lower>().rankUpdate(L.transpose());
  FactorizeLower<T>(gram);  // Definite, as L has full column rank.
}

template <typename T>
void RedundantSolve<T>::SortRows() {
  std::copy_n(permutation_.begin(), size_, rows_.begin());
  std::sort(rows_.begin(), rows_.begin() + rank_);
  std::sort(rows_.begin() + rank_, rows_.begin() + size_);
}

template <typename T>
void RedundantSolve<T>::Factorize(const Eigen::Ref<const MatrixX<T>>& A,
                                  double rank_tolerance) {
  if (A.rows() != A.cols()) {
    throw std::logic_error(fmt::format(
        "RedundantSolve::Factorize(): A is {} x {}; it is to be square.",
        A.rows(), A.cols()));
  }
  if (A.rows() > L_.rows()) Reserve(static_cast<int>(A.rows()));
  size_ = static_cast<int>(A.rows());
  Scale(A);
  rank_ = 0;
  // L is 0 above the diagonal. ChoosePivot() swaps rows of the columns that are
  // finished, and no others.
  while (rank_ < size_ && ChoosePivot(rank_, rank_tolerance)) {
    L_.col(rank_).head(rank_).setZero();
    FactorColumn(A, rank_++);
  }
  if (is_redundant() && rank_ > 0) FactorGram();
  SortRows();
}

template <typename T>
double RedundantSolve<T>::CalcLeastPivot(std::span<const double> scales) const {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < rank_; ++k) {
    const double root =
        ToDouble(L_(k, k)) / ToDouble(inverse_[permutation_[k]]);
    least = std::min(least, root * root / scales[permutation_[k]]);
  }
  return least;
}

template <typename T>
void RedundantSolve<T>::Solve(const Eigen::Ref<const VectorX<T>>& b,
                              Eigen::Ref<VectorX<T>> x) const {
  using std::isfinite;
  if (b.size() != size_ || x.size() != size_) {
    throw std::logic_error(fmt::format(
        "RedundantSolve::Solve(): b has {} entries and x {}; A has {} rows.",
        b.size(), x.size(), size_));
  }
  auto y = scratch_.head(size_);
  for (int i = 0; i < size_; ++i) {
    const int row = permutation_[i];
    y[i] = b[row] * inverse_[row];
    if (!isfinite(ToDouble(y[i]))) {
      throw RowError(row, fmt::format("RedundantSolve::Solve(): entry {} of b "
                                      "is {}; it is to be finite.",
                                      row, ToDouble(b[row])));
    }
  }
  const auto L = L_.topLeftCorner(size_, rank_);
  if (!is_redundant()) {
    SolveLower<T>(L, y);
    SolveLowerTransposed<T>(L, y);
  } else if (rank_ > 0) {
    auto z = rank_scratch_.head(rank_);
    z.noalias() = L.transpose() * y;
    const auto gram = gram_.topLeftCorner(rank_, rank_);
    for (int times = 0; times < 2; ++times) {
      SolveLower<T>(gram, z);
      SolveLowerTransposed<T>(gram, z);
    }
    y.noalias() = L * z;
  } else {
    y.setZero();
  }
  for (int i = 0; i < size_; ++i) {
    const int row = permutation_[i];
    x[row] = y[i] * inverse_[row];
  }
}

template <typename T>
std::span<const int> RedundantSolve<T>::FindInconsistentRows(
    const Eigen::Ref<const VectorX<T>>& b,
    const Eigen::Ref<const VectorX<T>>& x, double allowance,
    double tolerance) const {
  using std::abs;
  found_.clear();
  if (!is_redundant()) return {};
  auto y = scratch_.head(size_);
  auto z = rank_scratch_.head(rank_);
  double bound = 0;
  for (int i = 0; i < size_; ++i) {
    const int row = permutation_[i];
    y[i] = x[row] / inverse_[row];
    const double of_row =
        std::max(tolerance * abs(ToDouble(b[row])), allowance);
    bound = std::max(bound, of_row * ToDouble(inverse_[row]));
  }
  const auto L = L_.topLeftCorner(size_, rank_);
  z.noalias() = L.transpose() * y;
  y.noalias() = L * z;
  for (int i = 0; i < size_; ++i) {
    const int row = permutation_[i];
    const double residual =
        ToDouble(b[row]) * ToDouble(inverse_[row]) - ToDouble(y[i]);
    if (abs(residual) > bound) found_.push_back(row);
  }
  std::sort(found_.begin(), found_.end());
  return found_;
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::RedundantSolve);

}  // namespace wyvern::multibody::internal
