#pragma once

#include <vector>

#include "wyvern/geometry/proximity/aabb_tree.h"

namespace wyvern::geometry::internal {

/** The boxes around a mesh's elements, in its frame. */
template <typename Mesh>
std::vector<Aabb> CalcElementBoxes(const Mesh& mesh) {
  std::vector<Aabb> boxes;
  boxes.reserve(mesh.num_elements());
  for (int e = 0; e < mesh.num_elements(); ++e) {
    const auto& element = mesh.element(e);
    const Eigen::Vector3d& first = mesh.vertex(element.vertex(0));
    Aabb box{first, first};
    for (int i = 1; i < element.num_vertices(); ++i) {
      const Eigen::Vector3d& p = mesh.vertex(element.vertex(i));
      box.Include({p, p});
    }
    boxes.push_back(box);
  }
  return boxes;
}

/** Builds a tree over a mesh's elements. */
template <typename Mesh>
void BuildElementTree(const Mesh& mesh, AabbTree* tree) {
  std::vector<int> items(mesh.num_elements());
  for (int e = 0; e < mesh.num_elements(); ++e) items[e] = e;
  tree->Build(items, CalcElementBoxes(mesh));
}

}  // namespace wyvern::geometry::internal
