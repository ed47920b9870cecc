#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/geometry_instance.h"
#include "wyvern/multibody/parsing/mass_moments.h"
#include "wyvern/multibody/parsing/mjcf_assets.h"
#include "wyvern/multibody/parsing/mjcf_defaults.h"
#include "wyvern/multibody/parsing/mjcf_height_field.h"
#include "wyvern/multibody/parsing/mjcf_settings.h"
#include "wyvern/multibody/tree/ellipsoid_drag.h"

namespace wyvern::multibody::internal {

/** Data that the elements of an MJCF file refer to. */
struct MjcfContext {
  const MjcfSettingsOfModels& settings;
  const MjcfDefaults& defaults;
  const MjcfAssets& assets;
  /** The geoms that a <pair> names. */
  std::set<std::string> paired;
  /** Whether shapes are wanted; if not, they are checked and left out. */
  bool with_shapes{};
  WarningLog* log{};
};

/** Which geoms touch: two do if the one's contype and the other's conaffinity
have a bit in common. */
struct MjcfMask {
  unsigned contype{1};
  unsigned conaffinity{1};

  bool Meets(const MjcfMask& other) const {
    return (contype & other.conaffinity) != 0 ||
           (other.contype & conaffinity) != 0;
  }
  auto operator<=>(const MjcfMask&) const = default;
};

/** The ellipsoid on which the medium acts, in place of a geom. */
struct MjcfFluidShape {
  math::RigidTransform<double> X_BD;
  Vector3<double> semi_axes{Vector3<double>::Zero()};
  EllipsoidDragCoefficients coefficients;
};

struct MjcfGeom {
  /** Empty if not given. */
  std::string name;
  math::RigidTransform<double> X_BG;
  /** Null if it was left out. */
  std::unique_ptr<geometry::Shape> shape;
  /** Convex parts that collide in place of the shape; empty if the shape
  collides. */
  std::vector<MjcfHeightPart> parts;
  /** In frame B; none if that was not asked for. */
  MassMoments mass;
  /** Principal axes of the inertia. */
  math::RotationMatrix<double> R_BI;
  MjcfMask mask;
  /** Whether a <pair> names it. */
  bool is_paired{};
  bool is_seen{};
  /** Nothing if no medium acts on the geom itself. */
  std::optional<MjcfFluidShape> fluid_shape{};
  /** The radius of a sphere or a cylinder; 0 for other types. */
  double radius{0};
  bool is_cylinder{false};
  geometry::IllustrationProperties seen;
  geometry::ProximityProperties touching;

  bool touches() const {
    return is_paired || mask.contype != 0 || mask.conaffinity != 0;
  }
};

/** Reads a <geom>.
@param X_BF the frame of its poses. @param wants_mass whether its mass counts.
@throws std::runtime_error "file:line: ..." if it is not valid, or touches and
cannot be modelled. */
MjcfGeom ReadMjcfGeom(const MjcfElement& geom,
                      const math::RigidTransform<double>& X_BF, bool wants_mass,
                      const MjcfContext& context);

}  // namespace wyvern::multibody::internal
