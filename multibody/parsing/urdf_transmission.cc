#include "wyvern/multibody/parsing/urdf_transmission.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/urdf_children.h"

namespace wyvern::multibody::internal {

namespace {

void CheckType(const XmlElement& element) {
  const std::optional<XmlElement> child = element.Child("type");
  const std::string_view type =
      child.has_value() ? child->text() : element.RequiredAttribute("type");
  // The name may follow that of a library: transmission_interface/....
  const std::size_t slash = type.rfind('/');
  const std::string_view last =
      slash == std::string_view::npos ? type : type.substr(slash + 1);
  if (last == "SimpleTransmission") return;
  element.Throw(fmt::format(
      "the type is '{}'; only SimpleTransmission, one actuator on one joint, "
      "is supported.",
      type));
}

// The reduction of `parent`, or 1.
double ReadReduction(const XmlElement& parent) {
  const std::optional<XmlElement> child = parent.Child("mechanicalReduction");
  if (!child.has_value()) return 1;
  const std::optional<double> value = ParseNumber(child->text());
  if (!value.has_value() || *value == 0 || !std::isfinite(*value)) {
    child->Throw(fmt::format(
        "<mechanicalReduction> is '{}'; a finite number other than 0 is "
        "wanted.",
        child->text()));
  }
  return *value;
}

std::optional<double> ReadExtensionValue(const XmlElement& actuator,
                                         std::string_view name) {
  const std::optional<XmlElement> child = actuator.ExtensionChild(name);
  if (!child.has_value()) return {};
  child->ExpectAttributes({"value"});
  return child->RequiredNumber("value");
}

// Input and effort limit are at the joint, so a reduction shows only in the
// inertia of the rotor as the joint feels it.
void ReadRotor(const XmlElement& transmission, const XmlElement& element,
               ParsedActuator* actuator, WarningLog* log) {
  actuator->rotor_inertia =
      ReadExtensionValue(element, "rotor_inertia").value_or(0);
  if (actuator->rotor_inertia < 0) {
    element.Throw(
        fmt::format("the rotor inertia is {}; zero or more is wanted.",
                    actuator->rotor_inertia));
  }
  const std::optional<double> gear_ratio =
      ReadExtensionValue(element, "gear_ratio");
  actuator->gear_ratio = gear_ratio.value_or(1);
  if (!actuator->HasFiniteReflectedInertia()) {
    element.Throw(fmt::format(
        "the rotor inertia {} times the square of the gear ratio {} is more "
        "than a double holds; give smaller ones.",
        actuator->rotor_inertia, actuator->gear_ratio));
  }
  const double reduction = ReadReduction(transmission) * ReadReduction(element);
  if (reduction == 1 || reduction == gear_ratio) return;
  if (actuator->rotor_inertia != 0) {
    element.Throw(fmt::format(
        "<mechanicalReduction> is {} but drake:gear_ratio, which the rotor "
        "inertia goes by, is {}; make them agree.",
        reduction, actuator->gear_ratio));
  }
  log->Add(transmission.place(),
           "<mechanicalReduction> is ignored: actuation is at the joint, after "
           "the gears.");
}

void ReadGains(const XmlElement& element, ParsedActuator* actuator) {
  const std::optional<XmlElement> gains =
      element.ExtensionChild("controller_gains");
  if (!gains.has_value()) return;
  gains->ExpectAttributes({"p", "d"});
  actuator->gains.emplace(ParsedActuator::Gains{gains->RequiredNumber("p"),
                                                gains->RequiredNumber("d")});
  if (actuator->gains->p < 0 || actuator->gains->d < 0) {
    gains->Throw("a gain is negative; zero or more is wanted.");
  }
}

const ParsedJoint& FindJoint(const XmlElement& element,
                             const std::vector<ParsedJoint>& joints) {
  const std::string name = element.RequiredChild("joint").RequiredName("name");
  const auto found = std::ranges::find(joints, name, &ParsedJoint::name);
  if (found == joints.end()) {
    element.Throw(fmt::format("there is no joint '{}' in this file.", name));
  }
  if (!HasOneDof(*found) && found->type != ParsedJointType::kFixed) {
    element.Throw(fmt::format(
        "joint '{}' has more than one degree of freedom; only joints with one "
        "can be actuated.",
        name));
  }
  return *found;
}

}  // namespace

std::optional<ParsedActuator> ReadUrdfTransmission(
    const XmlElement& nameless, const std::vector<ParsedJoint>& joints,
    WarningLog* log) {
  const XmlElement element = nameless.About(fmt::format(
      "transmission '{}'", nameless.Attribute("name").value_or("")));
  CheckType(element);
  CheckUrdfChildren(
      element,
      {.read = {"type", "joint", "actuator", "mechanicalReduction"},
       .ignored = {"robotNamespace", "motorTorqueConstant"}},
      log);
  const ParsedJoint& joint = FindJoint(element, joints);
  CheckUrdfChildren(element.RequiredChild("joint"),
                    {.ignored = {"hardwareInterface", "role"}}, log);
  const XmlElement child = element.RequiredChild("actuator");
  CheckUrdfChildren(child,
                    {.read = {"mechanicalReduction", "drake:rotor_inertia",
                              "drake:gear_ratio", "drake:controller_gains"},
                     .ignored = {"hardwareInterface", "role"}},
                    log);
  ParsedActuator actuator;
  actuator.name = child.RequiredName("name");
  actuator.joint = joint.name;
  actuator.effort_limit = joint.effort;
  ReadRotor(element, child, &actuator, log);
  ReadGains(child, &actuator);
  if (joint.type == ParsedJointType::kFixed || joint.effort == 0) {
    log->Add(element.place(),
             fmt::format(
                 "actuator '{}' is left out: joint '{}' {}.", actuator.name,
                 joint.name,
                 joint.effort == 0 ? "has an effort limit of 0" : "is fixed"));
    return {};
  }
  return actuator;
}

}  // namespace wyvern::multibody::internal
