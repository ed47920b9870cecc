#pragma once

/** @file
Properties and repackagings of matrices. */

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <Eigen/SparseCore>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math {

namespace internal {
bool IsPositiveDefinite(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                        double eigenvalue_tolerance, double symmetry_tolerance);
/** The n with n (n + 1) / 2 = size. @throws std::logic_error if none. */
int TriangleOrder(Eigen::Index size);
}  // namespace internal

/** Whether the matrix is square and entries equal their mirror images, within
`precision`. */
template <typename Derived>
bool IsSymmetric(const Eigen::MatrixBase<Derived>& matrix,
                 const typename Derived::Scalar& precision) {
  using std::abs;
  if (matrix.rows() != matrix.cols()) return false;
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < j; ++i) {
      if (!(abs(matrix(i, j) - matrix(j, i)) <= precision)) return false;
    }
  }
  return true;
}

/** Overload with tolerance zero. */
template <typename Derived>
bool IsSymmetric(const Eigen::MatrixBase<Derived>& matrix) {
  return IsSymmetric(matrix, typename Derived::Scalar(0.0));
}

/** Whether the matrix is symmetric within `symmetry_tolerance` and no
eigenvalue is below eigenvalue_tolerance * max(1, the largest |eigenvalue|); a
tolerance of 0 lets semidefinite matrices pass.
@throws std::logic_error if a tolerance is negative. */
template <typename Derived>
bool IsPositiveDefinite(const Eigen::MatrixBase<Derived>& matrix,
                        double eigenvalue_tolerance = 0.0,
                        double symmetry_tolerance = 0.0) {
  return internal::IsPositiveDefinite(matrix, eigenvalue_tolerance,
                                      symmetry_tolerance);
}

/** The columns of a matrix, each as a matrix of its own. */
template <typename T>
std::vector<MatrixX<T>> EigenToStdVector(
    const Eigen::Ref<const MatrixX<T>>& mat) {
  std::vector<MatrixX<T>> columns;
  for (Eigen::Index j = 0; j < mat.cols(); ++j) columns.push_back(mat.col(j));
  return columns;
}

/** A column for each vector. @throws std::logic_error without vectors, or if
one is no column or of another size. */
template <typename T>
MatrixX<T> StdVectorToEigen(const std::vector<MatrixX<T>>& vec) {
  if (vec.empty()) {
    throw std::logic_error(
        "StdVectorToEigen(): no columns were given; give one at least.");
  }
  MatrixX<T> result(vec[0].rows(), vec.size());
  for (std::size_t j = 0; j < vec.size(); ++j) {
    if (vec[j].rows() != result.rows() || vec[j].cols() != 1) {
      throw std::logic_error(fmt::format(
          "StdVectorToEigen(): item {} is {} x {}; all must be {} x 1.", j,
          vec[j].rows(), vec[j].cols(), result.rows()));
    }
    result.col(j) = vec[j];
  }
  return result;
}

/** The entries on and below the diagonal, column by column.
@throws std::logic_error if the matrix is not square. */
template <typename Derived>
VectorX<typename Derived::Scalar> ToLowerTriangularColumnsFromMatrix(
    const Eigen::MatrixBase<Derived>& matrix) {
  wyvern::internal::RequireShape("ToLowerTriangularColumnsFromMatrix", "matrix",
                                 matrix, matrix.rows(), matrix.rows());
  const Eigen::Index n = matrix.rows();
  VectorX<typename Derived::Scalar> result(n * (n + 1) / 2);
  for (Eigen::Index j = 0, k = 0; j < n; k += n - j, ++j) {
    result.segment(k, n - j) = matrix.col(j).tail(n - j);
  }
  return result;
}

/** The symmetric matrix with these entries on and below the diagonal, column
by column. @throws std::logic_error unless there are n (n + 1) / 2. */
template <typename Derived>
MatrixX<typename Derived::Scalar> ToSymmetricMatrixFromLowerTriangularColumns(
    const Eigen::MatrixBase<Derived>& lower_triangular_columns) {
  const int n = internal::TriangleOrder(lower_triangular_columns.size());
  MatrixX<typename Derived::Scalar> result(n, n);
  for (int j = 0, k = 0; j < n; ++j) {
    for (int i = j; i < n; ++i, ++k) {
      result(i, j) = lower_triangular_columns(k);
      result(j, i) = lower_triangular_columns(k);
    }
  }
  return result;
}

/** Overload with the size known at compile time. */
template <int rows, typename Derived>
Eigen::Matrix<typename Derived::Scalar, rows, rows>
ToSymmetricMatrixFromLowerTriangularColumns(
    const Eigen::MatrixBase<Derived>& lower_triangular_columns) {
  static_assert(rows >= 0);
  return ToSymmetricMatrixFromLowerTriangularColumns(
      Eigen::Ref<const Eigen::Matrix<typename Derived::Scalar,
                                     rows*(rows + 1) / 2, 1>>(
          lower_triangular_columns));
}

/** The rows and columns with these indices.
@throws std::logic_error if the matrix is not square, and std::out_of_range on
an index outside it. */
template <typename Derived>
MatrixX<typename Derived::Scalar> ExtractPrincipalSubmatrix(
    const Eigen::MatrixBase<Derived>& mat, const std::set<int>& indices) {
  constexpr char kCaller[] = "ExtractPrincipalSubmatrix";
  wyvern::internal::RequireShape(kCaller, "mat", mat, mat.rows(), mat.rows());
  for (const int i : indices) {
    wyvern::internal::RequireIndex(kCaller, "an index", i, mat.rows());
  }
  const std::vector<int> list(indices.begin(), indices.end());
  return mat(list, list);
}

/** A line of Python that makes the same scipy.sparse.csc_matrix, called `name`;
needs `import numpy as np` and `import scipy.sparse`. */
std::string GeneratePythonCsc(const Eigen::SparseMatrix<double>& mat,
                              std::string_view name);

}  // namespace wyvern::math
