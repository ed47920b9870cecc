#pragma once

#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** Reads a <joint>, with a warning of what a joint of its type does not have.
@throws std::runtime_error "file:line: joint 'name': ..." if it is not valid or
of a type that is not supported. */
ParsedJoint ReadUrdfJoint(const XmlElement& element, WarningLog* log);

}  // namespace wyvern::multibody::internal
