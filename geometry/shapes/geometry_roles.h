#pragma once

#include <ostream>
#include <string>

#include "wyvern/geometry/shapes/geometry_properties.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::geometry {

/** The purpose of a geometry. A geometry can have several roles, each with its
own properties. */
enum class Role {
  kUnassigned = 0x0,
  kProximity = 0x1,     ///< Contact and distance queries.
  kIllustration = 0x2,  ///< Visualisation for people.
  kPerception = 0x4,    ///< What sensors see.
};

/** How assigning a role treats properties that are there already. */
enum class RoleAssign {
  kNew,      ///< The role must not have been assigned.
  kReplace,  ///< The role must have been assigned; its properties go.
};

/** Returns "unassigned", "proximity", "illustration" or "perception". */
std::string to_string(const Role& role);
/** Writes to_string(role). */
std::ostream& operator<<(std::ostream& out, const Role& role);

/** Properties of a geometry with Role::kProximity. */
class ProximityProperties final : public GeometryProperties {
 public:
  ProximityProperties() = default;
  /** Copies all groups and values. */
  explicit ProximityProperties(const GeometryProperties& other)
      : GeometryProperties(other) {}
};

/** Properties of a geometry with Role::kPerception. */
class PerceptionProperties final : public GeometryProperties {
 public:
  PerceptionProperties() = default;
  /** Copies all groups and values. */
  explicit PerceptionProperties(const GeometryProperties& other)
      : GeometryProperties(other) {}
};

/** Properties of a geometry with Role::kIllustration. */
class IllustrationProperties final : public GeometryProperties {
 public:
  IllustrationProperties() = default;
  /** Copies all groups and values. */
  explicit IllustrationProperties(const GeometryProperties& other)
      : GeometryProperties(other) {}
};

/** The property ("phong", "diffuse") with this colour: red, green, blue, alpha
in [0, 1]. */
IllustrationProperties MakePhongIllustrationProperties(
    const Eigen::Vector4d& diffuse);

}  // namespace wyvern::geometry

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::geometry::Role> : wyvern::StreamFormatter {};
/// @endcond
