#include "wyvern/geometry/shapes/proximity_properties.h"

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::geometry {
void AddContactMaterial(
    std::optional<double> dissipation, std::optional<double> point_stiffness,
    const std::optional<multibody::CoulombFriction<double>>& friction,
    ProximityProperties* properties) {
  const char* const kName = "AddContactMaterial()";
  wyvern::internal::RequireNotNull(kName, "properties", properties);
  if (dissipation) {
    wyvern::internal::RequireNonNegative(kName, "dissipation (s/m)",
                                         *dissipation);
  }
  using internal::kMaterialGroup;
  if (point_stiffness) {
    wyvern::internal::RequirePositive(kName, "stiffness", *point_stiffness);
  }
  if (dissipation) {
    properties->AddProperty(kMaterialGroup, internal::kHcDissipation,
                            *dissipation);
  }
  if (point_stiffness) {
    properties->AddProperty(kMaterialGroup, internal::kPointStiffness,
                            *point_stiffness);
  }
  if (friction) {
    properties->AddProperty(kMaterialGroup, internal::kFriction, *friction);
  }
}

void AddRigidHydroelasticProperties(double resolution_hint,
                                    ProximityProperties* properties) {
  const char* const kName = "AddRigidHydroelasticProperties()";
  wyvern::internal::RequireNotNull(kName, "properties", properties);
  wyvern::internal::RequirePositive(kName, "resolution hint", resolution_hint);
  AddRigidHydroelasticProperties(properties);
  properties->AddProperty(internal::kHydroGroup, internal::kRezHint,
                          resolution_hint);
}

void AddRigidHydroelasticProperties(ProximityProperties* properties) {
  wyvern::internal::RequireNotNull("AddRigidHydroelasticProperties",
                                   "properties", properties);
  properties->AddProperty(internal::kHydroGroup, internal::kComplianceType,
                          HydroelasticType::kRigid);
}

void AddCompliantHydroelasticProperties(double resolution_hint,
                                        double hydroelastic_modulus,
                                        ProximityProperties* properties) {
  const char* const kName = "AddCompliantHydroelasticProperties()";
  wyvern::internal::RequireNotNull(kName, "properties", properties);
  wyvern::internal::RequirePositive(kName, "resolution hint", resolution_hint);
  wyvern::internal::RequirePositive(kName, "hydroelastic modulus",
                                    hydroelastic_modulus);
  using internal::kHydroGroup;
  properties->AddProperty(kHydroGroup, internal::kComplianceType,
                          HydroelasticType::kCompliant);
  properties->AddProperty(kHydroGroup, internal::kElastic,
                          hydroelastic_modulus);
  properties->AddProperty(kHydroGroup, internal::kRezHint, resolution_hint);
}

void AddCompliantHydroelasticPropertiesForHalfSpace(
    double slab_thickness, double hydroelastic_modulus,
    ProximityProperties* properties) {
  const char* const kName = "AddCompliantHydroelasticPropertiesForHalfSpace()";
  wyvern::internal::RequireNotNull(kName, "properties", properties);
  wyvern::internal::RequirePositive(kName, "slab thickness", slab_thickness);
  wyvern::internal::RequirePositive(kName, "hydroelastic modulus",
                                    hydroelastic_modulus);
  using internal::kHydroGroup;
  properties->AddProperty(kHydroGroup, internal::kComplianceType,
                          HydroelasticType::kCompliant);
  properties->AddProperty(kHydroGroup, internal::kElastic,
                          hydroelastic_modulus);
  properties->AddProperty(kHydroGroup, internal::kSlabThickness,
                          slab_thickness);
}

}  // namespace wyvern::geometry
