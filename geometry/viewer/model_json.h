#pragma once

#include <optional>
#include <string>

#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** A .obj, .gltf or .glb file with its materials, as a page draws it: parts,
each with a base colour and maybe an image, which is sent along. Empty if the
file has no materials, is in memory, or cannot be read; then its triangles are
to be shown as of any mesh.

Images are PNG or JPEG, 32 MB in all: those in the file, and those that are at
or below the folder above the file's own. Another one is left out; no other file
is ever sent to a page. */
std::optional<std::string> ModelJson(const Mesh& mesh);

}  // namespace wyvern::geometry::internal
