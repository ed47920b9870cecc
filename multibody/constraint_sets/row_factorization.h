#pragma once

#include <span>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** Rows are solved by Y Yᵀ or by elimination if their squared distance from the
span of the others is at least this share of their length's. All other rows need
a RowFactorization, which alone decides on rank. */
inline constexpr double kClearDistance2 = 1e-6;

/** Orthogonal factorization of rows Y, nc x nv, for the system

  w = z + Yᵀ lambda,   Y w = gamma,

when rows are redundant or nearly so. It never forms Y Yᵀ, whose rounding hides
angles below 1e-8 rad between rows.

A row is dependent if its distance from the span of the kept rows is at most the
tolerance times its length. Rows are kept in order, but a row is deferred while
another row is 30 times farther from the span. Allocates nothing after the
constructor. */
template <typename T>
class RowFactorization {
 public:
  /** Default tolerance [rad], for multipliers that are forces. A smaller value
  makes the multipliers so large that their rounding errors spoil the equation
  of motion. A larger value violates Y w = gamma. */
  static constexpr double kRankTolerance = 3e-9;

  RowFactorization() = default;
  /** Allocates for Y of num_rows x num_velocities. */
  RowFactorization(int num_velocities, int num_rows);

  /** Factorizes Y.
  @param Y Finite, of the size given to the constructor. */
  void Factorize(const Eigen::Ref<const MatrixX<T>>& Y,
                 double rank_tolerance = kRankTolerance);

  /** Number of kept rows. */
  int rank() const { return rank_; }
  /** True if a row depends on others. */
  bool is_redundant() const { return rank_ < size(); }
  /** Returns the rows that depend on the kept rows, in increasing order. */
  std::span<const int> dependent_rows() const {
    return {rows_.data() + rank_, static_cast<size_t>(size() - rank_)};
  }
  /** Returns the kept rows, in increasing order. */
  std::span<const int> independent_rows() const {
    return {rows_.data(), static_cast<size_t>(rank_)};
  }

  /** Solves for w and lambda. If gamma contradicts itself, w is the
  least-squares compromise; of all lambda it returns the least one. Both norms
  are for rows scaled to unit length. The equation w = z + Yᵀ lambda holds to
  rounding, and so does Y w = gamma for the kept rows. For a dependent row, Y w
  is off by the tolerance times the part of w that only this row sees. w may be
  z.
  @throws internal::RowError if gamma is not finite. */
  void Solve(const Eigen::Ref<const VectorX<T>>& z,
             const Eigen::Ref<const VectorX<T>>& gamma,
             Eigen::Ref<VectorX<T>> w, Eigen::Ref<VectorX<T>> lambda);
  /** Returns inconsistent rows, in increasing order, after Solve() of a
  redundant Y. A row is inconsistent if it misses its gamma by more than
  `tolerance` times the largest term of all rows, all divided by the length of
  the row. The terms are gamma, its summands, and each row's products with z.
  @param sizes By row: the size of the summands of gamma. */
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
