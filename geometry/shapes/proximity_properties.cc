#include "wyvern/geometry/shapes/proximity_properties.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::geometry {
namespace {

void CheckGiven(const char* function, const ProximityProperties* properties) {
  if (properties == nullptr) {
    throw std::logic_error(
        fmt::format("{}: the properties are null; pass an object.", function));
  }
}

double CheckPositiveProperty(const char* function, const char* what,
                             double value) {
  if (!(value > 0 && std::isfinite(value))) {
    throw std::logic_error(
        fmt::format("{}: the {} is {}; it must be positive and finite.",
                    function, what, value));
  }
  return value;
}

}  // namespace

void AddContactMaterial(
    std::optional<double> dissipation, std::optional<double> point_stiffness,
    const std::optional<multibody::CoulombFriction<double>>& friction,
    ProximityProperties* properties) {
  const char* const kName = "AddContactMaterial()";
  CheckGiven(kName, properties);
  if (dissipation && !(*dissipation >= 0 && std::isfinite(*dissipation))) {
    throw std::logic_error(
        fmt::format("{}: the dissipation is {} s/m; it must be finite and not "
                    "negative.",
                    kName, *dissipation));
  }
  using internal::kMaterialGroup;
  if (point_stiffness) {
    CheckPositiveProperty(kName, "stiffness", *point_stiffness);
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
  CheckGiven(kName, properties);
  CheckPositiveProperty(kName, "resolution hint", resolution_hint);
  AddRigidHydroelasticProperties(properties);
  properties->AddProperty(internal::kHydroGroup, internal::kRezHint,
                          resolution_hint);
}

void AddRigidHydroelasticProperties(ProximityProperties* properties) {
  CheckGiven("AddRigidHydroelasticProperties()", properties);
  properties->AddProperty(internal::kHydroGroup, internal::kComplianceType,
                          HydroelasticType::kRigid);
}

void AddCompliantHydroelasticProperties(double resolution_hint,
                                        double hydroelastic_modulus,
                                        ProximityProperties* properties) {
  const char* const kName = "AddCompliantHydroelasticProperties()";
  CheckGiven(kName, properties);
  CheckPositiveProperty(kName, "resolution hint", resolution_hint);
  CheckPositiveProperty(kName, "hydroelastic modulus", hydroelastic_modulus);
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
  CheckGiven(kName, properties);
  CheckPositiveProperty(kName, "slab thickness", slab_thickness);
  CheckPositiveProperty(kName, "hydroelastic modulus", hydroelastic_modulus);
  using internal::kHydroGroup;
  properties->AddProperty(kHydroGroup, internal::kComplianceType,
                          HydroelasticType::kCompliant);
  properties->AddProperty(kHydroGroup, internal::kElastic,
                          hydroelastic_modulus);
  properties->AddProperty(kHydroGroup, internal::kSlabThickness,
                          slab_thickness);
}

}  // namespace wyvern::geometry
