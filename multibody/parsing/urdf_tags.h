#pragma once

#include <string_view>

#include "wyvern/multibody/parsing/extension_tags.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** The attribute that has the value of an extension tag in URDF; empty for one
that has none. */
std::string_view UrdfValueAttribute(std::string_view tag);

/** The children of an extension element of a URDF document: the value of each
is that of its attribute `value`, or `name` or `link` where a tag has those.
Warns of other attributes, and leaves out, with a warning, a tag without its
own. */
ExtensionTags UrdfTags(const XmlElement& element, WarningLog* log);

}  // namespace wyvern::multibody::internal
