#include "wyvern/multibody/parsing/urdf_joint.h"

#include <map>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/turn_z_to.h"
#include "wyvern/multibody/parsing/urdf_children.h"
#include "wyvern/multibody/parsing/urdf_pose.h"

/* A <joint> of URDF as a parsed joint: its type, frames F on the parent and M
on the child, axis, limits, dynamics and mimic. What a joint of the type does
not have is a warning. A planar joint's axis is its normal, so F and M are
turned to have z along it. */

namespace wyvern::multibody::internal {

namespace {

constexpr double kInfinity = ParsedJoint::kInfinity;

// Types that URDF does not have are for <drake:joint>.
ParsedJointType ReadType(const XmlElement& element) {
  static const std::map<std::string_view, ParsedJointType> kTypes{
      {"fixed", ParsedJointType::kFixed},
      {"revolute", ParsedJointType::kRevolute},
      // Revolute without position limits, which are optional.
      {"continuous", ParsedJointType::kRevolute},
      {"prismatic", ParsedJointType::kPrismatic},
      {"floating", ParsedJointType::kFloating},
      {"planar", ParsedJointType::kPlanar}};
  static const std::map<std::string_view, ParsedJointType> kExtensionTypes{
      {"ball", ParsedJointType::kBall},
      {"universal", ParsedJointType::kUniversal},
      {"screw", ParsedJointType::kScrew},
      {"planar", ParsedJointType::kPlanar}};
  const std::string_view type = element.RequiredAttribute("type");
  const auto& types = element.IsExtension() ? kExtensionTypes : kTypes;
  const auto found = types.find(type);
  if (found != types.end()) return found->second;
  element.Throw(fmt::format(
      "<{}> of type '{}' is not supported; {} are.", element.name(), type,
      element.IsExtension()
          ? "those of type ball, planar, screw and universal"
          : "those of type fixed, revolute, continuous, prismatic, floating "
            "and planar, and <drake:joint> of other types"));
}

std::string ReadLinkName(const XmlElement& element, std::string_view role,
                         WarningLog* log) {
  const XmlElement link = element.RequiredChild(role);
  link.ExpectLeaf({"link"}, log);
  return link.RequiredName("link");
}

void ReadAxis(const XmlElement& element, ParsedJoint* joint, WarningLog* log) {
  const std::optional<XmlElement> axis = element.FirstChild("axis", log);
  if (!axis.has_value()) return;
  axis->ExpectLeaf({"xyz"}, log);
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

void ReadLimit(const XmlElement& element, ParsedJoint* joint, WarningLog* log) {
  const std::optional<XmlElement> limit = element.FirstChild("limit", log);
  if (!limit.has_value()) return;
  limit->ExpectLeaf(
      {"lower", "upper", "velocity", "effort", "drake:acceleration"}, log);
  joint->lower = limit->Bound("lower").value_or(joint->lower);
  joint->upper = limit->Bound("upper").value_or(joint->upper);
  if (joint->lower == kInfinity || joint->upper == -kInfinity) {
    limit->Throw(
        "the position limits leave no room; give a range, or none for no "
        "limits.");
  }
  if (joint->lower > joint->upper) {
    limit->Throw(fmt::format(
        "the lower limit {} is above the upper limit {}; exchange them or, if "
        "the file is for Bullet, where this means no limits, leave both out.",
        joint->lower, joint->upper));
  }
  ReadMagnitude(*limit, "velocity", limit->Bound("velocity"), &joint->velocity);
  ReadMagnitude(*limit, "effort", limit->Bound("effort"), &joint->effort);
  ReadMagnitude(*limit, "acceleration", limit->ExtensionBound("acceleration"),
                &joint->acceleration);
}

// One number, or for a planar joint one or three.
Vector3<double> ReadDamping(const XmlElement& dynamics,
                            const ParsedJoint& joint) {
  if (joint.type == ParsedJointType::kPlanar) {
    const auto text = dynamics.Attribute("damping").value_or("0");
    const auto numbers = ParseNumbers(text);
    if (numbers.has_value() && numbers->size() == 3) {
      return *dynamics.Triple("damping");
    }
  }
  return Vector3<double>::Constant(dynamics.Number("damping").value_or(0));
}

void ReadDynamics(const XmlElement& element, ParsedJoint* joint,
                  WarningLog* log) {
  const std::optional<XmlElement> dynamics =
      element.FirstChild("dynamics", log);
  if (!dynamics.has_value()) return;
  dynamics->ExpectLeaf({"damping", "friction"}, log);
  joint->damping = ReadDamping(*dynamics, *joint);
  if (joint->damping.minCoeff() < 0) {
    dynamics->Throw(fmt::format("the damping is {}; zero or more is wanted.",
                                joint->damping.minCoeff()));
  }
  joint->friction = dynamics->Number("friction").value_or(0);
  if (joint->friction < 0) {
    dynamics->Throw(fmt::format("the friction is {}; zero or more is wanted.",
                                joint->friction));
  }
}

void ReadMimic(const XmlElement& element, ParsedJoint* joint, WarningLog* log) {
  const std::optional<XmlElement> mimic = element.FirstChild("mimic", log);
  if (!mimic.has_value()) return;
  mimic->ExpectLeaf({"joint", "multiplier", "offset"}, log);
  joint->mimic.emplace(ParsedMimic{mimic->RequiredName("joint"),
                                   mimic->Number("multiplier").value_or(1),
                                   mimic->Number("offset").value_or(0)});
}

void ReadScrewPitch(const XmlElement& element, ParsedJoint* joint,
                    WarningLog* log) {
  const auto pitch = element.ExtensionChild("screw_thread_pitch");
  if (!pitch.has_value()) {
    element.Throw("a screw joint has no <drake:screw_thread_pitch>; give one.");
  }
  pitch->ExpectLeaf({"value"}, log);
  joint->screw_pitch = pitch->RequiredNumber("value");
}

// The axis of a planar joint is its normal, which is z of its frames. Their x
// and y are the joint's, turned by the smallest rotation.
void TurnToAxis(ParsedJoint* joint) {
  const math::RigidTransform<double> X_JF(TurnZTo(joint->axis));
  joint->X_PF = joint->X_PF.value_or(math::RigidTransform<double>()) * X_JF;
  joint->X_CM = X_JF;
}

// Which children a joint of a type has.
bool HasChild(const ParsedJoint& joint, std::string_view child) {
  const bool is_planar = joint.type == ParsedJointType::kPlanar;
  if (child == "axis") return HasOneDof(joint) || is_planar;
  if (child == "limit" || child == "mimic") return HasOneDof(joint);
  // Damping of a floating joint has no unit for rotation and translation both.
  if (child == "dynamics") {
    return joint.type != ParsedJointType::kFixed &&
           joint.type != ParsedJointType::kFloating;
  }
  if (child == "screw_thread_pitch") {
    return joint.type == ParsedJointType::kScrew;
  }
  return true;
}

// Exporters write axes and limits on joints where they have no meaning.
void WarnOfMeaningless(const XmlElement& element, const ParsedJoint& joint,
                       WarningLog* log) {
  for (const XmlElement& child : element.children()) {
    if (HasChild(joint, child.unprefixed_name())) continue;
    log->Add(child.place(),
             fmt::format("<{}> is ignored: a joint of type '{}' has none.",
                         child.name(), element.RequiredAttribute("type")));
  }
}

}  // namespace

ParsedJoint ReadUrdfJoint(const XmlElement& nameless, WarningLog* log) {
  ParsedJoint joint;
  joint.name = nameless.RequiredName("name");
  joint.place = nameless.place();
  const XmlElement element =
      nameless.About(fmt::format("joint '{}'", joint.name));
  joint.type = ReadType(element);
  element.ExpectAttributes({"name", "type", "drake_ignore"}, log);
  WarnOfOtherUrdfChildren(
      element,
      {.read = {"parent", "child", "origin", "axis", "limit", "dynamics",
                "mimic", "drake:screw_thread_pitch"},
       .decoration = {"safety_controller", "calibration", "hardwareInterface",
                      "gazebo"}},
      log);
  WarnOfMeaningless(element, joint, log);
  joint.parent = ReadLinkName(element, "parent", log);
  joint.child = ReadLinkName(element, "child", log);
  if (joint.parent == joint.child) {
    element.Throw(fmt::format(
        "parent and child are both link '{}'; give two links.", joint.child));
  }
  joint.X_PF = ReadUrdfOrigin(element, log);
  if (HasChild(joint, "axis")) ReadAxis(element, &joint, log);
  if (HasChild(joint, "limit")) ReadLimit(element, &joint, log);
  if (joint.type == ParsedJointType::kPlanar) TurnToAxis(&joint);
  if (joint.type == ParsedJointType::kScrew) {
    ReadScrewPitch(element, &joint, log);
  }
  if (HasChild(joint, "mimic")) ReadMimic(element, &joint, log);
  if (HasChild(joint, "dynamics")) ReadDynamics(element, &joint, log);
  return joint;
}

}  // namespace wyvern::multibody::internal
