#include "wyvern/geometry/shapes/mesh_source.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/file_paths.h"

namespace wyvern::geometry {

std::string InMemoryMesh::to_string() const {
  std::string result =
      fmt::format("InMemoryMesh(mesh_file={}", mesh_file.to_string());
  for (const auto& [name, file] : supporting_files) {
    result += fmt::format(", '{}'", name);
  }
  return result + ")";
}

MeshSource::MeshSource(std::filesystem::path path)
    : source_(path.empty()
                  ? path
                  : wyvern::internal::MakeAbsolute("MeshSource", path)),
      extension_(this->path().extension().string()) {
  std::transform(extension_.begin(), extension_.end(), extension_.begin(),
                 [](unsigned char c) { return std::tolower(c); });
}

MeshSource::MeshSource(InMemoryMesh&& mesh)
    : source_(std::move(mesh)), extension_(in_memory().mesh_file.extension()) {}

std::string MeshSource::description() const {
  if (is_path()) return path().string();
  const std::string& label = in_memory().mesh_file.filename_hint();
  return label.empty() ? "a mesh in memory" : label;
}

const std::filesystem::path& MeshSource::path() const {
  if (!is_path()) {
    throw std::logic_error(
        fmt::format("MeshSource::path(): '{}' is in memory; use in_memory().",
                    description()));
  }
  return std::get<std::filesystem::path>(source_);
}

const InMemoryMesh& MeshSource::in_memory() const {
  if (is_path()) {
    throw std::logic_error(fmt::format(
        "MeshSource::in_memory(): '{}' is a file on disk; use path().",
        description()));
  }
  return std::get<InMemoryMesh>(source_);
}

}  // namespace wyvern::geometry
