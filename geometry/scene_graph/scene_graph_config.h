#pragma once

#include <optional>
#include <string>

namespace wyvern::geometry {

/** Proximity properties for geometries with the proximity role that do not say
themselves, given to them when a Context is made. Only values that are there are
used: std::nullopt leaves a property out. See proximity_properties.h for the
names. */
struct DefaultProximityProperties {
  /** Checks that values are in range and fit one another.
  @throws std::logic_error naming the value that is out of range, or if one
  of the friction coefficients is given without the other. */
  void ValidateOrThrow() const;

  /** "undefined", "rigid" or "compliant". */
  std::string compliance_type{"undefined"};
  /** Pa. */
  std::optional<double> hydroelastic_modulus{1e7};
  /** Meter. */
  std::optional<double> resolution_hint{0.02};
  /** Meter. */
  std::optional<double> slab_thickness;
  /** Meter. */
  std::optional<double> margin;
  /** Friction coefficient while surfaces slide; see static_friction. */
  std::optional<double> dynamic_friction{0.5};
  /** Not less than dynamic_friction; both are given or none. */
  std::optional<double> static_friction{0.5};
  /** s/m. */
  std::optional<double> hunt_crossley_dissipation{50.0};
  /** Second. */
  std::optional<double> relaxation_time{0.1};
  /** N/m. */
  std::optional<double> point_stiffness{1e6};
};

/** Settings of a SceneGraph. */
struct SceneGraphConfig {
  /** Checks all values.
  @throws std::logic_error as DefaultProximityProperties. */
  void ValidateOrThrow() const {
    default_proximity_properties.ValidateOrThrow();
  }

  /** Properties for geometries that do not have them. */
  DefaultProximityProperties default_proximity_properties;
};

}  // namespace wyvern::geometry
