#include "wyvern/multibody/parsing/mjcf_tendon.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace wyvern::multibody::internal {

namespace {

// How fast a joint moves with the leader, as a coupler between the two says.
std::optional<double> FindRate(const std::string& leader,
                               const std::string& follower,
                               const ParsedModel& model) {
  if (leader == follower) return 1;
  for (const ParsedCoupler& coupler : model.couplers) {
    if (coupler.joint0 == follower && coupler.joint1 == leader) {
      return coupler.gear_ratio;
    }
    if (coupler.joint0 == leader && coupler.joint1 == follower &&
        coupler.gear_ratio != 0) {
      return 1 / coupler.gear_ratio;
    }
  }
  return {};
}

const MjcfNode* FindFixed(const MjcfDocument& document,
                          const std::string& name) {
  for (const MjcfNode* const node : document.Contents("tendon")) {
    if (node->IsNamed("fixed") && node->element.Attribute("name") == name) {
      return node;
    }
  }
  return nullptr;
}

}  // namespace

void RefuseMjcfTendons(const MjcfDocument& document,
                       const MjcfContext& context) {
  for (const MjcfNode* const node : document.Contents("tendon")) {
    const MjcfElement tendon = context.defaults.Apply(
        node->element.About(fmt::format(
            "tendon '{}'", node->element.Attribute("name").value_or(""))),
        {}, {"tendon"});
    for (const char* const attribute :
         {"stiffness", "damping", "frictionloss", "armature"}) {
      if (tendon.Numbers(attribute, Vector3<double>::Zero()).isZero(0)) {
        continue;
      }
      tendon.Throw(fmt::format("a tendon with {} is not modelled; remove it.",
                               attribute));
    }
    if (tendon.IsLimited("limited", "range",
                         context.settings.Of(tendon.own()).autolimits)) {
      tendon.Throw("a tendon with a limited range is not modelled; remove it.");
    }
  }
}

const MjcfMovement& RequireMjcfJoint(const MjcfElement& element,
                                     const std::string& name,
                                     const MjcfTree& tree) {
  const MjcfMovement* const found = tree.FindJoint(name);
  if (found == nullptr) {
    element.Throw(fmt::format("there is no joint '{}' in this file.", name));
  }
  if (!found->joint.HasOneDof()) {
    element.Throw(fmt::format(
        "joint '{}' is neither a hinge nor a slide, so that what acts on it is "
        "not modelled.",
        name));
  }
  return *found;
}

MjcfPull FindMjcfPull(const MjcfElement& actuator, const std::string& name,
                      const MjcfDocument& document, const MjcfTree& tree,
                      const ParsedModel& model) {
  const MjcfNode* const tendon = FindFixed(document, name);
  if (tendon == nullptr) {
    actuator.Throw(fmt::format(
        "an actuator of the tendon '{}' is not modelled: the file has no "
        "<fixed> one of that name.",
        name));
  }
  MjcfPull result{.coefficient = 0};
  for (const MjcfNode& child : tendon->children) {
    const MjcfElement part(child.element, {});
    const std::string joint(child.element.RequiredAttribute("joint"));
    const MjcfMovement& moved = RequireMjcfJoint(part, joint, tree);
    result.is_shared = result.moved != nullptr;
    if (!result.is_shared) result.moved = &moved;
    const auto rate = FindRate(result.moved->joint.name, joint, model);
    if (!rate.has_value()) {
      actuator.Throw(fmt::format(
          "an actuator of a tendon whose joints '{}' and '{}' are not tied by "
          "an equality is not modelled.",
          result.moved->joint.name, joint));
    }
    result.coefficient += child.element.RequiredNumber("coef") * *rate;
  }
  if (result.moved == nullptr) actuator.Throw("its tendon has no joint.");
  return result;
}

}  // namespace wyvern::multibody::internal
