#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/trajectories/composite_trajectory.h"
#include "wyvern/systems/trajectories/derivative_trajectory.h"
#include "wyvern/systems/trajectories/discrete_time_trajectory.h"
#include "wyvern/systems/trajectories/function_handle_trajectory.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"
#include "wyvern/systems/trajectories/piecewise_quaternion.h"
#include "wyvern/systems/trajectories/stacked_trajectory.h"

namespace wyvern::trajectories {
namespace compositions_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Near;
using PP = PiecewisePolynomial<double>;

// sin t, with all its derivatives.
FunctionHandleTrajectory<double> Sine(double start = 0.0, double end = 2.0) {
  FunctionHandleTrajectory<double> sine(
      [](const double& t) { return MatrixXd{{std::sin(t)}}; }, 1, 1, start,
      end);
  sine.set_derivative([](const double& t, int order) {
    return MatrixXd{{std::sin(t + order * M_PI_2)}};
  });
  return sine;
}

// From y0 to y1, both 2 x 1, on [start, start + 1].
PP Line(double start, const Vector2d& y0, const Vector2d& y1) {
  MatrixXd samples(2, 2);
  samples << y0, y1;
  return PP::FirstOrderHold(Vector2d(start, start + 1.0), samples);
}

copyable_unique_ptr<Trajectory<double>> Copy(const Trajectory<double>& t) {
  return copyable_unique_ptr<Trajectory<double>>(t);
}

TEST(FunctionHandleTrajectory, IsTheFunction) {
  const auto sine = Sine();
  EXPECT_EQ(sine.value(0.3)(0, 0), std::sin(0.3));
  EXPECT_EQ(sine.start_time(), 0.0);
  EXPECT_EQ(sine.end_time(), 2.0);
  EXPECT_NEAR(sine.EvalDerivative(0.3)(0, 0), std::cos(0.3), 1e-15);
  EXPECT_NEAR(sine.MakeDerivative(2)->value(0.3)(0, 0), -std::sin(0.3), 1e-15);
  EXPECT_NEAR(sine.MakeDerivative(2)->EvalDerivative(0.3)(0, 0), -std::cos(0.3),
              1e-15);
}

TEST(FunctionHandleTrajectory, HasDerivativesOnlyIfGiven) {
  const FunctionHandleTrajectory<double> square(
      [](const double& t) { return MatrixXd{{t * t}}; }, 1);
  EXPECT_FALSE(square.has_derivative());
  EXPECT_EQ(square.end_time(), std::numeric_limits<double>::infinity());
  EXPECT_THROWS_MESSAGE(square.EvalDerivative(0.0), std::logic_error,
                        "has no derivatives");
  EXPECT_THROWS_MESSAGE(square.MakeDerivative(), std::logic_error,
                        "has no derivatives");
}

TEST(FunctionHandleTrajectory, RefusesNonsense) {
  using F = FunctionHandleTrajectory<double>;
  EXPECT_THROWS_MESSAGE(F(nullptr, 1), std::logic_error, "no function");
  const auto f = [](const double&) { return MatrixXd(MatrixXd::Zero(2, 1)); };
  EXPECT_THROWS_MESSAGE(F(f, -1), std::logic_error, "-1 x 1");
  EXPECT_THROWS_MESSAGE(F(f, 2, 1, 1.0, 0.0), std::logic_error, "from 1 to 0");
  F wrong(f, 3);
  wrong.set_derivative([](const double&, int) { return MatrixXd(1, 1); });
  EXPECT_THROWS_MESSAGE(wrong.value(0.0), std::logic_error,
                        "value function returned a 2 x 1 matrix; it must be 3");
  EXPECT_THROWS_MESSAGE(wrong.EvalDerivative(0.0), std::logic_error,
                        "derivative function returned a 1 x 1");
}

TEST(DerivativeTrajectory, IsTheDerivative) {
  const DerivativeTrajectory<double> cosine(Sine());
  EXPECT_NEAR(cosine.value(0.3)(0, 0), std::cos(0.3), 1e-15);
  EXPECT_NEAR(cosine.EvalDerivative(0.3, 2)(0, 0), -std::cos(0.3), 1e-15);
  EXPECT_NEAR(cosine.MakeDerivative()->value(0.3)(0, 0), -std::sin(0.3), 1e-15);
  EXPECT_EQ(cosine.Clone()->end_time(), 2.0);
  EXPECT_EQ(DerivativeTrajectory<double>(Sine(), 0).value(0.3)(0, 0),
            std::sin(0.3));
}

TEST(DerivativeTrajectory, HasTheShapeOfTheDerivative) {
  const PiecewiseQuaternionSlerp<double> q(
      {0.0, 1.0}, std::vector(2, Eigen::Quaterniond::Identity()));
  const DerivativeTrajectory<double> w(q);
  EXPECT_EQ(w.rows(), 3);
  EXPECT_EQ(w.value(0.5), Vector3d::Zero());
  EXPECT_THROWS_MESSAGE(DerivativeTrajectory<double>(q, -1), std::logic_error,
                        "-1");
}

TEST(StackedTrajectory, StacksRowsOrColumns) {
  const auto sine = Sine(0.0, 1.0);
  const PP line = Line(0.0, {1, 2}, {3, 6});
  StackedTrajectory<double> rows;
  EXPECT_EQ(rows.value(0.0).size(), 0);
  rows.Append(sine);
  rows.Append(line);
  EXPECT_EQ(rows.value(0.5), Vector3d(std::sin(0.5), 2, 4));
  EXPECT_TRUE(
      Near(rows.EvalDerivative(0.5), Vector3d(std::cos(0.5), 2, 4), 1e-15));
  EXPECT_TRUE(
      Near(rows.MakeDerivative()->value(0.5), rows.EvalDerivative(0.5), 0));
  StackedTrajectory<double> columns(false);
  columns.Append(line);
  columns.Append(line);
  EXPECT_EQ(columns.value(0.5), (MatrixXd{{2, 2}, {4, 4}}));
  EXPECT_EQ(columns.Clone()->cols(), 2);
}

TEST(StackedTrajectory, RefusesWhatDoesNotFit) {
  StackedTrajectory<double> rows;
  rows.Append(Line(0.0, {1, 2}, {3, 6}));
  EXPECT_THROWS_MESSAGE(rows.Append(Line(0.5, {1, 2}, {3, 6})),
                        std::logic_error, "on [0.5, 1.5] was given");
  EXPECT_THROWS_MESSAGE(rows.Append(Line(0.0, {1, 2}, {3, 6}).Transpose()),
                        std::logic_error, "a 1 x 2 trajectory");
  EXPECT_EQ(rows.rows(), 2);
}

TEST(CompositeTrajectory, RunsOneSegmentAfterTheOther) {
  const CompositeTrajectory<double> both(
      {Copy(Line(0.0, {0, 0}, {1, 2})), Copy(Line(1.0, {5, 5}, {6, 8}))});
  EXPECT_EQ(both.get_number_of_segments(), 2);
  EXPECT_EQ(both.value(0.5), Vector2d(0.5, 1.0));
  EXPECT_EQ(both.value(1.0), Vector2d(5.0, 5.0));
  EXPECT_EQ(both.value(1.5), Vector2d(5.5, 6.5));
  EXPECT_EQ(both.value(9.0), Vector2d(6.0, 8.0));
  EXPECT_EQ(both.EvalDerivative(1.5), Vector2d(1.0, 3.0));
  EXPECT_EQ(both.MakeDerivative()->value(1.5), Vector2d(1.0, 3.0));
  EXPECT_EQ(both.segment(1).start_time(), 1.0);
}

TEST(CompositeTrajectory, AlignsSegmentsInTime) {
  const auto both = CompositeTrajectory<double>::AlignAndConcatenate(
      {Copy(Line(0.0, {0, 0}, {1, 2})), Copy(Line(7.0, {5, 5}, {6, 8}))});
  EXPECT_EQ(both.end_time(), 2.0);
  EXPECT_TRUE(Near(both.value(1.25), Vector2d(5.25, 5.75), 1e-14));
  EXPECT_TRUE(Near(both.MakeDerivative()->value(1.25), Vector2d(1, 3), 0));
  EXPECT_TRUE(Near(both.Clone()->value(0.5), Vector2d(0.5, 1.0), 0));
}

TEST(CompositeTrajectory, RefusesWhatDoesNotFit) {
  using Composite = CompositeTrajectory<double>;
  const auto a = Copy(Line(0.0, {0, 0}, {1, 2}));
  const auto b = Copy(Line(2.0, {0, 0}, {1, 2}));
  EXPECT_THROWS_MESSAGE(Composite({}), std::logic_error, "no segments");
  EXPECT_THROWS_MESSAGE(Composite({a, nullptr}), std::logic_error,
                        "segment 1 is null");
  EXPECT_THROWS_MESSAGE(Composite({a, b}), std::logic_error,
                        "segment 1 starts at 2 and the one before ends at 1");
  EXPECT_THROWS_MESSAGE(Composite({a, Copy(Sine(1.0, 2.0))}), std::logic_error,
                        "segment 1 is 1 x 1 and segment 0 is 2 x 1");
}

TEST(DiscreteTimeTrajectory, HasValuesAtItsTimesOnly) {
  const DiscreteTimeTrajectory<double> y(Vector2d(1.0, 2.0),
                                         MatrixXd{{3.0, 4.0}}, 1e-3);
  EXPECT_EQ(y.value(1.0)(0, 0), 3.0);
  EXPECT_EQ(y.value(2.0009)(0, 0), 4.0);
  EXPECT_THROWS_MESSAGE(y.value(1.5), std::runtime_error, "no value at 1.5");
  EXPECT_THROWS_MESSAGE(y.value(NAN), std::runtime_error, "no value at nan");
  EXPECT_EQ(y.ToZeroOrderHold().scalarValue(1.5), 3.0);
  EXPECT_EQ(y.start_time(), 1.0);
  EXPECT_EQ(y.end_time(), 2.0);
  EXPECT_EQ(y.num_times(), 2);
  EXPECT_FALSE(y.Clone()->has_derivative());
}

TEST(DiscreteTimeTrajectory, RefusesNonsense) {
  using Discrete = DiscreteTimeTrajectory<double>;
  const MatrixXd values{{3.0, 4.0}};
  EXPECT_THROWS_MESSAGE(Discrete(Vector2d(1.0, NAN), values), std::logic_error,
                        "times[1] is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(Discrete(Vector2d(1.0, 1.1), values, 0.2),
                        std::logic_error, "by more than the tolerance, 0.2");
  EXPECT_THROWS_MESSAGE(Discrete(Vector2d(1.0, 2.0), values, -1.0),
                        std::logic_error, "the tolerance -1");
  EXPECT_THROWS_MESSAGE(Discrete(Vector3d(1, 2, 3), values), std::logic_error,
                        "3 times, 2 values");
  EXPECT_THROWS_MESSAGE(
      Discrete({0.0, 1.0}, {MatrixXd(MatrixXd::Zero(1, 1)), MatrixXd(2, 1)}),
      std::logic_error, "value 1 is 2 x 1; it must be 1 x 1");
  EXPECT_THROWS_MESSAGE(Discrete().rows(), std::logic_error, "no times");
}

}  // namespace compositions_test
}  // namespace wyvern::trajectories
