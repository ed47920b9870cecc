#include "wyvern/systems/trajectories/piecewise_polynomial.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::trajectories {
namespace piecewise_polynomial_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

using test::Near;
using Polynomial = PiecewisePolynomial<double>;

const VectorXd kBreaks{{0.0, 0.5, 1.5, 1.8, 3.0}};
const MatrixXd kSamples{{0.0, 1.0, 0.5, 0.7, 2.0}, {1.0, 2.0, 4.0, 3.0, -1.0}};
const VectorXd kStart{{1.0, -2.0}};
const VectorXd kEnd{{0.5, 3.0}};

Polynomial Clamped() {
  return Polynomial::CubicWithContinuousSecondDerivatives(kBreaks, kSamples,
                                                          kStart, kEnd);
}
Polynomial NotAKnot() {
  return Polynomial::CubicWithContinuousSecondDerivatives(kBreaks, kSamples);
}
Polynomial Periodic() {
  return Polynomial::CubicWithContinuousSecondDerivatives(kBreaks, kSamples,
                                                          true);
}
Polynomial ShapePreserving(bool zero_ends) {
  return Polynomial::CubicShapePreserving(kBreaks, kSamples, zero_ends);
}

// The largest jump of a derivative at the breaks inside.
double Jump(const Polynomial& p, int order) {
  double jump = 0.0;
  for (int i = 1; i < p.get_number_of_segments(); ++i) {
    const double t = p.start_time(i);
    const Polynomial d = p.derivative(order);
    // The left limit, from the coefficients of the segment before.
    const MatrixXd& c = d.segment_coefficients(i - 1);
    VectorXd left = VectorXd::Zero(c.rows());
    for (int k = 0; k < c.cols(); ++k) {
      left += c.col(k) * std::pow(p.duration(i - 1), k);
    }
    jump = std::max(jump, (d.value(t) - left).cwiseAbs().maxCoeff());
  }
  return jump;
}

// Round-off: cubics with coefficients of order 10.
constexpr double kTolerance = 1e-13;

TEST(PiecewisePolynomial, EachInterpolantPassesThroughItsSamples) {
  for (const Polynomial& p :
       {Clamped(), NotAKnot(), Periodic(), ShapePreserving(false),
        ShapePreserving(true), Polynomial::FirstOrderHold(kBreaks, kSamples)}) {
    for (int k = 0; k < kBreaks.size(); ++k) {
      EXPECT_TRUE(Near(p.value(kBreaks[k]), kSamples.col(k), kTolerance));
    }
    EXPECT_LT(Jump(p, 0), kTolerance);
  }
}

TEST(PiecewisePolynomial, AgreesWithAnotherImplementation) {
  // From tests/oracles/splines.py.
  const struct {
    Polynomial p;
    MatrixXd values;
  } cases[] = {
      {ShapePreserving(false),
       MatrixXd{{0.2853333333333334, 0.8240000000000001, 0.5343434343434343,
                 1.8614004629629628},
                {1.2, 2.992, 3.8148148148148144, -0.6666666666666664}}},
      {ShapePreserving(true),
       MatrixXd{{0.10400000000000002, 0.8240000000000001, 0.5343434343434343,
                 1.9804398148148148},
                {1.072, 2.992, 3.8148148148148144, -0.9467592592592604}}},
      {NotAKnot(), MatrixXd{{0.35194771241830064, 0.8710588235294118,
                             0.5321350762527233, 2.0204793028322436},
                            {1.059450980392157, 3.3421176470588234,
                             3.7642701525054463, -1.2034858387799572}}},
      {Periodic(), MatrixXd{{0.22264271457085827, 0.9567904191616764,
                             0.5395231758704814, 1.8037081392770022},
                            {1.0589700598802394, 3.357988023952096,
                             3.7509780439121756, -0.9635129740518993}}},
      {Clamped(), MatrixXd{{0.14539534883720934, 1.0252093023255813,
                            0.5292032730404824, 1.9405481535314388},
                           {0.9123720930232558, 3.4552558139534884,
                            3.759293712316968, -1.2081809862187791}}}};
  for (const auto& one : cases) {
    const std::vector<double> times{0.1, 0.9, 1.6, 2.9};
    EXPECT_TRUE(Near(one.p.vector_values(times), one.values, kTolerance));
  }
}

TEST(PiecewisePolynomial, SplinesHaveContinuousSecondDerivatives) {
  for (const Polynomial& p : {Clamped(), NotAKnot(), Periodic()}) {
    EXPECT_LT(Jump(p, 1), kTolerance);
    EXPECT_LT(Jump(p, 2), 1e-12);
  }
}

TEST(PiecewisePolynomial, ClampedSplineHasTheGivenEndDerivatives) {
  const Polynomial p = Clamped();
  EXPECT_TRUE(Near(p.EvalDerivative(0.0), kStart, kTolerance));
  EXPECT_TRUE(Near(p.EvalDerivative(3.0), kEnd, kTolerance));
}

TEST(PiecewisePolynomial, PeriodicSplineEndsAsItStarts) {
  const Polynomial p = Periodic();
  for (const int order : {1, 2}) {
    EXPECT_TRUE(Near(p.EvalDerivative(0.0, order), p.EvalDerivative(3.0, order),
                     1e-12));
  }
}

TEST(PiecewisePolynomial, NotAKnotReproducesACubic) {
  const auto cubic = [](double t) { return 1.0 + t * (2.0 - t * (3.0 - t)); };
  MatrixXd samples(1, 5);
  for (int k = 0; k < 5; ++k) samples(0, k) = cubic(kBreaks[k]);
  const auto p =
      Polynomial::CubicWithContinuousSecondDerivatives(kBreaks, samples);
  for (const double t : {0.2, 0.7, 1.6, 2.5}) {
    EXPECT_NEAR(p.scalarValue(t), cubic(t), kTolerance);
  }
}

TEST(PiecewisePolynomial, ThreeSamplesMakeOneParabola) {
  const auto parabola = [](double t) { return 1.0 + t * (2.0 - 3.0 * t); };
  const VectorXd breaks{{0.0, 0.5, 2.0}};
  const MatrixXd samples{{parabola(0.0), parabola(0.5), parabola(2.0)}};
  const auto p =
      Polynomial::CubicWithContinuousSecondDerivatives(breaks, samples);
  EXPECT_NEAR(p.scalarValue(0.2), parabola(0.2), kTolerance);
  EXPECT_NEAR(p.scalarValue(1.7), parabola(1.7), kTolerance);
}

TEST(PiecewisePolynomial, ShapePreservingNeverOvershoots) {
  const VectorXd breaks = VectorXd::LinSpaced(7, 0.0, 6.0);
  const MatrixXd samples{{0.0, 0.0, 0.1, 5.0, 5.1, 5.1, 9.0}};
  for (const bool zero_ends : {false, true}) {
    const auto p = Polynomial::CubicShapePreserving(breaks, samples, zero_ends);
    for (double t = 0.0; t < 5.99; t += 0.01) {
      EXPECT_LE(p.scalarValue(t), p.scalarValue(t + 0.01) + kTolerance);
    }
  }
}

TEST(PiecewisePolynomial, ZeroOrderHoldHoldsFromItsBreakOn) {
  const auto p = Polynomial::ZeroOrderHold(kBreaks, kSamples);
  EXPECT_EQ(p.value(0.49), kSamples.col(0));
  EXPECT_EQ(p.value(0.5), kSamples.col(1));
  // The last sample is not used.
  EXPECT_EQ(p.value(3.0), kSamples.col(3));
}

TEST(PiecewisePolynomial, CubicHermiteHasTheGivenDerivatives) {
  const MatrixXd slopes = kSamples.rowwise().reverse();
  const auto p = Polynomial::CubicHermite(kBreaks, kSamples, slopes);
  for (int k = 0; k < kBreaks.size(); ++k) {
    EXPECT_TRUE(Near(p.EvalDerivative(kBreaks[k]), slopes.col(k), kTolerance));
  }
}

TEST(PiecewisePolynomial, HoldsTheNearerEndOutOfRange) {
  const Polynomial p = Clamped();
  EXPECT_EQ(p.value(-1.0), p.value(0.0));
  EXPECT_EQ(p.value(9.0), p.value(3.0));
  EXPECT_EQ(p.EvalDerivative(9.0), p.EvalDerivative(3.0));
}

TEST(PiecewisePolynomial, IntegralUndoesDerivative) {
  const Polynomial p = Clamped();
  MatrixXd start = kSamples.col(0);
  const Polynomial again = p.derivative().integral(Eigen::Ref<MatrixXd>(start));
  for (const double t : {0.0, 0.3, 1.5, 1.7, 3.0}) {
    EXPECT_TRUE(Near(again.value(t), p.value(t), kTolerance));
  }
  EXPECT_TRUE(
      Near(p.integral().derivative().value(1.1), p.value(1.1), kTolerance));
}

TEST(PiecewisePolynomial, DerivativesOfEachFormAgree) {
  const Polynomial p = NotAKnot();
  for (const int order : {0, 1, 2, 3, 4}) {
    const MatrixXd expected = p.derivative(order).value(1.1);
    EXPECT_EQ(p.EvalDerivative(1.1, order), expected);
    EXPECT_EQ(p.MakeDerivative(order)->value(1.1), expected);
    MatrixXd into(2, 1);
    p.EvalDerivativeInto(1.1, order, &into);
    EXPECT_EQ(into, expected);
  }
  EXPECT_EQ(p.derivative(4).value(1.1), Vector2d::Zero());
}

TEST(PiecewisePolynomial, DerivativeIsThatOfCentralDifferences) {
  const Polynomial p = Clamped();
  const double h = 1e-5;
  const MatrixXd difference = (p.value(1.2 + h) - p.value(1.2 - h)) / (2 * h);
  // Truncation h^2 times a third derivative of order 100.
  EXPECT_TRUE(Near(p.EvalDerivative(1.2), difference, 1e-8));
}

TEST(PiecewisePolynomial, EvalDerivativeIntoAllocatesNothing) {
  const Polynomial p = Clamped();
  MatrixXd value(2, 1);
  test::AllocationGuard guard;
  for (double t = 0.0; t < 3.0; t += 0.1) p.EvalDerivativeInto(t, 1, &value);
  EXPECT_EQ(guard.count(), 0);
}

TEST(PiecewisePolynomial, MatricesKeepTheirShape) {
  const std::vector<double> breaks{0.0, 1.0};
  const MatrixXd a{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
  const auto p = Polynomial::FirstOrderHold(breaks, {a, 3.0 * a});
  EXPECT_EQ(p.rows(), 2);
  EXPECT_EQ(p.cols(), 3);
  EXPECT_TRUE(Near(p.value(0.5), 2.0 * a, kTolerance));
  EXPECT_NEAR(p.scalarValue(0.5, 1, 2), 12.0, kTolerance);
}

TEST(PiecewisePolynomial, BothFormsOfAFactoryAgree) {
  std::vector<MatrixXd> samples;
  for (int k = 0; k < 5; ++k) samples.push_back(kSamples.col(k));
  const std::vector<double> breaks(kBreaks.begin(), kBreaks.end());
  EXPECT_EQ(Polynomial::CubicWithContinuousSecondDerivatives(
                breaks, samples, MatrixXd(kStart), MatrixXd(kEnd))
                .value(1.1),
            Clamped().value(1.1));
  EXPECT_EQ(Polynomial::CubicShapePreserving(breaks, samples).value(1.1),
            ShapePreserving(false).value(1.1));
  EXPECT_EQ(Polynomial::CubicHermite(breaks, samples, samples).value(1.1),
            Polynomial::CubicHermite(kBreaks, kSamples, kSamples).value(1.1));
}

TEST(PiecewisePolynomial, ConstantHoldsForAllTime) {
  const Polynomial p(Vector2d(1.0, 2.0));
  EXPECT_EQ(p.value(-1e9), Vector2d(1.0, 2.0));
  EXPECT_EQ(p.value(0.0), Vector2d(1.0, 2.0));
  EXPECT_EQ(p.EvalDerivative(3.0), Vector2d::Zero());
}

TEST(PiecewisePolynomial, ConcatenatesShiftsAndShortens) {
  Polynomial p = Clamped();
  Polynomial more = Clamped();
  more.shiftRight(3.0);
  EXPECT_EQ(more.start_time(), 3.0);
  p.ConcatenateInTime(more);
  EXPECT_EQ(p.get_number_of_segments(), 8);
  EXPECT_TRUE(Near(p.value(4.1), Clamped().value(1.1), kTolerance));
  p.RemoveFinalSegment();
  EXPECT_EQ(p.end_time(), 4.8);
  EXPECT_THROWS_MESSAGE(p.ConcatenateInTime(more), std::logic_error,
                        "from 3 s cannot follow a 2 x 1 one that ends at 4.8");
}

TEST(PiecewisePolynomial, DegreeIsThatOfTheLastCoefficientNotZero) {
  const Polynomial p({0.0, 1.0}, {MatrixXd{{1.0, 2.0, 0.0}, {0.0, 0.0, 4.0}}},
                     2, 1);
  EXPECT_EQ(p.getSegmentPolynomialDegree(0, 0), 1);
  EXPECT_EQ(p.getSegmentPolynomialDegree(0, 1), 2);
}

TEST(PiecewisePolynomial, DerivativesPassThroughTimeAndSamples) {
  VectorX<AutoDiffXd> breaks(2);
  breaks << AutoDiffXd(0.0), AutoDiffXd(1.0);
  MatrixX<AutoDiffXd> samples(1, 2);
  samples(0, 0) = AutoDiffXd(0.0, Vector2d(0.0, 0.0));
  samples(0, 1) = AutoDiffXd(2.0, Vector2d(1.0, 0.0));
  const auto p = PiecewisePolynomial<AutoDiffXd>::FirstOrderHold(
      Eigen::Ref<const VectorX<AutoDiffXd>>(breaks),
      Eigen::Ref<const MatrixX<AutoDiffXd>>(samples));
  const AutoDiffXd x = p.scalarValue(AutoDiffXd(0.25, Vector2d(0.0, 1.0)));
  EXPECT_EQ(x.value(), 0.5);
  EXPECT_EQ(Eigen::VectorXd(x.derivatives()), Vector2d(0.25, 2.0));
}

TEST(PiecewisePolynomial, RefusesBreaksThatDoNotIncrease) {
  const MatrixXd samples = MatrixXd::Zero(1, 3);
  EXPECT_THROWS_MESSAGE(
      Polynomial::FirstOrderHold(VectorXd{{0.0, 1.0, 1.0}}, samples),
      std::logic_error, "break 2 is 1 s after break 1 at 1 s");
  EXPECT_THROWS_MESSAGE(
      Polynomial::ZeroOrderHold(VectorXd{{0.0, NAN, 1.0}}, samples),
      std::logic_error, "breaks[1] is nan; it must be finite");
}

TEST(PiecewisePolynomial, RefusesSamplesThatDoNotFit) {
  EXPECT_THROWS_MESSAGE(
      Polynomial::FirstOrderHold(kBreaks, MatrixXd::Zero(1, 4)),
      std::logic_error, "there are 5 breaks and 4 samples");
  EXPECT_THROWS_MESSAGE(Polynomial::CubicWithContinuousSecondDerivatives(
                            VectorXd{{0.0, 1.0}}, MatrixXd::Zero(1, 2)),
                        std::logic_error, "there are 2 samples; give at least");
  EXPECT_THROWS_MESSAGE(
      Polynomial::FirstOrderHold(kBreaks, MatrixXd::Constant(1, 5, NAN)),
      std::logic_error, "samples(0, 0) is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(
      Polynomial::FirstOrderHold({0.0, 1.0},
                                 {MatrixXd::Zero(1, 1), MatrixXd::Zero(2, 1)}),
      std::logic_error, "sample 1 is 2 x 1 where sample 0 is 1 x 1");
  EXPECT_THROWS_MESSAGE(
      Polynomial::CubicWithContinuousSecondDerivatives(
          kBreaks, kSamples, VectorXd::Zero(3), VectorXd::Zero(2)),
      std::logic_error, "a derivative is not of the samples' size");
}

TEST(PiecewisePolynomial, RefusesNonsenseQuestions) {
  const Polynomial p = Clamped();
  EXPECT_THROWS_MESSAGE(p.value(NAN), std::logic_error, "time nan");
  EXPECT_THROWS_MESSAGE(p.EvalDerivative(0.0, -1), std::logic_error,
                        "derivative_order is -1; it must be at least 0");
  EXPECT_THROWS_MESSAGE(p.start_time(4), std::out_of_range, "segment 4");
  EXPECT_THROWS_MESSAGE(p.scalarValue(0.0, 2), std::out_of_range,
                        "row is 2; it must be from 0 to 1");
  EXPECT_THROWS_MESSAGE(Polynomial().start_time(), std::out_of_range,
                        "segment 0");
  MatrixXd wrong(1, 1);
  EXPECT_THROWS_MESSAGE(p.EvalDerivativeInto(0.0, 0, &wrong), std::logic_error,
                        "give one of 2 x 1");
}

}  // namespace piecewise_polynomial_test
}  // namespace wyvern::trajectories
