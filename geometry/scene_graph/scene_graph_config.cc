#include "wyvern/geometry/scene_graph/scene_graph_config.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::geometry {
namespace {

void RequireProperty(const char* name, const std::optional<double>& value,
                     wyvern::internal::Number wanted) {
  if (!value) return;
  wyvern::internal::RequireNumber(wanted, "DefaultProximityProperties", name,
                                  *value);
}

}  // namespace

void DefaultProximityProperties::ValidateOrThrow() const {
  using wyvern::internal::Number;
  if (compliance_type != "undefined" && compliance_type != "rigid" &&
      compliance_type != "compliant") {
    throw std::logic_error(fmt::format(
        "DefaultProximityProperties: compliance_type is '{}'; it must be "
        "'undefined', 'rigid' or 'compliant'.",
        compliance_type));
  }
  RequireProperty("hydroelastic_modulus", hydroelastic_modulus,
                  Number::kPositive);
  RequireProperty("resolution_hint", resolution_hint, Number::kPositive);
  RequireProperty("slab_thickness", slab_thickness, Number::kPositive);
  RequireProperty("margin", margin, Number::kNonNegative);
  RequireProperty("dynamic_friction", dynamic_friction, Number::kNonNegative);
  RequireProperty("static_friction", static_friction, Number::kNonNegative);
  RequireProperty("hunt_crossley_dissipation", hunt_crossley_dissipation,
                  Number::kNonNegative);
  RequireProperty("relaxation_time", relaxation_time, Number::kNonNegative);
  RequireProperty("point_stiffness", point_stiffness, Number::kPositive);
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
