#pragma once

#include <filesystem>
#include <vector>

namespace wyvern::geometry::internal {

/** Returns the files that a .obj or .gltf file needs to be shown: the materials
of a .obj file, buffers, and images, as far as they are below the parent of its
folder. The files may not exist. Returns nothing for other kinds of files, or if
`mesh` cannot be read. */
std::vector<std::filesystem::path> FindModelFiles(
    const std::filesystem::path& mesh);

}  // namespace wyvern::geometry::internal
