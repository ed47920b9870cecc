#include "wyvern/geometry/math/transform_schema.h"

#include <numbers>
#include <stdexcept>

#include "wyvern/geometry/math/random_rotation.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::schema {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

math::RotationMatrix<double> FromRpy(const internal::Caller& who,
                                     const Vector3<double>& deg) {
  internal::RequireFinite(who, "deg", deg);
  const Vector3<double> angles = kDegree * deg;
  return math::RotationMatrix<double>(math::RollPitchYaw<double>(angles));
}

math::RotationMatrix<double> FromAngleAxis(const internal::Caller& who,
                                           double angle_deg,
                                           const Vector3<double>& axis) {
  internal::RequireFinite(who, "axis", axis);
  internal::RequireFinite(who, "angle_deg", angle_deg);
  // Neither overflows nor underflows, as squares of the axis might.
  internal::RequirePositive(who, "the length of axis", axis.stableNorm(),
                            "give a direction");
  return math::RotationMatrix<double>(
      Eigen::AngleAxis<double>(kDegree * angle_deg, axis.stableNormalized()));
}

// The value, drawn if there is a generator; else it must not be random.
double ValueOf(const DistributionVariant& number, RandomGenerator* generator) {
  return generator == nullptr ? schema::GetDeterministicValue(number)
                              : schema::Sample(number, generator);
}

Vector3<double> ValueOf(const DistributionVectorVariant<3>& vector,
                        RandomGenerator* generator) {
  return generator == nullptr ? schema::GetDeterministicValue(vector)
                              : ToDistributionVector(vector)->Sample(generator);
}

math::RotationMatrix<double> ValueOf(const Rotation& rotation,
                                     RandomGenerator* generator) {
  const internal::Caller who(generator == nullptr
                                 ? "schema::Rotation::GetDeterministicValue"
                                 : "schema::Rotation::Sample");
  if (const auto* rpy = std::get_if<Rotation::Rpy>(&rotation.value)) {
    return FromRpy(who, ValueOf(rpy->deg, generator));
  }
  if (const auto* turn = std::get_if<Rotation::AngleAxis>(&rotation.value)) {
    const double angle_deg = ValueOf(turn->angle_deg, generator);
    return FromAngleAxis(who, angle_deg, ValueOf(turn->axis, generator));
  }
  if (std::holds_alternative<Rotation::Identity>(rotation.value)) return {};
  if (generator == nullptr) {
    throw std::logic_error(
        "schema::Rotation::GetDeterministicValue(): the rotation is random; "
        "Sample() it, or give one that is fixed.");
  }
  return math::UniformlyRandomRotationMatrix<double>(generator);
}

math::RigidTransform<double> ValueOf(const Transform& X,
                                     RandomGenerator* generator) {
  const Vector3<double> translation = ValueOf(X.translation, generator);
  internal::RequireFinite(generator == nullptr
                              ? "schema::Transform::GetDeterministicValue"
                              : "schema::Transform::Sample",
                          "translation", translation);
  return {ValueOf(X.rotation, generator), translation};
}

}  // namespace

bool Rotation::IsDeterministic() const {
  if (const auto* rpy = std::get_if<Rpy>(&value)) {
    return schema::IsDeterministic(rpy->deg);
  }
  if (const auto* turn = std::get_if<AngleAxis>(&value)) {
    return schema::IsDeterministic(turn->angle_deg) &&
           schema::IsDeterministic(turn->axis);
  }
  return std::holds_alternative<Identity>(value);
}

math::RotationMatrix<double> Rotation::GetDeterministicValue() const {
  return ValueOf(*this, nullptr);
}

math::RotationMatrix<double> Rotation::Sample(
    RandomGenerator* generator) const {
  internal::RequireNotNull("schema::Rotation::Sample", "the generator",
                           generator);
  return ValueOf(*this, generator);
}

Transform::Transform(const math::RigidTransform<double>& X_BF)
    : translation(X_BF.translation()) {
  const Eigen::AngleAxis<double> turn = X_BF.rotation().ToAngleAxis();
  rotation.value = Rotation::AngleAxis{turn.angle() / kDegree, turn.axis()};
}

bool Transform::IsDeterministic() const {
  return schema::IsDeterministic(translation) && rotation.IsDeterministic();
}

math::RigidTransform<double> Transform::GetDeterministicValue() const {
  return ValueOf(*this, nullptr);
}

math::RigidTransform<double> Transform::Sample(
    RandomGenerator* generator) const {
  internal::RequireNotNull("schema::Transform::Sample", "the generator",
                           generator);
  return ValueOf(*this, generator);
}

}  // namespace wyvern::schema
