#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/systems/trajectories/bspline_trajectory.h"
#include "wyvern/systems/trajectories/composite_trajectory.h"
#include "wyvern/systems/trajectories/function_handle_trajectory.h"
#include "wyvern/systems/trajectories/path_parameterized_trajectory.h"
#include "wyvern/systems/trajectories/piecewise_pose.h"
#include "wyvern/systems/trajectories/stacked_trajectory.h"

// Tests the times at which trajectories may jump.

namespace wyvern::trajectories {
namespace breaks_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
using Polynomials = PiecewisePolynomial<double>;

Polynomials Hold(const std::vector<double>& breaks,
                 const std::vector<double>& values) {
  std::vector<Eigen::MatrixXd> samples;
  for (const double value : values) {
    samples.push_back(Eigen::MatrixXd::Constant(1, 1, value));
  }
  return Polynomials::ZeroOrderHold(breaks, samples);
}

std::vector<double> Forward(const Trajectory<double>& trajectory) {
  std::vector<double> result;
  for (double t = trajectory.CalcNextBreak(-100); t < kInf;
       t = trajectory.CalcNextBreak(t)) {
    result.push_back(t);
  }
  return result;
}

// Returns the breaks by a backward search, in increasing order.
std::vector<double> Backward(const Trajectory<double>& trajectory) {
  std::vector<double> result;
  for (double t = trajectory.CalcPreviousBreak(100); t > -kInf;
       t = trajectory.CalcPreviousBreak(t)) {
    result.insert(result.begin(), t);
  }
  return result;
}

void ExpectBreaks(const Trajectory<double>& trajectory,
                  const std::vector<double>& expected) {
  for (const auto& found : {Forward(trajectory), Backward(trajectory)}) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i], expected[i], 1e-14);
    }
  }
}

TEST(TrajectoryBreaks, AreThoseOfPiecesThatDiffer) {
  ExpectBreaks(Hold({0, 1, 2, 3, 4}, {5, 5, 6, 5, 0}), {2, 3});
  ExpectBreaks(
      Polynomials::FirstOrderHold(
          {0, 1, 2}, {Eigen::MatrixXd::Zero(1, 1), Eigen::MatrixXd::Ones(1, 1),
                      Eigen::MatrixXd::Ones(1, 1)}),
      {0, 1});
  ExpectBreaks(Polynomials(Eigen::Vector2d(1, 2)), {});
}

TEST(TrajectoryBreaks, AreFoundAmongAMillionEqualPiecesWithoutAScan) {
  const int n = 1000000;
  std::vector<double> breaks(n + 1);
  for (int i = 0; i <= n; ++i) breaks[i] = i;
  const Polynomials held(
      breaks, std::vector<Eigen::MatrixXd>(n, Eigen::MatrixXd::Ones(1, 1)), 1,
      1);
  // Scanning is limited, so the search returns a break near by although it has
  // no effect.
  EXPECT_LT(held.CalcNextBreak(10.5), 100);
  EXPECT_GT(held.CalcPreviousBreak(n - 10.5), n - 100);
}

TEST(TrajectoryBreaks, OfABsplineAreItsKnotsWithinItsDomain) {
  const math::BsplineBasis<double> basis(2, {-1, 0, 0.5, 0.5, 1, 2});
  const BsplineTrajectory<double> curve(
      basis, std::vector<Eigen::MatrixXd>(4, Eigen::MatrixXd::Ones(1, 1)));
  ExpectBreaks(curve, {0, 0.5, 1});
}

TEST(TrajectoryBreaks, OfACompositeAreThoseOfItsSegmentsMoved) {
  std::vector<copyable_unique_ptr<Trajectory<double>>> segments;
  segments.emplace_back(Hold({0, 0.25, 1}, {1, 2, 0}).Clone());
  segments.emplace_back(Hold({0.1, 0.4, 1.1}, {1, 2, 0}).Clone());
  const auto joined =
      CompositeTrajectory<double>::AlignAndConcatenate(segments);
  ExpectBreaks(joined, {0, 0.25, 1, 1.3, 2});
}

TEST(TrajectoryBreaks, OfAStackAreThoseOfAllItsParts) {
  StackedTrajectory<double> stack;
  stack.Append(Hold({0, 1, 3}, {1, 2, 0}));
  stack.Append(Hold({0, 2, 3}, {1, 2, 0}));
  ExpectBreaks(stack, {1, 2});
}

TEST(TrajectoryBreaks, OfAPathAreWhereTheTimeLawMeetsThem) {
  const auto path = Hold({0, 0.3, 0.8, 2}, {1, 2, 3, 0});
  // The scaling s = t^2 goes forward, and then back at the same speed.
  const auto law = [](double sign) {
    return Polynomials({0, 1}, {Eigen::RowVector3d(sign > 0 ? 0 : 1, 0, sign)},
                       1, 1);
  };
  ExpectBreaks(PathParameterizedTrajectory<double>(path, law(1)),
               {0, std::sqrt(0.3), std::sqrt(0.8), 1});
  ExpectBreaks(PathParameterizedTrajectory<double>(path, law(-1)),
               {0, std::sqrt(0.2), std::sqrt(0.7), 1});
}

TEST(TrajectoryBreaks, OfADerivativeAreThoseOfTheTrajectory) {
  const auto path = Hold({0, 0.3, 2}, {1, 2, 0});
  const PathParameterizedTrajectory<double> composed(
      path, Polynomials::FirstOrderHold({0, 2}, {Eigen::MatrixXd::Zero(1, 1),
                                                 Eigen::MatrixXd::Ones(1, 1)}));
  ExpectBreaks(*composed.MakeDerivative(1), {0, 0.6, 2});
}

TEST(TrajectoryBreaks, OfAFunctionAreItsEnds) {
  const auto f = [](const double&) -> Eigen::MatrixXd {
    return Eigen::MatrixXd::Ones(1, 1);
  };
  ExpectBreaks(FunctionHandleTrajectory<double>(f, 1), {});
  ExpectBreaks(FunctionHandleTrajectory<double>(f, 1, 1, 1.0, 3.0), {1, 3});
}

TEST(TrajectoryBreaks, OfAPoseAreThoseOfPositionAndOrientation) {
  const auto position = Polynomials::FirstOrderHold(
      {0, 1, 3}, {Eigen::MatrixXd::Zero(3, 1), Eigen::MatrixXd::Ones(3, 1),
                  Eigen::MatrixXd::Zero(3, 1)});
  const std::vector<math::RotationMatrixd> rotations{
      math::RotationMatrixd(), math::RotationMatrixd::MakeXRotation(1),
      math::RotationMatrixd()};
  const PiecewisePose<double> pose(
      position, PiecewiseQuaternionSlerp<double>({0, 2, 3}, rotations));
  ExpectBreaks(pose, {0, 1, 2, 3});
}

}  // namespace breaks_test
}  // namespace wyvern::trajectories
