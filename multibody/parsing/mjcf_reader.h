#pragma once

#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** Reads a whole MJCF document, with the files that it includes, and checks it,
so that what it returns can be added to a plant. README.md has the table of what
is read.
@param packages where to look for meshes, whose masses may count.
@param with_shapes whether shapes are wanted; if not, they are checked and left
  out.
@throws std::runtime_error "file:line: ..." if it is not valid, or has something
that moves the robot and is not modelled. */
ParsedModel ReadMjcf(const XmlDocument& document, const PackageMap& packages,
                     bool with_shapes, WarningLog* log);

}  // namespace wyvern::multibody::internal
