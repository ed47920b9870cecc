#pragma once

#include <memory>

#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::trajectories {

/** The column y(t) = K exp(A (t - t_j)) alpha_j + p(t), where t_j is the start
of the segment j that holds t, alpha_j is a column of `alpha`, and p is a
piecewise polynomial: what a linear system does when driven by one. Outside
[start_time(), end_time()] the value and the derivatives are those at the
nearest end. */
template <typename T>
class ExponentialPlusPiecewisePolynomial final : public PiecewiseTrajectory<T> {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(ExponentialPlusPiecewisePolynomial);

  /** Empty. */
  ExponentialPlusPiecewisePolynomial();
  /** Takes the parts of K exp(A (t - t_j)) alpha_j + polynomial, where t_j is
  the start of segment j.
  @throws std::logic_error unless K is m x n, A is n x n, alpha is n x
  (number of segments), the polynomial is m x 1, and all are finite. */
  template <typename DerivedK, typename DerivedA, typename DerivedAlpha>
  ExponentialPlusPiecewisePolynomial(
      const Eigen::MatrixBase<DerivedK>& K,
      const Eigen::MatrixBase<DerivedA>& A,
      const Eigen::MatrixBase<DerivedAlpha>& alpha,
      const PiecewisePolynomial<T>& piecewise_polynomial_part)
      : PiecewiseTrajectory<T>(piecewise_polynomial_part),
        K_(K),
        A_(A),
        alpha_(alpha),
        piecewise_polynomial_part_(piecewise_polynomial_part) {
    RequireFittingParts();
  }
  /** Without exponential part. */
  explicit ExponentialPlusPiecewisePolynomial(
      const PiecewisePolynomial<T>& piecewise_polynomial_part);
  ~ExponentialPlusPiecewisePolynomial() final;

  MatrixX<T> value(const T& t) const final;
  /** Returns the derivative of an order, a trajectory of the same kind.
  @throws std::logic_error if `derivative_order` < 0. */
  ExponentialPlusPiecewisePolynomial derivative(int derivative_order = 1) const;
  Eigen::Index rows() const final { return piecewise_polynomial_part_.rows(); }
  Eigen::Index cols() const final { return piecewise_polynomial_part_.cols(); }
  /** Shifts the trajectory by `offset`: f(t) becomes f(t - offset). */
  void shiftRight(double offset);

 private:
  std::unique_ptr<Trajectory<T>> DoClone() const final;
  bool do_has_derivative() const final { return true; }
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final;
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final;
  void RequireFittingParts() const;

  MatrixX<T> K_;
  MatrixX<T> A_;
  MatrixX<T> alpha_;
  PiecewisePolynomial<T> piecewise_polynomial_part_;
};

}  // namespace wyvern::trajectories
