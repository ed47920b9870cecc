#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/trajectories/path_parameterized_trajectory.h"
#include "wyvern/systems/trajectories/piecewise_pose.h"

namespace wyvern::trajectories {
namespace path_and_pose_test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using math::RigidTransform;
using math::RotationMatrix;
using test::Near;
using PP = PiecewisePolynomial<double>;

// The monomials c0 + c1 t + ... on [0, 2].
PP Polynomial(const std::vector<double>& coefficients) {
  Eigen::VectorXd c = Eigen::Map<const Eigen::VectorXd>(
      coefficients.data(), static_cast<Eigen::Index>(coefficients.size()));
  PP::PolynomialMatrix matrix(1, 1);
  matrix(0, 0) = wyvern::Polynomial<double>(c);
  return PP({matrix}, {0.0, 2.0});
}

TEST(PathParameterizedTrajectory, IsThePathAtTheScaledTime) {
  // r = s^3, s = 0.5 t^2 on [0, 2]: r = t^6 / 8.
  const PathParameterizedTrajectory<double> run(Polynomial({0, 0, 0, 1}),
                                                Polynomial({0, 0, 0.5}));
  const double t = 1.3;
  const double factors[] = {1, 6, 30, 120, 360, 720};
  for (int k = 0; k <= 5; ++k) {
    const double expected = factors[k] * std::pow(t, 6 - k) / 8;
    EXPECT_NEAR(run.EvalDerivative(t, k)(0, 0), expected, 1e-12);
    EXPECT_NEAR(run.MakeDerivative(k)->value(t)(0, 0), expected, 1e-12);
  }
}

TEST(PathParameterizedTrajectory, HasTheTimesOfTheScaling) {
  const PP path = Polynomial({1, 2});
  const PP scaling =
      PP::FirstOrderHold(Eigen::Vector2d(3, 4), Eigen::RowVector2d(0.5, 1.5));
  const PathParameterizedTrajectory<double> run(path, scaling);
  EXPECT_EQ(run.start_time(), 3.0);
  EXPECT_EQ(run.end_time(), 4.0);
  EXPECT_EQ(run.value(9.0)(0, 0), 4.0);
  EXPECT_EQ(run.value(-9.0)(0, 0), 2.0);
  EXPECT_EQ(run.path().value(1.0)(0, 0), 3.0);
  EXPECT_EQ(run.time_scaling().value(3.0)(0, 0), 0.5);
}

TEST(PathParameterizedTrajectory, RefusesAScalingThatIsNoScalar) {
  const PP vector =
      PP::FirstOrderHold(Eigen::Vector2d(3, 4), MatrixXd::Identity(2, 2));
  EXPECT_THROWS_MESSAGE(PathParameterizedTrajectory<double>(vector, vector),
                        std::logic_error, "the time scaling is 2 x 1");
}

const std::vector<double> kTimes{0.0, 1.0, 3.0};

std::vector<RigidTransform<double>> Poses() {
  return {RigidTransform<double>(RotationMatrix<double>::MakeXRotation(0.0),
                                 Vector3d(0, 0, 0)),
          RigidTransform<double>(RotationMatrix<double>::MakeXRotation(0.3),
                                 Vector3d(1, 2, 0)),
          RigidTransform<double>(RotationMatrix<double>::MakeXRotation(0.9),
                                 Vector3d(2, 0, 4))};
}

TEST(PiecewisePose, LinearMovesAndTurnsAtConstantVelocity) {
  const auto pose = PiecewisePose<double>::MakeLinear(kTimes, Poses());
  const RigidTransform<double> X(RotationMatrix<double>::MakeXRotation(0.6),
                                 Vector3d(1.5, 1, 2));
  EXPECT_TRUE(pose.GetPose(2.0).IsNearlyEqualTo(X, 1e-15));
  EXPECT_TRUE(Near(pose.value(2.0), X.GetAsMatrix4(), 1e-15));
  Vector6<double> V;
  V << 0.3, 0, 0, 0.5, -1, 2;
  EXPECT_TRUE(Near(pose.GetVelocity(2.0), V, 1e-15));
  EXPECT_TRUE(Near(pose.EvalDerivative(2.0), V, 1e-15));
  EXPECT_TRUE(Near(pose.MakeDerivative()->value(2.0), V, 1e-15));
  EXPECT_TRUE(Near(pose.GetAcceleration(2.0), Vector6<double>::Zero(), 1e-15));
  EXPECT_TRUE(pose.GetPose(9.0).IsNearlyEqualTo(Poses()[2], 1e-15));
}

TEST(PiecewisePose, IsAtRestOutsideOfItsTimes) {
  const auto pose = PiecewisePose<double>::MakeCubicLinearWithEndLinearVelocity(
      kTimes, Poses(), Vector3d(1, 0, -1), Vector3d(0, 2, 0));
  const auto velocity = pose.MakeDerivative();
  for (const double t : {-1e-9, -5.0, 3 + 1e-9, 8.0}) {
    EXPECT_EQ(pose.GetVelocity(t).norm(), 0);
    EXPECT_EQ(pose.GetAcceleration(t).norm(), 0);
    EXPECT_EQ(pose.EvalDerivative(t, 1).norm(), 0);
    EXPECT_EQ(velocity->value(t).norm(), 0);
  }
  EXPECT_GT(pose.GetVelocity(0).norm(), 1);
  EXPECT_GT(pose.GetVelocity(3).norm(), 1);
  EXPECT_THROW(pose.GetVelocity(NAN), std::logic_error);
}

TEST(PiecewisePose, CubicStartsAndEndsAtTheGivenVelocities) {
  const Vector3d v0(1, 0, -1), v1(0, 2, 0);
  const auto pose = PiecewisePose<double>::MakeCubicLinearWithEndLinearVelocity(
      kTimes, Poses(), v0, v1);
  EXPECT_TRUE(Near(pose.GetVelocity(0.0).tail<3>(), v0, 1e-14));
  EXPECT_TRUE(Near(pose.GetVelocity(3.0).tail<3>(), v1, 1e-14));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(pose.GetPose(kTimes[i]).IsNearlyEqualTo(Poses()[i], 1e-14));
  }
  EXPECT_TRUE(Near(pose.GetAcceleration(1.0 - 1e-9),
                   pose.GetAcceleration(1.0 + 1e-9), 1e-7));
}

TEST(PiecewisePose, IsApproxComparesBothParts) {
  const auto a = PiecewisePose<double>::MakeLinear(kTimes, Poses());
  auto poses = Poses();
  poses[1].set_translation(Vector3d(1, 2.1, 0));
  const auto moved = PiecewisePose<double>::MakeLinear(kTimes, poses);
  poses = Poses();
  poses[1].set_rotation(RotationMatrix<double>::MakeXRotation(0.6));
  const auto turned = PiecewisePose<double>::MakeLinear(kTimes, poses);
  EXPECT_TRUE(a.IsApprox(a, 1e-6));
  EXPECT_FALSE(a.IsApprox(moved, 1e-6));
  EXPECT_FALSE(a.IsApprox(turned, 1e-6));
}

TEST(PiecewisePose, PartsMustFit) {
  const auto pose = PiecewisePose<double>::MakeLinear(kTimes, Poses());
  const auto& position = pose.get_position_trajectory();
  EXPECT_THROWS_MESSAGE(
      PiecewisePose<double>(position.Block(0, 0, 2, 1),
                            pose.get_orientation_trajectory()),
      std::logic_error, "the position is 2 x 1");
  EXPECT_THROWS_MESSAGE(
      PiecewisePose<double>(position.slice(0, 1),
                            pose.get_orientation_trajectory()),
      std::logic_error, "from 0 to 1 s and the orientation from 0 to 3 s");
}

}  // namespace path_and_pose_test
}  // namespace wyvern::trajectories
