#include "wyvern/multibody/parsing/element_tags.h"

#include <fmt/format.h>

#include "wyvern/multibody/parsing/number_text.h"

namespace wyvern::multibody::internal {

namespace {

Vector3<double> NotNegativeTriple(const ExtensionTags& tags, const char* name) {
  const Vector3<double> result = tags.RequiredTriple(name);
  if (!(result.minCoeff() >= 0)) {
    tags.Throw(fmt::format("{} has a negative entry.", name));
  }
  return result;
}

double RequiredNotNegative(const ExtensionTags& tags, const char* name) {
  tags.RequiredNumber(name);
  return *tags.NotNegative(name);
}

void ExpectTwoBodies(const ExtensionTags& tags, const std::string& body_A,
                     const std::string& body_B) {
  if (body_A != body_B) return;
  tags.Throw(fmt::format("both bodies are '{}'; give two.", body_A));
}

}  // namespace

ParsedBushing ReadBushing(const ExtensionTags& tags, WarningLog* log) {
  tags.Expect({"bushing_frameA", "bushing_frameC", "bushing_torque_stiffness",
               "bushing_torque_damping", "bushing_force_stiffness",
               "bushing_force_damping"},
              log);
  return {tags.RequiredText("bushing_frameA"),
          tags.RequiredText("bushing_frameC"),
          NotNegativeTriple(tags, "bushing_torque_stiffness"),
          NotNegativeTriple(tags, "bushing_torque_damping"),
          NotNegativeTriple(tags, "bushing_force_stiffness"),
          NotNegativeTriple(tags, "bushing_force_damping")};
}

ParsedSpringDamper ReadSpringDamper(const ExtensionTags& tags,
                                    WarningLog* log) {
  tags.Expect(
      {"linear_spring_damper_body_A", "linear_spring_damper_body_B",
       "linear_spring_damper_p_AP", "linear_spring_damper_p_BQ",
       "linear_spring_damper_free_length", "linear_spring_damper_stiffness",
       "linear_spring_damper_damping"},
      log);
  ParsedSpringDamper result{
      tags.RequiredText("linear_spring_damper_body_A"),
      tags.RequiredText("linear_spring_damper_body_B"),
      tags.RequiredTriple("linear_spring_damper_p_AP"),
      tags.RequiredTriple("linear_spring_damper_p_BQ"),
      tags.RequiredNumber("linear_spring_damper_free_length"),
      RequiredNotNegative(tags, "linear_spring_damper_stiffness"),
      RequiredNotNegative(tags, "linear_spring_damper_damping")};
  tags.Positive("linear_spring_damper_free_length");
  ExpectTwoBodies(tags, result.body_A, result.body_B);
  return result;
}

ParsedBallConstraint ReadBallConstraint(const ExtensionTags& tags,
                                        WarningLog* log) {
  tags.Expect({"ball_constraint_body_A", "ball_constraint_body_B",
               "ball_constraint_p_AP", "ball_constraint_p_BQ"},
              log);
  ParsedBallConstraint result{tags.RequiredText("ball_constraint_body_A"),
                              tags.RequiredText("ball_constraint_body_B"),
                              tags.RequiredTriple("ball_constraint_p_AP"),
                              tags.RequiredTriple("ball_constraint_p_BQ")};
  ExpectTwoBodies(tags, result.body_A, result.body_B);
  return result;
}

ParsedFilterGroup ReadFilterGroup(const std::string& name,
                                  const ExtensionTags& tags, WarningLog* log) {
  tags.Expect({"member", "member_group", "ignored_collision_filter_group"},
              log);
  return {name, tags.All("member"), tags.All("member_group"),
          tags.All("ignored_collision_filter_group")};
}

TagTexts WriteTags(const ParsedBushing& bushing) {
  return {{"bushing_frameA", bushing.frame_A},
          {"bushing_frameC", bushing.frame_C},
          {"bushing_torque_stiffness", ToText(bushing.torque_stiffness)},
          {"bushing_torque_damping", ToText(bushing.torque_damping)},
          {"bushing_force_stiffness", ToText(bushing.force_stiffness)},
          {"bushing_force_damping", ToText(bushing.force_damping)}};
}

TagTexts WriteTags(const ParsedSpringDamper& spring) {
  return {{"linear_spring_damper_body_A", spring.body_A},
          {"linear_spring_damper_body_B", spring.body_B},
          {"linear_spring_damper_p_AP", ToText(spring.p_AP)},
          {"linear_spring_damper_p_BQ", ToText(spring.p_BQ)},
          {"linear_spring_damper_free_length", ToText(spring.free_length)},
          {"linear_spring_damper_stiffness", ToText(spring.stiffness)},
          {"linear_spring_damper_damping", ToText(spring.damping)}};
}

TagTexts WriteTags(const ParsedBallConstraint& ball) {
  return {{"ball_constraint_body_A", ball.body_A},
          {"ball_constraint_body_B", ball.body_B},
          {"ball_constraint_p_AP", ToText(ball.p_AP)},
          {"ball_constraint_p_BQ", ToText(ball.p_BQ)}};
}

TagTexts WriteTags(const ParsedFilterGroup& group) {
  TagTexts tags;
  for (const auto& name : group.members) tags.emplace_back("member", name);
  for (const auto& name : group.member_groups) {
    tags.emplace_back("member_group", name);
  }
  for (const auto& name : group.ignored_groups) {
    tags.emplace_back("ignored_collision_filter_group", name);
  }
  return tags;
}

}  // namespace wyvern::multibody::internal
