#include "wyvern/systems/symbolic/ldlt.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/expression_kinds.h"

namespace wyvern::symbolic::internal {

Eigen::MatrixXd ExtractSquareForLdlt(
    const Eigen::Ref<const MatrixX<Expression>>& matrix) {
  if (matrix.rows() != matrix.cols()) {
    throw std::logic_error(fmt::format(
        "Eigen::LDLT of expressions: the matrix is {} x {}; it must be square.",
        matrix.rows(), matrix.cols()));
  }
  Eigen::MatrixXd numbers(matrix.rows(), matrix.cols());
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      if (!is_constant(matrix(i, j))) {
        throw std::runtime_error(fmt::format(
            "Eigen::LDLT of expressions: entry ({}, {}) is {}; all entries "
            "must be constants, because the factorization compares them. "
            "Substitute numbers for the variables.",
            i, j, matrix(i, j)));
      }
      numbers(i, j) = get_constant_value(matrix(i, j));
    }
  }
  return numbers;
}

Eigen::MatrixXd ExtractIfConstant(
    const Eigen::Ref<const MatrixX<Expression>>& matrix) {
  Eigen::MatrixXd numbers(matrix.rows(), matrix.cols());
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      if (!is_constant(matrix(i, j))) return {};
      numbers(i, j) = get_constant_value(matrix(i, j));
    }
  }
  return numbers;
}

void ThrowNoFactorization() {
  throw std::logic_error(
      "Eigen::LDLT of expressions: there is no factorization yet; call "
      "compute() first.");
}

void ThrowWrongRows(Eigen::Index given, Eigen::Index wanted) {
  throw std::logic_error(fmt::format(
      "Eigen::LDLT of expressions: the right side of solve() has {} rows; the "
      "matrix has {}.",
      given, wanted));
}

}  // namespace wyvern::symbolic::internal
