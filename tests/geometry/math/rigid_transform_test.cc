#include "wyvern/geometry/math/rigid_transform.h"

#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::math {
namespace rigid_transform_test {

using Eigen::Matrix4d;
using Eigen::Translation3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using test::Near;
using test::RandomPose;

constexpr double kTolerance = 8 * std::numeric_limits<double>::epsilon();

TEST(RigidTransform, ProductIsTheProductOfHomogeneousMatrices) {
  RandomPose random;
  for (int i = 0; i < 100; ++i) {
    const RigidTransformd X = random.Pose(), Y = random.Pose();
    EXPECT_TRUE(Near((X * Y).GetAsMatrix4(),
                     X.GetAsMatrix4() * Y.GetAsMatrix4(), kTolerance));
    RigidTransformd Z = X;
    Z *= Y;
    EXPECT_TRUE(Z.IsNearlyEqualTo(X * Y, kTolerance));
  }
}

TEST(RigidTransform, InverseUndoesIt) {
  RandomPose random;
  for (int i = 0; i < 100; ++i) {
    const RigidTransformd X = random.Pose(), Y = random.Pose();
    EXPECT_TRUE((X * X.inverse()).IsNearlyIdentity(kTolerance));
    EXPECT_TRUE(
        X.InvertAndCompose(Y).IsNearlyEqualTo(X.inverse() * Y, kTolerance));
  }
}

TEST(RigidTransform, PointsTurnAndMoveVectorsOnlyTurn) {
  RandomPose random;
  const RigidTransformd X = random.Pose();
  const Vector3d p = random.Vector3();
  const Vector3d moved = X.rotation() * p + X.translation();
  EXPECT_TRUE(Near(X * p, moved, kTolerance));
  const Vector4d point(p(0), p(1), p(2), 1), vector(p(0), p(1), p(2), 0);
  EXPECT_TRUE(Near((X * point).head<3>(), moved, kTolerance));
  EXPECT_TRUE(Near((X * vector).head<3>(), X.rotation() * p, kTolerance));
  EXPECT_EQ((X * point)(3), 1);
  EXPECT_EQ((X * vector)(3), 0);
  EXPECT_THROWS_MESSAGE(X * Vector4d(0, 0, 0, 2), std::logic_error,
                        "last element of the 4-vector is 2");
}

TEST(RigidTransform, MatrixOnTheRightIsMovedByColumn) {
  const RigidTransformd X = RandomPose().Pose();
  const Eigen::Matrix3Xd p = Eigen::Matrix3Xd::Random(3, 5);
  const Eigen::Matrix3Xd q = X * p;
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(Near(q.col(i), X * Vector3d(p.col(i)), kTolerance));
  }
  EXPECT_THROWS_MESSAGE(X * Eigen::MatrixXd(4, 2), std::logic_error, "4 rows");
}

TEST(RigidTransform, TranslationComposesFromEitherSide) {
  RandomPose random;
  const RigidTransformd X = random.Pose();
  const Vector3d p = random.Vector3();
  const RigidTransformd T(p);
  EXPECT_TRUE((X * Translation3d(p)).IsNearlyEqualTo(X * T, kTolerance));
  EXPECT_TRUE((Translation3d(p) * X).IsNearlyEqualTo(T * X, kTolerance));
  const RigidTransformd implicit = Translation3d(p);
  EXPECT_TRUE(implicit.IsExactlyEqualTo(T));
}

TEST(RigidTransform, EveryFormOfThePoseGivesIt) {
  const RigidTransformd X = RandomPose().Pose();
  const Eigen::MatrixXd m4 = X.GetAsMatrix4(), m34 = X.GetAsMatrix34();
  const Eigen::VectorXd p = X.translation();
  EXPECT_TRUE(RigidTransformd(X.GetAsMatrix4()).IsExactlyEqualTo(X));
  EXPECT_TRUE(RigidTransformd(X.GetAsMatrix34()).IsExactlyEqualTo(X));
  EXPECT_TRUE(RigidTransformd(X.GetAsIsometry3()).IsExactlyEqualTo(X));
  EXPECT_TRUE(RigidTransformd(m4).IsExactlyEqualTo(X));
  EXPECT_TRUE(RigidTransformd(m34).IsExactlyEqualTo(X));
  EXPECT_TRUE(
      RigidTransformd(p).IsExactlyEqualTo(RigidTransformd(X.translation())));
  EXPECT_TRUE(RigidTransformd(2 * X.GetAsMatrix34().col(3))
                  .IsExactlyEqualTo(RigidTransformd(2 * X.translation())));
  EXPECT_TRUE(
      RigidTransformd::MakeUnchecked(X.GetAsMatrix34()).IsExactlyEqualTo(X));
}

TEST(RigidTransform, EveryFormOfTheRotationGivesIt) {
  RandomPose random;
  const Eigen::Quaterniond q = random.Quaternion();
  const Vector3d p = random.Vector3();
  const RigidTransformd expected(RotationMatrixd(q), p);
  EXPECT_TRUE(RigidTransformd(q, p).IsNearlyEqualTo(expected, kTolerance));
  EXPECT_TRUE(RigidTransformd(RollPitchYawd(q), p)
                  .IsNearlyEqualTo(expected, kTolerance));
  EXPECT_TRUE(RigidTransformd(Eigen::AngleAxisd(q), p)
                  .IsNearlyEqualTo(expected, kTolerance));
  RigidTransformd X(p);
  X.set_rotation(q);
  EXPECT_TRUE(X.IsNearlyEqualTo(expected, kTolerance));
  X.set_rotation(RollPitchYawd(q));
  EXPECT_TRUE(X.IsNearlyEqualTo(expected, kTolerance));
  X.set_rotation(Eigen::AngleAxisd(q));
  EXPECT_TRUE(X.IsNearlyEqualTo(expected, kTolerance));
  EXPECT_TRUE(X.SetIdentity().IsExactlyIdentity());
}

TEST(RigidTransform, RefusesWhatIsNoPose) {
  Matrix4d m = Matrix4d::Identity();
  m(3, 0) = 1e-3;
  EXPECT_THROWS_MESSAGE(RigidTransformd{m}, std::logic_error, "last row");
  m = 2 * Matrix4d::Identity();
  EXPECT_THROWS_MESSAGE(RigidTransformd{m}, std::logic_error, "orthonormal");
  EXPECT_THROWS_MESSAGE(RigidTransformd(Eigen::MatrixXd::Identity(3, 3)),
                        std::logic_error, "3x3");
}

TEST(RigidTransform, DifferencesReportTheWorstElement) {
  const RigidTransformd X(Vector3d(1, 2, 3)), Y(Vector3d(1, 2.5, 3.25));
  EXPECT_EQ(X.GetMaximumAbsoluteDifference(Y), 0.5);
  EXPECT_EQ(X.GetMaximumAbsoluteTranslationDifference(Y), 0.5);
  EXPECT_TRUE(X.IsNearlyEqualTo(Y, 0.5));
  EXPECT_FALSE(X.IsNearlyEqualTo(Y, 0.4));
  EXPECT_FALSE(X.IsNearlyIdentity(2.9));
  const RigidTransformd Z(RotationMatrixd::MakeXRotation(0.1));
  EXPECT_EQ(Z.GetMaximumAbsoluteTranslationDifference(RigidTransformd()), 0);
  EXPECT_FALSE(Z.IsNearlyIdentity(1));
}

TEST(RigidTransform, CastKeepsTheElements) {
  const RigidTransformd X = RandomPose().Pose();
  EXPECT_TRUE(Near(internal::ValuesOf(X.cast<AutoDiffXd>().GetAsMatrix34()),
                   X.GetAsMatrix34()));
}

TEST(RigidTransform, PrintsAnglesAndPosition) {
  std::ostringstream out;
  out << RigidTransformd(RollPitchYawd(0, 0, 0), Vector3d(1, -2, 0.5));
  EXPECT_EQ(out.str(), "rpy = 0 0 0 xyz = 1 -2 0.5");
}

}  // namespace rigid_transform_test
}  // namespace wyvern::math
