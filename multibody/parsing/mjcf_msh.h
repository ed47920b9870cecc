#pragma once

#include <filesystem>

#include "wyvern/geometry/shapes/mesh_reader.h"

namespace wyvern::multibody::internal {

/** Reads a mesh in MuJoCo's own binary format: the numbers of vertices,
normals, texture coordinates and triangles as 32-bit integers, then these, as
floats and, last, 32-bit indices.
@throws std::runtime_error naming the file if it is not one. */
geometry::internal::TriangleMesh ReadMsh(const std::filesystem::path& file);

}  // namespace wyvern::multibody::internal
