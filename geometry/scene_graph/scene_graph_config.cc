#include "wyvern/geometry/scene_graph/scene_graph_config.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::geometry {
namespace {

void Check(const char* name, const std::optional<double>& value,
           bool zero_allowed) {
  if (!value) return;
  const bool good = zero_allowed ? *value >= 0 : *value > 0;
  if (!(good && std::isfinite(*value))) {
    throw std::logic_error(fmt::format(
        "DefaultProximityProperties: {} is {}; it must be finite and {}.", name,
        *value, zero_allowed ? "not negative" : "positive"));
  }
}

}  // namespace

void DefaultProximityProperties::ValidateOrThrow() const {
  if (compliance_type != "undefined" && compliance_type != "rigid" &&
      compliance_type != "compliant") {
    throw std::logic_error(fmt::format(
        "DefaultProximityProperties: compliance_type is '{}'; it must be "
        "'undefined', 'rigid' or 'compliant'.",
        compliance_type));
  }
  Check("hydroelastic_modulus", hydroelastic_modulus, false);
  Check("resolution_hint", resolution_hint, false);
  Check("slab_thickness", slab_thickness, false);
  Check("margin", margin, true);
  Check("dynamic_friction", dynamic_friction, true);
  Check("static_friction", static_friction, true);
  Check("hunt_crossley_dissipation", hunt_crossley_dissipation, true);
  Check("relaxation_time", relaxation_time, true);
  Check("point_stiffness", point_stiffness, false);
  if (static_friction.has_value() != dynamic_friction.has_value()) {
    throw std::logic_error(
        "DefaultProximityProperties: one of static_friction and "
        "dynamic_friction is given without the other; give both or none.");
  }
  if (static_friction && *static_friction < *dynamic_friction) {
    throw std::logic_error(fmt::format(
        "DefaultProximityProperties: static_friction is {} and "
        "dynamic_friction {}; the dynamic one must not be the larger.",
        *static_friction, *dynamic_friction));
  }
}

}  // namespace wyvern::geometry
