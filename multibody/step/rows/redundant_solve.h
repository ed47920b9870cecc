#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Thrown for a row that cannot be computed with; whoever knows what the row is
catches it and says so. */
class RowError final : public std::runtime_error {
 public:
  /** `what` is the message, without a name of the row. */
  RowError(int row, const std::string& what)
      : std::runtime_error(what), row_(row) {}
  /** Number of the row. */
  int row() const { return row_; }

 private:
  int row_{};
};

/** Solves A x = b for a symmetric positive semidefinite A, such as G M⁻¹ Gᵀ of
constraints G v̇ = gamma some of which repeat others. Works in unit-free rows,
scaled by s_i = sqrt(A_ii).

A row is dependent if what it has beyond the rows kept before it is, squared, at
most `rank_tolerance` of its own. Rows are kept in order, but for one that would
be a pivot a thousand times less than the best left. */
template <typename T>
class RedundantSolve {
 public:
  /** Default tolerance of Factorize(). */
  static constexpr double kRankTolerance = 1e-11;
  /** Default tolerance of FindInconsistentRows(). */
  static constexpr double kConsistencyTolerance = 1e-8;

  RedundantSolve() = default;
  /** Allocates for `max_size` rows. */
  explicit RedundantSolve(int max_size) { Reserve(max_size); }

  /** Allocates; up to this size, nothing below does. */
  void Reserve(int max_size);

  /** Factorizes A, of which the lower triangle is read.
  @throws RowError if A is not finite or is not semidefinite. */
  void Factorize(const Eigen::Ref<const MatrixX<T>>& A,
                 double rank_tolerance = kRankTolerance);

  /** Number of rows of A. */
  int size() const { return size_; }
  /** Number of independent rows. */
  int rank() const { return rank_; }
  /** True if a row depends on others. */
  bool is_redundant() const { return rank_ < size_; }
  /** The rows that the others make up, and the others; both in increasing
  order. */
  std::span<const int> dependent_rows() const {
    return {rows_.data() + rank_, static_cast<size_t>(size_ - rank_)};
  }
  /** Returns the rows that are kept, in increasing order. */
  std::span<const int> independent_rows() const {
    return {rows_.data(), static_cast<size_t>(rank_)};
  }

  /** Returns the least pivot: the part of A_ii, for an independent row i, that
  the rows kept before it do not explain, relative to scales[i] > 0. Infinite if
  the rank is 0. */
  double CalcLeastPivot(std::span<const double> scales) const;

  /** The x that leaves the least |S⁻¹ (b - A x)| and, of those, has the least
  |S x|: rows that repeat one another share alike. It is the solution if A has
  full rank. x may be b.
  @throws RowError if b is not finite. */
  void Solve(const Eigen::Ref<const VectorX<T>>& b,
             Eigen::Ref<VectorX<T>> x) const;

  /** Returns the rows of a redundant A, in increasing order, by which b is out
  of the range of A. These are the rows where |b - A x|_i / s_i is more than the
  largest max(tolerance |b_j|, allowance) / s_j. Empty if A has full rank. Valid
  until the next call.
  @param x From Solve(b).
  @param allowance How far b may be out of the range anyhow, in the units of b.
  @param tolerance How far relative to b. */
  std::span<const int> FindInconsistentRows(
      const Eigen::Ref<const VectorX<T>>& b,
      const Eigen::Ref<const VectorX<T>>& x, double allowance = 0,
      double tolerance = kConsistencyTolerance) const;

 private:
  void Scale(const Eigen::Ref<const MatrixX<T>>& A);
  bool ChoosePivot(int k, double rank_tolerance);
  void FactorColumn(const Eigen::Ref<const MatrixX<T>>& A, int k);
  void FactorGram();
  void SortRows();

  int size_{0};
  int rank_{0};
  bool is_in_order_{};  // Whether no row was put off.
  MatrixX<T> L_;        // P S⁻¹ A S⁻¹ P' = L L', size x rank.
  MatrixX<T> gram_;     // L'L = gram gram', of a redundant A.
  VectorX<T> inverse_;  // 1 / s, by row.
  VectorX<T> left_;     // By permuted row: the diagonal not yet explained.
  std::vector<int> permutation_;
  std::vector<int> rows_;  // Independent ones, then dependent ones.
  mutable VectorX<T> scratch_;
  mutable VectorX<T> rank_scratch_;
  mutable std::vector<int> found_;
};

}  // namespace wyvern::multibody::internal
