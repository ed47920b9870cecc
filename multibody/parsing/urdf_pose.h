#pragma once

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** The pose in the attributes `xyz`, [m], and `rpy`, [rad], of an element;
zeros where absent. */
math::RigidTransform<double> ReadUrdfPose(const XmlElement& element);

/** The pose in the child <origin>; the identity without one. */
math::RigidTransform<double> ReadUrdfOrigin(const XmlElement& parent,
                                            WarningLog* log);

}  // namespace wyvern::multibody::internal
