#pragma once

#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** Reads a whole URDF document and checks it, so that what it returns can be
added to a plant. README.md has the table of what is read.
@param packages where to look for meshes; null to check and leave out shapes.
@throws std::runtime_error "file:line: ..." if it is not valid. */
ParsedModel ReadUrdf(const XmlDocument& document, const PackageMap* packages,
                     WarningLog* log);

}  // namespace wyvern::multibody::internal
