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
  /** Known to have no effect on motion: passed over. */
  std::initializer_list<std::string_view> ignored{};
  /** May matter to somebody, but not to motion: passed over with a warning. */
  std::initializer_list<std::string_view> warned{};
};

/** Goes through the children of `parent`.
@throws std::runtime_error at any other child: it might change the motion. */
void CheckUrdfChildren(const XmlElement& parent, const UrdfChildren& children,
                       WarningLog* log);

}  // namespace wyvern::multibody::internal
