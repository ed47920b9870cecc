#pragma once

#include <string>
#include <string_view>

#include "wyvern/geometry/shapes/mesh_reader.h"

namespace wyvern::geometry::internal {

/** The tetrahedra of a legacy VTK file's text, its lengths times `scale`.
@throws std::runtime_error naming the file, and the line where it has one, if it
is not a text with an unstructured grid of tetrahedra. */
TetrahedronMesh ReadVtk(std::string_view text, const std::string& file,
                        double scale);

}  // namespace wyvern::geometry::internal
