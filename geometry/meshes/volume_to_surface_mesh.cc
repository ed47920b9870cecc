#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::geometry {
namespace internal {

std::vector<std::array<int, 3>> FindBoundaryFaces(
    const std::vector<VolumeElement>& elements) {
  // The faces of an element, outward: counter-clockwise from outside.
  constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::vector<std::array<int, 3>> faces;
  faces.reserve(4 * elements.size());
  for (const VolumeElement& tet : elements) {
    for (const auto& [a, b, c] : kFaces) {
      faces.push_back({tet.vertex(a), tet.vertex(b), tet.vertex(c)});
    }
  }
  // Faces of the same vertices, next to each other.
  std::vector<std::pair<std::array<int, 3>, std::size_t>> order;
  order.reserve(faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i) {
    std::array<int, 3> key = faces[i];
    std::ranges::sort(key);
    order.emplace_back(key, i);
  }
  std::ranges::sort(order);
  std::vector<std::size_t> alone;
  for (std::size_t i = 0, end = 0; i < order.size(); i = end) {
    while (end < order.size() && order[end].first == order[i].first) ++end;
    if (end - i > 2) {
      const auto& [a, b, c] = order[i].first;
      throw std::runtime_error(fmt::format(
          "The surface of a volume mesh: {} elements have the face of the "
          "vertices {}, {} and {}; there must be one or two.",
          end - i, a, b, c));
    }
    if (end - i == 1) alone.push_back(order[i].second);
  }
  std::ranges::sort(alone);
  std::vector<std::array<int, 3>> result;
  result.reserve(alone.size());
  for (const std::size_t i : alone) result.push_back(faces[i]);
  return result;
}

}  // namespace internal

template <class T>
TriangleSurfaceMesh<T> ConvertVolumeToSurfaceMesh(const VolumeMesh<T>& volume) {
  const std::vector<std::array<int, 3>> faces =
      internal::FindBoundaryFaces(volume.tetrahedra());
  std::vector<int> number(volume.num_vertices(), -1);
  for (const auto& face : faces) {
    for (const int v : face) number[v] = 0;
  }
  std::vector<Vector3<T>> vertices;
  for (int v = 0; v < volume.num_vertices(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(vertices.size());
    vertices.push_back(volume.vertex(v));
  }
  std::vector<SurfaceTriangle> triangles;
  triangles.reserve(faces.size());
  for (const auto& [a, b, c] : faces) {
    triangles.emplace_back(number[a], number[b], number[c]);
  }
  return {std::move(triangles), std::move(vertices)};
}

#define WYVERN_INSTANTIATE(T)                                    \
  template TriangleSurfaceMesh<T> ConvertVolumeToSurfaceMesh<T>( \
      const VolumeMesh<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry
