#pragma once

#include "wyvern/geometry/shapes/mesh_source.h"
#include "wyvern/geometry/shapes/mesh_text.h"

namespace wyvern::geometry::internal {

/** Reads a .gltf or .glb file, with Assimp: the triangles of all meshes that
are in a node, in the axes of the file. Vertices in a mesh, and the poses and
scales of nodes, are single precision in Assimp, as vertices are in the file;
what follows from them is computed with double.
@param bytes the contents of `source`.
@throws std::runtime_error naming the file if it cannot be read. */
RawMesh ReadGltf(const MeshSource& source, std::string_view bytes);

}  // namespace wyvern::geometry::internal
