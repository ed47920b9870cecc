/* A joint is read in parts: its type, what is in <axis>, what drives it, and at
last what is there that a joint of its type does not have, which is said. Axes
are turned into the joint's frame by who knows the frames. */

#include "wyvern/multibody/parsing/sdf_joint.h"

#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace wyvern::multibody::internal {

namespace {

constexpr double kUnlimited = ParsedJoint::kInfinity;

ParsedJointType ReadSdfType(const SdfElement& element) {
  static const std::map<std::string, ParsedJointType> kTypes{
      {"fixed", ParsedJointType::kFixed},
      {"revolute", ParsedJointType::kRevolute},
      {"continuous", ParsedJointType::kRevolute},
      {"prismatic", ParsedJointType::kPrismatic},
      {"ball", ParsedJointType::kBall},
      {"universal", ParsedJointType::kUniversal},
      {"screw", ParsedJointType::kScrew}};
  const std::string type = element.RequiredAttribute("type");
  const auto found = kTypes.find(type);
  if (found != kTypes.end()) return found->second;
  element.Throw(fmt::format(
      "joints of type '{}' are not supported; those of type fixed, revolute, "
      "continuous, prismatic, ball, universal and screw are.",
      type));
}

// SDFormat's way to say that there is no limit.
double ReadSdfLimit(const SdfElement& limit, const char* name,
                    double otherwise) {
  const double value = limit.Bound(name).value_or(otherwise);
  return std::abs(value) < 1e16 ? value : std::copysign(kUnlimited, value);
}

// A bound on a magnitude; a negative one is none.
double ReadSdfMagnitude(const SdfElement& limit, const char* name) {
  const double value = ReadSdfLimit(limit, name, kUnlimited);
  return value < 0 ? kUnlimited : value;
}

void ReadLimits(const SdfElement& axis, ParsedJoint* joint, WarningLog* log) {
  const auto limit = axis.Child("limit");
  if (!limit.has_value()) return;
  limit->WarnOfOtherChildren(
      {"lower", "upper", "velocity", "effort", "drake:acceleration"}, log);
  joint->lower = ReadSdfLimit(*limit, "lower", -kUnlimited);
  joint->upper = ReadSdfLimit(*limit, "upper", kUnlimited);
  if (!(joint->lower <= joint->upper) || joint->lower == kUnlimited ||
      joint->upper == -kUnlimited) {
    limit->Throw(
        fmt::format("the lower limit is {} and the upper {}; they leave no "
                    "room.",
                    joint->lower, joint->upper));
  }
  joint->velocity = ReadSdfMagnitude(*limit, "velocity");
  joint->effort = ReadSdfMagnitude(*limit, "effort");
  joint->acceleration = limit->Bound("acceleration").value_or(kUnlimited);
  if (joint->acceleration < 0) {
    limit->Throw("<drake:acceleration> is negative.");
  }
}

double NotNegative(const SdfElement& dynamics, const char* name) {
  const double value = dynamics.Number(name).value_or(0);
  if (value < 0) {
    dynamics.Throw(
        fmt::format("the {} is {}; zero or more is wanted.", name, value));
  }
  return value;
}

void ReadSdfDynamics(const SdfElement& axis, ParsedJoint* joint,
                     WarningLog* log) {
  const auto dynamics = axis.Child("dynamics");
  if (!dynamics.has_value()) return;
  dynamics->WarnOfOtherChildren(
      {"damping", "friction", "spring_stiffness", "spring_reference"}, log);
  joint->damping.setConstant(NotNegative(*dynamics, "damping"));
  joint->friction = NotNegative(*dynamics, "friction");
}

void ReadSpring(const SdfElement& axis, ParsedJoint* joint) {
  const auto dynamics = axis.Child("dynamics");
  if (!dynamics.has_value()) return;
  joint->spring_stiffness = dynamics->Number("spring_stiffness").value_or(0);
  joint->spring_reference = dynamics->Number("spring_reference").value_or(0);
  if (joint->spring_stiffness < 0) {
    dynamics->Throw("<spring_stiffness> is negative.");
  }
}

// Old documents have radians a metre, the other way round.
void ReadPitch(const SdfElement& element, ParsedJoint* joint, WarningLog* log) {
  if (joint->type != ParsedJointType::kScrew) return;
  const auto pitch = element.Number("screw_thread_pitch");
  const auto thread_pitch = element.Number("thread_pitch");
  if (pitch.has_value() || !thread_pitch.has_value()) {
    if (!pitch.has_value()) {
      element.Warn(
          "a screw joint has no <screw_thread_pitch>; it is SDFormat's default "
          "of 1 m a turn.",
          log);
    }
    joint->screw_pitch = pitch.value_or(1);
    return;
  }
  if (*thread_pitch == 0) {
    element.Throw(
        "<thread_pitch> is 0; give a <screw_thread_pitch> in metres a turn.");
  }
  joint->screw_pitch = -2 * std::numbers::pi / *thread_pitch;
}

// <mimic> in <axis>, of SDFormat 1.11: q = multiplier (q_leader - reference) +
// offset.
void ReadAxisMimic(const SdfElement& axis, ParsedJoint* joint,
                   WarningLog* log) {
  const auto mimic = axis.Child("mimic");
  if (!mimic.has_value() || !HasOneDof(*joint)) return;
  mimic->WarnOfOtherChildren({"multiplier", "offset", "reference"}, log);
  if (mimic->Attribute("axis").value_or("axis") != "axis") {
    mimic->Throw("<mimic> of a second axis is not modelled; leave out 'axis'.");
  }
  const double multiplier = mimic->Number("multiplier").value_or(1);
  joint->mimic.emplace(
      ParsedMimic{mimic->RequiredAttribute("joint"), multiplier,
                  mimic->Number("offset").value_or(0) -
                      multiplier * mimic->Number("reference").value_or(0)});
}

void ReadSdfMimic(const SdfElement& element, ParsedJoint* joint) {
  const auto mimic = element.Child("mimic");
  if (!mimic.has_value() || !HasOneDof(*joint)) return;
  const auto number = [&](const char* name, double otherwise) {
    const auto text = mimic->Attribute(name);
    if (!text.has_value()) return otherwise;
    return ExtensionTags("mimic", mimic->place(),
                         {{name, *text, mimic->place()}})
        .RequiredNumber(name);
  };
  joint->mimic.emplace(ParsedMimic{mimic->RequiredAttribute("joint"),
                                   number("multiplier", 1),
                                   number("offset", 0)});
}

std::optional<double> AttributeNumber(const SdfElement& element,
                                      const char* name) {
  const std::string text = element.RequiredAttribute(name);
  return ExtensionTags(element.unprefixed_name(), element.place(),
                       {{name, text, element.place()}})
      .NotNegative(name);
}

void ReadActuator(const SdfElement& element, const ParsedJoint& joint,
                  std::optional<ParsedActuator>* result) {
  if (!HasOneDof(joint) || joint.effort == 0) return;
  ParsedActuator& actuator = result->emplace();
  const auto name = element.Child("actuator_name");
  actuator.name = name.has_value() ? name->text() : joint.name;
  if (actuator.name.empty()) name->Throw("<drake:actuator_name> is empty.");
  actuator.joint = joint.name;
  actuator.effort_limit = joint.effort;
  actuator.rotor_inertia = element.Number("rotor_inertia").value_or(0);
  if (actuator.rotor_inertia < 0) {
    element.Throw("<drake:rotor_inertia> is negative.");
  }
  actuator.gear_ratio = element.Number("gear_ratio").value_or(1);
  if (!actuator.HasFiniteReflectedInertia()) {
    element.Throw(
        "<drake:rotor_inertia> times the square of <drake:gear_ratio> is more "
        "than a double holds; give smaller ones.");
  }
  if (const auto gains = element.Child("controller_gains")) {
    actuator.gains.emplace(ParsedActuator::Gains{
        *AttributeNumber(*gains, "p"), *AttributeNumber(*gains, "d")});
  }
}

void WarnOfUnusedChild(const SdfElement& parent, const char* child,
                       std::string_view why, WarningLog* log) {
  const auto found = parent.Child(child);
  if (!found.has_value()) return;
  log->Add(found->place(), fmt::format("<{}> in <{}> is ignored: {}.",
                                       found->name(), parent.name(), why));
}

// Warns of children of <axis> that the joint does not support.
void WarnOfUnusedAxis(const SdfElement& element, const ParsedJoint& joint,
                      WarningLog* log) {
  const std::string why = fmt::format("a joint of type '{}' has none",
                                      element.RequiredAttribute("type"));
  if (joint.type == ParsedJointType::kFixed) {
    return WarnOfUnusedChild(element, "axis", why, log);
  }
  const auto axis = element.Child("axis");
  if (!axis.has_value()) return;
  if (joint.type == ParsedJointType::kBall) {
    WarnOfUnusedChild(*axis, "xyz", why, log);
  }
  if (!HasOneDof(joint)) {
    WarnOfUnusedChild(*axis, "limit", why, log);
    WarnOfUnusedChild(*axis, "mimic", why, log);
    if (const auto dynamics = axis->Child("dynamics")) {
      WarnOfUnusedChild(*dynamics, "spring_stiffness", why, log);
    }
    return;
  }
  const auto limit = axis->Child("limit");
  if (element.RequiredAttribute("type") != "continuous" || !limit) return;
  WarnOfUnusedChild(*limit, "lower", why, log);
  WarnOfUnusedChild(*limit, "upper", why, log);
}

// Damping and friction of both axes are those of the first.
void WarnOfSecondAxis(const SdfElement& element, const ParsedJoint& joint,
                      WarningLog* log) {
  const auto axis2 = element.Child("axis2");
  if (!axis2.has_value()) return;
  if (joint.type != ParsedJointType::kUniversal) {
    return WarnOfUnusedChild(element, "axis2",
                             fmt::format("a joint of type '{}' has none",
                                         element.RequiredAttribute("type")),
                             log);
  }
  if (axis2->IsOlderThan(7)) {
    axis2->WarnOfOtherChildren({"xyz", "dynamics", "use_parent_model_frame"},
                               log);
  } else {
    axis2->WarnOfOtherChildren({"xyz", "dynamics"}, log);
  }
  const auto dynamics = axis2->Child("dynamics");
  if (!dynamics.has_value()) return;
  dynamics->WarnOfOtherChildren({"damping", "friction"}, log);
  if (NotNegative(*dynamics, "damping") == joint.damping[0] &&
      NotNegative(*dynamics, "friction") == joint.friction) {
    return;
  }
  dynamics->Warn(
      fmt::format("<dynamics> of <axis2> is ignored: both axes have the "
                  "damping {} and friction {} of <axis>.",
                  joint.damping[0], joint.friction),
      log);
}

void WarnOfUnused(const SdfElement& element, const ParsedJoint& joint,
                  bool has_actuator, WarningLog* log) {
  WarnOfUnusedAxis(element, joint, log);
  WarnOfSecondAxis(element, joint, log);
  const std::string type = element.RequiredAttribute("type");
  if (joint.type != ParsedJointType::kScrew) {
    for (const char* pitch : {"thread_pitch", "screw_thread_pitch"}) {
      WarnOfUnusedChild(element, pitch,
                        fmt::format("a joint of type '{}' has none", type),
                        log);
    }
  }
  if (!HasOneDof(joint)) {
    WarnOfUnusedChild(element, "mimic",
                      "only joints of one degree of freedom mimic others", log);
  }
  if (has_actuator) return;
  for (const char* part :
       {"rotor_inertia", "gear_ratio", "controller_gains", "actuator_name"}) {
    WarnOfUnusedChild(element, part, "the joint has no actuator", log);
  }
}

}  // namespace

ParsedJoint ReadSdfJoint(const SdfElement& element,
                         std::optional<ParsedActuator>* actuator,
                         WarningLog* log) {
  ParsedJoint joint;
  joint.name = element.RequiredAttribute("name");
  joint.place = element.place();
  joint.type = ReadSdfType(element);
  element.WarnOfOtherChildren(
      {"parent", "child", "pose", "axis", "axis2", "thread_pitch",
       "screw_thread_pitch", "drake:rotor_inertia", "drake:gear_ratio",
       "drake:controller_gains", "drake:actuator_name", "drake:mimic"},
      log);
  if (const auto axis = element.Child("axis")) {
    // Before SDFormat 1.7, an axis may be expressed in the model's frame.
    if (axis->IsOlderThan(7)) {
      axis->WarnOfOtherChildren(
          {"xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"}, log);
    } else {
      axis->WarnOfOtherChildren({"xyz", "limit", "dynamics", "mimic"}, log);
    }
    ReadAxisMimic(*axis, &joint, log);
    if (HasOneDof(joint)) {
      ReadLimits(*axis, &joint, log);
      ReadSpring(*axis, &joint);
    }
    if (element.RequiredAttribute("type") == "continuous") {
      joint.lower = -kUnlimited;
      joint.upper = kUnlimited;
    }
    ReadSdfDynamics(*axis, &joint, log);
  }
  ReadPitch(element, &joint, log);
  ReadSdfMimic(element, &joint);
  ReadActuator(element, joint, actuator);
  WarnOfUnused(element, joint, actuator->has_value(), log);
  return joint;
}

math::RotationMatrix<double> SetSdfAxes(
    const SdfElement& element,
    const std::function<Vector3<double>(int)>& read_axis, ParsedJoint* joint) {
  const auto axis = [&](int i) -> Vector3<double> {
    const Vector3<double> v = read_axis(i);
    if (!v.allFinite() || v.isZero(0)) {
      element.Throw("an axis is zero or not finite.");
    }
    return v.stableNormalized();
  };
  if (HasOneDof(*joint)) joint->axis = axis(0);
  if (joint->type != ParsedJointType::kUniversal) return {};
  const Vector3<double> x = axis(0);
  const Vector3<double> y = axis(1);
  // Axes are unit vectors, written with some digits.
  if (std::abs(x.dot(y)) > 1e-6) {
    element.Throw("<axis> and <axis2> are not perpendicular.");
  }
  return math::RotationMatrix<double>::MakeFromOrthonormalColumns(
      x, (y - y.dot(x) * x).normalized(), x.cross(y).normalized());
}

ParsedJoint ReadSdfExtensionJoint(const SdfElement& element, WarningLog* log) {
  ParsedJoint joint;
  joint.name = element.RequiredAttribute("name");
  const std::string type = element.RequiredAttribute("type");
  if (type != "planar") {
    element.Throw(fmt::format(
        "<drake:joint> of type '{}' is not supported; planar is.", type));
  }
  joint.type = ParsedJointType::kPlanar;
  element.WarnOfOtherChildren({"drake:parent", "drake:child", "drake:damping"},
                              log);
  joint.damping = element.Triple("damping").value_or(Vector3<double>::Zero());
  if (joint.damping.minCoeff() < 0) {
    element.Throw("<drake:damping> has a negative entry.");
  }
  return joint;
}

}  // namespace wyvern::multibody::internal
