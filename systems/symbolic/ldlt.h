#pragma once

/** @file
Eigen's Cholesky factorization LDLT of matrices of expressions. The
factorization compares entries, so all of them must be constants; right sides
may have variables:
@code
const Matrix2<Expression> A{{4, 1}, {1, 3}};
const Vector2<Expression> b(Variable("p"), 2);
const MatrixX<Expression> x = A.ldlt().solve(b);
@endcode */

#include <Eigen/Cholesky>

#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::symbolic::internal {

/** Returns the numbers of a square matrix.
@throws std::logic_error if it is not square, std::runtime_error if an entry is
no constant. */
Eigen::MatrixXd ExtractSquareForLdlt(
    const Eigen::Ref<const MatrixX<Expression>>& matrix);
/** Returns the numbers if all entries are constants, else an empty matrix. */
Eigen::MatrixXd ExtractIfConstant(
    const Eigen::Ref<const MatrixX<Expression>>& matrix);
[[noreturn]] void ThrowNoFactorization();
[[noreturn]] void ThrowWrongRows(Eigen::Index given, Eigen::Index wanted);

}  // namespace wyvern::symbolic::internal

/** The factorization of the numbers, with the functions of Eigen::LDLT. Results
are matrices of constant expressions, but for solve().
@throws std::logic_error from any function before compute(). */
template <int rows_, int cols_, int options_, int max_rows_, int max_cols_,
          int uplo_>
class Eigen::LDLT<Eigen::Matrix<wyvern::symbolic::Expression, rows_, cols_,
                                options_, max_rows_, max_cols_>,
                  uplo_> {
 public:
  using Scalar = wyvern::symbolic::Expression;
  using RealScalar = Scalar;
  using MatrixType =
      Matrix<Scalar, rows_, cols_, options_, max_rows_, max_cols_>;
  using Numbers =
      LDLT<Matrix<double, rows_, cols_, options_, max_rows_, max_cols_>, uplo_>;

  LDLT() = default;
  /** Makes room for a matrix of `size` rows. */
  explicit LDLT(Index size) : numbers_(size) {}
  /** Factorizes; see compute(). */
  template <typename InputType>
  explicit LDLT(const EigenBase<InputType>& matrix) {
    compute(matrix);
  }

  /** Factorizes a matrix of constants.
  @throws std::logic_error if `matrix` is not square, std::runtime_error if
  an entry is no constant. */
  template <typename InputType>
  LDLT& compute(const EigenBase<InputType>& matrix) {
    is_computed_ = false;
    numbers_.compute(wyvern::symbolic::internal::ExtractSquareForLdlt(
        MatrixType(matrix.derived())));
    is_computed_ = true;
    return *this;
  }

  /** Returns x of A x = b.
  @throws std::logic_error if b has not as many rows as A. */
  template <typename Rhs>
  Matrix<Scalar, cols_, Rhs::ColsAtCompileTime> solve(
      const MatrixBase<Rhs>& b) const {
    namespace internal = wyvern::symbolic::internal;
    if (b.rows() != rows()) internal::ThrowWrongRows(b.rows(), rows());
    const Matrix<Scalar, rows_, Rhs::ColsAtCompileTime> right(
        b.template cast<Scalar>());
    const MatrixXd constants = internal::ExtractIfConstant(right);
    if (constants.size() == right.size()) {
      return factor().solve(constants).template cast<Scalar>();
    }
    const MatrixXd inverse = factor().solve(MatrixXd::Identity(rows(), rows()));
    return inverse.template cast<Scalar>() * right;
  }

  MatrixType matrixL() const {
    return MatrixXd(factor().matrixL()).template cast<Scalar>();
  }
  MatrixType matrixU() const {
    return MatrixXd(factor().matrixU()).template cast<Scalar>();
  }
  Matrix<Scalar, rows_, 1> vectorD() const {
    return factor().vectorD().template cast<Scalar>();
  }
  MatrixType matrixLDLT() const {
    return factor().matrixLDLT().template cast<Scalar>();
  }
  MatrixType reconstructedMatrix() const {
    return factor().reconstructedMatrix().template cast<Scalar>();
  }
  auto transpositionsP() const { return factor().transpositionsP(); }
  bool isPositive() const { return factor().isPositive(); }
  bool isNegative() const { return factor().isNegative(); }
  RealScalar rcond() const { return factor().rcond(); }
  ComputationInfo info() const { return factor().info(); }
  Index rows() const { return factor().rows(); }
  Index cols() const { return factor().cols(); }

 private:
  const Numbers& factor() const {
    if (!is_computed_) wyvern::symbolic::internal::ThrowNoFactorization();
    return numbers_;
  }

  Numbers numbers_;
  bool is_computed_{false};
};
