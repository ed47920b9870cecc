#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::trajectories {
namespace piecewise_polynomial_changes_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using test::Near;
using PP = PiecewisePolynomial<double>;

// Round-off: polynomials of low degree with coefficients of order 10.
constexpr double kTolerance = 1e-12;
const std::vector<double> kTimes{-0.5, 0.0, 0.3, 1.0, 1.7, 2.0, 3.1, 4.0};

// A 2 x 3 cubic spline on [0, 4], its elements all different.
PP Spline(double scale = 1.0) {
  std::vector<MatrixXd> samples;
  for (int k = 0; k < 4; ++k) {
    MatrixXd sample(2, 3);
    for (int e = 0; e < 6; ++e) {
      sample.data()[e] = scale * std::sin(1.0 + 2.0 * k + 0.7 * e * k + e);
    }
    samples.push_back(sample);
  }
  return PP::CubicWithContinuousSecondDerivatives({0.0, 1.0, 2.0, 4.0},
                                                  samples);
}

// Scalar spline; Reshape() would make the same one a column or row.
PP Scalar() { return Spline().Block(1, 2, 1, 1); }

TEST(PiecewisePolynomial, LagrangePolynomialPassesThroughItsSamples) {
  const VectorXd times{{0.0, 1.0, 2.0, 4.0}};
  const MatrixXd samples{{1.0, 0.0, 2.0, 3.0}, {2.0, -1.0, 0.5, 0.0}};
  const PP p = PP::LagrangeInterpolatingPolynomial(times, samples);
  EXPECT_EQ(p.get_number_of_segments(), 1);
  EXPECT_TRUE(Near(p.vector_values(times), samples, kTolerance));
  // From tests/oracles/trajectories.py.
  EXPECT_TRUE(Near(p.value(3.0), Vector2d(4.0, 2.25), kTolerance));
  EXPECT_TRUE(Near(p.value(0.5), Vector2d(-0.0625, -0.328125), kTolerance));
}

TEST(PiecewisePolynomial, LagrangePolynomialReproducesItsPolynomial) {
  const Polynomial<double> cubic(VectorXd{{1.0, -2.0, 0.5, 3.0}});
  std::vector<double> times{-1.0, 0.5, 0.75, 2.0, 2.5};
  std::vector<MatrixXd> samples;
  for (const double t : times) {
    samples.push_back(MatrixXd{{cubic.EvaluateUnivariate(t)}});
  }
  const PP p = PP::LagrangeInterpolatingPolynomial(times, samples);
  EXPECT_NEAR(p.scalarValue(1.3), cubic.EvaluateUnivariate(1.3), kTolerance);
  times[1] = times[2];
  EXPECT_THROWS_MESSAGE(PP::LagrangeInterpolatingPolynomial(times, samples),
                        std::logic_error, "give times that increase");
}

TEST(PiecewisePolynomial, ChangesAgreeWithAnotherImplementation) {
  PP p = PP::CubicWithContinuousSecondDerivatives(
      VectorXd{{0.0, 1.0, 2.0, 4.0}}, MatrixXd{{1.0, 0.0, 2.0, 3.0}});
  p.ReverseTime();
  p.ScaleTime(2.0);
  p.AppendCubicHermiteSegment(1.0, MatrixXd{{2.0}}, MatrixXd{{-1.0}});
  p.AppendFirstOrderSegment(2.0, MatrixXd{{5.0}});
  // From tests/oracles/trajectories.py.
  const std::vector<double> breaks{-8.0, -4.0, -2.0, 0.0, 1.0, 2.0};
  EXPECT_EQ(p.get_segment_times(), breaks);
  const MatrixXd values{{4.0625, 0.8125, 0.3046875, 1.84375, 3.5}};
  EXPECT_TRUE(
      Near(p.vector_values({-7.0, -3.0, -0.5, 0.5, 1.5}), values, kTolerance));
}

TEST(PiecewisePolynomial, ReversedAndScaledTimeMovesValues) {
  const PP p = Spline();
  PP reversed = p;
  reversed.ReverseTime();
  PP scaled = p;
  scaled.ScaleTime(3.0);
  for (const double t : {0.1, 1.0, 2.5, 3.9}) {
    EXPECT_TRUE(Near(reversed.value(-t), p.value(t), kTolerance));
    EXPECT_TRUE(Near(scaled.value(3.0 * t), p.value(t), kTolerance));
  }
  EXPECT_EQ(scaled.end_time(), 12.0);
}

TEST(PiecewisePolynomial, AppendedCubicContinuesValueAndSlope) {
  PP p = Scalar();
  const double before = p.EvalDerivative(4.0)(0, 0);
  p.AppendCubicHermiteSegment(5.0, MatrixXd{{7.0}}, MatrixXd{{8.0}});
  EXPECT_NEAR(p.EvalDerivative(4.0)(0, 0), before, kTolerance);
  EXPECT_NEAR(p.scalarValue(4.0), Scalar().scalarValue(4.0), kTolerance);
  EXPECT_NEAR(p.scalarValue(5.0), 7.0, kTolerance);
  EXPECT_NEAR(p.EvalDerivative(5.0)(0, 0), 8.0, kTolerance);
}

TEST(PiecewisePolynomial, RemovingAllSegmentsLeavesItEmpty) {
  PP p = PP::FirstOrderHold(Vector2d(0, 1), Vector2d(3, 4).transpose());
  p.RemoveFinalSegment();
  EXPECT_TRUE(p.empty());
  EXPECT_TRUE(p.get_segment_times().empty());
  EXPECT_THROWS_MESSAGE(p.AppendFirstOrderSegment(1.0, MatrixXd{{1.0}}),
                        std::logic_error, "no segments to start from");
}

TEST(PiecewisePolynomial, AddBreakChangesNoValue) {
  const PP p = Spline();
  PP q = p;
  EXPECT_EQ(q.AddBreak(1.25), 2);
  EXPECT_EQ(q.get_number_of_segments(), 4);
  for (const double t : kTimes) {
    EXPECT_TRUE(Near(q.value(t), p.value(t), kTolerance));
    EXPECT_TRUE(
        Near(q.EvalDerivative(t, 2), p.EvalDerivative(t, 2), kTolerance));
  }
  EXPECT_EQ(q.AddBreak(2.0), 3);
  EXPECT_EQ(q.AddBreak(4.0), 4);
  EXPECT_EQ(q.get_number_of_segments(), 4);
  EXPECT_THROWS_MESSAGE(q.AddBreak(4.5), std::logic_error, "4.5, out of");
  EXPECT_THROWS_MESSAGE(q.AddBreak(NAN), std::logic_error, "nan, out of");
}

TEST(PiecewisePolynomial, SlicesKeepTheirValues) {
  const PP p = Spline();
  const PP part = p.SliceByTime(0.5, 2.5);
  EXPECT_EQ(part.start_time(), 0.5);
  EXPECT_EQ(part.end_time(), 2.5);
  EXPECT_TRUE(Near(part.value(1.7), p.value(1.7), kTolerance));
  const PP middle = p.slice(1, 1);
  EXPECT_EQ(middle.start_time(), 1.0);
  EXPECT_EQ(middle.end_time(), 2.0);
  EXPECT_EQ(middle.value(1.3), p.value(1.3));
  EXPECT_THROWS_MESSAGE(p.slice(1, 3), std::out_of_range, "segment 3");
  EXPECT_THROWS_MESSAGE(p.slice(1, 0), std::logic_error, "0 segments");
  EXPECT_THROWS_MESSAGE(p.SliceByTime(2.0, 1.0), std::logic_error, "[2, 1]");
}

TEST(PiecewisePolynomial, PartOfAConstantCanBeIntegrated) {
  const PP constant(Vector2d(1.0, 2.0));
  EXPECT_THROWS_MESSAGE(constant.integral(), std::logic_error, "no start");
  const PP ramp = constant.SliceByTime(0.0, 3.0).integral(1.0);
  EXPECT_EQ(ramp.value(2.0), Vector2d(3.0, 5.0));
}

TEST(PiecewisePolynomial, BlockTransposeAndReshapeRearrangeElements) {
  const PP p = Spline();
  PP reshaped = p;
  reshaped.Reshape(3, 2);
  for (const double t : kTimes) {
    const MatrixXd value = p.value(t);
    EXPECT_EQ(p.Block(0, 1, 2, 2).value(t), value.rightCols(2));
    EXPECT_EQ(p.Transpose().value(t), value.transpose());
    EXPECT_EQ(reshaped.value(t), value.reshaped(3, 2));
  }
  EXPECT_THROWS_MESSAGE(p.Block(1, 1, 2, 2), std::out_of_range,
                        "2 x 2 block at (1, 1)");
  EXPECT_THROWS_MESSAGE(reshaped.Reshape(4, 2), std::logic_error, "4 x 2");
}

TEST(PiecewisePolynomial, ArithmeticIsThatOfTheValues) {
  const PP a = Spline();
  const PP b = Spline(2.0).derivative();
  const PP s = Scalar();
  const MatrixXd constant = MatrixXd::Constant(2, 3, 0.25);
  for (const double t : kTimes) {
    const MatrixXd va = a.value(t);
    const MatrixXd vb = b.value(t);
    EXPECT_TRUE(Near((a + b).value(t), va + vb, kTolerance));
    EXPECT_TRUE(Near((b - a).value(t), vb - va, kTolerance));
    EXPECT_TRUE(Near((-a).value(t), -va, kTolerance));
    EXPECT_TRUE(Near((a + constant).value(t), va + constant, kTolerance));
    EXPECT_TRUE(Near((a - constant).value(t), va - constant, kTolerance));
    EXPECT_TRUE(Near((a.Transpose() * b).value(t), va.transpose() * vb, 1e-10));
    EXPECT_TRUE(Near((s * a).value(t), s.scalarValue(t) * va, 1e-11));
    EXPECT_TRUE(Near((a * s).value(t), s.scalarValue(t) * va, 1e-11));
  }
}

TEST(PiecewisePolynomial, ArithmeticRefusesWhatDoesNotFit) {
  PP a = Spline();
  PP shifted = a;
  shifted.shiftRight(1.0);
  EXPECT_THROWS_MESSAGE(a + shifted, std::logic_error, "the breaks");
  EXPECT_THROWS_MESSAGE(a *= shifted, std::logic_error, "the breaks");
  EXPECT_THROWS_MESSAGE(a + a.Transpose(), std::logic_error, "3 x 2");
  EXPECT_THROWS_MESSAGE(a * a, std::logic_error, "inner sizes must agree");
  EXPECT_THROWS_MESSAGE(a + MatrixXd(MatrixXd::Zero(1, 1)), std::logic_error,
                        "the matrix is 1 x 1; it must be 2 x 3");
}

TEST(PiecewisePolynomial, IsMadeOfItsPolynomials) {
  const PP p = Spline();
  std::vector<PP::PolynomialMatrix> matrices;
  for (int k = 0; k < 3; ++k) matrices.push_back(p.getPolynomialMatrix(k));
  const PP again(matrices, p.get_segment_times());
  EXPECT_TRUE(again.isApprox(p, 0.0));
  EXPECT_NEAR(p.getPolynomial(1, 1, 2).EvaluateUnivariate(0.5),
              p.value(1.5)(1, 2), kTolerance);
  const PP scalar({Polynomial<double>(2.0)}, {0.0, 1.0});
  EXPECT_EQ(scalar.scalarValue(0.5), 2.0);
  EXPECT_THROWS_MESSAGE(p.getPolynomial(3), std::out_of_range, "segment 3");
  EXPECT_THROWS_MESSAGE(p.getPolynomial(0, 2, 0), std::out_of_range,
                        "row is 2; it must be from 0 to 1");
}

TEST(PiecewisePolynomial, RefusesPolynomialsThatDoNotFit) {
  const Polynomial<double> one(1.0);
  EXPECT_THROWS_MESSAGE(PP({one, one}, {0.0, 1.0}), std::logic_error,
                        "2 breaks and 2 segments");
  EXPECT_THROWS_MESSAGE(PP({Polynomial<double>(NAN)}, {0.0, 1.0}),
                        std::logic_error, "is nan; it must be finite");
  const PP::PolynomialMatrix small(1, 1), large(2, 1);
  EXPECT_THROWS_MESSAGE(
      PP(std::vector<PP::PolynomialMatrix>{small, large}, {0.0, 1.0, 2.0}),
      std::logic_error, "segment 1 is 2 x 1");
  EXPECT_THROWS_MESSAGE(PP(Vector2d(1.0, NAN)), std::logic_error,
                        "constant[1] is nan; it must be finite");
}

TEST(PiecewisePolynomial, ReplacesABlockOfASegment) {
  PP p = Spline();
  PP::PolynomialMatrix column(2, 1);
  column(0, 0) = Polynomial<double>(3.0);
  column(1, 0) = Polynomial<double>(VectorXd::Unit(6, 5));
  p.setPolynomialMatrixBlock(column, 1, 0, 2);
  EXPECT_EQ(p.value(1.5)(0, 2), 3.0);
  EXPECT_EQ(p.value(1.5)(1, 2), std::pow(0.5, 5));
  EXPECT_EQ(p.value(1.5).leftCols(2), Spline().value(1.5).leftCols(2));
  EXPECT_EQ(p.value(0.5), Spline().value(0.5));
  EXPECT_THROWS_MESSAGE(p.setPolynomialMatrixBlock(column, 1, 1, 2),
                        std::out_of_range, "row is 2; it must be from 0 to 1");
  column(0, 0) = Polynomial<double>(NAN);
  EXPECT_THROWS_MESSAGE(p.setPolynomialMatrixBlock(column, 1), std::logic_error,
                        "is nan; it must be finite");
}

TEST(PiecewisePolynomial, IsApproxComparesBreaksAndCoefficients) {
  const PP p = Spline();
  const PP nearby = p + MatrixXd(MatrixXd::Constant(2, 3, 1e-6));
  using Type = PP::ToleranceType;
  EXPECT_TRUE(p.isApprox(nearby, 1e-4));
  EXPECT_FALSE(p.isApprox(nearby, 1e-8));
  EXPECT_TRUE(p.isApprox(nearby, 1.1e-6, Type::kAbsolute));
  EXPECT_FALSE(p.isApprox(nearby, 0.9e-6, Type::kAbsolute));
  PP shifted = p;
  shifted.shiftRight(0.1);
  EXPECT_FALSE(p.isApprox(shifted, 1e-3));
  EXPECT_FALSE(p.isApprox(p.Transpose(), 1.0));
  EXPECT_FALSE(p.isApprox(p.slice(0, 2), 1.0));
}

TEST(PiecewisePolynomial, ChangesRefuseNonsense) {
  PP p = Scalar();
  const MatrixXd one{{1.0}};
  EXPECT_THROWS_MESSAGE(p.ScaleTime(-1.0), std::logic_error, "scale is ");
  EXPECT_THROWS_MESSAGE(p.ScaleTime(NAN), std::logic_error, "scale is ");
  EXPECT_THROWS_MESSAGE(p.shiftRight(NAN), std::logic_error, "offset is nan");
  EXPECT_THROWS_MESSAGE(p.AppendFirstOrderSegment(4.0, one), std::logic_error,
                        "time given is 4 for a trajectory that ends at 4");
  EXPECT_THROWS_MESSAGE(p.AppendFirstOrderSegment(5.0, MatrixXd{{NAN}}),
                        std::logic_error, "is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(p.AppendCubicHermiteSegment(5.0, one, Vector2d(1, 2)),
                        std::logic_error, "the matrix is 2 x 1; it must be");
  EXPECT_EQ(p.get_number_of_segments(), 3);
}

TEST(PiecewisePolynomial, ChangesPassDerivatives) {
  using T = AutoDiffXd;
  const std::vector<MatrixX<T>> samples{MatrixX<T>::Constant(1, 1, T(1.0)),
                                        MatrixX<T>::Constant(1, 1, T(3.0))};
  auto p = PiecewisePolynomial<T>::FirstOrderHold({T(0.0), T(1.0)}, samples);
  p.ScaleTime(T(2.0, 1, 0));
  // y = 1 + 2 t/s: dy/ds = -2 t/s^2.
  const T y = p.scalarValue(T(1.0));
  EXPECT_EQ(y.value(), 2.0);
  EXPECT_NEAR(y.derivatives()[0], -0.5, kTolerance);
}

}  // namespace piecewise_polynomial_changes_test
}  // namespace wyvern::trajectories
