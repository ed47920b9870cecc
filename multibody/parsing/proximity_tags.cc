#include "wyvern/multibody/parsing/proximity_tags.h"

#include <fmt/format.h>

#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/multibody/parsing/number_text.h"

namespace wyvern::multibody::internal {

using geometry::HydroelasticType;
using geometry::ProximityProperties;
using geometry::internal::kComplianceType;
using geometry::internal::kElastic;
using geometry::internal::kFriction;
using geometry::internal::kHcDissipation;
using geometry::internal::kHydroGroup;
using geometry::internal::kMargin;
using geometry::internal::kMaterialGroup;
using geometry::internal::kPointStiffness;
using geometry::internal::kRelaxationTime;
using geometry::internal::kRezHint;

namespace {

void Add(const char* group, const char* name, std::optional<double> value,
         ProximityProperties* properties) {
  if (value.has_value()) properties->AddProperty(group, name, *value);
}

// If only one coefficient is given, the other is equal to it.
void ReadFriction(const ExtensionTags& tags, ProximityProperties* properties) {
  const auto fixed = tags.NotNegative("mu_static");
  const auto sliding = tags.NotNegative("mu_dynamic");
  if (!fixed.has_value() && !sliding.has_value()) return;
  const double mu_static = fixed.value_or(sliding.value_or(0));
  const double mu_dynamic = sliding.value_or(mu_static);
  if (mu_dynamic > mu_static) {
    tags.Throw(fmt::format(
        "mu_dynamic is {}, more than mu_static, which is {}; give mu_dynamic "
        "at most as large.",
        mu_dynamic, mu_static));
  }
  properties->AddProperty(kMaterialGroup, kFriction,
                          CoulombFriction<double>(mu_static, mu_dynamic));
}

void ReadHydroelastic(const ExtensionTags& tags,
                      ProximityProperties* properties) {
  const bool is_rigid = tags.Has("rigid_hydroelastic");
  const bool is_compliant =
      tags.Has("compliant_hydroelastic") || tags.Has("soft_hydroelastic");
  if (is_rigid && is_compliant) {
    tags.Throw("both rigid and compliant hydroelastic; choose one.");
  }
  if (is_rigid || is_compliant) {
    properties->AddProperty(
        kHydroGroup, kComplianceType,
        is_rigid ? HydroelasticType::kRigid : HydroelasticType::kCompliant);
  }
  Add(kHydroGroup, kElastic, tags.Positive("hydroelastic_modulus"), properties);
  Add(kHydroGroup, kRezHint, tags.Positive("mesh_resolution_hint"), properties);
  Add(kHydroGroup, kMargin, tags.NotNegative("hydroelastic_margin"),
      properties);
}

}  // namespace

ProximityProperties ReadProximityProperties(const ExtensionTags& tags,
                                            WarningLog* log) {
  tags.Expect(
      {"mu_static", "mu_dynamic", "point_contact_stiffness",
       "hunt_crossley_dissipation", "relaxation_time", "rigid_hydroelastic",
       "compliant_hydroelastic", "soft_hydroelastic", "hydroelastic_modulus",
       "hydroelastic_margin", "mesh_resolution_hint"},
      log);
  ProximityProperties result;
  ReadFriction(tags, &result);
  Add(kMaterialGroup, kPointStiffness, tags.Positive("point_contact_stiffness"),
      &result);
  Add(kMaterialGroup, kHcDissipation,
      tags.NotNegative("hunt_crossley_dissipation"), &result);
  Add(kMaterialGroup, kRelaxationTime, tags.NotNegative("relaxation_time"),
      &result);
  ReadHydroelastic(tags, &result);
  return result;
}

TagTexts WriteProximityProperties(const ProximityProperties& properties) {
  TagTexts tags;
  const auto write = [&](const char* group, const char* name, const char* tag) {
    if (!properties.HasProperty(group, name)) return;
    tags.emplace_back(tag, ToText(properties.GetProperty<double>(group, name)));
  };
  if (properties.HasProperty(kMaterialGroup, kFriction)) {
    const auto& friction = properties.GetProperty<CoulombFriction<double>>(
        kMaterialGroup, kFriction);
    tags.emplace_back("mu_static", ToText(friction.static_friction()));
    tags.emplace_back("mu_dynamic", ToText(friction.dynamic_friction()));
  }
  write(kMaterialGroup, kPointStiffness, "point_contact_stiffness");
  write(kMaterialGroup, kHcDissipation, "hunt_crossley_dissipation");
  write(kMaterialGroup, kRelaxationTime, "relaxation_time");
  const auto type = properties.GetPropertyOrDefault(
      kHydroGroup, kComplianceType, HydroelasticType::kUndefined);
  if (type == HydroelasticType::kRigid) {
    tags.emplace_back("rigid_hydroelastic", "");
  } else if (type == HydroelasticType::kCompliant) {
    tags.emplace_back("compliant_hydroelastic", "");
  }
  write(kHydroGroup, kElastic, "hydroelastic_modulus");
  write(kHydroGroup, kMargin, "hydroelastic_margin");
  write(kHydroGroup, kRezHint, "mesh_resolution_hint");
  return tags;
}

void AddDefaultFriction(ProximityProperties* properties) {
  if (properties->HasProperty(kMaterialGroup, kFriction)) return;
  properties->AddProperty(kMaterialGroup, kFriction,
                          CoulombFriction<double>(1, 1));
}

}  // namespace wyvern::multibody::internal
