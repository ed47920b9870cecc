#include "wyvern/multibody/parsing/directives/model_directives.h"

#include <fmt/format.h>

namespace wyvern::multibody::parsing {

namespace {

// Requires a text, and names the directive's key otherwise.
std::string RequireText(const char* directive, const char* key,
                        const std::string& text) {
  if (!text.empty()) return {};
  return fmt::format("{} has no '{}'; add it.", directive, key);
}

// Directives draw no random poses: as in Drake, distributions may be spelt, but
// must have no width.
std::string WhyRandom(const char* directive, const std::string& pose,
                      const schema::Transform& X) {
  if (X.IsDeterministic()) return {};
  return fmt::format(
      "{} of {} is random; give a fixed pose, or write the directive into a "
      "scenario, which draws it.",
      pose, directive);
}

std::string FirstOf(std::initializer_list<std::string> faults) {
  for (const std::string& fault : faults) {
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string AddModel::WhyInvalid() const {
  for (const auto& [frame, pose] : default_free_body_pose) {
    const std::string fault = WhyRandom(
        "add_model", fmt::format("default_free_body_pose['{}']", frame), pose);
    if (!fault.empty()) return fault;
  }
  return FirstOf({RequireText("add_model", "file", file),
                  RequireText("add_model", "name", name)});
}

std::string AddModelInstance::WhyInvalid() const {
  return RequireText("add_model_instance", "name", name);
}

std::string AddFrame::WhyInvalid() const {
  return FirstOf({RequireText("add_frame", "name", name),
                  RequireText("add_frame", "X_PF.base_frame",
                              X_PF.base_frame.value_or("")),
                  WhyRandom("add_frame", "X_PF", X_PF)});
}

std::string AddWeld::WhyInvalid() const {
  if (X_PC.has_value() && X_PC->base_frame.has_value()) {
    return fmt::format(
        "X_PC of add_weld has the base frame '{}'; leave it out, 'parent' is "
        "the base.",
        *X_PC->base_frame);
  }
  return FirstOf({RequireText("add_weld", "parent", parent),
                  RequireText("add_weld", "child", child),
                  X_PC ? WhyRandom("add_weld", "X_PC", *X_PC) : ""});
}

std::string AddCollisionFilterGroup::WhyInvalid() const {
  if (members.empty() && member_groups.empty()) {
    return "add_collision_filter_group has neither 'members' nor "
           "'member_groups'; add some.";
  }
  return RequireText("add_collision_filter_group", "name", name);
}

std::string AddDirectives::WhyInvalid() const {
  return RequireText("add_directives", "file", file);
}

std::string ModelDirective::WhyInvalid() const {
  std::string fault;
  int count = 0;
  const auto look_at = [&fault, &count](const auto& directive) {
    if (!directive.has_value()) return;
    ++count;
    fault = directive->WhyInvalid();
  };
  look_at(add_model);
  look_at(add_model_instance);
  look_at(add_frame);
  look_at(add_weld);
  look_at(add_collision_filter_group);
  look_at(add_directives);
  if (count == 1) return fault;
  return fmt::format(
      "a directive is of {} kinds; give one of add_model, add_model_instance, "
      "add_frame, add_weld, add_collision_filter_group, add_directives.",
      count);
}

std::string ModelDirectives::WhyInvalid() const {
  for (std::size_t i = 0; i < directives.size(); ++i) {
    const std::string fault = directives[i].WhyInvalid();
    if (!fault.empty()) return fmt::format("directives[{}]: {}", i, fault);
  }
  return {};
}

}  // namespace wyvern::multibody::parsing
