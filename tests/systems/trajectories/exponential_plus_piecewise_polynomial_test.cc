#include "wyvern/systems/trajectories/exponential_plus_piecewise_polynomial.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::trajectories {
namespace exponential_plus_piecewise_polynomial_test {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using test::Near;
using Exponential = ExponentialPlusPiecewisePolynomial<double>;

PiecewisePolynomial<double> Line() {
  return PiecewisePolynomial<double>::FirstOrderHold(VectorXd{{0.0, 1.0, 3.0}},
                                                     MatrixXd{{0.0, 1.0, 5.0}});
}

// exp(A t) is a rotation that decays: closed form exp(-t) [c s; -s c](w t).
constexpr double kOmega = 40.0;
const Matrix2d kA{{-1.0, kOmega}, {-kOmega, -1.0}};
const MatrixXd kK{{1.0, 0.5}};
const Matrix2d kAlpha{{1.0, 3.0}, {2.0, -4.0}};

double Expected(double t) {
  const double start = t < 1.0 ? 0.0 : 1.0;
  const Vector2d alpha = kAlpha.col(t < 1.0 ? 0 : 1);
  const double c = std::cos(kOmega * (t - start));
  const double s = std::sin(kOmega * (t - start));
  const Matrix2d R{{c, s}, {-s, c}};
  const double line = t < 1.0 ? t : 1.0 + 2.0 * (t - 1.0);
  return std::exp(-(t - start)) * (kK * R * alpha)(0) + line;
}

TEST(ExponentialPlusPiecewisePolynomial, IsTheClosedForm) {
  const Exponential y(kK, kA, kAlpha, Line());
  for (const double t : {0.0, 0.01, 0.9, 1.0, 2.2, 2.99}) {
    // 80 steps of 18 terms, each rounded, of order one.
    EXPECT_NEAR(y.value(t)(0, 0), Expected(t), 1e-13);
  }
}

TEST(ExponentialPlusPiecewisePolynomial, DerivativesOfEachFormAgree) {
  const Exponential y(kK, kA, kAlpha, Line());
  const double h = 1e-6;
  const double difference = (Expected(0.5 + h) - Expected(0.5 - h)) / (2 * h);
  // Truncation h^2 w^3/6 = 1e-8.
  EXPECT_NEAR(y.EvalDerivative(0.5)(0, 0), difference, 1e-7);
  EXPECT_EQ(y.EvalDerivative(0.5, 2), y.derivative(2).value(0.5));
  EXPECT_EQ(y.MakeDerivative(2)->value(0.5),
            y.derivative().derivative().value(0.5));
}

TEST(ExponentialPlusPiecewisePolynomial, HoldsTheNearerEndOutOfRange) {
  const Exponential y(kK, kA, kAlpha, Line());
  EXPECT_EQ(y.value(-1.0), y.value(0.0));
  EXPECT_EQ(y.value(9.0), y.value(3.0));
}

TEST(ExponentialPlusPiecewisePolynomial, ShiftsInTime) {
  const Exponential y(kK, kA, kAlpha, Line());
  Exponential shifted = y;
  shifted.shiftRight(2.0);
  EXPECT_EQ(shifted.start_time(), 2.0);
  EXPECT_TRUE(Near(shifted.value(4.2), y.value(2.2), 1e-12));
}

TEST(ExponentialPlusPiecewisePolynomial, NeedsNoExponentialPart) {
  const Exponential y(Line());
  EXPECT_EQ(y.value(2.0)(0, 0), 3.0);
  EXPECT_EQ(y.EvalDerivative(2.0)(0, 0), 2.0);
  EXPECT_EQ(y.Clone()->rows(), 1);
}

TEST(ExponentialPlusPiecewisePolynomial, PassesDerivativesOfTime) {
  using T = AutoDiffXd;
  const auto line = PiecewisePolynomial<T>::FirstOrderHold(
      {T(0.0), T(1.0)}, {MatrixX<T>::Zero(1, 1), MatrixX<T>::Zero(1, 1)});
  const ExponentialPlusPiecewisePolynomial<T> y(
      MatrixX<T>::Constant(1, 1, T(1.0)), MatrixX<T>::Constant(1, 1, T(-3.0)),
      MatrixX<T>::Constant(1, 1, T(1.0)), line);
  const T value = y.value(T(0.5, 1, 0))(0, 0);
  EXPECT_NEAR(value.value(), std::exp(-1.5), 1e-15);
  EXPECT_NEAR(value.derivatives()[0], -3.0 * std::exp(-1.5), 1e-15);
}

TEST(ExponentialPlusPiecewisePolynomial, RefusesWhatDoesNotFit) {
  EXPECT_THROWS_MESSAGE(Exponential(kK, kA, VectorXd::Ones(2), Line()),
                        std::logic_error, "alpha is 2 x 1");
  EXPECT_THROWS_MESSAGE(Exponential(kA, kA, kAlpha, Line()), std::logic_error,
                        "K is 2 x 2");
  EXPECT_THROWS_MESSAGE(Exponential(kK, NAN * kA, kAlpha, Line()),
                        std::logic_error, "A(0, 0) is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(Exponential(Line()).derivative(-1), std::logic_error,
                        "derivative_order is -1");
}

}  // namespace exponential_plus_piecewise_polynomial_test
}  // namespace wyvern::trajectories
