#pragma once

#include <memory>

#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_element.h"

namespace wyvern::multibody::internal {

/** Reads the one shape in the <geometry> of a <visual> or <collision>. Null,
with a warning, if there is none, and for a mesh that cannot be found or read.
@param files may be null: then a mesh is checked but for its file, and null.
@throws std::runtime_error if the shape is not valid. */
std::unique_ptr<geometry::Shape> ReadUrdfShape(
    const XmlElement& visual_or_collision, const MeshFiles* files,
    WarningLog* log);

}  // namespace wyvern::multibody::internal
