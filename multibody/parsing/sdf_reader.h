#pragma once

#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** Reads an SDFormat document, of version 1.4 to 1.12, and those that it
includes, and checks it, so that what it returns can be added to a plant: the
one model of the document, or a model without name in which those of its world
are nested. README.md has the table of what is read.
@param packages where to look for files.
@param with_shapes false to check and leave out shapes.
@throws std::runtime_error "file:line: ..." if it is not valid. */
ParsedModel ReadSdf(const XmlDocument& document, const PackageMap& packages,
                    bool with_shapes, WarningLog* log);

}  // namespace wyvern::multibody::internal
