#pragma once

#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/urdf_geometry.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** Reads a <link>. The inertia of the link named `world` is ignored with a
warning, and one that no body has repaired with one.
@throws std::runtime_error "file:line: link 'name': ..." if it is not valid. */
ParsedLink ReadUrdfLink(const XmlElement& element,
                        const UrdfGeometryContext& context);

}  // namespace wyvern::multibody::internal
