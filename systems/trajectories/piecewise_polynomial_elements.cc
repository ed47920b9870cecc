#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"
#include "wyvern/systems/trajectories/polynomial_coefficients.h"

/* Between the coefficients of a segment and matrices of Polynomials: making a
trajectory of them, giving them out, and replacing a block. A segment has one
degree for all elements, so that shorter polynomials are filled up with
zeros, and a block of a higher degree raises that of the segment. isApprox()
compares breaks and coefficients, not functions: the same function with one
break more differs. A relative tolerance is of the coefficients of one
element on one segment. */

namespace wyvern::trajectories {
namespace {

// A row of coefficients for each polynomial, column by column.
template <typename T>
MatrixX<T> ToCoefficients(const MatrixX<Polynomial<T>>& polynomials) {
  Eigen::Index num_cols = 1;
  for (Eigen::Index e = 0; e < polynomials.size(); ++e) {
    num_cols =
        std::max<Eigen::Index>(num_cols, polynomials.data()[e].GetDegree() + 1);
  }
  MatrixX<T> C = MatrixX<T>::Zero(polynomials.size(), num_cols);
  for (Eigen::Index e = 0; e < polynomials.size(); ++e) {
    const VectorX<T>& c = polynomials.data()[e].GetCoefficients();
    C.row(e).head(c.size()) = c.transpose();
  }
  return C;
}

template <typename T>
std::vector<MatrixX<T>> ToCoefficients(
    const std::vector<MatrixX<Polynomial<T>>>& matrices) {
  std::vector<MatrixX<T>> result;
  for (const MatrixX<Polynomial<T>>& m : matrices) {
    if (m.rows() != matrices[0].rows() || m.cols() != matrices[0].cols()) {
      throw std::logic_error(fmt::format(
          "PiecewisePolynomial: segment {} is {} x {} where segment 0 is {} x "
          "{}; all must have one shape.",
          result.size(), m.rows(), m.cols(), matrices[0].rows(),
          matrices[0].cols()));
    }
    result.push_back(ToCoefficients(m));
  }
  return result;
}

template <typename T>
std::vector<MatrixX<Polynomial<T>>> ToMatrices(
    const std::vector<Polynomial<T>>& polynomials) {
  std::vector<MatrixX<Polynomial<T>>> result;
  for (const Polynomial<T>& p : polynomials) {
    result.push_back(MatrixX<Polynomial<T>>::Constant(1, 1, p));
  }
  return result;
}

}  // namespace

template <typename T>
PiecewisePolynomial<T>::PiecewisePolynomial(
    const std::vector<PolynomialMatrix>& polynomials_matrix,
    const std::vector<T>& breaks)
    : PiecewisePolynomial(
          breaks, ToCoefficients<T>(polynomials_matrix),
          polynomials_matrix.empty()
              ? 0
              : static_cast<int>(polynomials_matrix[0].rows()),
          polynomials_matrix.empty()
              ? 0
              : static_cast<int>(polynomials_matrix[0].cols())) {}

template <typename T>
PiecewisePolynomial<T>::PiecewisePolynomial(
    const std::vector<Polynomial<T>>& polynomials, const std::vector<T>& breaks)
    : PiecewisePolynomial(ToMatrices(polynomials), breaks) {}

template <typename T>
typename PiecewisePolynomial<T>::PolynomialMatrix
PiecewisePolynomial<T>::getPolynomialMatrix(int segment_index) const {
  this->segment_number_range_check(segment_index);
  PolynomialMatrix result(rows_, cols_);
  for (Eigen::Index e = 0; e < result.size(); ++e) {
    result.data()[e] =
        Polynomial<T>(coefficients_[segment_index].row(e).transpose());
  }
  return result;
}

template <typename T>
Polynomial<T> PiecewisePolynomial<T>::getPolynomial(int segment_index,
                                                    Eigen::Index row,
                                                    Eigen::Index col) const {
  this->segment_number_range_check(segment_index);
  RequireElement("getPolynomial", row, col);
  return Polynomial<T>(
      coefficients_[segment_index].row(row + col * rows_).transpose());
}

template <typename T>
bool PiecewisePolynomial<T>::isApprox(const PiecewisePolynomial& other,
                                      double tol,
                                      const ToleranceType& tol_type) const {
  if (rows_ != other.rows_ || cols_ != other.cols_ ||
      coefficients_.size() != other.coefficients_.size()) {
    return false;
  }
  for (std::size_t k = 0; k < this->breaks().size(); ++k) {
    using std::abs;
    const double a = ToDouble(this->breaks()[k]);
    const double b = ToDouble(other.breaks()[k]);
    if (a != b && abs(a - b) > tol) return false;
  }
  for (std::size_t k = 0; k < coefficients_.size(); ++k) {
    Eigen::MatrixXd a = ToDouble(coefficients_[k]);
    Eigen::MatrixXd b = ToDouble(other.coefficients_[k]);
    internal::RaiseDegree(b.cols(), &a);
    internal::RaiseDegree(a.cols(), &b);
    for (Eigen::Index e = 0; e < a.rows(); ++e) {
      const double limit =
          tol_type == ToleranceType::kAbsolute
              ? tol
              : tol * std::max(a.row(e).norm(), b.row(e).norm());
      if ((a.row(e) - b.row(e)).cwiseAbs().maxCoeff() > limit) return false;
    }
  }
  return true;
}

template <typename T>
void PiecewisePolynomial<T>::RequireElement(const char* function,
                                            Eigen::Index row,
                                            Eigen::Index col) const {
  const wyvern::internal::Caller who("PiecewisePolynomial", function);
  wyvern::internal::RequireIndex(who, "row", row, rows_);
  wyvern::internal::RequireIndex(who, "col", col, cols_);
}

template <typename T>
void PiecewisePolynomial<T>::RequireFittingShape(const char* function,
                                                 Eigen::Index rows,
                                                 Eigen::Index cols) const {
  wyvern::internal::RequireShape({"PiecewisePolynomial", function},
                                 "the matrix", rows, cols, rows_, cols_);
}

template <typename T>
void PiecewisePolynomial<T>::setPolynomialMatrixBlock(
    const PolynomialMatrix& replacement, int segment_index,
    Eigen::Index row_start, Eigen::Index col_start) {
  this->segment_number_range_check(segment_index);
  if (replacement.size() == 0) return;
  RequireElement("setPolynomialMatrixBlock", row_start, col_start);
  RequireElement("setPolynomialMatrixBlock", row_start + replacement.rows() - 1,
                 col_start + replacement.cols() - 1);
  MatrixX<T>& C = coefficients_[segment_index];
  for (Eigen::Index j = 0; j < replacement.cols(); ++j) {
    for (Eigen::Index i = 0; i < replacement.rows(); ++i) {
      const VectorX<T>& c = replacement(i, j).GetCoefficients();
      wyvern::internal::RequireFinite(
          "PiecewisePolynomial::setPolynomialMatrixBlock", "coefficients", c);
      internal::RaiseDegree<T>(c.size(), &C);
      auto row = C.row(row_start + i + (col_start + j) * rows_);
      row.head(c.size()) = c.transpose();
      row.tail(C.cols() - c.size()).setConstant(T(0));
    }
  }
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PiecewisePolynomial);
