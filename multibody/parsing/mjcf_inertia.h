#pragma once

#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/multibody/parsing/mass_moments.h"
#include "wyvern/multibody/parsing/mjcf_geom.h"

namespace wyvern::multibody::internal {

/** The mass of a body B. */
struct MjcfInertia {
  double mass{0};
  Vector3<double> p_BoBcm{Vector3<double>::Zero()};
  /** About the centre of mass, in B. */
  Matrix3<double> I_BBcm{Matrix3<double>::Zero()};
};

/** Reads an <inertial>.
@throws std::runtime_error "file:line: ..." if it is not valid. */
MjcfInertia ReadMjcfInertial(const XmlElement& inertial,
                             const MjcfContext& context);

/** Of what adds up to `moments` about Bo. */
MjcfInertia FromMoments(const MassMoments& moments);

/** Makes mass and principal moments what boundmass, boundinertia and
balanceinertia say. */
void BoundMjcfInertia(const MjcfSettings& settings, MjcfInertia* inertia);

/** About Bo, repaired if no body has it, with a warning at `element`. */
SpatialInertia<double> ToSpatialInertia(const MjcfInertia& inertia,
                                        const XmlElement& element,
                                        WarningLog* log);

}  // namespace wyvern::multibody::internal
