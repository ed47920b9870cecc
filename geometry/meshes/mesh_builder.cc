#include "wyvern/geometry/meshes/mesh_builder.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace wyvern::geometry::internal {

double CountParts(const std::string& shape, double length, double hint,
                  int least) {
  if (!(hint > 0)) {
    throw std::logic_error(fmt::format(
        "{}: the resolution hint is {} m; it must be positive.", shape, hint));
  }
  return std::max<double>(least, std::ceil(length / hint));
}

void RequireElementCount(const std::string& shape, double hint, double count) {
  if (count <= kMaxElements) return;
  throw std::logic_error(fmt::format(
      "{}: with a resolution hint of {} m its mesh would have {:.3g} "
      "elements; the most is {:.0e}. Give a larger hint.",
      shape, hint, count, kMaxElements));
}

int VolumeBuilder::AddVertex(double x, double y, double z) {
  vertices_.emplace_back(x, y, z);
  return static_cast<int>(vertices_.size()) - 1;
}

void VolumeBuilder::AddTetrahedron(int a, int b, int c, int d) {
  if (a == b || a == c || a == d || b == c || b == d || c == d) return;
  const Eigen::Vector3d& o = vertices_[a];
  const double volume =
      (vertices_[b] - o).dot((vertices_[c] - o).cross(vertices_[d] - o));
  if (volume > 0) {
    elements_.emplace_back(a, b, c, d);
  } else {
    elements_.emplace_back(b, a, c, d);
  }
}

void VolumeBuilder::AddHexahedron(const std::array<int, 8>& corners) {
  // One tetrahedron for each way along edges from corner 0 to corner 7.
  std::array<int, 3> way = {1, 2, 4};
  do {
    AddTetrahedron(corners[0], corners[way[0]], corners[way[0] + way[1]],
                   corners[7]);
  } while (std::ranges::next_permutation(way).found);
}

VolumeMesh<double> VolumeBuilder::Build() && {
  return {std::move(elements_), std::move(vertices_)};
}

int SurfaceBuilder::Number(const Point& point) {
  return number_.emplace(point, static_cast<int>(number_.size())).first->second;
}

void SurfaceBuilder::AddTriangle(const Point& a, const Point& b,
                                 const Point& c) {
  const int i = Number(a), j = Number(b), k = Number(c);
  triangles_.emplace_back(i, j, k);
}

}  // namespace wyvern::geometry::internal
