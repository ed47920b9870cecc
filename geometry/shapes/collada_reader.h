#pragma once

#include <string>
#include <string_view>

#include "wyvern/geometry/shapes/mesh_text.h"

namespace wyvern::geometry::internal {

/** Reads a Collada (.dae) file: the triangles and polygons, as fans, of all
geometries that are in its scene, placed by their nodes, in meter by the file's
unit. The axes are those of the file, whatever it says of which is up, as ROS
has it. Materials, lines, skins and curves are passed over.
@throws std::runtime_error naming the file if it is not well-formed, refers to
what is not there, has nodes more than 200 deep or more than 1,000,000 when each
is counted as often as it is referred to, or more than 20,000,000 triangles. */
RawMesh ReadCollada(std::string_view bytes, const std::string& file);

}  // namespace wyvern::geometry::internal
