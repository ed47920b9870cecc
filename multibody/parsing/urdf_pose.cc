#include "wyvern/multibody/parsing/urdf_pose.h"

#include "wyvern/geometry/math/roll_pitch_yaw.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;

RigidTransform<double> ReadUrdfPose(const XmlElement& element) {
  const Vector3<double> zero = Vector3<double>::Zero();
  return RigidTransform<double>(
      math::RollPitchYaw<double>(element.Triple("rpy").value_or(zero)),
      element.Triple("xyz").value_or(zero));
}

RigidTransform<double> ReadUrdfOrigin(const XmlElement& parent,
                                      WarningLog* log) {
  const std::optional<XmlElement> origin = parent.FirstChild("origin", log);
  if (!origin.has_value()) return {};
  origin->ExpectLeaf({"xyz", "rpy"}, log);
  return ReadUrdfPose(*origin);
}

}  // namespace wyvern::multibody::internal
