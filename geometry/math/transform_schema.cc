#include "wyvern/geometry/math/transform_schema.h"

#include <numbers>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::schema {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

constexpr char kRotation[] = "schema::Rotation::GetDeterministicValue";

math::RotationMatrix<double> ToMatrix(const Rotation::Identity&) { return {}; }

math::RotationMatrix<double> ToMatrix(const Rotation::Rpy& rpy) {
  internal::RequireFinite(kRotation, "deg", rpy.deg);
  const Vector3<double> angles = kDegree * rpy.deg;
  return math::RotationMatrix<double>(math::RollPitchYaw<double>(angles));
}

math::RotationMatrix<double> ToMatrix(const Rotation::AngleAxis& turn) {
  internal::RequireFinite(kRotation, "axis", turn.axis);
  internal::RequireFinite(kRotation, "angle_deg", turn.angle_deg);
  // Neither overflows nor underflows, as squares of the axis might.
  internal::RequirePositive(kRotation, "the length of axis",
                            turn.axis.stableNorm(), "give a direction");
  return math::RotationMatrix<double>(Eigen::AngleAxis<double>(
      kDegree * turn.angle_deg, turn.axis.stableNormalized()));
}

}  // namespace

math::RotationMatrix<double> Rotation::GetDeterministicValue() const {
  return std::visit([](const auto& spelling) { return ToMatrix(spelling); },
                    value);
}

Transform::Transform(const math::RigidTransform<double>& X_BF)
    : translation(X_BF.translation()) {
  const Eigen::AngleAxis<double> turn = X_BF.rotation().ToAngleAxis();
  rotation.value = Rotation::AngleAxis{turn.angle() / kDegree, turn.axis()};
}

math::RigidTransform<double> Transform::GetDeterministicValue() const {
  internal::RequireFinite("schema::Transform::GetDeterministicValue",
                          "translation", translation);
  return {rotation.GetDeterministicValue(), translation};
}

}  // namespace wyvern::schema
