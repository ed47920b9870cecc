#include "wyvern/geometry/hydroelastic/element_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

/* The search for pairs of elements that may touch has three stages. First a
region: the intersection of the bounding boxes of both meshes, and the thinnest
slab between the first point of B and the last point of A along some directions.
Then each mesh keeps the elements that reach into the region, with the boxes of
the parts inside it; long tetrahedra have small boxes there. Last, the trees of
these boxes are compared. Small meshes skip the first two stages, which cost
more than they save. If the meshes are apart, the region is empty. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// If a mesh has fewer elements, finding the region of overlap costs more than
// it saves.
constexpr int kFewElements = 64;

// Returns the box along the axes of A around a box along the axes of B, grown
// by rounding errors.
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

// The points p with low <= direction . p <= high, in the frame of a mesh.
struct Slab {
  Vector3d direction;
  double low, high;

  double thickness() const { return high - low; }
  bool IsNear(const Aabb& box) const {
    return box.CalcReach(direction) >= low &&
           -box.CalcReach(-direction) <= high;
  }
};

// Region in which two meshes may overlap, for one of them.
struct Region {
  Aabb box;
  Slab slab;
};

// Computes the box around the part of an element with n corners that is in a
// slab: around the corners there and the points where edges cross the two
// planes. Returns false if no part of the element is in the slab.
template <int n>
bool CalcBoxInSlab(const Vector3d* corners, const Slab& slab, Aabb* box) {
  double height[n];
  bool all_in = true, all_below = true, all_above = true;
  for (int i = 0; i < n; ++i) {
    height[i] = slab.direction.dot(corners[i]);
    const bool below = height[i]<slab.low, above = height[i]> slab.high;
    all_in = all_in && !below && !above;
    all_below = all_below && below;
    all_above = all_above && above;
  }
  if (all_below || all_above) return false;
  if (all_in) return true;
  const Vector3d most = Vector3d::Constant(std::numeric_limits<double>::max());
  Aabb part{most, -most};
  for (int i = 0; i < n; ++i) {
    if (height[i] >= slab.low && height[i] <= slab.high) {
      part.Include({corners[i], corners[i]});
    }
    for (int j = 0; j < i; ++j) {
      for (const double plane : {slab.low, slab.high}) {
        if ((height[i] < plane) == (height[j] < plane)) continue;
        const double t = (plane - height[i]) / (height[j] - height[i]);
        const Vector3d x = corners[i] + t * (corners[j] - corners[i]);
        part.Include({x, x});
      }
    }
  }
  *box = CalcIntersection(*box, part);
  return true;
}

template <class Mesh>
void GetCorners(const Mesh& mesh, int e, Vector3d* corners) {
  const auto& element = mesh.element(e);
  for (int i = 0; i < Mesh::kVertexPerElement; ++i) {
    corners[i] = mesh.vertex(element.vertex(i));
  }
}

// Collects the elements that have a part in the region.
template <class Mesh>
void CollectElements(const Mesh& mesh, const AabbTree& tree,
                     const Region& region, ElementsInRegion* elements) {
  elements->items.clear();
  elements->boxes.resize(mesh.num_elements());
  constexpr int n = Mesh::kVertexPerElement;
  const Vector3d size = region.box.upper - region.box.lower;
  tree.ForEachNear(
      [&](const Aabb& box) {
        return Overlap(box, region.box) && region.slab.IsNear(box);
      },
      [&](int e) {
        Vector3d corners[n];
        GetCorners(mesh, e, corners);
        Aabb box = region.box;
        if (!CalcBoxInSlab<n>(corners, region.slab, &box)) return;
        for (int axis = 0; axis < 3; ++axis) {
          const Slab slab{Vector3d::Unit(axis), region.box.lower[axis],
                          region.box.upper[axis]};
          if (!CalcBoxInSlab<n>(corners, slab, &box)) return;
        }
        Aabb whole{corners[0], corners[0]};
        for (int i = 1; i < n; ++i) whole.Include({corners[i], corners[i]});
        box = CalcIntersection(box, whole);
        // Rounding error of the corners.
        const Vector3d grow = 1e-12 * (corners[0].cwiseAbs() + size);
        box.lower -= grow;
        box.upper += grow;
        if ((box.lower.array() > box.upper.array()).any()) return;
        elements->items.push_back(e);
        elements->boxes[e] = box;
      });
  elements->tree.BuildInOrder(elements->items, elements->boxes);
}

// Returns the largest direction·p over the points p of a mesh.
template <class Mesh>
double CalcReach(const Mesh& mesh, const AabbTree& tree,
                 const Vector3d& direction) {
  return tree.CalcReach(direction, [&](int e) {
    constexpr int n = Mesh::kVertexPerElement;
    Vector3d corners[n];
    GetCorners(mesh, e, corners);
    double reach = direction.dot(corners[0]);
    for (int i = 1; i < n; ++i) {
      reach = std::max(reach, direction.dot(corners[i]));
    }
    return reach;
  });
}

// The point of a box that is nearest to p.
Vector3d FindNearest(const Aabb& box, const Vector3d& p) {
  return p.cwiseMax(box.lower).cwiseMin(box.upper);
}

// Returns the thinnest slab, in A, between the first point of B and the last of
// A along some directions from A to B.
template <class MeshB>
Slab FindThinSlab(const VolumeMesh<double>& mesh_A, const AabbTree& tree_A,
                  const MeshB& mesh_B, const AabbTree& tree_B,
                  const math::RigidTransform<double>& X_AB) {
  const Vector3d a = tree_A.bounds().centre(), b = tree_B.bounds().centre();
  const Vector3d b_A = X_AB * b;
  const Vector3d a_B = X_AB.inverse() * a;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Slab best{Vector3d::UnitX(), -kInfinity, kInfinity};
  for (const Vector3d& way :
       {Vector3d(b_A - a), Vector3d(b_A - FindNearest(tree_A.bounds(), b_A)),
        Vector3d(X_AB * FindNearest(tree_B.bounds(), a_B) - a)}) {
    const double length = way.norm();
    if (!(length > 0)) continue;
    const Vector3d direction = way / length;
    const double height = direction.dot(X_AB.translation());
    const double last = CalcReach(mesh_A, tree_A, direction);
    const double first =
        height - CalcReach(mesh_B, tree_B,
                           Vector3d(X_AB.rotation().inverse() * -direction));
    // Rounding errors of the three heights.
    const double grow =
        1e-12 * (std::abs(first) + std::abs(last) + std::abs(height));
    const Slab slab{direction, first - grow, last + grow};
    if (slab.thickness() < best.thickness()) best = slab;
  }
  return best;
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
  const Slab slab = FindThinSlab(mesh_A, tree_A, mesh_B, tree_B, X_AB);
  if (slab.thickness() < 0) return;
  const double height = slab.direction.dot(X_AB.translation());
  const Slab slab_B{X_AB.rotation().inverse() * slab.direction,
                    slab.low - height, slab.high - height};
  CollectElements(mesh_A, tree_A, {in_A, slab}, &scratch->A);
  CollectElements(mesh_B, tree_B, {in_B, slab_B}, &scratch->B);
  scratch->A.tree.AddPosedOverlaps(scratch->B.tree, X_AB, &scratch->posed,
                                   pairs);
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
