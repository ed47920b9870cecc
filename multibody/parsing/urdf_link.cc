#include "wyvern/multibody/parsing/urdf_link.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/math/rotational_inertia.h"
#include "wyvern/multibody/parsing/urdf_children.h"
#include "wyvern/multibody/parsing/urdf_pose.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

double ReadMass(const XmlElement& inertial) {
  const XmlElement mass = inertial.RequiredChild("mass");
  mass.ExpectAttributes({"value"});
  const double value = mass.RequiredNumber("value");
  if (value < 0) {
    mass.Throw(fmt::format("the mass is {}; zero or more is wanted.", value));
  }
  return value;
}

// About the centre of mass, in the frame of <origin>; zero if not given.
RotationalInertia<double> ReadRotationalInertia(const XmlElement& inertial) {
  const std::optional<XmlElement> inertia = inertial.Child("inertia");
  if (!inertia.has_value()) return RotationalInertia<double>(0, 0, 0);
  inertia->ExpectAttributes({"ixx", "iyy", "izz", "ixy", "ixz", "iyz"});
  const double ixx = inertia->RequiredNumber("ixx");
  const double iyy = inertia->RequiredNumber("iyy");
  const double izz = inertia->RequiredNumber("izz");
  const double ixy = inertia->Number("ixy").value_or(0);
  const double ixz = inertia->Number("ixz").value_or(0);
  const double iyz = inertia->Number("iyz").value_or(0);
  try {
    return RotationalInertia<double>(ixx, iyy, izz, ixy, ixz, iyz);
  } catch (const std::logic_error& error) {
    inertia->Throw(fmt::format("no body has this inertia. {}", error.what()));
  }
}

SpatialInertia<double> ReadInertial(const XmlElement& inertial,
                                    WarningLog* log) {
  CheckUrdfChildren(inertial, {.read = {"origin", "mass", "inertia"}}, log);
  const double mass = ReadMass(inertial);
  // B is the link, C the frame at its centre of mass that <origin> gives.
  const RigidTransform<double> X_BC = ReadUrdfOrigin(inertial);
  const RotationalInertia<double> I_BCo_C = ReadRotationalInertia(inertial);
  if (mass == 0) {
    if (I_BCo_C.CopyToFullMatrix3().isZero(0)) {
      return SpatialInertia<double>::Zero();
    }
    inertial.Throw(
        "the mass is 0 but the inertia is not; make both zero or neither.");
  }
  try {
    return SpatialInertia<double>::MakeFromCentralInertia(
        mass, X_BC.translation(), I_BCo_C.ReExpress(X_BC.rotation()));
  } catch (const std::logic_error& error) {
    inertial.Throw(fmt::format("no body has this inertia. {}", error.what()));
  }
}

}  // namespace

ParsedLink ReadUrdfLink(const XmlElement& nameless,
                        const UrdfGeometryContext& context) {
  WarningLog* const log = context.log;
  ParsedLink link;
  link.name = nameless.RequiredName("name");
  const XmlElement element =
      nameless.About(fmt::format("link '{}'", link.name));
  CheckUrdfChildren(element,
                    {.read = {"inertial", "visual", "collision"},
                     .ignored = {"material"},
                     .warned = {"self_collision_checking", "self_filter",
                                "collision_checking", "kinematic", "sensor",
                                "gazebo", "verbose", "contact"}},
                    log);
  ReadUrdfGeometries(element, context, &link);
  const std::optional<XmlElement> inertial = element.Child("inertial");
  if (!inertial.has_value()) return link;
  if (link.name == kWorldName) {
    log->Add(inertial->place(),
             "<inertial> of the link 'world' is ignored; the world has none.");
    return link;
  }
  link.M_BBo_B = ReadInertial(*inertial, log);
  return link;
}

}  // namespace wyvern::multibody::internal
