#pragma once

/** @file
Matrices of AutoDiffXd from values, and values from them. Elements
count column by column. */

#include <optional>
#include <tuple>
#include <type_traits>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::math {

/** A matrix of AutoDiffXd of the shape of `Derived`. */
template <typename Derived>
using AutoDiffMatrixType =
    Eigen::Matrix<AutoDiffXd, Derived::RowsAtCompileTime,
                  Derived::ColsAtCompileTime, 0, Derived::MaxRowsAtCompileTime,
                  Derived::MaxColsAtCompileTime>;

namespace internal {
/** @throws std::logic_error unless [start, start + size) is in [0, n). */
void RequireVariables(int size, int start, int n);
}  // namespace internal

/** `value` as variables: element i gets the derivatives e_(start + i).
@param num_derivatives how many variables there are; if not given, start plus
  the number of elements.
@param deriv_num_start which variable the first element is; if not given, 0.
@throws std::logic_error if not all elements are among the variables. */
template <typename Derived>
AutoDiffMatrixType<Derived> InitializeAutoDiff(
    const Eigen::MatrixBase<Derived>& value,
    std::optional<int> num_derivatives = {},
    std::optional<int> deriv_num_start = {}) {
  static_assert(std::is_same_v<typename Derived::Scalar, double>);
  const int start = deriv_num_start.value_or(0);
  const int size = static_cast<int>(value.size());
  const int n = num_derivatives.value_or(start + size);
  internal::RequireVariables(size, start, n);
  AutoDiffMatrixType<Derived> result(value.rows(), value.cols());
  for (int j = 0, k = start; j < value.cols(); ++j) {
    for (int i = 0; i < value.rows(); ++i) {
      result(i, j) = AutoDiffXd(value(i, j), n, k++);
    }
  }
  return result;
}

/** Writes the result into `*auto_diff_matrix`, which is resized. */
template <typename Derived, typename DerivedAutoDiff>
void InitializeAutoDiff(const Eigen::MatrixBase<Derived>& value,
                        std::optional<int> num_derivatives,
                        std::optional<int> deriv_num_start,
                        Eigen::MatrixBase<DerivedAutoDiff>* auto_diff_matrix) {
  auto_diff_matrix->derived() =
      InitializeAutoDiff(value, num_derivatives, deriv_num_start);
}
template <typename Derived, typename DerivedAutoDiff>
void InitializeAutoDiff(const Eigen::MatrixBase<Derived>& value,
                        Eigen::MatrixBase<DerivedAutoDiff>* auto_diff_matrix) {
  auto_diff_matrix->derived() = InitializeAutoDiff(value);
}

/** Several matrices as the variables of one function: those of the second
follow those of the first, and so on. */
template <typename... Deriveds>
std::tuple<AutoDiffMatrixType<Deriveds>...> InitializeAutoDiffTuple(
    const Eigen::MatrixBase<Deriveds>&... args) {
  const int n = (0 + ... + static_cast<int>(args.size()));
  int start = 0;
  const auto initialize = [&start, n](const auto& value) {
    const int first = start;
    start += static_cast<int>(value.size());
    return InitializeAutoDiff(value, n, first);
  };
  return std::tuple<AutoDiffMatrixType<Deriveds>...>{initialize(args)...};
}

/** The values, as a matrix of doubles of the same shape. */
template <typename Derived>
auto ExtractValue(const Eigen::MatrixBase<Derived>& auto_diff_matrix) {
  return ToDouble(auto_diff_matrix);
}

/** Returns the values of a matrix whose scalar may already be double. */
template <typename Derived>
auto DiscardGradient(const Eigen::MatrixBase<Derived>& matrix) {
  return ToDouble(matrix);
}

}  // namespace wyvern::math
