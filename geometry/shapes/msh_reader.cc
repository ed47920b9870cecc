#include <array>
#include <cstdint>

#include "wyvern/geometry/shapes/mesh_text.h"

namespace wyvern::geometry::internal {

namespace {

constexpr std::uint64_t kHead = 16;

}  // namespace

RawMesh ReadMsh(std::string_view bytes, const std::string& file) {
  if (bytes.size() < kHead) {
    ThrowOfMesh(file, "is too short to be a .msh file.");
  }
  std::array<std::uint64_t, 4> counts{};
  for (std::size_t i = 0; i < 4; ++i) {
    counts[i] = ReadPlace<std::uint32_t>(bytes, 4 * i);
  }
  const auto [num_vertices, num_normals, num_texels, num_triangles] = counts;
  const std::uint64_t triangles_at =
      kHead + 4 * (3 * num_vertices + 3 * num_normals + 2 * num_texels);
  if (bytes.size() != triangles_at + 12 * num_triangles) {
    ThrowOfMesh(file, "is not as long as its header says.");
  }
  RawMesh mesh;
  mesh.vertices.resize(num_vertices);
  for (std::uint64_t i = 0; i < num_vertices; ++i) {
    for (int k = 0; k < 3; ++k) {
      mesh.vertices[i][k] = ReadPlace<float>(bytes, kHead + 4 * (3 * i + k));
    }
  }
  mesh.triangles.resize(num_triangles);
  for (std::uint64_t i = 0; i < num_triangles; ++i) {
    for (int k = 0; k < 3; ++k) {
      const auto vertex =
          ReadPlace<std::uint32_t>(bytes, triangles_at + 4 * (3 * i + k));
      if (vertex >= num_vertices) {
        ThrowOfMesh(file, "refers to a vertex it lacks.");
      }
      mesh.triangles[i][k] = static_cast<int>(vertex);
    }
  }
  return mesh;
}

}  // namespace wyvern::geometry::internal
