#include "wyvern/multibody/parsing/urdf_transmission.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/urdf_children.h"

/* A <transmission> as an actuator of its joint. Only SimpleTransmission of one
joint by one actuator is one; any other, and one whose joint cannot be
driven, is left out with a warning that says why. Rotor inertia, gear ratio
and controller gains are in drake: elements of <actuator>. */

namespace wyvern::multibody::internal {

namespace {

// The part of a name after the last slash, as of transmission_interface/....
std::string_view AfterSlash(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == name.npos ? name : name.substr(slash + 1);
}

// Why a transmission does not move one joint by one actuator; nothing if it
// does.
std::optional<std::string> WhyNotSimple(const XmlElement& element,
                                        WarningLog* log) {
  const std::optional<XmlElement> child = element.FirstChild("type", log);
  const std::string_view type = child.has_value()
                                    ? child->text()
                                    : element.Attribute("type").value_or("");
  if (AfterSlash(type) != "SimpleTransmission") {
    return fmt::format(
        "its type is '{}', and only SimpleTransmission, one actuator on one "
        "joint, is supported",
        type);
  }
  for (const char* part : {"joint", "actuator"}) {
    int count = 0;
    for (const XmlElement& e : element.children()) count += e.IsNamed(part);
    if (count == 1) continue;
    return fmt::format("it has {} <{}>, and one is wanted", count, part);
  }
  return {};
}

// Returns the reduction of `parent`, or 1. A reduction moves nothing, so an
// invalid number, such as a parameter that was not filled in, is only a
// warning.
double ReadReduction(const XmlElement& parent, WarningLog* log) {
  const std::optional<XmlElement> child =
      parent.FirstChild("mechanicalReduction", log);
  if (!child.has_value()) return 1;
  const std::optional<double> value = ParseNumber(child->text());
  if (!value.has_value() || *value == 0 || !std::isfinite(*value)) {
    log->Add(child->place(),
             fmt::format("<mechanicalReduction> is '{}', which is no number "
                         "other than 0; it is ignored.",
                         child->text()));
    return 1;
  }
  return *value;
}

std::optional<double> ReadExtensionValue(const XmlElement& actuator,
                                         std::string_view name,
                                         WarningLog* log) {
  const std::optional<XmlElement> child = actuator.ExtensionChild(name);
  if (!child.has_value()) return {};
  child->ExpectLeaf({"value"}, log);
  return child->RequiredNumber("value");
}

// Input and effort limit are at the joint, so a reduction shows only in the
// inertia of the rotor as the joint feels it.
void ReadRotor(const XmlElement& transmission, const XmlElement& element,
               ParsedActuator* actuator, WarningLog* log) {
  actuator->rotor_inertia =
      ReadExtensionValue(element, "rotor_inertia", log).value_or(0);
  if (actuator->rotor_inertia < 0) {
    element.Throw(
        fmt::format("the rotor inertia is {}; zero or more is wanted.",
                    actuator->rotor_inertia));
  }
  const std::optional<double> gear_ratio =
      ReadExtensionValue(element, "gear_ratio", log);
  actuator->gear_ratio = gear_ratio.value_or(1);
  if (!actuator->HasFiniteReflectedInertia()) {
    element.Throw(fmt::format(
        "the rotor inertia {} times the square of the gear ratio {} is more "
        "than a double holds; give smaller ones.",
        actuator->rotor_inertia, actuator->gear_ratio));
  }
  const double reduction =
      ReadReduction(transmission, log) * ReadReduction(element, log);
  if (reduction == 1 || reduction == gear_ratio) return;
  if (actuator->rotor_inertia != 0) {
    element.Warn(
        fmt::format("<mechanicalReduction> is {} but drake:gear_ratio, which "
                    "the rotor inertia goes by, is {}; the latter is taken.",
                    reduction, actuator->gear_ratio),
        log);
    return;
  }
  log->Add(transmission.place(),
           "<mechanicalReduction> is ignored: actuation is at the joint, after "
           "the gears.");
}

void ReadGains(const XmlElement& element, ParsedActuator* actuator,
               WarningLog* log) {
  const std::optional<XmlElement> gains =
      element.ExtensionChild("controller_gains");
  if (!gains.has_value()) return;
  gains->ExpectLeaf({"p", "d"}, log);
  actuator->gains.emplace(ParsedActuator::Gains{gains->RequiredNumber("p"),
                                                gains->RequiredNumber("d")});
  if (actuator->gains->p < 0 || actuator->gains->d < 0) {
    gains->Throw("a gain is negative; zero or more is wanted.");
  }
}

// The joint, if it can be actuated; else null and why not.
const ParsedJoint* FindJoint(const std::string& name,
                             const std::vector<ParsedJoint>& joints,
                             std::string* why) {
  const auto found = std::ranges::find(joints, name, &ParsedJoint::name);
  if (found == joints.end()) {
    *why = fmt::format("there is no joint '{}' in this file", name);
  } else if (found->type == ParsedJointType::kFixed) {
    *why = fmt::format("joint '{}' is fixed", name);
  } else if (!HasOneDof(*found)) {
    *why = fmt::format("joint '{}' has more than one degree of freedom", name);
  } else if (found->effort == 0) {
    *why = fmt::format("joint '{}' has an effort limit of 0", name);
  } else {
    return &*found;
  }
  return nullptr;
}

// Actuators take effort.
void WarnOfInterfaces(const XmlElement& element, WarningLog* log) {
  for (const XmlElement& child : element.children()) {
    if (!child.IsNamed("hardwareInterface")) continue;
    if (AfterSlash(child.text()) == "EffortJointInterface") continue;
    log->Add(child.place(),
             fmt::format("<hardwareInterface> is '{}', which is ignored: an "
                         "actuator takes effort.",
                         child.text()));
  }
}

void WarnOfOtherParts(const XmlElement& element, const XmlElement& joint,
                      const XmlElement& actuator, WarningLog* log) {
  element.ExpectAttributes({"name", "type"}, log);
  WarnOfOtherUrdfChildren(
      element,
      {.read = {"type", "joint", "actuator", "mechanicalReduction"},
       .decoration = {"robotNamespace", "motorTorqueConstant"}},
      log);
  joint.ExpectAttributes({"name"}, log);
  WarnOfOtherUrdfChildren(
      joint, {.read = {"hardwareInterface"}, .decoration = {"role"}}, log);
  actuator.ExpectAttributes({"name"}, log);
  WarnOfOtherUrdfChildren(actuator,
                          {.read = {"mechanicalReduction", "hardwareInterface",
                                    "drake:rotor_inertia", "drake:gear_ratio",
                                    "drake:controller_gains"},
                           .decoration = {"role"}},
                          log);
  WarnOfInterfaces(joint, log);
  WarnOfInterfaces(actuator, log);
}

}  // namespace

std::optional<ParsedActuator> ReadUrdfTransmission(
    const XmlElement& nameless, const std::vector<ParsedJoint>& joints,
    WarningLog* log) {
  const XmlElement element = nameless.About(fmt::format(
      "transmission '{}'", nameless.Attribute("name").value_or("")));
  const auto leave_out = [&](const std::string& why) {
    element.Warn(
        fmt::format("it is left out, and nothing actuated by it: {}.", why),
        log);
    return std::nullopt;
  };
  if (const auto why = WhyNotSimple(element, log)) return leave_out(*why);
  const XmlElement joint_element = element.RequiredChild("joint");
  const XmlElement child = element.RequiredChild("actuator");
  WarnOfOtherParts(element, joint_element, child, log);
  ParsedActuator actuator;
  actuator.name = child.RequiredName("name");
  std::string why;
  const ParsedJoint* const joint =
      FindJoint(joint_element.RequiredName("name"), joints, &why);
  ReadRotor(element, child, &actuator, log);
  ReadGains(child, &actuator, log);
  if (joint == nullptr) return leave_out(why);
  actuator.joint = joint->name;
  actuator.effort_limit = joint->effort;
  return actuator;
}

}  // namespace wyvern::multibody::internal
