#pragma once

#include <span>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** Rows whose squared distance from the span of the others is at least this
much of their length's are solved by Y Yᵀ or by elimination; all others by a
RowFactorization, which alone decides on rank. */
inline constexpr double kClearDistance2 = 1e-6;

/** Orthogonal factorization of rows Y, nc x nv, for the system

  w = z + Yᵀ lambda,   Y w = gamma,

when rows are redundant or nearly so. It never forms Y Yᵀ, whose rounding hides
angles below 1e-8 rad between rows.

A row is dependent if its distance from the span of the kept rows is at most a
tolerance of its length. Rows are kept in order, except that a row is put
off while another row is 30 times farther from the span. Allocates nothing after
the constructor. */
template <typename T>
class RowFactorization {
 public:
  /** [rad], for multipliers that are forces. A smaller value makes them so
  large that their rounding errors spoil the equation of motion; a larger one
  violates Y w = gamma. */
  static constexpr double kRankTolerance = 3e-9;

  RowFactorization() = default;
  RowFactorization(int num_velocities, int num_rows);

  /** @param Y Of the size given to the constructor, finite. */
  void Factorize(const Eigen::Ref<const MatrixX<T>>& Y,
                 double rank_tolerance = kRankTolerance);

  int rank() const { return rank_; }
  bool is_redundant() const { return rank_ < size(); }
  /** Rows that the kept rows make up; increasing. */
  std::span<const int> dependent_rows() const {
    return {rows_.data() + rank_, static_cast<size_t>(size() - rank_)};
  }
  /** The kept rows; increasing. */
  std::span<const int> independent_rows() const {
    return {rows_.data(), static_cast<size_t>(rank_)};
  }

  /** Solves for w and lambda. If gamma contradicts itself, w is the compromise
  of least squares; of all lambda it returns the least one, both for rows scaled
  to unit length. w = z + Yᵀ lambda holds to rounding, and so does Y w = gamma
  for the kept rows; for a dependent row Y w is off by the tolerance times the
  part of w that it alone sees. w may be z.
  @throws engine::RowError if gamma is not finite. */
  void Solve(const Eigen::Ref<const VectorX<T>>& z,
             const Eigen::Ref<const VectorX<T>>& gamma,
             Eigen::Ref<VectorX<T>> w, Eigen::Ref<VectorX<T>> lambda);
  /** After Solve() of a redundant Y: the rows, increasing, that miss their
  gamma by more than `tolerance` times the largest term of all rows, all per
  length of the row. Terms are gamma, what it is a sum of, and each row's
  products with z.
  @param sizes By row: the size of the terms that gamma is a sum of. */
  void FindInconsistentRows(const Eigen::Ref<const MatrixX<T>>& Y,
                            const Eigen::Ref<const VectorX<T>>& z,
                            const VectorX<double>& sizes, double tolerance,
                            std::vector<int>* rows) const;

 private:
  int size() const { return static_cast<int>(A_.cols()); }
  int num_velocities() const { return static_cast<int>(A_.rows()); }
  T CalcLeft(int column, int from) const;
  bool ChoosePivot(int k, double rank_tolerance);
  void FactorSpan();
  void SolveDemands();
  void SolveLeastMultipliers();

  MatrixX<T> A_;  // Unit rows as columns P; reflectors below R = Qᵀ A.
  MatrixX<T> B_;  // [R11 R12]ᵀ = Q2 U, of redundant rows.
  VectorX<T> factors_A_, factors_B_;  // Of the reflectors.
  VectorX<T> diagonal_A_, diagonal_B_;
  VectorX<T> inverse_;  // 1 / length, by row.
  VectorX<T> q_, b_, y_, lambda_;
  VectorX<double> missed_;
  std::vector<int> permutation_;
  std::vector<int> rows_;  // Independent ones, then dependent ones.
  int rank_{0};
};

}  // namespace wyvern::multibody
