#include "wyvern/geometry/hydroelastic/element_pairs.h"

#include <limits>

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// With fewer in one of the meshes, what is spared is less than what it costs.
constexpr int kFewElements = 64;

// The box along the axes of A around a box along the axes of B; a little more,
// for rounding.
Aabb CalcPosedBox(const Aabb& box_B, const math::RigidTransform<double>& X_AB) {
  const Eigen::Matrix3d R = X_AB.rotation().matrix();
  const Vector3d centre = X_AB * box_B.centre();
  const Vector3d half =
      (1 + 1e-12) * 0.5 * (R.cwiseAbs() * (box_B.upper - box_B.lower)) +
      1e-14 * centre.cwiseAbs();
  return {centre - half, centre + half};
}

Aabb CalcIntersection(const Aabb& a, const Aabb& b) {
  return {a.lower.cwiseMax(b.lower), a.upper.cwiseMin(b.upper)};
}

// A box around what an element with n corners has between low and high along an
// axis: the corners there, and where edges pass through the two planes.
Aabb CalcBoxInSlab(const Vector3d* corners, int n, int axis, double low,
                   double high) {
  const Vector3d most = Vector3d::Constant(std::numeric_limits<double>::max());
  Aabb box{most, -most};
  for (int i = 0; i < n; ++i) {
    const Vector3d& p = corners[i];
    if (p[axis] >= low && p[axis] <= high) box.Include({p, p});
    for (int j = 0; j < i; ++j) {
      const Vector3d& q = corners[j];
      for (const double plane : {low, high}) {
        if ((p[axis] < plane) == (q[axis] < plane)) continue;
        const double t = (plane - p[axis]) / (q[axis] - p[axis]);
        const Vector3d x = p + t * (q - p);
        box.Include({x, x});
      }
    }
  }
  return box;
}

// Collects the elements that have a part in the region.
template <class Mesh>
void Collect(const Mesh& mesh, const AabbTree& tree, const Aabb& region,
             ElementsInBox* elements) {
  elements->near.clear();
  elements->items.clear();
  tree.AddOverlaps(region, &elements->near);
  elements->boxes.resize(mesh.num_elements());
  constexpr int n = Mesh::kVertexPerElement;
  for (const auto& [e, unused] : elements->near) {
    Vector3d corners[n];
    for (int i = 0; i < n; ++i)
      corners[i] = mesh.vertex(mesh.element(e).vertex(i));
    Aabb box = region;
    for (int axis = 0; axis < 3; ++axis) {
      box = CalcIntersection(box,
                             CalcBoxInSlab(corners, n, axis, region.lower[axis],
                                           region.upper[axis]));
    }
    // What rounding may have taken off.
    const Vector3d grow =
        1e-12 * (corners[0].cwiseAbs() + region.upper - region.lower);
    box.lower -= grow;
    box.upper += grow;
    if ((box.lower.array() > box.upper.array()).any()) continue;
    elements->items.push_back(e);
    elements->boxes[e] = box;
  }
  elements->tree.Build(elements->items, elements->boxes);
}

}  // namespace

template <class MeshB>
void FindElementPairs(const VolumeMesh<double>& mesh_A, const AabbTree& tree_A,
                      const MeshB& mesh_B, const AabbTree& tree_B,
                      const math::RigidTransform<double>& X_AB,
                      ElementPairScratch* scratch,
                      std::vector<IndexPair>* pairs) {
  pairs->clear();
  if (mesh_A.num_elements() < kFewElements ||
      mesh_B.num_elements() < kFewElements) {
    tree_A.AddPosedOverlaps(tree_B, X_AB, pairs);
    return;
  }
  const Aabb in_A =
      CalcIntersection(tree_A.bounds(), CalcPosedBox(tree_B.bounds(), X_AB));
  const Aabb in_B = CalcIntersection(
      tree_B.bounds(), CalcPosedBox(tree_A.bounds(), X_AB.inverse()));
  if ((in_A.lower.array() > in_A.upper.array()).any() ||
      (in_B.lower.array() > in_B.upper.array()).any()) {
    return;
  }
  Collect(mesh_A, tree_A, in_A, &scratch->A);
  Collect(mesh_B, tree_B, in_B, &scratch->B);
  scratch->A.tree.AddPosedOverlaps(scratch->B.tree, X_AB, pairs);
}

template void FindElementPairs<VolumeMesh<double>>(
    const VolumeMesh<double>&, const AabbTree&, const VolumeMesh<double>&,
    const AabbTree&, const math::RigidTransform<double>&, ElementPairScratch*,
    std::vector<IndexPair>*);
template void FindElementPairs<TriangleSurfaceMesh<double>>(
    const VolumeMesh<double>&, const AabbTree&,
    const TriangleSurfaceMesh<double>&, const AabbTree&,
    const math::RigidTransform<double>&, ElementPairScratch*,
    std::vector<IndexPair>*);

}  // namespace wyvern::geometry::internal
