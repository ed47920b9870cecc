#include "wyvern/multibody/math/articulated_body_inertia.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/scalar_value.h"

namespace wyvern::multibody {
namespace articulated_body_inertia_test {

using Eigen::Vector3d;
using math::internal::ValuesOf;
using test::Near;
using test::RandomPose;
using Articulated = ArticulatedBodyInertia<double>;
using Spatial = SpatialInertia<double>;

constexpr double kTolerance = 1e-13;  // Sums of twenty products of size 2.

// Any positive definite matrix.
Matrix6<double> RandomMatrix(RandomPose* random) {
  Matrix6<double> A;
  for (int j = 0; j < 6; ++j) A.col(j) = random->Vector6();
  const Matrix6<double> P = A * A.transpose();
  return (P + P.transpose()) / 2;
}

TEST(ArticulatedBodyInertia, OfARigidBodyIsItsSpatialInertia) {
  RandomPose random;
  const Spatial M =
      Spatial::SolidBoxWithMass(2, 1, 2, 3).Shift(random.Vector3());
  const Vector3d p = random.Vector3();
  const Articulated P(M);
  EXPECT_TRUE(P.IsPhysicallyValid());
  EXPECT_EQ(P.CopyToFullMatrix6(), M.CopyToFullMatrix6());
  EXPECT_TRUE(Near(P.Shift(p).CopyToFullMatrix6(),
                   M.Shift(p).CopyToFullMatrix6(), kTolerance));
}

TEST(ArticulatedBodyInertia, ShiftKeepsTheForceOfAnAcceleration) {
  RandomPose random;
  const Articulated P_Q(RandomMatrix(&random));
  const Vector3d p_QR = random.Vector3();
  const SpatialAcceleration<double> A_Q(random.Vector6());
  const SpatialForce<double> F_R =
      P_Q.Shift(p_QR) * A_Q.ShiftWithZeroAngularVelocity(p_QR);
  EXPECT_TRUE(
      Near(F_R.get_coeffs(), (P_Q * A_Q).Shift(p_QR).get_coeffs(), kTolerance));
  const Matrix6<double> shifted = P_Q.Shift(p_QR).CopyToFullMatrix6();
  EXPECT_EQ(shifted, shifted.transpose());
}

TEST(ArticulatedBodyInertia, ProductsAreThoseOfTheMatrix) {
  RandomPose random;
  const Matrix6<double> m = RandomMatrix(&random);
  const Articulated P(m);
  const Eigen::MatrixXd H = Eigen::MatrixXd::Random(6, 3);
  EXPECT_TRUE(Near(P * H, m * H, kTolerance));
  EXPECT_TRUE(Near(H.transpose() * P, H.transpose() * m, kTolerance));
}

TEST(ArticulatedBodyInertia, SumsAndDifferencesAreThoseOfTheMatrix) {
  RandomPose random;
  const Matrix6<double> a = RandomMatrix(&random), b = RandomMatrix(&random);
  Articulated P(a);
  P += Articulated(b);
  EXPECT_TRUE(Near(P.CopyToFullMatrix6(), a + b));
  P -= Articulated(b);
  EXPECT_TRUE(Near(P.CopyToFullMatrix6(), a, kTolerance));
}

TEST(ArticulatedBodyInertia, OnlyTheLowerTriangleIsRead) {
  RandomPose random;
  const Matrix6<double> m = RandomMatrix(&random);
  const Matrix6<double> lower = m.triangularView<Eigen::Lower>();
  EXPECT_EQ(Articulated(lower).CopyToFullMatrix6(), m);
}

TEST(ArticulatedBodyInertia, MatricesThatAreNoInertiaAreRefused) {
  Matrix6<double> m = Matrix6<double>::Identity();
  m(5, 5) = -1e-6;
  EXPECT_THROWS_MESSAGE(Articulated{m}, std::logic_error,
                        "positive semidefinite");
  m(5, 5) = std::nan("");
  EXPECT_THROWS_MESSAGE(Articulated{m}, std::logic_error, "finite");
  m = Matrix6<double>::Identity();
  m(4, 1) = m(1, 4) = 1.5;  // |P_ij| > sqrt(P_ii P_jj).
  EXPECT_THROWS_MESSAGE(Articulated{m}, std::logic_error, "not an inertia");
}

TEST(ArticulatedBodyInertia, SemidefiniteOfAnyScaleIsAccepted) {
  // A light and small body next to a large mass: no cut-off by units.
  Vector6<double> diagonal;
  diagonal << 1e-12, 1e-12, 1e-13, 1e6, 1e6, 0;
  Articulated P{Matrix6<double>(diagonal.asDiagonal())};
  EXPECT_TRUE(P.IsPhysicallyValid());
  // A particle has no inertia about itself.
  EXPECT_TRUE(Articulated(Spatial::PointMass(1, Vector3d(1, 2, 3)))
                  .IsPhysicallyValid());
  P -= Articulated(Matrix6<double>(2 * diagonal.asDiagonal()));
  EXPECT_FALSE(P.IsPhysicallyValid());
}

TEST(ArticulatedBodyInertia, DerivativesComeThroughAShift) {
  // A particle of 2 kg shifted by x along x: Iyy = 2 x², its derivative 4 x.
  const AutoDiffXd x(3.0, 1, 0);
  const ArticulatedBodyInertia<AutoDiffXd> P(
      SpatialInertia<AutoDiffXd>::PointMass(2.0, Vector3<AutoDiffXd>::Zero()));
  const auto shifted =
      P.Shift(Vector3<AutoDiffXd>(x, 0, 0)).CopyToFullMatrix6();
  EXPECT_EQ(shifted(1, 1).value(), 18);
  EXPECT_EQ(shifted(1, 1).derivatives()(0), 12);
  EXPECT_TRUE(Near(P.cast<double>().CopyToFullMatrix6(),
                   ValuesOf(P.CopyToFullMatrix6())));
}

#ifndef NDEBUG
TEST(ArticulatedBodyInertia, UnsetElementsAreNanWhereAssertionsAreOn) {
  EXPECT_FALSE(Articulated().IsPhysicallyValid());
}
#endif

TEST(ArticulatedBodyInertia, NothingAllocates) {
  RandomPose random;
  const Articulated P(RandomMatrix(&random));
  const Vector3d p = random.Vector3();
  test::AllocationGuard guard;
  Articulated Q = P.Shift(p);
  Q += P;
  EXPECT_EQ(guard.count(), 0);
  EXPECT_TRUE(Q.IsPhysicallyValid());
}

}  // namespace articulated_body_inertia_test
}  // namespace wyvern::multibody
