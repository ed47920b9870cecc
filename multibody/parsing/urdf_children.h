#pragma once

#include <initializer_list>
#include <string_view>

#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** The names of the children that an element may have, extensions with the
prefix `drake:`. */
struct UrdfChildren {
  /** Read by the caller. */
  std::initializer_list<std::string_view> read{};
  /** Known to have no effect on motion: ignored. */
  std::initializer_list<std::string_view> decoration{};
};

/** Warns of the children of `parent` that are not read: of decoration, and of
any other, which the motion might depend on. */
void WarnOfOtherUrdfChildren(const XmlElement& parent,
                             const UrdfChildren& children, WarningLog* log);

}  // namespace wyvern::multibody::internal
