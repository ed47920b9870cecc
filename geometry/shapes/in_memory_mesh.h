#pragma once

#include <map>
#include <string>

#include "wyvern/systems/common/memory_file.h"

namespace wyvern::geometry {

/** A mesh file in memory, with the files that it names, such as a .gltf's
buffers, by the names it uses for them. */
struct InMemoryMesh {
  /** A text for messages, with the names of all files. */
  std::string to_string() const;

  /** The file itself. */
  MemoryFile mesh_file;
  /** Files that it names, by those names. */
  std::map<std::string, FileSource> supporting_files;
};

}  // namespace wyvern::geometry
