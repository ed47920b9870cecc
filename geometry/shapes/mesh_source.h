#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "wyvern/geometry/shapes/in_memory_mesh.h"

namespace wyvern::geometry {

/** Where a mesh comes from: a file on disk, or one in memory. */
class MeshSource {
 public:
  /** A mesh in the file `path`, which is not read here. */
  MeshSource(std::filesystem::path path);  // NOLINT(runtime/explicit)
  /** A mesh in memory. */
  MeshSource(InMemoryMesh&& mesh);  // NOLINT(runtime/explicit)
  ~MeshSource() = default;
  MeshSource(const MeshSource&) = default;
  MeshSource& operator=(const MeshSource&) = default;
  MeshSource(MeshSource&&) = default;
  MeshSource& operator=(MeshSource&&) = default;

  /** Name for messages: the path, or the label of the file in memory. */
  std::string description() const;
  /** True if this is a file on disk. */
  bool is_path() const {
    return std::holds_alternative<std::filesystem::path>(source_);
  }
  /** True if this is a file in memory. */
  bool is_in_memory() const { return !is_path(); }
  /** In lower case, with the dot. */
  const std::string& extension() const { return extension_; }
  /** Returns the path of the file on disk.
  @throws std::logic_error if it is the other. */
  const std::filesystem::path& path() const;
  /** The mesh in memory.
  @throws std::logic_error if this is a file on disk. */
  const InMemoryMesh& in_memory() const;

 private:
  std::variant<std::filesystem::path, InMemoryMesh> source_;
  std::string extension_;
};

}  // namespace wyvern::geometry
