#pragma once

#include <map>
#include <string>

#include "wyvern/systems/common/memory_file.h"

namespace wyvern::geometry {

/** A mesh file in memory, with the files that it names, such as a .gltf's
buffers, by the names it uses for them. */
struct InMemoryMesh {
  std::string to_string() const;

  MemoryFile mesh_file;
  std::map<std::string, FileSource> supporting_files;
};

}  // namespace wyvern::geometry
