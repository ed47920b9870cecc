#include "wyvern/multibody/parsing/mjcf_msh.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/systems/common/memory_file.h"

namespace wyvern::multibody::internal {

namespace {

template <class T>
T At(const std::string& bytes, std::size_t place) {
  T result;
  std::memcpy(&result, bytes.data() + place, sizeof(T));
  return result;
}

[[noreturn]] void Throw(const std::filesystem::path& file,
                        std::string_view what) {
  throw std::runtime_error(
      fmt::format("the mesh '{}' {}.", file.string(), what));
}

}  // namespace

geometry::internal::TriangleMesh ReadMsh(const std::filesystem::path& file) {
  const std::string bytes = MemoryFile::Make(file).contents();
  if (bytes.size() < 16) Throw(file, "is too short to be a .msh file");
  std::array<std::uint64_t, 4> counts{};
  for (int i = 0; i < 4; ++i) counts[i] = At<std::uint32_t>(bytes, 4 * i);
  const auto [num_vertices, num_normals, num_texels, num_triangles] = counts;
  const std::uint64_t triangles_at =
      16 + 4 * (3 * num_vertices + 3 * num_normals + 2 * num_texels);
  if (bytes.size() != triangles_at + 12 * num_triangles) {
    Throw(file, "is not as long as its header says");
  }
  geometry::internal::TriangleMesh result;
  for (std::uint64_t i = 0; i < num_vertices; ++i) {
    Eigen::Vector3d& p = result.vertices.emplace_back();
    for (int k = 0; k < 3; ++k) p[k] = At<float>(bytes, 16 + 4 * (3 * i + k));
    if (!p.allFinite()) Throw(file, "has a vertex that is not finite");
  }
  for (std::uint64_t i = 0; i < num_triangles; ++i) {
    std::array<int, 3>& t = result.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) {
      const auto index =
          At<std::uint32_t>(bytes, triangles_at + 4 * (3 * i + k));
      if (index >= num_vertices) Throw(file, "refers to a vertex it lacks");
      t[k] = static_cast<int>(index);
    }
  }
  return result;
}

}  // namespace wyvern::multibody::internal
