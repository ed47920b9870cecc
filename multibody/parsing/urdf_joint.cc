#include "wyvern/multibody/parsing/urdf_joint.h"

#include <cmath>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/urdf_children.h"
#include "wyvern/multibody/parsing/urdf_pose.h"

namespace wyvern::multibody::internal {

namespace {

constexpr double kInfinity = UrdfJoint::kInfinity;

UrdfJointType ReadType(const XmlElement& element) {
  const std::string_view type = element.RequiredAttribute("type");
  if (type == "fixed") return UrdfJointType::kFixed;
  // Continuous is revolute without position limits, which are optional.
  if (type == "revolute") return UrdfJointType::kRevolute;
  if (type == "continuous") return UrdfJointType::kRevolute;
  if (type == "prismatic") return UrdfJointType::kPrismatic;
  if (type == "floating") return UrdfJointType::kFloating;
  element.Throw(fmt::format(
      "joints of type '{}' are not supported; those of type fixed, revolute, "
      "continuous, prismatic and floating are.",
      type));
}

std::string ReadLinkName(const XmlElement& element, std::string_view role) {
  const XmlElement link = element.RequiredChild(role);
  link.ExpectAttributes({"link"});
  return link.RequiredName("link");
}

void ReadAxis(const XmlElement& element, UrdfJoint* joint) {
  const std::optional<XmlElement> axis = element.Child("axis");
  if (!axis.has_value()) return;
  axis->ExpectAttributes({"xyz"});
  axis->RequiredAttribute("xyz");
  const Vector3<double> xyz = *axis->Triple("xyz");
  if (xyz.isZero(0)) {
    axis->Throw("the axis is zero; give a vector with a direction.");
  }
  joint->axis = xyz.stableNormalized();
}

// A bound on a magnitude.
void ReadMagnitude(const XmlElement& limit, std::string_view attribute,
                   std::optional<double> given, double* value) {
  if (!given.has_value()) return;
  if (*given < 0) {
    limit.Throw(fmt::format("the {} limit is {}; zero or more is wanted.",
                            attribute, *given));
  }
  *value = *given;
}

void ReadLimit(const XmlElement& element, UrdfJoint* joint) {
  const std::optional<XmlElement> limit = element.Child("limit");
  if (!limit.has_value()) return;
  limit->ExpectAttributes(
      {"lower", "upper", "velocity", "effort", "drake:acceleration"});
  joint->lower = limit->Bound("lower").value_or(joint->lower);
  joint->upper = limit->Bound("upper").value_or(joint->upper);
  if (joint->lower == kInfinity || joint->upper == -kInfinity) {
    limit->Throw(
        "the position limits leave no room; give a range, or none for no "
        "limits.");
  }
  if (joint->lower > joint->upper) {
    limit->Throw(fmt::format(
        "the lower limit {} is above the upper limit {}; exchange them.",
        joint->lower, joint->upper));
  }
  ReadMagnitude(*limit, "velocity", limit->Bound("velocity"), &joint->velocity);
  ReadMagnitude(*limit, "effort", limit->Bound("effort"), &joint->effort);
  ReadMagnitude(*limit, "acceleration", limit->ExtensionBound("acceleration"),
                &joint->acceleration);
}

void ReadDynamics(const XmlElement& element, UrdfJoint* joint,
                  WarningLog* log) {
  const std::optional<XmlElement> dynamics = element.Child("dynamics");
  if (!dynamics.has_value()) return;
  dynamics->ExpectAttributes({"damping", "friction", "coulomb_window"});
  joint->damping = dynamics->Number("damping").value_or(0);
  if (joint->damping < 0) {
    dynamics->Throw(fmt::format("the damping is {}; zero or more is wanted.",
                                joint->damping));
  }
  if (dynamics->Number("friction").value_or(0) != 0) {
    log->Add(dynamics->place(),
             "friction in <dynamics> is ignored: dry friction in joints is not "
             "modelled.");
  }
  if (joint->type == UrdfJointType::kFloating && joint->damping != 0) {
    dynamics->Throw(
        "damping of a floating joint has no unit that suits both rotation and "
        "translation; remove it.");
  }
}

}  // namespace

UrdfJoint ReadUrdfJoint(const XmlElement& nameless, WarningLog* log) {
  UrdfJoint joint;
  joint.name = nameless.RequiredName("name");
  const XmlElement element =
      nameless.About(fmt::format("joint '{}'", joint.name));
  joint.type = ReadType(element);
  if (const std::optional<XmlElement> mimic = element.Child("mimic")) {
    mimic->Throw(
        "<mimic> is not supported: joints cannot be coupled yet; remove it to "
        "let the joint move by itself.");
  }
  CheckUrdfChildren(
      element,
      {.read = {"parent", "child", "origin", "axis", "limit", "dynamics"},
       .warned = {"safety_controller", "calibration", "hardwareInterface",
                  "gazebo"}},
      log);
  joint.parent = ReadLinkName(element, "parent");
  joint.child = ReadLinkName(element, "child");
  if (joint.parent == joint.child) {
    element.Throw(fmt::format(
        "parent and child are both link '{}'; give two links.", joint.child));
  }
  joint.X_PF = ReadUrdfOrigin(element);
  // Exporters write axes and limits of no meaning on joints without them.
  if (joint.type == UrdfJointType::kRevolute ||
      joint.type == UrdfJointType::kPrismatic) {
    ReadAxis(element, &joint);
    ReadLimit(element, &joint);
  }
  if (joint.type != UrdfJointType::kFixed) ReadDynamics(element, &joint, log);
  return joint;
}

}  // namespace wyvern::multibody::internal
