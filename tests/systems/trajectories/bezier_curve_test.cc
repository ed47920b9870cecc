#include "wyvern/systems/trajectories/bezier_curve.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::trajectories {
namespace bezier_curve_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using test::Near;
using Curve = BezierCurve<double>;

const MatrixXd kPoints{{1.0, 2.0, 5.0, 4.0}, {0.0, 1.0, 7.0, -1.0}};

Curve Cubic() { return Curve(1.0, 3.0, kPoints); }

TEST(BezierCurve, IsTheSumOfBernsteinPolynomialsTimesPoints) {
  const Curve curve = Cubic();
  EXPECT_EQ(curve.order(), 3);
  for (double t : {1.0, 1.3, 2.0, 3.0}) {
    Vector2d sum = Vector2d::Zero();
    for (int i = 0; i <= 3; ++i) {
      sum += curve.BernsteinBasis(i, t) * kPoints.col(i);
    }
    EXPECT_TRUE(Near(curve.value(t), sum, 1e-15));
  }
  EXPECT_NEAR(curve.BernsteinBasis(1, 1.5), 3 * 0.75 * 0.75 * 0.25, 1e-16);
  EXPECT_NEAR(curve.BernsteinBasis(1, 1.5, 2), 2 * 0.75 * 0.25, 1e-16);
}

TEST(BezierCurve, ItsExpressionHasItsValues) {
  const Eigen::MatrixXd points{{1, -2, 4, 0.5, 3}, {0, 1, 1, -1, 2}};
  const BezierCurve<double> curve(0.5, 2, points);
  const symbolic::Variable t("t");
  const VectorX<symbolic::Expression> f = curve.GetExpression(t);
  ASSERT_EQ(f.size(), 2);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(f[i].is_polynomial());
  for (const double time : {0.5, 0.75, 1.3, 2.0}) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(f[i].Evaluate({{t, time}}), curve.value(time)(i), 1e-12);
    }
  }
  EXPECT_EQ(BezierCurve<double>().GetExpression().size(), 0);
  // A straight line, word by word.
  const BezierCurve<double> line(0, 1, Eigen::MatrixXd{{1, 3}});
  EXPECT_EQ(line.GetExpression(t)[0].to_string(), "(1 + 2 * t)");
}

TEST(BezierCurve, GoesFromTheFirstPointToTheLastAndStays) {
  const Curve curve = Cubic();
  EXPECT_TRUE(Near(curve.value(1.0), kPoints.col(0)));
  EXPECT_TRUE(Near(curve.value(-9.0), kPoints.col(0)));
  EXPECT_TRUE(Near(curve.value(3.0), kPoints.col(3)));
  EXPECT_TRUE(Near(curve.value(9.0), kPoints.col(3)));
}

TEST(BezierCurve, DerivativesAreThoseOfThePolynomial) {
  const Curve curve = Cubic();
  // p(s) = p0 + 3 s d0 + 3 s^2 (d1 - d0) + s^3 (p3 - 3 p2 + 3 p1 - p0).
  const Vector2d d0 = kPoints.col(1) - kPoints.col(0);
  const Vector2d d1 = kPoints.col(2) - kPoints.col(1);
  const Vector2d c3 = kPoints.col(3) - kPoints.col(2) - 2 * d1 + d0;
  const double s = 0.35, t = 1.0 + 2 * s;
  const Vector2d first = (3 * d0 + 6 * s * (d1 - d0) + 3 * s * s * c3) / 2;
  const Vector2d second = (6 * (d1 - d0) + 6 * s * c3) / 4;
  EXPECT_TRUE(Near(curve.EvalDerivative(t), first, 1e-14));
  EXPECT_TRUE(Near(curve.EvalDerivative(t, 2), second, 1e-14));
  EXPECT_TRUE(Near(curve.MakeDerivative(2)->value(t), second, 1e-14));
  EXPECT_TRUE(Near(curve.MakeDerivative(3)->value(t), 6 * c3 / 8, 1e-14));
  EXPECT_TRUE(Near(curve.EvalDerivative(t, 4), Vector2d::Zero()));
}

TEST(BezierCurve, DerivativeIsLinearInThePoints) {
  const Curve curve = Cubic();
  const MatrixXd M = curve.AsLinearInControlPoints(2);
  EXPECT_EQ(M.cols(), 2);
  const Curve derivative(1.0, 3.0, kPoints * M);
  EXPECT_TRUE(Near(derivative.value(1.7), curve.EvalDerivative(1.7, 2), 1e-14));
  EXPECT_TRUE(Near(MatrixXd(curve.AsLinearInControlPoints(0)),
                   MatrixXd::Identity(4, 4)));
}

TEST(BezierCurve, ElevatingTheOrderKeepsTheCurve) {
  Curve curve = Cubic();
  curve.ElevateOrder();
  curve.ElevateOrder();
  EXPECT_EQ(curve.order(), 5);
  for (double t : {1.0, 1.3, 2.0, 3.0}) {
    EXPECT_TRUE(Near(curve.value(t), Cubic().value(t), 1e-14));
  }
}

TEST(BezierCurve, DifferentiatesByTimeAndPoints) {
  using X = AutoDiffXd;
  MatrixX<X> points(1, 2);
  points << X(1.0, 3, 0), X(3.0, 3, 1);
  const BezierCurve<X> line(0.0, 2.0, points);
  const X y = line.value(X(0.5, 3, 2))(0, 0);
  EXPECT_EQ(y.value(), 1.5);
  EXPECT_TRUE(Near(y.derivatives(), Eigen::Vector3d(0.75, 0.25, 1.0)));
}

TEST(BezierCurve, MayBeEmpty) {
  const Curve curve;
  EXPECT_EQ(curve.order(), -1);
  EXPECT_EQ(curve.value(0.5).size(), 0);
  EXPECT_EQ(curve.MakeDerivative()->value(0.5).size(), 0);
}

TEST(BezierCurve, RefusesNonsense) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_THROWS_MESSAGE(Curve(1.0, 1.0, kPoints), std::logic_error,
                        "from 1 to 1 s");
  EXPECT_THROWS_MESSAGE(Curve(1.0, kInf, kPoints), std::logic_error,
                        "end_time is inf; it must be finite");
  EXPECT_THROWS_MESSAGE(Curve(0.0, 1.0, MatrixXd(2, 0)), std::logic_error,
                        "no control points");
  EXPECT_THROWS_MESSAGE(Cubic().BernsteinBasis(4, 1.0), std::out_of_range,
                        "i is 4; it must be from 0 to 3");
  EXPECT_THROWS_MESSAGE(Cubic().AsLinearInControlPoints(4), std::logic_error,
                        "derivative 4 of a curve of order 3");
  EXPECT_THROWS_MESSAGE(Curve().ElevateOrder(), std::logic_error,
                        "no control points");
}

}  // namespace bezier_curve_test
}  // namespace wyvern::trajectories
