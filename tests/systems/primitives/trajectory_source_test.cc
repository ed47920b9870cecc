#include "wyvern/systems/primitives/trajectory_source.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::systems {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using trajectories::PiecewisePolynomial;
using ::wyvern::test::Near;

PiecewisePolynomial<double> Path() {
  const VectorXd breaks{{1.0, 2.0, 4.0}};
  const MatrixXd samples{{0.0, 1.0, 3.0}, {2.0, -1.0, 0.0}};
  return PiecewisePolynomial<double>::CubicWithContinuousSecondDerivatives(
      breaks, samples);
}

VectorXd OutputAt(const TrajectorySource<double>& source, double t) {
  const auto context = source.CreateDefaultContext();
  context->SetTime(t);
  return source.get_output_port().Eval(*context);
}

TEST(TrajectorySource, StacksTheValueAndItsDerivatives) {
  const auto path = Path();
  const TrajectorySource<double> source(path, 2);
  EXPECT_EQ(source.get_output_port().size(), 6);
  VectorXd expected(6);
  expected << path.value(1.7), path.EvalDerivative(1.7),
      path.EvalDerivative(1.7, 2);
  EXPECT_EQ(OutputAt(source, 1.7), expected);
}

TEST(TrajectorySource, HoldsTheEndsAtRest) {
  const auto path = Path();
  const TrajectorySource<double> source(path, 1);
  VectorXd expected(4);
  expected << path.value(4.0), 0.0, 0.0;
  EXPECT_EQ(OutputAt(source, 9.0), expected);
  expected << path.value(1.0), 0.0, 0.0;
  EXPECT_EQ(OutputAt(source, 0.0), expected);
  // Both limits belong to the range.
  expected << path.value(4.0), path.EvalDerivative(4.0);
  EXPECT_EQ(OutputAt(source, 4.0), expected);
}

TEST(TrajectorySource, KeepsTheDerivativesBeyondTheLimitsOnRequest) {
  const auto path = Path();
  const TrajectorySource<double> source(path, 1, false);
  VectorXd expected(4);
  expected << path.value(4.0), path.EvalDerivative(4.0);
  EXPECT_EQ(OutputAt(source, 9.0), expected);
}

TEST(TrajectorySource, UpdateReplacesTheTrajectory) {
  TrajectorySource<double> source(Path(), 1);
  source.UpdateTrajectory(
      PiecewisePolynomial<double>(Eigen::Vector2d(5.0, 6.0)));
  EXPECT_EQ(OutputAt(source, 2.0), VectorXd({{5.0, 6.0, 0.0, 0.0}}));
}

TEST(TrajectorySource, EvaluationAllocatesNothing) {
  const TrajectorySource<double> source(Path(), 1);
  const auto context = source.CreateDefaultContext();
  context->SetTime(1.0);
  source.get_output_port().Eval(*context);
  ::wyvern::test::AllocationGuard guard;
  for (int k = 0; k < 10; ++k) {
    context->SetTime(1.0 + 0.1 * k);
    source.get_output_port().Eval(*context);
  }
  EXPECT_EQ(guard.count(), 0);
}

TEST(TrajectorySource, RefusesWhatItCannotPutOut) {
  const PiecewisePolynomial<double> matrix(MatrixXd::Zero(2, 2));
  EXPECT_THROWS_MESSAGE(TrajectorySource<double>{matrix}, std::logic_error,
                        "value is 2 x 2; give one whose value is a column");
  EXPECT_THROWS_MESSAGE(TrajectorySource<double>(Path(), -1), std::logic_error,
                        "derivative order is -1");
  TrajectorySource<double> source(Path());
  EXPECT_THROWS_MESSAGE(
      source.UpdateTrajectory(
          PiecewisePolynomial<double>(Eigen::Vector3d::Zero())),
      std::logic_error, "size 3 cannot replace one of size 2");
}

TEST(TrajectorySource, ConvertedHasTheNextDerivativeByTime) {
  const auto path = Path();
  const TrajectorySource<double> source(path, 1);
  const auto converted = source.ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  context->SetTime(AutoDiffXd(1.7, 1, 0));
  const VectorX<AutoDiffXd>& y = converted->get_output_port().Eval(*context);
  for (int i = 0; i < 4; ++i) {
    const int order = i / 2;
    EXPECT_EQ(y[i].value(), path.EvalDerivative(1.7, order)(i % 2));
    EXPECT_EQ(y[i].derivatives()[0],
              path.EvalDerivative(1.7, order + 1)(i % 2));
  }
  context->SetTime(AutoDiffXd(9.0, 1, 0));
  for (const AutoDiffXd& y_i : converted->get_output_port().Eval(*context)) {
    EXPECT_TRUE(y_i.derivatives().isZero(0));
  }
}

TEST(TrajectorySource, CloneGivesTheSame) {
  const TrajectorySource<double> source(Path(), 2, false);
  const auto clone = System<double>::Clone(source);
  for (double t : {0.0, 1.7, 9.0}) {
    EXPECT_EQ(OutputAt(*clone, t), OutputAt(source, t));
  }
}

}  // namespace
}  // namespace wyvern::systems
