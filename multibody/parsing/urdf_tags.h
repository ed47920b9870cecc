#pragma once

#include "wyvern/multibody/parsing/extension_tags.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** The children of an extension element of a URDF document: the value of each
is that of its one attribute, empty without one.
@throws std::runtime_error at a child with more. */
ExtensionTags UrdfTags(const XmlElement& element);

}  // namespace wyvern::multibody::internal
