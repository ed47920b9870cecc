#pragma once

#include <span>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Splits the solutions of G x = gamma into a particular and a free part:

  x = x_p + Z u,    G x_p = gamma,    G Z = 0,

by elimination. Every independent row of G decides one velocity, its pivot: the
one of its largest entry that is left after the rows before it. Z has the
identity for velocities that are free, and W for pivots.

Rows are taken in order. One is dependent if what the rows before it leave of it
is, squared, at most `rank_tolerance` of what it was. */
template <typename T>
class NullSpaceBasis {
 public:
  NullSpaceBasis() = default;
  /** Allocates; nothing below does for double. */
  NullSpaceBasis(int num_velocities, int num_constraints);

  /** Eliminates G, nc x nv, and finds which of its rows are dependent. */
  void Factorize(const Eigen::Ref<const MatrixX<T>>& G, double rank_tolerance);

  /** Number of independent rows. */
  int rank() const { return rank_; }
  /** Number of free velocities, the columns of Z. */
  int num_free() const { return num_velocities() - rank_; }
  /** Rows that depend on rows before them, in increasing order. */
  std::span<const int> dependent_rows() const { return dependent_rows_; }

  /** x_p, zero where x is free. Dependent rows of gamma are not looked at. */
  void SolveParticular(const Eigen::Ref<const VectorX<T>>& gamma,
                       Eigen::Ref<VectorX<T>> x_p);
  /** The lower triangle of Z'HZ, for a symmetric H of which all is read. */
  void ReduceMatrix(const Eigen::Ref<const MatrixX<T>>& H,
                    Eigen::Ref<MatrixX<T>> Z_H_Z);
  /** Computes Z'f. */
  void ReduceVector(const Eigen::Ref<const VectorX<T>>& f,
                    Eigen::Ref<VectorX<T>> Z_f) const;
  /** Adds Z u to x. */
  void AddExpanded(const Eigen::Ref<const VectorX<T>>& u,
                   Eigen::Ref<VectorX<T>> x) const;
  /** G'lambda = f for an f of which Z'f = 0; of full rank only. */
  void SolveMultipliers(const Eigen::Ref<const VectorX<T>>& f,
                        Eigen::Ref<VectorX<T>> lambda) const;

 private:
  int num_velocities() const { return static_cast<int>(N_.rows()); }
  int FindPivot(int row, double smallest2);
  void FindBasis();

  // Gᵀ P = N lowerᵀ, P of columns in order: column k of N is a row of G that
  // the pivots before k do not enter, and 1 at its own pivot.
  MatrixX<T> N_;
  MatrixX<T> lower_;  // By number of row, by number of pivot.
  MatrixX<T> upper_;  // N at the pivots: unit lower triangular.
  MatrixX<T> Wt_;     // Wᵀ.
  MatrixX<T> ZtH_;    // ZᵀH, its columns of pivots first.
  VectorX<T> weights_;
  VectorX<T> left_;        // Of gamma, by row.
  VectorX<double> sizes_;  // Values of a column of N.
  std::vector<double> lengths2_;
  std::vector<int> rows_;    // Independent ones.
  std::vector<int> pivots_;  // Theirs.
  std::vector<int> free_;
  std::vector<char> is_pivot_;
  std::vector<int> dependent_rows_;
  int rank_{0};
};

}  // namespace wyvern::multibody::internal
