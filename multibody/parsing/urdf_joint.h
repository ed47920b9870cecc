#pragma once

#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** Reads a <joint>.
@throws std::runtime_error "file:line: joint 'name': ..." if it is not valid or
of a type or with an element that is not supported. */
ParsedJoint ReadUrdfJoint(const XmlElement& element, WarningLog* log);

}  // namespace wyvern::multibody::internal
