#pragma once

/** @file
The entries of a sparse matrix as lists, in storage order. */

#include <vector>

#include <Eigen/SparseCore>

namespace wyvern::math {

/** The stored entries as (row, column, value). */
template <typename Scalar, int Options, typename StorageIndex>
std::vector<Eigen::Triplet<Scalar>> SparseMatrixToTriplets(
    const Eigen::SparseMatrix<Scalar, Options, StorageIndex>& matrix) {
  using Matrix = Eigen::SparseMatrix<Scalar, Options, StorageIndex>;
  std::vector<Eigen::Triplet<Scalar>> triplets;
  triplets.reserve(matrix.nonZeros());
  for (Eigen::Index outer = 0; outer < matrix.outerSize(); ++outer) {
    for (typename Matrix::InnerIterator it(matrix, outer); it; ++it) {
      triplets.emplace_back(it.row(), it.col(), it.value());
    }
  }
  return triplets;
}

/** Overload that writes three lists, which are overwritten. */
template <typename Derived>
void SparseMatrixToRowColumnValueVectors(
    const Derived& matrix, std::vector<Eigen::Index>& row_indices,
    std::vector<Eigen::Index>& col_indices,
    std::vector<typename Derived::Scalar>& val) {
  row_indices.clear();
  col_indices.clear();
  val.clear();
  for (Eigen::Index outer = 0; outer < matrix.outerSize(); ++outer) {
    for (typename Derived::InnerIterator it(matrix, outer); it; ++it) {
      row_indices.push_back(it.row());
      col_indices.push_back(it.col());
      val.push_back(it.value());
    }
  }
}

}  // namespace wyvern::math
