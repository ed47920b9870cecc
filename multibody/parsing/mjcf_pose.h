#pragma once

#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/mjcf_element.h"
#include "wyvern/multibody/parsing/mjcf_settings.h"

namespace wyvern::multibody::internal {

/** The rotation that an element's quat, axisangle, xyaxes, zaxis or euler says;
none if it has none of them. @throws std::runtime_error "file:line: ..." if it
has two, or one that says no rotation. */
math::RotationMatrix<double> ReadMjcfRotation(
    const MjcfElement& element, const MjcfSettingsOfModels& settings);

/** Returns the rotation by `times` the angles of `euler`; none if there is no
`euler`. */
math::RotationMatrix<double> ReadMjcfTurns(const MjcfElement& element,
                                           const MjcfSettingsOfModels& settings,
                                           int times);

/** Returns the pose of ReadMjcfRotation() and `pos`. */
math::RigidTransform<double> ReadMjcfPose(const MjcfElement& element,
                                          const MjcfSettingsOfModels& settings);

/** Returns the rotation of the quaternion (w, x, y, z), of any length but 0. */
math::RotationMatrix<double> ToMjcfRotation(const XmlElement& element,
                                            const Vector4<double>& wxyz);

/** The frame in the middle of `fromto`, z from its second point to its first,
which are not one. */
math::RigidTransform<double> PoseOfEnds(const Vector6<double>& ends);

}  // namespace wyvern::multibody::internal
