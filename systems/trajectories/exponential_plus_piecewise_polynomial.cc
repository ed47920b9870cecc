#include "wyvern/systems/trajectories/exponential_plus_piecewise_polynomial.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::trajectories {
namespace {

// exp(A t) v without the exponential: A. Al-Mohy and N. Higham, Computing the
// action of the matrix exponential (SIAM J. Sci. Comput. 33, 2011), with a
// fixed degree. In each of s steps, chosen so that |A t/s| <= 1, eighteen terms
// of the Taylor series leave 1/19! < 1e-17. Costs 18 s products of A and a
// vector.
template <typename T>
VectorX<T> ExpTimesVector(const MatrixX<T>& A, const T& t, VectorX<T> v) {
  if (v.size() == 0) return v;
  const double norm = ToDouble(A).cwiseAbs().colwise().sum().maxCoeff();
  const double scaled = norm * std::abs(ToDouble(t));
  const int num_steps = std::max(1, static_cast<int>(std::ceil(scaled)));
  const T step = t / T(num_steps);
  for (int i = 0; i < num_steps; ++i) {
    VectorX<T> term = v;
    for (int k = 1; k <= 18; ++k) {
      const VectorX<T> product = A * term;
      term = (step / T(k)) * product;
      v += term;
    }
  }
  return v;
}

}  // namespace

template <typename T>
ExponentialPlusPiecewisePolynomial<T>::ExponentialPlusPiecewisePolynomial() =
    default;

template <typename T>
ExponentialPlusPiecewisePolynomial<T>::ExponentialPlusPiecewisePolynomial(
    const PiecewisePolynomial<T>& piecewise_polynomial_part)
    : PiecewiseTrajectory<T>(piecewise_polynomial_part),
      K_(piecewise_polynomial_part.rows(), 0),
      A_(0, 0),
      alpha_(0, piecewise_polynomial_part.get_number_of_segments()),
      piecewise_polynomial_part_(piecewise_polynomial_part) {
  RequireFittingParts();
}

template <typename T>
ExponentialPlusPiecewisePolynomial<T>::~ExponentialPlusPiecewisePolynomial() =
    default;

template <typename T>
void ExponentialPlusPiecewisePolynomial<T>::RequireFittingParts() const {
  const Eigen::Index n = A_.rows();
  if (K_.rows() != rows() || K_.cols() != n || A_.cols() != n ||
      alpha_.rows() != n || alpha_.cols() != this->get_number_of_segments() ||
      cols() != 1) {
    throw std::logic_error(fmt::format(
        "ExponentialPlusPiecewisePolynomial: K is {} x {}, A is {} x {}, alpha "
        "is {} x {}, and the polynomial is {} x {} with {} segments; they must "
        "be m x n, n x n, n x (number of segments), and m x 1.",
        K_.rows(), K_.cols(), A_.rows(), A_.cols(), alpha_.rows(),
        alpha_.cols(), rows(), cols(), this->get_number_of_segments()));
  }
  constexpr char kWho[] = "ExponentialPlusPiecewisePolynomial";
  wyvern::internal::RequireFinite(kWho, "K", K_);
  wyvern::internal::RequireFinite(kWho, "A", A_);
  wyvern::internal::RequireFinite(kWho, "alpha", alpha_);
}

template <typename T>
MatrixX<T> ExponentialPlusPiecewisePolynomial<T>::value(const T& t) const {
  MatrixX<T> result = piecewise_polynomial_part_.value(t);
  const int segment = this->get_segment_index(t);
  if (A_.rows() == 0) return result;
  const T elapsed = this->ClampTime(t) - this->breaks()[segment];
  result += K_ * ExpTimesVector<T>(A_, elapsed, alpha_.col(segment));
  return result;
}

template <typename T>
ExponentialPlusPiecewisePolynomial<T>
ExponentialPlusPiecewisePolynomial<T>::derivative(int derivative_order) const {
  ExponentialPlusPiecewisePolynomial result = *this;
  result.piecewise_polynomial_part_ =
      piecewise_polynomial_part_.derivative(derivative_order);
  for (int i = 0; i < derivative_order; ++i) {
    const MatrixX<T> product = result.K_ * A_;
    result.K_ = product;
  }
  return result;
}

template <typename T>
MatrixX<T> ExponentialPlusPiecewisePolynomial<T>::DoEvalDerivative(
    const T& t, int derivative_order) const {
  return derivative(derivative_order).value(t);
}

template <typename T>
std::unique_ptr<Trajectory<T>>
ExponentialPlusPiecewisePolynomial<T>::DoMakeDerivative(
    int derivative_order) const {
  return std::make_unique<ExponentialPlusPiecewisePolynomial<T>>(
      derivative(derivative_order));
}

template <typename T>
std::unique_ptr<Trajectory<T>> ExponentialPlusPiecewisePolynomial<T>::DoClone()
    const {
  return std::make_unique<ExponentialPlusPiecewisePolynomial<T>>(*this);
}

template <typename T>
void ExponentialPlusPiecewisePolynomial<T>::shiftRight(double offset) {
  piecewise_polynomial_part_.shiftRight(T(offset));
  this->get_mutable_breaks() = piecewise_polynomial_part_.get_segment_times();
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::ExponentialPlusPiecewisePolynomial);
