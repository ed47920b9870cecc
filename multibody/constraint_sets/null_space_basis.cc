#include "wyvern/multibody/constraint_sets/null_space_basis.h"

#include <cmath>
#include <utility>

#include "wyvern/multibody/step/rows/add_columns.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* With velocities sorted into pivots b and free ones n, and rows into those
that are independent,
  G = lower [U N_n],   U unit upper triangular,
entries of U and N_n at most 1: elimination of Gᵀ with row interchanges. Then
  x_p = [U⁻¹ lower⁻¹ gamma; 0],   W = -U⁻¹ N_n,   Z = [W; 1],
  ZᵀH = H_n + Wᵀ H_b,   ZᵀHZ = (ZᵀH)_n + (ZᵀH)_b W,
and Gᵀ lambda = f of its rows b: lambda = lower⁻ᵀ U⁻ᵀ f_b. What a row has left
is g Z for the Z of the rows before it; it is the shorter, by no more than the
norm of Z, the nearer the row is to their span. */

namespace wyvern::multibody::internal {

template <typename T>
NullSpaceBasis<T>::NullSpaceBasis(int nv, int nc)
    : N_(MatrixX<T>::Zero(nv, nc)),
      lower_(MatrixX<T>::Zero(nc, nc)),
      upper_(MatrixX<T>::Zero(nc, nc)),
      Wt_(MatrixX<T>::Zero(nv, nc)),
      ZtH_(MatrixX<T>::Zero(nv, nv)),
      weights_(VectorX<T>::Zero(nv)),
      left_(VectorX<T>::Zero(nc)),
      sizes_(VectorX<double>::Zero(nv)),
      lengths2_(nc) {
  rows_.reserve(nc);
  pivots_.reserve(nc);
  free_.reserve(nv);
  is_pivot_.reserve(nv);
  dependent_rows_.reserve(nc);
}

// The place of the largest entry of a column of N; -1 if it is too short.
template <typename T>
int NullSpaceBasis<T>::FindPivot(int row, double smallest2) {
  const int nv = num_velocities();
  for (int i = 0; i < nv; ++i) sizes_[i] = ToDouble(N_(i, row));
  if (!(sizes_.squaredNorm() > smallest2)) return -1;
  const double largest = sizes_.cwiseAbs().maxCoeff();
  int pivot = 0;
  while (std::abs(sizes_[pivot]) != largest) ++pivot;
  return pivot;
}

template <typename T>
void NullSpaceBasis<T>::Factorize(const Eigen::Ref<const MatrixX<T>>& G,
                                  double rank_tolerance) {
  const int nv = num_velocities();
  const int nc = static_cast<int>(G.rows());
  N_ = G.transpose();
  rows_.clear();
  pivots_.clear();
  dependent_rows_.clear();
  for (int r = 0; r < nc; ++r) {
    lengths2_[r] = ToDouble(T(N_.col(r).squaredNorm()));
  }
  for (int r = 0; r < nc; ++r) {
    const int pivot = FindPivot(r, rank_tolerance * lengths2_[r]);
    if (pivot < 0) {
      dependent_rows_.push_back(r);
      continue;
    }
    const int k = static_cast<int>(rows_.size());
    T* const from = &N_(0, r);
    lower_(r, k) = from[pivot];
    const T inverse = 1.0 / from[pivot];
    for (int i = 0; i < nv; ++i) from[i] *= inverse;
    for (int below = r + 1; below < nc; ++below) {
      T* const to = &N_(0, below);
      const T weight = to[pivot];
      lower_(below, k) = weight;
      if (IsZero(weight)) continue;
      for (int i = 0; i < nv; ++i) to[i] -= weight * from[i];
      to[pivot] = 0;
    }
    rows_.push_back(r);
    pivots_.push_back(pivot);
  }
  rank_ = static_cast<int>(rows_.size());
  FindBasis();
}

// Finds the free velocities, U and W.
template <typename T>
void NullSpaceBasis<T>::FindBasis() {
  const int nv = num_velocities();
  is_pivot_.assign(nv, 0);
  for (int pivot : pivots_) is_pivot_[pivot] = 1;
  free_.clear();
  for (int i = 0; i < nv; ++i) {
    if (!is_pivot_[i]) free_.push_back(i);
  }
  const int nz = num_free();
  for (int k = rank_ - 1; k >= 0; --k) {
    const T* const row = &N_(0, rows_[k]);
    for (int j = k + 1; j < rank_; ++j) upper_(j, k) = row[pivots_[j]];
    T* const to = &Wt_(0, k);
    for (int i = 0; i < nz; ++i) to[i] = -row[free_[i]];
    if (k + 1 == rank_) continue;
    AddColumns<-1, T>(&Wt_(0, k + 1), nv, &upper_(k + 1, k), 1, rank_ - k - 1,
                      nz, to);
  }
}

template <typename T>
void NullSpaceBasis<T>::SolveParticular(
    const Eigen::Ref<const VectorX<T>>& gamma, Eigen::Ref<VectorX<T>> x_p) {
  // left_ = gamma - L y for the y found so far, in all rows.
  const int nc = static_cast<int>(gamma.size());
  left_.head(nc) = gamma;
  auto y = weights_.head(rank_);
  for (int k = 0; k < rank_; ++k) {
    const int row = rows_[k];
    y[k] = left_[row] * (1.0 / lower_(row, k));
    for (int r = row + 1; r < nc; ++r) left_[r] -= lower_(r, k) * y[k];
  }
  x_p.setZero();
  for (int k = rank_ - 1; k >= 0; --k) {
    const int n = rank_ - 1 - k;
    y[k] -= upper_.col(k).segment(k + 1, n).dot(y.tail(n));
    x_p[pivots_[k]] = y[k];
  }
}

template <typename T>
void NullSpaceBasis<T>::ReduceMatrix(const Eigen::Ref<const MatrixX<T>>& H,
                                     Eigen::Ref<MatrixX<T>> Z_H_Z) {
  const int nv = num_velocities();
  const int nz = num_free();
  // Entries [first, nz) of column `v` of Z'H.
  const auto fill = [&](int v, int first, T* to) {
    const T* const column = H.data() + v * H.outerStride();
    for (int i = first; i < nz; ++i) to[i] = column[free_[i]];
    for (int j = 0; j < rank_; ++j) weights_[j] = column[pivots_[j]];
    AddColumns<1, T>(Wt_.data() + first, nv, weights_.data(), 1, rank_,
                     nz - first, to + first);
  };
  if (nz == 0) return;
  for (int j = 0; j < rank_; ++j) fill(pivots_[j], 0, &ZtH_(0, j));
  for (int k = 0; k < nz; ++k) {
    fill(free_[k], k, &Z_H_Z(0, k));
    AddColumns<1, T>(ZtH_.data() + k, nv, Wt_.data() + k, nv, rank_, nz - k,
                     &Z_H_Z(k, k));
  }
}

template <typename T>
void NullSpaceBasis<T>::ReduceVector(const Eigen::Ref<const VectorX<T>>& f,
                                     Eigen::Ref<VectorX<T>> Z_f) const {
  const int nz = num_free();
  for (int i = 0; i < nz; ++i) Z_f[i] = f[free_[i]];
  for (int j = 0; j < rank_; ++j) {
    const T f_j = f[pivots_[j]];
    const T* const column = Wt_.data() + j * Wt_.rows();
    for (int i = 0; i < nz; ++i) Z_f[i] += column[i] * f_j;
  }
}

template <typename T>
void NullSpaceBasis<T>::AddExpanded(const Eigen::Ref<const VectorX<T>>& u,
                                    Eigen::Ref<VectorX<T>> x) const {
  const int nz = num_free();
  for (int i = 0; i < nz; ++i) x[free_[i]] += u[i];
  for (int j = 0; j < rank_; ++j) {
    const T* const column = Wt_.data() + j * Wt_.rows();
    T sum = 0;
    for (int i = 0; i < nz; ++i) sum += column[i] * u[i];
    x[pivots_[j]] += sum;
  }
}

template <typename T>
void NullSpaceBasis<T>::SolveMultipliers(const Eigen::Ref<const VectorX<T>>& f,
                                         Eigen::Ref<VectorX<T>> lambda) const {
  for (int k = 0; k < rank_; ++k) lambda[k] = f[pivots_[k]];
  for (int k = 0; k < rank_; ++k) {
    for (int j = k + 1; j < rank_; ++j) lambda[j] -= upper_(j, k) * lambda[k];
  }
  for (int k = rank_ - 1; k >= 0; --k) {
    const int n = rank_ - 1 - k;
    const auto below = lambda.segment(k + 1, n);
    lambda[k] -= lower_.col(k).segment(k + 1, n).dot(below);
    lambda[k] *= 1.0 / lower_(k, k);
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::NullSpaceBasis);

}  // namespace wyvern::multibody::internal
