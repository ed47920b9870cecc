#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"
#include "wyvern/systems/trajectories/polynomial_coefficients.h"

/* Operations go segment by segment over the coefficients, and so both operands
need the same breaks; the result has those of the left one. A sum raises the
lower degree by zeros. A product is that of matrices whose elements are
polynomials: rows of coefficients are convolved, and degrees add up. Where
inner sizes do not fit and one operand is 1 x 1, it scales the other. Element
(i, j) is in row i + j rows of the coefficients, with the rows of its own
operand. */

namespace wyvern::trajectories {
namespace {

// Adds the product of two polynomials, rows of coefficients, to `sum`.
template <typename A, typename B, typename Sum>
void AddProduct(const A& a, const B& b, Sum&& sum) {
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    sum.segment(i, b.size()) += a[i] * b;
  }
}

}  // namespace

template <typename T>
void PiecewisePolynomial<T>::RequireSameBreaks(
    const char* function, const PiecewisePolynomial& other) const {
  bool same = coefficients_.size() == other.coefficients_.size();
  for (std::size_t k = 0; same && k < this->breaks().size(); ++k) {
    const double a = ToDouble(this->breaks()[k]);
    const double b = ToDouble(other.breaks()[k]);
    same = a == b || std::abs(a - b) <= this->kEpsilonTime;
  }
  if (!same) {
    throw std::logic_error(fmt::format(
        "PiecewisePolynomial::{}(): the breaks of the operands differ; use "
        "AddBreak() to make them equal.",
        function));
  }
}

template <typename T>
PiecewisePolynomial<T>& PiecewisePolynomial<T>::operator+=(
    const PiecewisePolynomial& other) {
  RequireFittingShape("operator+=", other.rows_, other.cols_);
  RequireSameBreaks("operator+=", other);
  for (std::size_t k = 0; k < coefficients_.size(); ++k) {
    const MatrixX<T>& b = other.coefficients_[k];
    internal::RaiseDegree<T>(b.cols(), &coefficients_[k]);
    coefficients_[k].leftCols(b.cols()) += b;
  }
  return *this;
}

template <typename T>
PiecewisePolynomial<T>& PiecewisePolynomial<T>::operator-=(
    const PiecewisePolynomial& other) {
  return *this += -other;
}

template <typename T>
PiecewisePolynomial<T>& PiecewisePolynomial<T>::operator*=(
    const PiecewisePolynomial& other) {
  RequireSameBreaks("operator*=", other);
  const bool scalar_left = rows_ == 1 && cols_ == 1;
  const bool scalar_right = other.rows_ == 1 && other.cols_ == 1;
  const bool scaling = (scalar_left || scalar_right) && cols_ != other.rows_;
  if (!scaling && cols_ != other.rows_) {
    throw std::logic_error(fmt::format(
        "PiecewisePolynomial::operator*=(): the operands are {} x {} and {} x "
        "{}; the inner sizes must agree.",
        rows_, cols_, other.rows_, other.cols_));
  }
  const Eigen::Index rows = scaling && scalar_left ? other.rows_ : rows_;
  const Eigen::Index cols = scaling && scalar_right ? cols_ : other.cols_;
  const Eigen::Index inner = scaling ? 1 : cols_;
  for (std::size_t k = 0; k < coefficients_.size(); ++k) {
    const MatrixX<T>& A = coefficients_[k];
    const MatrixX<T>& B = other.coefficients_[k];
    MatrixX<T> C = MatrixX<T>::Zero(rows * cols, A.cols() + B.cols() - 1);
    for (Eigen::Index j = 0; j < cols; ++j) {
      for (Eigen::Index i = 0; i < rows; ++i) {
        for (Eigen::Index m = 0; m < inner; ++m) {
          const Eigen::Index a =
              scaling ? (scalar_left ? 0 : i + j * rows_) : i + m * rows_;
          const Eigen::Index b = scaling
                                     ? (scalar_left ? i + j * other.rows_ : 0)
                                     : m + j * other.rows_;
          AddProduct(A.row(a), B.row(b), C.row(i + j * rows));
        }
      }
    }
    coefficients_[k] = std::move(C);
  }
  rows_ = rows;
  cols_ = cols;
  return *this;
}

template <typename T>
PiecewisePolynomial<T>& PiecewisePolynomial<T>::operator+=(
    const MatrixX<T>& coeff) {
  RequireFittingShape("operator+=", coeff.rows(), coeff.cols());
  for (MatrixX<T>& C : coefficients_) C.col(0) += coeff.reshaped();
  return *this;
}

template <typename T>
PiecewisePolynomial<T>& PiecewisePolynomial<T>::operator-=(
    const MatrixX<T>& coeff) {
  return *this += MatrixX<T>(-coeff);
}

template <typename T>
const PiecewisePolynomial<T> PiecewisePolynomial<T>::operator+(
    const PiecewisePolynomial& other) const {
  return PiecewisePolynomial(*this) += other;
}

template <typename T>
const PiecewisePolynomial<T> PiecewisePolynomial<T>::operator-(
    const PiecewisePolynomial& other) const {
  return PiecewisePolynomial(*this) -= other;
}

template <typename T>
const PiecewisePolynomial<T> PiecewisePolynomial<T>::operator*(
    const PiecewisePolynomial& other) const {
  return PiecewisePolynomial(*this) *= other;
}

template <typename T>
const PiecewisePolynomial<T> PiecewisePolynomial<T>::operator+(
    const MatrixX<T>& coeff) const {
  return PiecewisePolynomial(*this) += coeff;
}

template <typename T>
const PiecewisePolynomial<T> PiecewisePolynomial<T>::operator-(
    const MatrixX<T>& coeff) const {
  return PiecewisePolynomial(*this) -= coeff;
}

template <typename T>
const PiecewisePolynomial<T> PiecewisePolynomial<T>::operator-() const {
  PiecewisePolynomial result = *this;
  for (MatrixX<T>& C : result.coefficients_) C = -C;
  return result;
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PiecewisePolynomial);
