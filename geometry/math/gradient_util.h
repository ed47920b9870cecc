#pragma once

/** @file
Derivatives of products and parts of matrices, laid out as
math::Gradient says: element (i, j) of a matrix M is row i + j * M_rows of dM.
All throw std::logic_error if sizes do not fit. */

#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math {

namespace internal {

inline Eigen::Index RequireGradientRow(Eigen::Index row, Eigen::Index col,
                                       Eigen::Index M_rows,
                                       Eigen::Index gradient_rows) {
  const Eigen::Index result = row + col * M_rows;
  if (row < 0 || row >= M_rows || col < 0 || result >= gradient_rows) {
    throw std::logic_error(fmt::format(
        "SubMatrixGradient: element ({}, {}) is not in a matrix of {} rows "
        "whose gradient has {}; give elements of the matrix.",
        row, col, M_rows, gradient_rows));
  }
  return result;
}

inline Eigen::Index RequireGradientColumns(Eigen::Index start,
                                           Eigen::Index size,
                                           Eigen::Index gradient_cols) {
  if (size < 0) size = gradient_cols - start;
  if (start < 0 || size < 0 || start + size > gradient_cols) {
    throw std::logic_error(fmt::format(
        "SubMatrixGradient: {} variables from {} on are not among the {} of "
        "the gradient; give q_start and q_subvector_size in range.",
        size, start, gradient_cols));
  }
  return size;
}

}  // namespace internal

/** start, start + 1, ... */
template <int Size>
std::array<int, Size> intRange(int start) {
  std::array<int, Size> result{};
  std::iota(result.begin(), result.end(), start);
  return result;
}

/** The derivative of X' from that of X. */
template <typename Derived>
typename Derived::PlainObject transposeGrad(
    const Eigen::MatrixBase<Derived>& dX, typename Derived::Index rows_X) {
  if (rows_X <= 0 || dX.rows() % rows_X != 0) {
    throw std::logic_error(fmt::format(
        "transposeGrad(): a gradient of {} rows is of no matrix of {} rows; "
        "give a divisor.",
        dX.rows(), rows_X));
  }
  typename Derived::PlainObject result(dX.rows(), dX.cols());
  const Eigen::Index cols_X = dX.rows() / rows_X;
  for (Eigen::Index i = 0; i < rows_X; ++i) {
    for (Eigen::Index j = 0; j < cols_X; ++j) {
      result.row(j + i * cols_X) = dX.row(i + j * rows_X);
    }
  }
  return result;
}

/** The derivative of A B from those of A and B, by the same variables. */
template <typename DerivedA, typename DerivedB, typename DerivedDA,
          typename DerivedDB>
auto matGradMultMat(const Eigen::MatrixBase<DerivedA>& A,
                    const Eigen::MatrixBase<DerivedB>& B,
                    const Eigen::MatrixBase<DerivedDA>& dA,
                    const Eigen::MatrixBase<DerivedDB>& dB) {
  wyvern::internal::RequireShape("matGradMultMat", "dA", dA.rows(), dA.cols(),
                                 A.size(), dA.cols());
  wyvern::internal::RequireShape("matGradMultMat", "dB", dB.rows(), dB.cols(),
                                 B.size(), dB.cols());
  if (A.cols() != B.rows() || dA.cols() != dB.cols()) {
    throw std::logic_error(fmt::format(
        "matGradMultMat(): A has {} columns and B {} rows, dA {} columns and "
        "dB {}; they must agree.",
        A.cols(), B.rows(), dA.cols(), dB.cols()));
  }
  constexpr int kRows = DerivedA::RowsAtCompileTime;
  constexpr int kCols = DerivedB::ColsAtCompileTime;
  constexpr int kSize = kRows < 0 || kCols < 0 ? Eigen::Dynamic : kRows * kCols;
  Eigen::Matrix<typename DerivedA::Scalar, kSize, DerivedDA::ColsAtCompileTime>
      result(A.rows() * B.cols(), dA.cols());
  result.setZero();
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    auto block = result.middleRows(j * A.rows(), A.rows());
    for (Eigen::Index k = 0; k < A.cols(); ++k) {
      block += A.col(k) * dB.row(k + j * B.rows());
      block += B(k, j) * dA.middleRows(k * A.rows(), A.rows());
    }
  }
  return result;
}

/** Overload for a constant B. */
template <typename DerivedDA, typename DerivedB>
auto matGradMult(const Eigen::MatrixBase<DerivedDA>& dA,
                 const Eigen::MatrixBase<DerivedB>& B) {
  const Eigen::Index rows = B.rows() == 0 ? 0 : dA.rows() / B.rows();
  wyvern::internal::RequireShape("matGradMult", "dA", dA.rows(), dA.cols(),
                                 rows * B.rows(), dA.cols());
  Eigen::Matrix<typename DerivedDA::Scalar, Eigen::Dynamic,
                DerivedDA::ColsAtCompileTime>
      result(rows * B.cols(), dA.cols());
  result.setZero();
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    for (Eigen::Index k = 0; k < B.rows(); ++k) {
      result.middleRows(j * rows, rows) +=
          B(k, j) * dA.middleRows(k * rows, rows);
    }
  }
  return result;
}

/** The derivative of the part of M with these rows and columns, by
`q_subvector_size` variables from `q_start` on; a negative size means all. */
template <typename Derived>
MatrixX<typename Derived::Scalar> getSubMatrixGradient(
    const Eigen::MatrixBase<Derived>& dM, const std::vector<int>& rows,
    const std::vector<int>& cols, typename Derived::Index M_rows,
    int q_start = 0, typename Derived::Index q_subvector_size = -1) {
  const Eigen::Index nq =
      internal::RequireGradientColumns(q_start, q_subvector_size, dM.cols());
  MatrixX<typename Derived::Scalar> result(rows.size() * cols.size(), nq);
  Eigen::Index index = 0;
  for (const int col : cols) {
    for (const int row : rows) {
      result.row(index++) =
          dM.row(internal::RequireGradientRow(row, col, M_rows, dM.rows()))
              .segment(q_start, nq);
    }
  }
  return result;
}

/** Overload for rows and columns whose number is known at compile time. */
template <int QSubvectorSize, typename Derived, std::size_t NRows,
          std::size_t NCols>
Eigen::Matrix<typename Derived::Scalar, static_cast<int>(NRows* NCols),
              QSubvectorSize>
getSubMatrixGradient(
    const Eigen::MatrixBase<Derived>& dM, const std::array<int, NRows>& rows,
    const std::array<int, NCols>& cols, typename Derived::Index M_rows,
    int q_start = 0,
    typename Derived::Index q_subvector_size = QSubvectorSize) {
  return getSubMatrixGradient(dM, std::vector<int>(rows.begin(), rows.end()),
                              std::vector<int>(cols.begin(), cols.end()),
                              M_rows, q_start, q_subvector_size);
}

/** Overload for a single element. */
template <int QSubvectorSize = Eigen::Dynamic, typename Derived>
Eigen::Matrix<typename Derived::Scalar, 1, QSubvectorSize> getSubMatrixGradient(
    const Eigen::MatrixBase<Derived>& dM, int row, int col,
    typename Derived::Index M_rows, typename Derived::Index q_start = 0,
    typename Derived::Index q_subvector_size = QSubvectorSize) {
  return getSubMatrixGradient(dM, std::vector<int>{row}, std::vector<int>{col},
                              M_rows, static_cast<int>(q_start),
                              q_subvector_size);
}

/** Overwrites what getSubMatrixGradient() would return. */
template <typename DerivedA, typename DerivedB>
void setSubMatrixGradient(Eigen::MatrixBase<DerivedA>& dM,
                          const Eigen::MatrixBase<DerivedB>& dM_submatrix,
                          const std::vector<int>& rows,
                          const std::vector<int>& cols,
                          typename DerivedA::Index M_rows,
                          typename DerivedA::Index q_start = 0,
                          typename DerivedA::Index q_subvector_size = -1) {
  const Eigen::Index nq =
      internal::RequireGradientColumns(q_start, q_subvector_size, dM.cols());
  wyvern::internal::RequireShape(
      "setSubMatrixGradient", "dM_submatrix", dM_submatrix.rows(),
      dM_submatrix.cols(), rows.size() * cols.size(), dM_submatrix.cols());
  Eigen::Index index = 0;
  for (const int col : cols) {
    for (const int row : rows) {
      dM.row(internal::RequireGradientRow(row, col, M_rows, dM.rows()))
          .segment(q_start, nq) = dM_submatrix.row(index++);
    }
  }
}

/** Overload for rows and columns whose number is known at compile time. */
template <int QSubvectorSize, typename DerivedA, typename DerivedB,
          std::size_t NRows, std::size_t NCols>
void setSubMatrixGradient(
    Eigen::MatrixBase<DerivedA>& dM,
    const Eigen::MatrixBase<DerivedB>& dM_submatrix,
    const std::array<int, NRows>& rows, const std::array<int, NCols>& cols,
    typename DerivedA::Index M_rows, typename DerivedA::Index q_start = 0,
    typename DerivedA::Index q_subvector_size = QSubvectorSize) {
  setSubMatrixGradient(dM, dM_submatrix,
                       std::vector<int>(rows.begin(), rows.end()),
                       std::vector<int>(cols.begin(), cols.end()), M_rows,
                       q_start, q_subvector_size);
}

/** Overload for one element, (row, col), of the matrix. */
template <int QSubvectorSize = Eigen::Dynamic, typename DerivedDM,
          typename DerivedDMSub>
void setSubMatrixGradient(
    Eigen::MatrixBase<DerivedDM>& dM,
    const Eigen::MatrixBase<DerivedDMSub>& dM_submatrix, int row, int col,
    typename DerivedDM::Index M_rows, typename DerivedDM::Index q_start = 0,
    typename DerivedDM::Index q_subvector_size = QSubvectorSize) {
  setSubMatrixGradient(dM, dM_submatrix, std::vector<int>{row},
                       std::vector<int>{col}, M_rows, q_start,
                       q_subvector_size);
}

}  // namespace wyvern::math
