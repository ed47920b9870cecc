#pragma once

#include <optional>
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
  /** The principal axes that the file gives; if empty, use
  FindMjcfAxes(I_BBcm). */
  std::optional<math::RotationMatrix<double>> R_BI{};

  /** Returns the pose of the principal axes at the centre of mass. */
  math::RigidTransform<double> X_BI() const;
  /** Returns the same body in frame A, if this one is given in frame B. */
  MjcfInertia In(const math::RigidTransform<double>& X_AB) const;
};

/** Returns the principal axes of an inertia, the axis of the largest moment
first. If several sets of axes fit, it returns the one that MuJoCo finds. */
math::RotationMatrix<double> FindMjcfAxes(const Matrix3<double>& I);

/** Returns the edges of the box of uniform density that has this mass and this
inertia along the axes of X_BI(). The mass must be positive. */
Vector3<double> CalcMjcfInertiaBox(const MjcfInertia& inertia);

/** Reads an <inertial>.
@throws std::runtime_error "file:line: ..." if it is not valid. */
MjcfInertia ReadMjcfInertial(const XmlElement& inertial,
                             const MjcfContext& context);

/** Returns the inertia of a body whose parts add up to `moments` about Bo. */
MjcfInertia FromMoments(const MassMoments& moments);

/** Makes mass and principal moments what boundmass, boundinertia and
balanceinertia say. */
void BoundMjcfInertia(const MjcfSettings& settings, MjcfInertia* inertia);

/** About Bo, repaired if no body has it, with a warning at `element`. */
SpatialInertia<double> ToSpatialInertia(const MjcfInertia& inertia,
                                        const XmlElement& element,
                                        WarningLog* log);

}  // namespace wyvern::multibody::internal
