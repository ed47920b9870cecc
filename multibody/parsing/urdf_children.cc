#include "wyvern/multibody/parsing/urdf_children.h"

#include <algorithm>

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

void CheckUrdfChildren(const XmlElement& parent, const UrdfChildren& children,
                       WarningLog* log) {
  for (const XmlElement& child : parent.children()) {
    if (IsAmong(child, children.read) || IsAmong(child, children.ignored)) {
      continue;
    }
    if (!IsAmong(child, children.warned)) {
      child.Throw(fmt::format(
          "<{}> in <{}> is not supported and may change the motion; remove it "
          "if it does not. Read here: {}.",
          child.name(), parent.name(), fmt::join(children.read, ", ")));
    }
    log->Add(child.place(),
             fmt::format("<{}> in <{}> is ignored; it has no effect on the "
                         "motion.",
                         child.name(), parent.name()));
  }
}

}  // namespace wyvern::multibody::internal
