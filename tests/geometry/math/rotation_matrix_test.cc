#include "wyvern/geometry/math/rotation_matrix.h"

#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/scalar_value.h"

namespace wyvern::math {
namespace rotation_matrix_test {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using internal::ValuesOf;
using test::Near;
using test::RandomPose;

// A few products of numbers of size 1.
constexpr double kTolerance = 8 * std::numeric_limits<double>::epsilon();

// Variables with unit derivatives, so that derivatives() is a Jacobian.
AutoDiffXd Variable(double value, int i, int n) {
  return AutoDiffXd(value, n, i);
}

TEST(RotationMatrix, ColumnsAreTheAxesOfTheTurnedFrame) {
  const double s = 0.5, c = std::sqrt(0.75);
  EXPECT_TRUE(Near(RotationMatrixd::MakeXRotation(M_PI / 6).col(1),
                   Vector3d(0, c, s), kTolerance));
  EXPECT_TRUE(Near(RotationMatrixd::MakeYRotation(M_PI / 6).col(2),
                   Vector3d(s, 0, c), kTolerance));
  EXPECT_TRUE(Near(RotationMatrixd::MakeZRotation(M_PI / 6).col(0),
                   Vector3d(c, s, 0), kTolerance));
}

TEST(RotationMatrix, ProductWithTransposeIsIdentity) {
  RandomPose random;
  for (int i = 0; i < 100; ++i) {
    const RotationMatrixd R = random.Rotation(), S = random.Rotation();
    EXPECT_TRUE((R * R.transpose()).IsNearlyIdentity(kTolerance));
    EXPECT_TRUE(
        R.InvertAndCompose(S).IsNearlyEqualTo(R.inverse() * S, kTolerance));
    EXPECT_TRUE((R * S).IsValid());
  }
}

TEST(RotationMatrix, AgreesWithEigenOnQuaternionAndAngleAxis) {
  RandomPose random;
  for (int i = 0; i < 100; ++i) {
    const Quaterniond q = random.Quaternion();
    EXPECT_TRUE(
        Near(RotationMatrixd(q).matrix(), q.toRotationMatrix(), kTolerance));
    const AngleAxisd a(random.Scalar(-4, 4), random.UnitVector3());
    EXPECT_TRUE(
        Near(RotationMatrixd(a).matrix(), a.toRotationMatrix(), kTolerance));
  }
}

TEST(RotationMatrix, RollPitchYawIsZYXProduct) {
  const RotationMatrixd R(RollPitchYawd(0.3, -0.7, 2.1));
  const RotationMatrixd expected = RotationMatrixd::MakeZRotation(2.1) *
                                   RotationMatrixd::MakeYRotation(-0.7) *
                                   RotationMatrixd::MakeXRotation(0.3);
  EXPECT_TRUE(R.IsNearlyEqualTo(expected, kTolerance));
}

TEST(RotationMatrix, NormDoesNotMatterToQuaternionOrAxis) {
  const Quaterniond q(1, -2, 3, 0.5);
  const Quaterniond scaled(1e20, -2e20, 3e20, 0.5e20);
  EXPECT_TRUE(
      RotationMatrixd(q).IsNearlyEqualTo(RotationMatrixd(scaled), kTolerance));
  const Vector3d axis(1, 2, -2);
  EXPECT_TRUE(RotationMatrixd(AngleAxisd(1, axis))
                  .IsNearlyEqualTo(RotationMatrixd(AngleAxisd(1, axis / 3)),
                                   kTolerance));
}

TEST(RotationMatrix, QuaternionComesBackWithNonNegativeScalarPart) {
  RandomPose random;
  for (int i = 0; i < 200; ++i) {
    const Quaterniond q = random.Quaternion();
    const Quaterniond back = RotationMatrixd(q).ToQuaternion();
    EXPECT_GE(back.w(), 0);
    EXPECT_NEAR(std::abs(q.dot(back)), 1, kTolerance);
    EXPECT_NEAR(back.norm(), 1, kTolerance);
  }
}

TEST(RotationMatrix, QuaternionIsAccurateNearHalfTurns) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d u = Vector3d::Unit(axis);
    const RotationMatrixd R(AngleAxisd(M_PI - 1e-9, u));
    const Quaterniond q = R.ToQuaternion();
    EXPECT_TRUE(Near(q.vec(), u, kTolerance));
    EXPECT_NEAR(q.w(), 5e-10, kTolerance);
  }
}

TEST(RotationMatrix, AngleAxisComesBackInZeroToPi) {
  RandomPose random;
  for (int i = 0; i < 100; ++i) {
    const RotationMatrixd R = random.Rotation();
    const AngleAxisd a = R.ToAngleAxis();
    EXPECT_GE(a.angle(), 0);
    EXPECT_LE(a.angle(), M_PI);
    EXPECT_TRUE(RotationMatrixd(a).IsNearlyEqualTo(R, 1e-14));
  }
  const AngleAxisd none = RotationMatrixd().ToAngleAxis();
  EXPECT_EQ(none.angle(), 0);
  EXPECT_EQ(none.axis(), Vector3d::UnitX());
}

TEST(RotationMatrix, MakeFromOneVectorPutsTheAxisThere) {
  RandomPose random;
  for (int axis = 0; axis < 3; ++axis) {
    for (int i = 0; i < 30; ++i) {
      const Vector3d b = 7 * random.Vector3();
      const auto R = RotationMatrixd::MakeFromOneVector(b, axis);
      EXPECT_TRUE(Near(R.col(axis), b.normalized(), kTolerance));
      EXPECT_TRUE(R.IsValid());
    }
    const auto R =
        RotationMatrixd::MakeFromOneUnitVector(-Vector3d::UnitZ(), axis);
    EXPECT_TRUE(R.IsValid());
  }
}

TEST(RotationMatrix, MakeFromOneVectorTurnsTheNextAxisFromTheLeastAligned) {
  // e_x is least aligned: the next axis is e_x cross the vector.
  const auto R = RotationMatrixd::MakeFromOneVector(Vector3d(1, 2, 3), 2);
  EXPECT_TRUE(Near(R.col(0), Vector3d(0, -3, 2) / std::sqrt(13.0), kTolerance));
}

TEST(RotationMatrix, ClosestToIdentityTurnsByTheAngleFromZ) {
  RandomPose random;
  for (int i = 0; i < 100; ++i) {
    const Vector3d u = random.UnitVector3();
    const auto R = RotationMatrixd::MakeClosestRotationToIdentityFromUnitZ(u);
    EXPECT_TRUE(Near(R.col(2), u, kTolerance));
    EXPECT_TRUE(R.IsValid());
    // 1 + 2 cos(angle) = trace, and the angle is that from Az to u.
    EXPECT_NEAR(R.matrix().trace(), 1 + 2 * u.z(), kTolerance);
  }
}

TEST(RotationMatrix, ClosestToIdentityIsValidNextToMinusZ) {
  for (const double t : {0.0, 1e-160, 1e-12, 1e-8, 1e-4}) {
    const Vector3d u(std::sin(t) * 0.6, std::sin(t) * 0.8, -std::cos(t));
    const auto R = RotationMatrixd::MakeClosestRotationToIdentityFromUnitZ(u);
    EXPECT_TRUE(R.IsValid()) << t;
    EXPECT_TRUE(Near(R.col(2), u, kTolerance));
  }
}

TEST(RotationMatrix, OrthonormalColumnsAndRowsAreTransposes) {
  const RotationMatrixd R = RandomPose().Rotation();
  const auto columns =
      RotationMatrixd::MakeFromOrthonormalColumns(R.col(0), R.col(1), R.col(2));
  const auto rows =
      RotationMatrixd::MakeFromOrthonormalRows(R.col(0), R.col(1), R.col(2));
  EXPECT_TRUE(columns.IsExactlyEqualTo(R));
  EXPECT_TRUE(rows.IsExactlyEqualTo(R.inverse()));
  EXPECT_TRUE(Near(R.row(1).transpose(), R.inverse().col(1)));
}

TEST(RotationMatrix, ProjectionRecoversARotationFromItsStretch) {
  RandomPose random;
  for (int i = 0; i < 50; ++i) {
    const RotationMatrixd R = random.Rotation(), S = random.Rotation();
    // M = R P with P symmetric positive definite has the polar factor R.
    const Vector3d sigma(0.5, 1.2, 1.4);
    const Matrix3d M =
        R.matrix() * S.matrix() * sigma.asDiagonal() * S.matrix().transpose();
    double quality = 0;
    const auto projected =
        RotationMatrixd::ProjectToRotationMatrix(M, &quality);
    EXPECT_TRUE(projected.IsNearlyEqualTo(R, 1e-14));
    EXPECT_NEAR(quality, 0.5, 1e-14);
  }
}

// 1.5 stretches by less than 0.6 shrinks, though it is farther from 1.
TEST(RotationMatrix, QualityOfAProjectionIsTheLargestFactor) {
  for (const auto& [sigma, wanted] : {std::pair{Vector3d(1.5, 1, 0.6), 0.6},
                                      {Vector3d(1.7, 1, 0.6), 1.7},
                                      {Vector3d(1, 1, 1), 1.0}}) {
    double quality = 0;
    const Matrix3d M = sigma.asDiagonal();
    RotationMatrixd::ProjectToRotationMatrix(M, &quality);
    EXPECT_NEAR(quality, wanted, 1e-15);
  }
}

TEST(RotationMatrix, ProjectionOnAnAxisTakesInfiniteBounds) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Vector3d z = Vector3d::UnitZ();
  const Matrix3d M = RotationMatrixd::MakeZRotation(2.5).matrix();
  EXPECT_NEAR(ProjectMatToRotMatWithAxis(M, z, -kInf, kInf), 2.5, 1e-14);
  EXPECT_NEAR(ProjectMatToRotMatWithAxis(M, z, 3, kInf), 2.5 + 2 * M_PI, 1e-14);
  EXPECT_NEAR(ProjectMatToRotMatWithAxis(M, z, 2, kInf), 2.5, 1e-14);
  EXPECT_NEAR(ProjectMatToRotMatWithAxis(M, z, -kInf, 2), 2.5 - 2 * M_PI,
              1e-14);
  EXPECT_NEAR(ProjectMatToRotMatWithAxis(M, z, -kInf, 20), 2.5 + 4 * M_PI,
              1e-14);
  EXPECT_THROWS_MESSAGE(ProjectMatToRotMatWithAxis(M, z, kInf, kInf),
                        std::logic_error, "an angle lie between");
  EXPECT_THROWS_MESSAGE(ProjectMatToRotMatWithAxis(NAN * M, z, 0, 1),
                        std::logic_error, "is nan; it must be finite");
}

TEST(RotationMatrix, ProjectionCarriesDerivatives) {
  // Q(t) = polar factor of R(t) P is R(t), so its derivative is that of R(t).
  const AutoDiffXd t = Variable(0.4, 0, 1);
  const auto R = RotationMatrix<AutoDiffXd>::MakeXRotation(t);
  Matrix3<AutoDiffXd> P = Matrix3<AutoDiffXd>::Identity();
  P(0, 1) = P(1, 0) = AutoDiffXd(0.3);
  P(2, 2) = AutoDiffXd(1.5);
  const Matrix3<AutoDiffXd> M = R.matrix() * P;
  const auto Q = RotationMatrix<AutoDiffXd>::ProjectToRotationMatrix(M);
  EXPECT_NEAR(Q.matrix()(2, 1).value(), std::sin(0.4), 1e-14);
  EXPECT_NEAR(Q.matrix()(2, 1).derivatives()(0), std::cos(0.4), 1e-13);
}

TEST(RotationMatrix, ProjectionAboutAnAxisMinimizesTheDistance) {
  RandomPose random;
  for (int i = 0; i < 20; ++i) {
    Matrix3d M;
    M << random.Vector3(), random.Vector3(), random.Vector3();
    const Vector3d u = random.UnitVector3();
    const double lb = -1, ub = 2;
    const double best = ProjectMatToRotMatWithAxis(M, u, lb, ub);
    EXPECT_GE(best, lb);
    EXPECT_LE(best, ub);
    const auto distance = [&](double t) {
      return (RotationMatrixd(AngleAxisd(t, u)).matrix() - M).norm();
    };
    for (double t = lb; t <= ub; t += 0.05) {
      EXPECT_LE(distance(best), distance(t) + 1e-12);
    }
  }
}

TEST(RotationMatrix, MatrixOnTheRightIsTurnedByColumn) {
  const RotationMatrixd R = RandomPose().Rotation();
  const Eigen::Matrix3Xd v = Eigen::Matrix3Xd::Random(3, 4);
  const Eigen::Matrix3Xd w = R * v;
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(Near(w.col(i), R * Vector3d(v.col(i)), kTolerance));
  }
  EXPECT_THROWS_MESSAGE(R * Eigen::MatrixXd(2, 4), std::logic_error, "2 rows");
}

TEST(RotationMatrix, RefusesWhatIsNoRotation) {
  EXPECT_THROWS_MESSAGE(RotationMatrixd(Matrix3d(2 * Matrix3d::Identity())),
                        std::logic_error, "not orthonormal");
  EXPECT_THROWS_MESSAGE(RotationMatrixd(Matrix3d(-Matrix3d::Identity())),
                        std::logic_error, "reflection");
  Matrix3d nan = Matrix3d::Identity();
  nan(1, 2) = std::nan("");
  EXPECT_THROWS_MESSAGE(RotationMatrixd{nan}, std::logic_error,
                        "is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(RotationMatrixd(Quaterniond(0, 0, 0, 0)),
                        std::logic_error, "norm must be positive");
  EXPECT_THROWS_MESSAGE(RotationMatrixd(AngleAxisd(1, Vector3d::Zero())),
                        std::logic_error, "axis must have a positive length");
}

TEST(RotationMatrix, RefusesVectorsAndIndicesThatGiveNoFrame) {
  const Vector3d z = Vector3d::UnitZ();
  EXPECT_THROWS_MESSAGE(RotationMatrixd::MakeFromOneVector(1e-11 * z, 0),
                        std::logic_error, "gives no direction");
  EXPECT_THROWS_MESSAGE(RotationMatrixd::MakeFromOneVector(z, 3),
                        std::logic_error,
                        "axis_index is 3; it must be from 0 to 2");
  EXPECT_THROWS_MESSAGE(RotationMatrixd::MakeFromOneUnitVector(2 * z, 0),
                        std::logic_error, "has the length 2");
  EXPECT_THROWS_MESSAGE(
      RotationMatrixd::MakeClosestRotationToIdentityFromUnitZ(2 * z),
      std::logic_error, "has the length 2");
  EXPECT_THROWS_MESSAGE(RotationMatrixd().row(3), std::out_of_range,
                        "index is 3");
  EXPECT_THROWS_MESSAGE(RotationMatrixd().col(-1), std::out_of_range,
                        "index is -1");
}

TEST(RotationMatrix, ProjectionRefusesMatricesWithoutANearestRotation) {
  using R = RotationMatrixd;
  EXPECT_THROWS_MESSAGE(R::ProjectToRotationMatrix(Matrix3d::Zero()),
                        std::logic_error, "no rotation is nearest");
  double quality = 0;
  EXPECT_THROWS_MESSAGE(
      R::ProjectToRotationMatrix(-Matrix3d::Identity(), &quality),
      std::logic_error, "reflection");
  EXPECT_EQ(quality, -1);
  const Vector3d z = Vector3d::UnitZ();
  EXPECT_THROWS_MESSAGE(
      ProjectMatToRotMatWithAxis(Matrix3d::Identity(), z, 1, 0),
      std::logic_error, "angle_lb is 1");
  EXPECT_THROWS_MESSAGE(
      ProjectMatToRotMatWithAxis(Matrix3d::Identity(), 0 * z, 0, 1),
      std::logic_error, "no direction");
}

TEST(RotationMatrix, MeasuresReportTheWorstElement) {
  Matrix3d M = Matrix3d::Identity();
  M(0, 1) = 1e-6;
  EXPECT_NEAR(RotationMatrixd::GetMeasureOfOrthonormality(M), 1e-6, 1e-11);
  EXPECT_TRUE(RotationMatrixd::IsValid(M, 2e-6));
  EXPECT_FALSE(RotationMatrixd::IsValid(M));
  EXPECT_FALSE(RotationMatrixd::IsOrthonormal(M, 5e-7));
  const auto R = RotationMatrixd::MakeZRotation(1e-6);
  EXPECT_NEAR(R.GetMaximumAbsoluteDifference(RotationMatrixd()), 1e-6, 1e-15);
  EXPECT_FALSE(R.IsNearlyIdentity());
  EXPECT_TRUE(RotationMatrixd::Identity().IsExactlyIdentity());
}

TEST(RotationMatrix, CastKeepsTheElements) {
  const RotationMatrixd R = RandomPose().Rotation();
  EXPECT_TRUE(Near(ValuesOf(R.cast<AutoDiffXd>().matrix()), R.matrix()));
}

TEST(RotationMatrix, DerivativeWithAngleIsAxisCrossRotation) {
  const Vector3d u = RandomPose().UnitVector3();
  const AutoDiffXd theta = Variable(0.8, 0, 1);
  const RotationMatrix<AutoDiffXd> R(
      Eigen::AngleAxis<AutoDiffXd>(theta, u.cast<AutoDiffXd>()));
  const Matrix3d dR = R.matrix().unaryExpr(
      [](const AutoDiffXd& x) { return x.derivatives()(0); });
  EXPECT_TRUE(
      Near(dR, VectorToSkewSymmetric(u) * ValuesOf(R.matrix()), kTolerance));
}

TEST(RotationMatrix, DerivativeOfTheQuaternionIsHalfTheAxis) {
  // q = (cos θ/2, u sin θ/2), so dq/dθ = (-sin θ/2, u cos θ/2)/2; at θ = 0 too.
  for (const double angle : {0.0, 0.5, 3.0}) {
    const auto R =
        RotationMatrix<AutoDiffXd>::MakeYRotation(Variable(angle, 0, 1));
    const Eigen::Quaternion<AutoDiffXd> q = R.ToQuaternion();
    EXPECT_NEAR(q.y().value(), std::sin(angle / 2), kTolerance);
    EXPECT_NEAR(q.y().derivatives()(0), std::cos(angle / 2) / 2, kTolerance);
    EXPECT_NEAR(q.w().derivatives()(0), -std::sin(angle / 2) / 2, kTolerance);
  }
}

TEST(RotationMatrix, PrintsItsRows) {
  std::ostringstream out;
  out << RotationMatrixd();
  EXPECT_EQ(out.str(), "1 0 0\n0 1 0\n0 0 1");
}

TEST(CrossProduct, SkewMatrixTimesVectorIsTheCrossProduct) {
  RandomPose random;
  const Vector3d p = random.Vector3(), q = random.Vector3();
  EXPECT_TRUE(Near(VectorToSkewSymmetric(p) * q, p.cross(q), kTolerance));
}

}  // namespace rotation_matrix_test
}  // namespace wyvern::math
