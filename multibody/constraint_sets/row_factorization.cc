#include "wyvern/multibody/constraint_sets/row_factorization.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wyvern/multibody/step/rows/redundant_solve.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* With the rows scaled to unit length by S and sorted by P,
  (P S⁻¹ Y)ᵀ = Q [ R11  R12 ]
                 [  0   R22 ],   |R22| <= tolerance by column,
by Householder reflections. Let T = [R11 R12] and q = Qᵀ z. Then
  Tᵀ y = P S⁻¹ gamma,   T l = y - q1,   w = Q [y; q2 + R22 l2],   lambda = S⁻¹
Pᵀ l. A redundant T gets its own factorization, Tᵀ = Q2 [U; 0]. Then y = U⁻¹
(Q2ᵀ b)_1 is the least-squares solution, and l = Q2 [U⁻ᵀ (y - q1); 0] has the
least norm. The result w includes R22 l2, so that w = z + Yᵀ lambda holds for
any R22. */

namespace wyvern::multibody {
namespace {

// A row is deferred if its distance from the span is at most this share of the
// largest distance.
constexpr double kPutOffRatio = 1.0 / 30;

// Computes the reflector that takes column k of A, from row k on, to a multiple
// of the first axis. The reflector replaces the column, and `diagonal` gets the
// multiple.
template <typename T>
void MakeReflector(int k, MatrixX<T>* A, VectorX<T>* factors,
                   VectorX<T>* diagonal) {
  using std::abs;
  using std::sqrt;
  auto v = A->col(k).tail(A->rows() - k);
  const T length = sqrt(v.squaredNorm());
  const bool is_negative = v[0] < 0;
  (*factors)[k] = 1.0 / (length * (length + abs(v[0])));
  (*diagonal)[k] = is_negative ? length : T(-length);
  v[0] -= (*diagonal)[k];
}

template <typename T, typename Vector>
void ApplyReflector(const MatrixX<T>& A, const VectorX<T>& factors, int k,
                    Vector&& x) {
  const Eigen::Index n = A.rows() - k;
  const auto v = A.col(k).tail(n);
  auto tail = x.tail(n);
  const T weight = factors[k] * v.dot(tail);
  tail -= weight * v;
}

}  // namespace

template <typename T>
RowFactorization<T>::RowFactorization(int nv, int nc)
    : A_(MatrixX<T>::Zero(nv, nc)),
      B_(MatrixX<T>::Zero(nc, std::min(nv, nc))),
      factors_A_(VectorX<T>::Zero(nc)),
      factors_B_(VectorX<T>::Zero(nc)),
      diagonal_A_(VectorX<T>::Zero(nc)),
      diagonal_B_(VectorX<T>::Zero(nc)),
      inverse_(VectorX<T>::Ones(nc)),
      q_(VectorX<T>::Zero(nv)),
      b_(VectorX<T>::Zero(nc)),
      y_(VectorX<T>::Zero(nc)),
      lambda_(VectorX<T>::Zero(nc)),
      missed_(VectorX<double>::Zero(nc)),
      permutation_(nc),
      rows_(nc) {}

// Returns the distance of a unit row from the span of the first `from` kept
// rows.
template <typename T>
T RowFactorization<T>::CalcLeft(int column, int from) const {
  using std::sqrt;
  return sqrt(A_.col(column).tail(num_velocities() - from).squaredNorm());
}

// Returns whether there is a k-th row to keep; if so, moves it to place k.
template <typename T>
bool RowFactorization<T>::ChoosePivot(int k, double rank_tolerance) {
  if (ToDouble(CalcLeft(k, k)) >= kPutOffRatio) return true;
  double best = 0;
  for (int i = k; i < size(); ++i) {
    best = std::max(best, ToDouble(CalcLeft(i, k)));
  }
  if (!(best > rank_tolerance)) return false;
  const double enough = std::max(kPutOffRatio * best, rank_tolerance);
  int i = k;
  while (!(ToDouble(CalcLeft(i, k)) >= enough)) ++i;
  // The deferred rows stay in order behind it.
  for (; i > k; --i) {
    std::swap(permutation_[i], permutation_[i - 1]);
    A_.col(i).swap(A_.col(i - 1));
  }
  return true;
}

template <typename T>
void RowFactorization<T>::Factorize(const Eigen::Ref<const MatrixX<T>>& Y,
                                    double rank_tolerance) {
  using std::sqrt;
  for (int r = 0; r < size(); ++r) {
    const T length2 = Y.row(r).squaredNorm();
    inverse_[r] = length2 > 0 ? T(1.0 / sqrt(length2)) : T(1);
    A_.col(r) = inverse_[r] * Y.row(r).transpose();
    permutation_[r] = r;
  }
  rank_ = 0;
  const int most = std::min(num_velocities(), size());
  while (rank_ < most && ChoosePivot(rank_, rank_tolerance)) {
    const int k = rank_++;
    MakeReflector<T>(k, &A_, &factors_A_, &diagonal_A_);
    for (int j = k + 1; j < size(); ++j) {
      ApplyReflector<T>(A_, factors_A_, k, A_.col(j));
    }
  }
  if (is_redundant()) FactorSpan();
  std::copy(permutation_.begin(), permutation_.end(), rows_.begin());
  std::sort(rows_.begin(), rows_.begin() + rank_);
  std::sort(rows_.begin() + rank_, rows_.end());
}

// Factorizes Tᵀ = Q2 U.
template <typename T>
void RowFactorization<T>::FactorSpan() {
  for (int k = 0; k < rank_; ++k) {
    B_.col(k).head(k).setZero();
    B_(k, k) = diagonal_A_[k];
    for (int j = k + 1; j < size(); ++j) B_(j, k) = A_(k, j);
  }
  for (int k = 0; k < rank_; ++k) {
    MakeReflector<T>(k, &B_, &factors_B_, &diagonal_B_);
    for (int j = k + 1; j < rank_; ++j) {
      ApplyReflector<T>(B_, factors_B_, k, B_.col(j));
    }
  }
}

// Solves Tᵀ y = b for y.
template <typename T>
void RowFactorization<T>::SolveDemands() {
  if (!is_redundant()) {
    for (int k = 0; k < rank_; ++k) {
      T sum = b_[k];
      for (int j = 0; j < k; ++j) sum -= A_(j, k) * y_[j];
      y_[k] = sum / diagonal_A_[k];
    }
    return;
  }
  lambda_ = b_;
  for (int k = 0; k < rank_; ++k) {
    ApplyReflector<T>(B_, factors_B_, k, lambda_);
  }
  for (int k = rank_ - 1; k >= 0; --k) {
    T sum = lambda_[k];
    for (int j = k + 1; j < rank_; ++j) sum -= B_(k, j) * y_[j];
    y_[k] = sum / diagonal_B_[k];
  }
  for (int i = 0; i < size(); ++i) {
    T left = b_[i];
    for (int k = 0; k < std::min(i, rank_); ++k) left -= A_(k, i) * y_[k];
    if (i < rank_) left -= diagonal_A_[i] * y_[i];
    missed_[permutation_[i]] = std::abs(ToDouble(left));
  }
}

// Solves T l = y - q1 for the least l, by permuted row.
template <typename T>
void RowFactorization<T>::SolveLeastMultipliers() {
  lambda_.head(rank_) = y_.head(rank_) - q_.head(rank_);
  if (!is_redundant()) {
    for (int k = rank_ - 1; k >= 0; --k) {
      T sum = lambda_[k];
      for (int j = k + 1; j < rank_; ++j) sum -= A_(k, j) * lambda_[j];
      lambda_[k] = sum / diagonal_A_[k];
    }
    return;
  }
  for (int k = 0; k < rank_; ++k) {
    T sum = lambda_[k];
    for (int j = 0; j < k; ++j) sum -= B_(j, k) * lambda_[j];
    lambda_[k] = sum / diagonal_B_[k];
  }
  lambda_.tail(size() - rank_).setZero();
  for (int k = rank_ - 1; k >= 0; --k) {
    ApplyReflector<T>(B_, factors_B_, k, lambda_);
  }
}

template <typename T>
void RowFactorization<T>::Solve(const Eigen::Ref<const VectorX<T>>& z,
                                const Eigen::Ref<const VectorX<T>>& gamma,
                                Eigen::Ref<VectorX<T>> w,
                                Eigen::Ref<VectorX<T>> lambda) {
  for (int i = 0; i < size(); ++i) {
    const int row = permutation_[i];
    b_[i] = gamma[row] * inverse_[row];
    if (!std::isfinite(ToDouble(b_[i]))) {
      throw internal::RowError(
          row, fmt::format("RowFactorization::Solve(): entry {} of gamma is "
                           "{}; it must be finite.",
                           row, ToDouble(gamma[row])));
    }
  }
  q_ = z;
  for (int k = 0; k < rank_; ++k) ApplyReflector<T>(A_, factors_A_, k, q_);
  SolveDemands();
  SolveLeastMultipliers();
  q_.head(rank_) = y_.head(rank_);
  for (int j = rank_; j < size(); ++j) {
    const int n = num_velocities() - rank_;
    q_.tail(n) += A_.col(j).tail(n) * lambda_[j];
  }
  for (int k = rank_ - 1; k >= 0; --k) {
    ApplyReflector<T>(A_, factors_A_, k, q_);
  }
  w = q_;
  for (int i = 0; i < size(); ++i) {
    const int row = permutation_[i];
    lambda[row] = lambda_[i] * inverse_[row];
  }
}

template <typename T>
void RowFactorization<T>::FindInconsistentRows(
    const Eigen::Ref<const MatrixX<T>>& Y,
    const Eigen::Ref<const VectorX<T>>& z, const VectorX<double>& sizes,
    double tolerance, std::vector<int>* rows) const {
  rows->clear();
  if (!is_redundant()) return;
  double largest = 0;
  for (int i = 0; i < size(); ++i) {
    const int row = permutation_[i];
    const double inverse = ToDouble(inverse_[row]);
    double size = 0;
    for (int k = 0; k < z.size(); ++k) {
      size += std::abs(ToDouble(Y(row, k)) * ToDouble(z[k]));
    }
    largest = std::max({largest, inverse * size, inverse * sizes[row],
                        std::abs(ToDouble(b_[i]))});
  }
  for (int row = 0; row < size(); ++row) {
    if (missed_[row] > tolerance * largest) rows->push_back(row);
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RowFactorization);

}  // namespace wyvern::multibody
