#include "wyvern/multibody/tree/element_checks.h"

#include <fmt/format.h>

namespace wyvern::multibody::internal {

const std::string& RequireName(const std::string& name, std::string_view kind) {
  if (name.empty()) {
    throw std::logic_error(fmt::format(
        "A {} was given an empty name; give it one that is not.", kind));
  }
  return name;
}

const std::string& RequireElementName(const std::string& name,
                                      std::string_view kind) {
  RequireName(name, kind);
  if (name.find("::") != std::string::npos) {
    throw std::logic_error(fmt::format(
        "A {} was given the name '{}'; give it one without \"::\", which parts "
        "the names of a model instance and its elements.",
        kind, name));
  }
  return name;
}

}  // namespace wyvern::multibody::internal
