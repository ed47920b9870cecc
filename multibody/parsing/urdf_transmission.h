#pragma once

#include <optional>
#include <vector>

#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** Reads a <transmission> on one of `joints`. Nothing, with a warning, if it is
not of the type SimpleTransmission, or has nothing to act on: the joint is not
there, is fixed, has many degrees of freedom, or its effort limit is 0.
@throws std::runtime_error "file:line: transmission ...: ..." if a number or a
name in it is not valid. */
std::optional<ParsedActuator> ReadUrdfTransmission(
    const XmlElement& element, const std::vector<ParsedJoint>& joints,
    WarningLog* log);

}  // namespace wyvern::multibody::internal
