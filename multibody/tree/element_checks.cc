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

void RequireFinite(double value, std::string_view kind, std::string_view name,
                   std::string_view what) {
  if (!std::isfinite(value)) {
    throw std::logic_error(
        fmt::format("{} '{}': {} is {}; a finite number is wanted.", kind, name,
                    what, value));
  }
}

void RequireNonNegative(double value, std::string_view kind,
                        std::string_view name, std::string_view what) {
  RequireFinite(value, kind, name, what);
  if (value < 0) {
    throw std::logic_error(
        fmt::format("{} '{}': {} is {}; it must not be negative.", kind, name,
                    what, value));
  }
}

void RequireSize(int given, int wanted, std::string_view function,
                 std::string_view what) {
  if (given != wanted) {
    throw std::logic_error(
        fmt::format("{}(): {} has size {}; size {} is wanted.", function, what,
                    given, wanted));
  }
}

}  // namespace wyvern::multibody::internal
