#pragma once

#include <optional>

#include "wyvern/geometry/shapes/coulomb_friction.h"
#include "wyvern/geometry/shapes/geometry_roles.h"

/** @file
Names of the properties that contact models read, and functions that
set them. Group "material":

| name | type | unit |
|---|---|---|
| coulomb_friction | multibody::CoulombFriction<double> | - |
| point_contact_stiffness | double | N/m |
| hunt_crossley_dissipation | double | s/m |
| relaxation_time | double | s |

Group "hydroelastic": compliance_type, hydroelastic_modulus (Pa),
resolution_hint (m), slab_thickness (m), margin (m). */

namespace wyvern::geometry {

/** How a geometry takes part in hydroelastic contact. */
enum class HydroelasticType { kUndefined, kRigid, kCompliant };

/** How the surface of a hydroelastic contact is given. */
enum class HydroelasticContactRepresentation { kTriangle, kPolygon };

namespace internal {
inline constexpr char kMaterialGroup[] = "material";
inline constexpr char kFriction[] = "coulomb_friction";
inline constexpr char kPointStiffness[] = "point_contact_stiffness";
inline constexpr char kHcDissipation[] = "hunt_crossley_dissipation";
inline constexpr char kRelaxationTime[] = "relaxation_time";
inline constexpr char kHydroGroup[] = "hydroelastic";
inline constexpr char kComplianceType[] = "compliance_type";
inline constexpr char kElastic[] = "hydroelastic_modulus";
inline constexpr char kRezHint[] = "resolution_hint";
inline constexpr char kSlabThickness[] = "slab_thickness";
inline constexpr char kMargin[] = "margin";
}  // namespace internal

/** Adds ("material", ...): the Hunt-Crossley `dissipation` [s/m], the
`point_stiffness` [N/m] and the `friction`, each where given.
@throws std::logic_error if the dissipation is negative, the stiffness not
positive, one of them not finite, a property exists already, or `properties` is
null. */
void AddContactMaterial(
    std::optional<double> dissipation, std::optional<double> point_stiffness,
    const std::optional<multibody::CoulombFriction<double>>& friction,
    ProximityProperties* properties);

/** Marks the geometry as rigid in hydroelastic contact, its surface to be
meshed with edges of about `resolution_hint` [m].
@throws std::logic_error as above, or unless the hint is positive and finite. */
void AddRigidHydroelasticProperties(double resolution_hint,
                                    ProximityProperties* properties);
void AddRigidHydroelasticProperties(ProximityProperties* properties);
/** Marks the geometry as compliant, with a modulus in Pa.
@throws std::logic_error as above, or unless both are positive and finite. */
void AddCompliantHydroelasticProperties(double resolution_hint,
                                        double hydroelastic_modulus,
                                        ProximityProperties* properties);
/** Overload for a half space, treated as a slab of the given thickness, [m]. */
void AddCompliantHydroelasticPropertiesForHalfSpace(
    double slab_thickness, double hydroelastic_modulus,
    ProximityProperties* properties);

}  // namespace wyvern::geometry
