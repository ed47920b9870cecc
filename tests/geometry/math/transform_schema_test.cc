#include "wyvern/geometry/math/transform_schema.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"

namespace wyvern::schema {
namespace transform_schema_test {

using math::RigidTransform;
using math::RollPitchYaw;
using test::Near;

constexpr double kDegree = std::numbers::pi / 180;
// Rounding of sines and cosines.
constexpr double kTolerance = 1e-15;

TEST(TransformSchema, EverySpellingOfARotationIsThatRotation) {
  Transform X;
  EXPECT_TRUE(X.GetDeterministicValue().IsExactlyIdentity());
  X.set_rotation_rpy_deg({10, 20, 30});
  X.translation = Vector3<double>(1, 2, 3);
  const RigidTransform<double> wanted(
      RollPitchYaw<double>(10 * kDegree, 20 * kDegree, 30 * kDegree),
      Vector3<double>(1, 2, 3));
  EXPECT_TRUE(X.GetDeterministicValue().IsNearlyEqualTo(wanted, kTolerance));
  X.rotation.value = Rotation::AngleAxis{90.0, Vector3<double>(0, 0, 1e-200)};
  EXPECT_NEAR(X.GetDeterministicValue().rotation().matrix()(1, 0), 1,
              kTolerance);
  EXPECT_TRUE(Transform(wanted).GetDeterministicValue().IsNearlyEqualTo(
      wanted, kTolerance));
}

TEST(TransformSchema, WhatIsNoPoseIsAnError) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Transform X;
  X.translation = Vector3<double>(0, kNan, 0);
  EXPECT_THROWS_MESSAGE(X.GetDeterministicValue(), std::logic_error,
                        "translation[1] is nan");
  Rotation R;
  R.set_rpy_deg(Vector3<double>(kNan, 0, 0));
  EXPECT_THROWS_MESSAGE(R.GetDeterministicValue(), std::logic_error, "deg");
  R.value = Rotation::AngleAxis{kNan, Vector3<double>::UnitX()};
  EXPECT_THROWS_MESSAGE(R.GetDeterministicValue(), std::logic_error,
                        "angle_deg is nan");
  R.value = Rotation::AngleAxis{1.0, Vector3<double>::Zero()};
  EXPECT_THROWS_MESSAGE(R.GetDeterministicValue(), std::logic_error,
                        "give a direction");
}

TEST(TransformSchema, WhatIsRandomHasNoValueButSamples) {
  Transform X;
  X.translation =
      UniformVector<3>(Vector3<double>(1, 2, 3), Vector3<double>(2, 2, 4));
  X.rotation.value = Rotation::AngleAxis{Gaussian(90, 5), UniformVector<3>()};
  EXPECT_FALSE(X.IsDeterministic());
  EXPECT_FALSE(X.rotation.IsDeterministic());
  EXPECT_THROWS_MESSAGE(X.GetDeterministicValue(), std::logic_error, "random");
  X.rotation.value = Rotation::Uniform{};
  EXPECT_THROWS_MESSAGE(X.rotation.GetDeterministicValue(), std::logic_error,
                        "random");
  RandomGenerator generator(3);
  // A uniform rotation's matrix has the mean 0 and entries of variance 1/3;
  // five standard errors.
  const int n = 4000;
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero(), squares = sum;
  for (int i = 0; i < n; ++i) {
    const RigidTransform<double> sample = X.Sample(&generator);
    EXPECT_EQ(sample.translation()[1], 2);
    EXPECT_TRUE(sample.translation()[0] >= 1 && sample.translation()[0] <= 2);
    sum += sample.rotation().matrix();
    squares += sample.rotation().matrix().cwiseAbs2();
  }
  EXPECT_LT((sum / n).cwiseAbs().maxCoeff(), 5 / std::sqrt(3.0 * n));
  EXPECT_LT((squares / n).array().abs().maxCoeff(), 1 / 3.0 + 5 / std::sqrt(n));
  EXPECT_THROWS_MESSAGE(X.Sample(nullptr), std::logic_error, "generator");
}

TEST(TransformSchema, ADistributionOfNoWidthIsItsValue) {
  Transform X;
  X.translation = DeterministicVector<3>(Vector3<double>(1, 2, 3));
  X.rotation.value = Rotation::AngleAxis{
      Deterministic(90),
      UniformVector<3>(Vector3<double>(0, 0, 2), Vector3<double>(0, 0, 2))};
  EXPECT_TRUE(X.IsDeterministic());
  EXPECT_TRUE(Near(X.GetDeterministicValue().translation(),
                   Vector3<double>(1, 2, 3), 0));
  EXPECT_NEAR(X.GetDeterministicValue().rotation().matrix()(1, 0), 1,
              kTolerance);
  X.rotation.value = Rotation::Rpy{
      GaussianVector<3>(Vector3<double>(0, 0, 90), Vector3<double>(0, 0, 0))};
  EXPECT_NEAR(X.GetDeterministicValue().rotation().matrix()(1, 0), 1,
              kTolerance);
}

}  // namespace transform_schema_test
}  // namespace wyvern::schema
