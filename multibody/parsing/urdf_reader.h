#pragma once

#include "wyvern/multibody/parsing/urdf_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** Reads a whole URDF document and checks it, so that what it returns can be
added to a plant. README.md has the table of what is read.
@throws std::runtime_error "file:line: ..." if it is not valid. */
UrdfModel ReadUrdf(const XmlDocument& document, WarningLog* log);

}  // namespace wyvern::multibody::internal
