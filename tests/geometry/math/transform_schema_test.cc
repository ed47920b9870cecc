#include "wyvern/geometry/math/transform_schema.h"

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
  X.translation << 1, 2, 3;
  const RigidTransform<double> wanted(
      RollPitchYaw<double>(10 * kDegree, 20 * kDegree, 30 * kDegree),
      Vector3<double>(1, 2, 3));
  EXPECT_TRUE(X.GetDeterministicValue().IsNearlyEqualTo(wanted, kTolerance));
  X.rotation.value = Rotation::AngleAxis{90, Vector3<double>(0, 0, 1e-200)};
  EXPECT_NEAR(X.GetDeterministicValue().rotation().matrix()(1, 0), 1,
              kTolerance);
  EXPECT_TRUE(Transform(wanted).GetDeterministicValue().IsNearlyEqualTo(
      wanted, kTolerance));
}

TEST(TransformSchema, WhatIsNoPoseIsAnError) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Transform X;
  X.translation[1] = kNan;
  EXPECT_THROWS_MESSAGE(X.GetDeterministicValue(), std::logic_error,
                        "translation[1] is nan");
  Rotation R;
  R.set_rpy_deg({kNan, 0, 0});
  EXPECT_THROWS_MESSAGE(R.GetDeterministicValue(), std::logic_error, "deg");
  R.value = Rotation::AngleAxis{kNan, Vector3<double>::UnitX()};
  EXPECT_THROWS_MESSAGE(R.GetDeterministicValue(), std::logic_error,
                        "angle_deg is nan");
  R.value = Rotation::AngleAxis{1, Vector3<double>::Zero()};
  EXPECT_THROWS_MESSAGE(R.GetDeterministicValue(), std::logic_error,
                        "give a direction");
}

}  // namespace transform_schema_test
}  // namespace wyvern::schema
