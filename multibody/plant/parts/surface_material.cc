#include "wyvern/multibody/plant/parts/surface_material.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody::internal {

using geometry::ProximityProperties;
using geometry::internal::kFriction;
using geometry::internal::kHcDissipation;
using geometry::internal::kHydroGroup;
using geometry::internal::kMaterialGroup;
using geometry::internal::kPointStiffness;
using geometry::internal::kRelaxationTime;

namespace {

double ReadNumber(const ProximityProperties& properties, const char* name,
                  double missing, const std::string& geometry) {
  if (!properties.HasProperty(kMaterialGroup, name)) return missing;
  const auto& value = properties.GetPropertyAbstract(kMaterialGroup, name);
  const double* number = value.maybe_get_value<double>();
  if (number == nullptr) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant: the property (\"material\", \"{}\") of geometry '{}' "
        "is a {}; give a double.",
        name, geometry, value.GetNiceTypeName()));
  }
  const bool must_be_positive = std::string_view(name) == kPointStiffness;
  return wyvern::internal::RequireNumber(
      must_be_positive ? wyvern::internal::Number::kPositive
                       : wyvern::internal::Number::kNonNegative,
      wyvern::internal::Caller("MultibodyPlant").Of("geometry", geometry), name,
      *number);
}

double ReadModulus(const ProximityProperties& properties) {
  constexpr double kRigid = std::numeric_limits<double>::infinity();
  const auto type = properties.GetPropertyOrDefault(
      kHydroGroup, geometry::internal::kComplianceType,
      geometry::HydroelasticType::kUndefined);
  if (type != geometry::HydroelasticType::kCompliant) return kRigid;
  return properties.GetPropertyOrDefault(
      kHydroGroup, geometry::internal::kElastic,
      std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

SurfaceMaterial ReadSurfaceMaterial(const ProximityProperties& properties,
                                    const ContactConfig& config,
                                    const std::string& geometry) {
  if (!properties.HasProperty(kMaterialGroup, kFriction)) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant: geometry '{}' has no property (\"material\", "
        "\"coulomb_friction\"); see geometry::AddContactMaterial().",
        geometry));
  }
  const auto& friction =
      properties.GetPropertyAbstract(kMaterialGroup, kFriction);
  SurfaceMaterial material;
  const auto* value = friction.maybe_get_value<CoulombFriction<double>>();
  if (value == nullptr) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant: the property (\"material\", \"coulomb_friction\") of "
        "geometry '{}' is a {}; give a CoulombFriction<double>.",
        geometry, friction.GetNiceTypeName()));
  }
  material.friction = *value;
  material.stiffness = ReadNumber(properties, kPointStiffness,
                                  config.default_stiffness, geometry);
  material.dissipation = ReadNumber(properties, kHcDissipation,
                                    config.default_dissipation, geometry);
  material.relaxation_time =
      ReadNumber(properties, kRelaxationTime,
                 std::numeric_limits<double>::quiet_NaN(), geometry);
  material.modulus = ReadModulus(properties);
  return material;
}

std::vector<std::string> FindUnusedProperties(
    const ProximityProperties& properties, const ContactConfig& config,
    bool is_discrete) {
  std::vector<std::string> unused;
  const bool uses_relaxation =
      is_discrete && config.approximation == DiscreteContactApproximation::kSap;
  const char* used = uses_relaxation ? kRelaxationTime : kHcDissipation;
  const char* other = uses_relaxation ? kHcDissipation : kRelaxationTime;
  if (properties.HasProperty(kMaterialGroup, other) &&
      !properties.HasProperty(kMaterialGroup, used)) {
    unused.push_back(fmt::format(
        "(\"material\", \"{}\"): the plant's contact model goes by \"{}\"",
        other, used));
  }
  const auto friction =
      properties.GetPropertyOrDefault<CoulombFriction<double>>(kMaterialGroup,
                                                               kFriction, {});
  if (is_discrete &&
      friction.static_friction() != friction.dynamic_friction()) {
    unused.push_back(
        "the static friction of (\"material\", \"coulomb_friction\"): steps go "
        "by the dynamic friction");
  }
  if (properties.HasGroup(kMaterialGroup)) {
    std::vector<std::string> unknown;
    for (const auto& [name, value] :
         properties.GetPropertiesInGroup(kMaterialGroup)) {
      if (name != kFriction && name != kPointStiffness &&
          name != kHcDissipation && name != kRelaxationTime) {
        unknown.push_back(name);
      }
    }
    std::ranges::sort(unknown);
    for (const std::string& name : unknown) {
      unused.push_back(fmt::format(
          "(\"material\", \"{}\"): contact knows no property of that name",
          name));
    }
  }
  if (properties.HasGroup(kHydroGroup) &&
      config.model == ContactModel::kPoint) {
    unused.push_back(
        "the group \"hydroelastic\": contact is by points; choose another "
        "contact model");
  }
  return unused;
}

}  // namespace wyvern::multibody::internal
