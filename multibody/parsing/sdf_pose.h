#pragma once

#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** The <pose> of an element. */
struct SdfPose {
  math::RigidTransform<double> X{};
  /** The name of the frame that X is measured in; empty if none is given. */
  std::string relative_to{};
};

/** Reads the <pose> of `owner`; identity if there is none. The attributes
`degrees` and `rotation_format` are those of SDFormat 1.9, `frame` is that of
versions before 1.7. A second <pose> is ignored with a warning.
@throws std::runtime_error "file:line: ..." if it is not valid. */
SdfPose ReadSdfPose(const SdfElement& owner, WarningLog* log);

/** The direction of an axis. */
struct SdfAxis {
  Vector3<double> xyz;
  /** The name of the frame that it is expressed in; empty: the joint's own. */
  std::string expressed_in{};
};

/** Reads <xyz> of an <axis> or <axis2>; the z axis if there is none. Joints of
versions before 1.7 may be expressed in the frame `__model__`.
@throws std::runtime_error "file:line: ..." if it is zero or not finite. */
SdfAxis ReadSdfAxis(const SdfElement& axis);

}  // namespace wyvern::multibody::internal
