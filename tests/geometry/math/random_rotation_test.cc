#include "wyvern/geometry/math/random_rotation.h"

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/convert_time_derivative.h"
#include "wyvern/geometry/math/differentiable_norm.h"

namespace wyvern::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::Near;

TEST(RandomRotation, MeansAreThoseOfTheUniformDistribution) {
  // E[R] = 0, E[q qᵀ] = 1/4, and E[Rij²] = 1/3 in every element.
  RandomGenerator generator(7);
  constexpr int n = 40000;
  Matrix3d mean = Matrix3d::Zero(), mean_square = Matrix3d::Zero();
  Eigen::Matrix4d covariance = Eigen::Matrix4d::Zero();
  for (int i = 0; i < n; ++i) {
    const Eigen::Quaterniond q = UniformlyRandomQuaternion(&generator);
    const Matrix3d R = RotationMatrixd(q).matrix();
    mean += R / n;
    mean_square += R.cwiseAbs2() / n;
    covariance += q.coeffs() * q.coeffs().transpose() / n;
  }
  // Six standard deviations of the mean of numbers of size 0.5.
  const double tolerance = 6 * 0.5 / std::sqrt(n);
  EXPECT_TRUE(Near(mean, Matrix3d::Zero(), tolerance));
  EXPECT_TRUE(Near(mean_square, Matrix3d::Constant(1.0 / 3), tolerance));
  EXPECT_TRUE(Near(covariance, Eigen::Matrix4d::Identity() / 4, tolerance));
}

TEST(RandomRotation, AllFormsAreTheSameDrawOfTheSameSeed) {
  RandomGenerator a(3), b(3), c(3), d(3);
  const RotationMatrixd R = UniformlyRandomRotationMatrix(&a);
  const Eigen::AngleAxisd angle_axis = UniformlyRandomAngleAxis(&b);
  const RollPitchYawd rpy(UniformlyRandomRPY(&c));
  const Eigen::Quaterniond q = UniformlyRandomQuaternion(&d);
  EXPECT_TRUE(RotationMatrixd(angle_axis).IsNearlyEqualTo(R, 1e-14));
  EXPECT_TRUE(RotationMatrixd(rpy).IsNearlyEqualTo(R, 1e-14));
  EXPECT_TRUE(RotationMatrixd(q).IsNearlyEqualTo(R, 1e-14));
  EXPECT_NEAR(q.norm(), 1, 1e-15);
}

TEST(RandomRotation, StandardGeneratorsWillDo) {
  std::mt19937 generator;
  const auto R = UniformlyRandomRotationMatrix<AutoDiffXd>(&generator);
  EXPECT_TRUE(R.IsValid());
}

TEST(ConvertTimeDerivative, OfAVectorFixedInBIsItsVelocity) {
  const Vector3d v(1, 0, 0), w(0, 0, 2);
  EXPECT_EQ(ConvertTimeDerivativeToOtherFrame(v, Vector3d(0, 0, 5), w),
            Vector3d(0, 2, 5));
}

TEST(DifferentiableNorm, HasTheDirectionForGradientAndZeroAtZero) {
  Vector2<AutoDiffXd> x(AutoDiffXd(3, 2, 0), AutoDiffXd(4, 2, 1));
  EXPECT_EQ(DifferentiableNorm(x).value(), 5);
  EXPECT_TRUE(Near(DifferentiableNorm(x).derivatives(),
                   Eigen::Vector2d(0.6, 0.8), 1e-15));
  x(0).value() = x(1).value() = 0;
  EXPECT_EQ(DifferentiableNorm(x).value(), 0);
  EXPECT_EQ(DifferentiableNorm(x).derivatives(), Eigen::Vector2d(0, 0));
  EXPECT_EQ(DifferentiableNorm(Vector3d(2, 3, 6)), 7);
}

}  // namespace
}  // namespace wyvern::math
