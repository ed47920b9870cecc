#include "wyvern/multibody/math/piecewise_constant_curvature_trajectory.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::trajectories {
namespace piecewise_constant_curvature_trajectory_test {

using Eigen::Vector3d;
using Path = PiecewiseConstantCurvatureTrajectory<double>;
using test::Near;

constexpr double kPi = M_PI;
constexpr double kTolerance = 1e-14;

// A running track in a tilted plane: two lines of 3 m, half circles of 2 m.
Path Track(bool is_periodic = true, double gap = 0) {
  const double arc = 2 * kPi;
  return Path({0, 3, 3 + arc, 6 + arc, 6 + 2 * arc - gap}, {0, 0.5, 0, 0.5},
              Vector3d(2, 0, -1), Vector3d(1, 0, 2), Vector3d(4, 5, 6),
              is_periodic);
}

TEST(PiecewiseConstantCurvatureTrajectory, LineThenArcIsWhereGeometrySays) {
  // Along y, then left, about x, towards z, on a radius of 2 m.
  const Path path({0, 1, 5}, {0, 0.5}, {0, 3, 0}, {7, 0, 0}, {0.1, 0.2, 0.3});
  const auto X1 = path.CalcPose(0.75);
  EXPECT_TRUE(Near(X1.translation(), Vector3d(0.1, 0.95, 0.3), kTolerance));
  EXPECT_TRUE(Near(X1.rotation().col(0), Vector3d(0, 1, 0)));
  EXPECT_TRUE(Near(X1.rotation().col(1), Vector3d(0, 0, 1)));
  const auto X2 = path.CalcPose(1 + kPi);
  EXPECT_TRUE(Near(X2.translation(), Vector3d(0.1, 3.2, 2.3), kTolerance));
  EXPECT_TRUE(Near(X2.rotation().col(0), Vector3d(0, 0, 1), kTolerance));
  EXPECT_TRUE(Near(X2.rotation().col(2), Vector3d(1, 0, 0)));
}

TEST(PiecewiseConstantCurvatureTrajectory, ValueIsThePoseAsAMatrix) {
  const Path path = Track();
  EXPECT_EQ(path.value(4.0), path.CalcPose(4.0).GetAsMatrix4());
  EXPECT_EQ(path.Clone()->value(4.0), path.value(4.0));
  EXPECT_EQ(path.rows(), 4);
  EXPECT_FALSE(path.has_derivative());
}

// The pose, with s moving along at s_dot, by AutoDiff.
TEST(PiecewiseConstantCurvatureTrajectory, VelocityIsTheRateOfThePose) {
  const PiecewiseConstantCurvatureTrajectory<AutoDiffXd> path(Track());
  for (double s : {-2.0, 1.0, 5.0, 10.0, 15.0, 21.0}) {
    const AutoDiffXd moving(s, VectorX<double>::Constant(1, -0.7));
    const MatrixX<AutoDiffXd> X = path.value(moving);
    Matrix3<double> Rdot;
    Vector3d pdot = Vector3d::Zero();
    Rdot.setZero();
    for (int i = 0; i < 3; ++i) {
      pdot[i] = X(i, 3).derivatives()[0];
      for (int j = 0; j < 3; ++j) {
        if (X(i, j).derivatives().size() > 0) {
          Rdot(i, j) = X(i, j).derivatives()[0];
        }
      }
    }
    const Matrix3<double> W =
        Rdot * Track().CalcPose(s).rotation().matrix().transpose();
    const auto V = Track().CalcSpatialVelocity(s, -0.7);
    EXPECT_TRUE(Near(V.translational(), pdot, kTolerance)) << s;
    EXPECT_TRUE(
        Near(V.rotational(), Vector3d(W(2, 1), W(0, 2), W(1, 0)), kTolerance))
        << s;
  }
}

TEST(PiecewiseConstantCurvatureTrajectory, AccelerationIsTheRateOfVelocity) {
  const PiecewiseConstantCurvatureTrajectory<AutoDiffXd> path(Track());
  for (double s : {1.0, 5.0, 15.0}) {
    const AutoDiffXd moving(s, VectorX<double>::Constant(1, -0.7));
    const AutoDiffXd rate(-0.7, VectorX<double>::Constant(1, 0.9));
    const auto V = path.CalcSpatialVelocity(moving, rate).get_coeffs();
    Vector6<double> expected;
    for (int i = 0; i < 6; ++i) {
      expected[i] = V[i].derivatives().size() > 0 ? V[i].derivatives()[0] : 0.0;
    }
    const auto A = Track().CalcSpatialAcceleration(s, -0.7, 0.9);
    EXPECT_TRUE(Near(A.get_coeffs(), expected, kTolerance)) << s;
  }
}

TEST(PiecewiseConstantCurvatureTrajectory, PoseIsContinuousAtBreaksAndEnds) {
  for (const Path& path : {Track(true), Track(false)}) {
    for (double s : path.get_segment_times()) {
      const auto before = path.CalcPose(s - 1e-9),
                 after = path.CalcPose(s + 1e-9);
      EXPECT_TRUE(Near(before.GetAsMatrix4(), after.GetAsMatrix4(), 3e-9)) << s;
    }
  }
}

TEST(PiecewiseConstantCurvatureTrajectory, PeriodicPathBeginsAnew) {
  const Path path = Track();
  for (double s : {0.5, 4.0, 17.0}) {
    for (int turns : {-3, -1, 1, 2}) {
      EXPECT_TRUE(
          Near(path.value(s + turns * path.length()), path.value(s), 1e-13));
    }
  }
}

TEST(PiecewiseConstantCurvatureTrajectory, OtherPathsGoOnAsAtTheirEnds) {
  const Path path({0, 1, 2}, {0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0});
  EXPECT_TRUE(
      Near(path.CalcPose(-3).translation(), Vector3d(-3, 0, 0), kTolerance));
  const double angle = 3;
  EXPECT_TRUE(Near(path.CalcPose(1 + angle).translation(),
                   Vector3d(1 + std::sin(angle), 1 - std::cos(angle), 0),
                   kTolerance));
}

TEST(PiecewiseConstantCurvatureTrajectory, SlightlyBentArcIsNearlyALine) {
  // x is s within k² s³ / 6, y is k s² / 2.
  for (double k : {1e-300, 1e-12, 1e-5, 1.9e-3, 2.1e-3}) {
    const Path path({0, 1}, {k}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0});
    const Vector3d p = path.CalcPose(1).translation();
    EXPECT_NEAR(p[0], std::sin(k) / k, 4e-16) << k;
    EXPECT_NEAR(p[1] / k, 0.5 - k * k / 24, 1e-12) << k;
  }
}

TEST(PiecewiseConstantCurvatureTrajectory, KnowsWhetherItCloses) {
  EXPECT_TRUE(Track(true).IsNearlyPeriodic(1e-13));
  EXPECT_TRUE(Track(false).IsNearlyPeriodic(1e-13));
  EXPECT_FALSE(Track(true, 1e-3).IsNearlyPeriodic(0.8e-3));
  EXPECT_TRUE(Track(true, 1e-3).IsNearlyPeriodic(1.1e-3));
  // Back at its place, but not in its direction: three right angles of arc
  // between two lines that meet.
  const Path loop({0, 2, 2 + 3 * kPi, 4 + 3 * kPi}, {0, 0.5, 0}, {1, 0, 0},
                  {0, 0, 1}, {0, 0, 0});
  EXPECT_TRUE(Near(loop.CalcPose(loop.length()).translation(), Vector3d::Zero(),
                   1e-14));
  EXPECT_FALSE(loop.IsNearlyPeriodic(0.5));
}

TEST(PiecewiseConstantCurvatureTrajectory, ConvertsToAnotherScalar) {
  const PiecewiseConstantCurvatureTrajectory<AutoDiffXd> moving(Track());
  const Path back(moving);
  EXPECT_TRUE(back.is_periodic());
  EXPECT_EQ(back.get_number_of_segments(), 4);
  EXPECT_EQ(back.turning_rate(1), 0.5);
  EXPECT_TRUE(Near(back.value(11.0), Track().value(11.0), kTolerance));
  const Path empty{PiecewiseConstantCurvatureTrajectory<AutoDiffXd>()};
  EXPECT_EQ(empty.length(), 0);
}

TEST(PiecewiseConstantCurvatureTrajectory, RefusesWhatIsNoPath) {
  const Vector3d x(1, 0, 0), z(0, 0, 1), o(0, 0, 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROWS_MESSAGE(Path({0}, {}, x, z, o), std::logic_error,
                        "1 breaks and 0 turning rates");
  EXPECT_THROWS_MESSAGE(Path({0, 1}, {1, 2}, x, z, o), std::logic_error,
                        "2 breaks and 2 turning rates");
  EXPECT_THROWS_MESSAGE(Path({1, 2}, {1}, x, z, o), std::logic_error,
                        "the first break is 1");
  EXPECT_THROWS_MESSAGE(Path({0, 2, 1}, {1, 1}, x, z, o), std::logic_error,
                        "give times that increase");
  EXPECT_THROWS_MESSAGE(Path({0, 1}, {nan}, x, z, o), std::logic_error,
                        "turning_rates[0] is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(Path({0, 1}, {1}, o, z, o), std::logic_error,
                        "initial tangent is (0, 0, 0)");
  EXPECT_THROWS_MESSAGE(Path({0, 1}, {1}, x, o, o), std::logic_error,
                        "plane normal is (0, 0, 0)");
  EXPECT_THROWS_MESSAGE(Path({0, 1}, {1}, x, x + z, o), std::logic_error,
                        "inclined to the plane by 0.78539");
  EXPECT_THROWS_MESSAGE(Path({0, 1}, {1}, x, z, {0, nan, 0}), std::logic_error,
                        "initial_position[1] is nan; it must be finite");
}

TEST(PiecewiseConstantCurvatureTrajectory, EmptyOneHasNoPose) {
  const Path path;
  EXPECT_EQ(path.length(), 0);
  EXPECT_THROWS_MESSAGE(path.CalcPose(0), std::logic_error, "no segment");
  EXPECT_THROWS_MESSAGE(path.IsNearlyPeriodic(1), std::logic_error,
                        "no segment");
  EXPECT_THROW(Track().turning_rate(4), std::out_of_range);
}

}  // namespace piecewise_constant_curvature_trajectory_test
}  // namespace wyvern::trajectories
