#include "wyvern/systems/trajectories/bspline_trajectory.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/trajectories/bezier_curve.h"

namespace wyvern::trajectories {
namespace bspline_trajectory_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using math::BsplineBasis;
using test::Near;
using Curve = BsplineTrajectory<double>;

// Cubic on [0, 2], clamped, with a knot inside, and 2 x 1 values.
Curve Cubic() {
  std::vector<MatrixXd> points;
  for (double x : {0.0, 1.0, 4.0, 2.0, -1.0, 3.0}) {
    points.push_back(Vector2d(x, 1 - x * x));
  }
  return Curve(BsplineBasis<double>(4, {0, 0, 0, 0, 0.5, 1.5, 2, 2, 2, 2}),
               points);
}

TEST(BsplineTrajectory, WithoutInnerKnotsIsABezierCurve) {
  const MatrixXd points{{1.0, 2.0, 5.0, 4.0}, {0.0, 1.0, 7.0, -1.0}};
  const Curve curve(BsplineBasis<double>(4, 4), {points.col(0), points.col(1),
                                                 points.col(2), points.col(3)});
  const BezierCurve<double> bezier(0.0, 1.0, points);
  for (double t : {-1.0, 0.0, 0.3, 0.9, 1.0, 2.0}) {
    for (int k = 0; k < 5; ++k) {
      EXPECT_TRUE(
          Near(curve.EvalDerivative(t, k), bezier.EvalDerivative(t, k), 1e-13));
    }
  }
}

TEST(BsplineTrajectory, DerivativeIsTheSlope) {
  const Curve curve = Cubic();
  const double h = 1e-5;
  for (double t : {0.2, 0.5, 1.1, 1.7}) {
    const MatrixXd slope = (curve.value(t + h) - curve.value(t - h)) / (2 * h);
    // A cubic's error is f''' h^2 / 6, and at a knot f''' jumps.
    EXPECT_TRUE(Near(curve.EvalDerivative(t), slope, 1e-8));
    const MatrixXd turn =
        (curve.EvalDerivative(t + h) - curve.EvalDerivative(t - h)) / (2 * h);
    EXPECT_TRUE(Near(curve.MakeDerivative(2)->value(t), turn, 2e-3));
  }
}

TEST(BsplineTrajectory, IsLinearInItsPoints) {
  const Curve curve = Cubic();
  for (int order = 0; order <= 3; ++order) {
    const VectorXd m = curve.EvaluateLinearInControlPoints(0.8, order);
    MatrixXd sum = MatrixXd::Zero(2, 1);
    for (int i = 0; i < 6; ++i) sum += m[i] * curve.control_points()[i];
    EXPECT_TRUE(Near(sum, curve.EvalDerivative(0.8, order), 1e-12));
    EXPECT_EQ(curve.AsLinearInControlPoints(order).cols(), 6 - order);
  }
}

TEST(BsplineTrajectory, InsertedKnotsKeepTheCurve) {
  Curve curve = Cubic();
  curve.InsertKnots({0.7, 0.7, 0.5, 0.0, 2.0});
  EXPECT_EQ(curve.num_control_points(), 11);
  for (double t : {0.0, 0.3, 0.5, 0.69, 0.7, 1.0, 1.9, 2.0}) {
    EXPECT_TRUE(Near(curve.value(t), Cubic().value(t), 1e-14));
  }
}

TEST(BsplineTrajectory, ItsOwnKnotsCanBeInsertedOnceMore) {
  Curve curve = Cubic();
  const int num_knots = static_cast<int>(curve.basis().knots().size());
  curve.InsertKnots(curve.basis().knots());
  EXPECT_EQ(curve.basis().knots().size(), 2 * num_knots);
  for (double t : {0.0, 0.3, 1.0, 1.9, 2.0}) {
    EXPECT_TRUE(Near(curve.value(t), Cubic().value(t), 1e-14));
  }
}

TEST(BsplineTrajectory, StartsAndEndsAtTheOuterPointsOfAClampedBasis) {
  const Curve curve = Cubic();
  EXPECT_TRUE(Near(curve.InitialValue(), curve.control_points().front()));
  EXPECT_TRUE(Near(curve.FinalValue(), curve.control_points().back()));
  EXPECT_TRUE(Near(curve.value(7.0), curve.FinalValue()));
}

TEST(BsplineTrajectory, GivesPartsOfItself) {
  const Curve curve = Cubic();
  EXPECT_TRUE(
      Near(curve.CopyBlock(1, 0, 1, 1).value(0.9), curve.value(0.9).row(1)));
  EXPECT_TRUE(Near(curve.CopyHead(1).value(0.9), curve.value(0.9).row(0)));
  EXPECT_TRUE(curve.CopyHead(2) == curve);
  EXPECT_FALSE(curve.CopyHead(1) == curve);
  EXPECT_THROWS_MESSAGE(curve.CopyBlock(1, 0, 2, 1), std::out_of_range,
                        "2 x 1 from (1, 0)");
  const auto row = curve.CopyWithSelector(
      [](const MatrixXd& p) -> MatrixXd { return p.transpose(); });
  EXPECT_THROWS_MESSAGE(row.CopyHead(1), std::logic_error, "1 x 2");
}

TEST(BsplineTrajectory, DifferentiatesByThePoints) {
  using X = AutoDiffXd;
  MatrixX<X> a(1, 1), b(1, 1);
  a << X(1.0, 2, 0);
  b << X(3.0, 2, 1);
  const BsplineTrajectory<X> line(BsplineBasis<double>(2, 2), {a, b});
  EXPECT_TRUE(Near(line.value(0.25)(0, 0).derivatives(), Vector2d(0.75, 0.25)));
}

TEST(BsplineTrajectory, RefusesNonsense) {
  const BsplineBasis<double> basis(2, 2);
  const MatrixXd p = MatrixXd::Zero(1, 1);
  EXPECT_THROWS_MESSAGE(Curve(basis, {p}), std::logic_error,
                        "1 control points were given with a basis of 2");
  EXPECT_THROWS_MESSAGE(Curve(basis, {p, MatrixXd::Zero(2, 1)}),
                        std::logic_error, "control point 1 is 2 x 1");
  EXPECT_THROWS_MESSAGE(Curve().rows(), std::logic_error,
                        "without control points");
  EXPECT_THROWS_MESSAGE(Cubic().AsLinearInControlPoints(4), std::logic_error,
                        "derivative 4 of a curve of degree 3");
  Curve curve = Cubic();
  EXPECT_THROWS_MESSAGE(curve.InsertKnots({3.0}), std::logic_error,
                        "3 is outside the domain");
}

}  // namespace bspline_trajectory_test
}  // namespace wyvern::trajectories
