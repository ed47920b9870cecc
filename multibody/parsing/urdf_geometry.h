#pragma once

#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** Checks a <visual> or <collision>: it has one <geometry> with one shape,
whose numbers make sense. Shapes do not take part in motion and are not kept.
@throws std::runtime_error if not. */
void CheckUrdfGeometry(const XmlElement& visual_or_collision);

}  // namespace wyvern::multibody::internal
