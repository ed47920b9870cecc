#include "wyvern/multibody/parsing/urdf_link.h"

#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/inertia_repair.h"
#include "wyvern/multibody/parsing/urdf_children.h"
#include "wyvern/multibody/parsing/urdf_pose.h"

namespace wyvern::multibody::internal {

namespace {

double ReadMass(const XmlElement& inertial, WarningLog* log) {
  const std::optional<XmlElement> mass = inertial.FirstChild("mass", log);
  if (!mass.has_value()) {
    inertial.Warn("<inertial> has no <mass>; the mass is made 0.", log);
    return 0;
  }
  mass->ExpectLeaf({"value"}, log);
  return mass->RequiredNumber("value");
}

// Moments and products about the centre of mass, in the frame of <origin>; of a
// point if not given.
void ReadMoments(const XmlElement& inertial, WrittenInertia* result,
                 WarningLog* log) {
  const std::optional<XmlElement> inertia = inertial.FirstChild("inertia", log);
  if (!inertia.has_value()) return;
  inertia->ExpectLeaf({"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}, log);
  result->moments = Vector3<double>(inertia->RequiredNumber("ixx"),
                                    inertia->RequiredNumber("iyy"),
                                    inertia->RequiredNumber("izz"));
  result->products = Vector3<double>(inertia->Number("ixy").value_or(0),
                                     inertia->Number("ixz").value_or(0),
                                     inertia->Number("iyz").value_or(0));
}

SpatialInertia<double> ReadInertial(const XmlElement& inertial,
                                    WarningLog* log) {
  inertial.ExpectAttributes({}, log);
  WarnOfOtherUrdfChildren(inertial, {.read = {"origin", "mass", "inertia"}},
                          log);
  WrittenInertia written;
  written.mass = ReadMass(inertial, log);
  written.X_BC = ReadUrdfOrigin(inertial, log);
  ReadMoments(inertial, &written, log);
  std::string remark;
  try {
    const SpatialInertia<double> result = RepairInertia(written, &remark);
    if (!remark.empty()) {
      inertial.FirstChild("inertia", nullptr)
          .value_or(inertial)
          .Warn(remark, log);
    }
    return result;
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
  link.place = nameless.place();
  const XmlElement element =
      nameless.About(fmt::format("link '{}'", link.name));
  element.ExpectAttributes({"name", "drake_ignore"}, log);
  WarnOfOtherUrdfChildren(
      element,
      {.read = {"inertial", "visual", "collision"},
       .decoration = {"material", "self_collision_checking", "self_filter",
                      "collision_checking", "sensor", "gazebo", "verbose"}},
      log);
  ReadUrdfGeometries(element, context, &link);
  const std::optional<XmlElement> inertial =
      element.FirstChild("inertial", log);
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
