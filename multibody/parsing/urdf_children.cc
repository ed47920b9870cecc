#include "wyvern/multibody/parsing/urdf_children.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wyvern::multibody::internal {

namespace {

bool IsAmong(const XmlElement& element,
             std::initializer_list<std::string_view> names) {
  constexpr std::string_view kPrefix = "drake:";
  return std::ranges::any_of(names, [&](std::string_view name) {
    return name.starts_with(kPrefix)
               ? element.IsExtensionNamed(name.substr(kPrefix.size()))
               : element.IsNamed(name);
  });
}

}  // namespace

void WarnOfOtherUrdfChildren(const XmlElement& parent,
                             const UrdfChildren& children, WarningLog* log) {
  for (const XmlElement& child : parent.children()) {
    if (IsAmong(child, children.read)) continue;
    const std::string what =
        IsAmong(child, children.decoration)
            ? "is ignored; it has no effect on the motion."
            : fmt::format(
                  "is not known and is ignored, though the motion may depend "
                  "on it; {}.",
                  children.read.size() == 0
                      ? "none is read"
                      : fmt::format("those read are: {}",
                                    fmt::join(children.read, ", ")));
    log->Add(child.place(),
             fmt::format("<{}> in <{}> {}", child.name(), parent.name(), what));
  }
}

}  // namespace wyvern::multibody::internal
