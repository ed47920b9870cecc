#pragma once

#include <optional>
#include <string>

namespace wyvern::geometry {

/** Proximity properties for geometries with the proximity role that do not say
themselves. Only values that are there are used; see proximity_properties.h for
the names. */
struct DefaultProximityProperties {
  /** @throws std::logic_error naming the value that is out of range, or if one
  of the friction coefficients is given without the other. */
  void ValidateOrThrow() const;

  /** "undefined", "rigid" or "compliant". */
  std::string compliance_type{"undefined"};
  /** Pa. */
  std::optional<double> hydroelastic_modulus;
  /** Meter. */
  std::optional<double> resolution_hint;
  /** Meter. */
  std::optional<double> slab_thickness;
  /** Meter. */
  std::optional<double> margin;
  std::optional<double> dynamic_friction;
  /** Not less than dynamic_friction. */
  std::optional<double> static_friction;
  /** s/m. */
  std::optional<double> hunt_crossley_dissipation;
  /** Second. */
  std::optional<double> relaxation_time;
  /** N/m. */
  std::optional<double> point_stiffness;
};

/** Settings of a SceneGraph. */
struct SceneGraphConfig {
  /** @throws std::logic_error as DefaultProximityProperties. */
  void ValidateOrThrow() const {
    default_proximity_properties.ValidateOrThrow();
  }

  DefaultProximityProperties default_proximity_properties;
};

}  // namespace wyvern::geometry
