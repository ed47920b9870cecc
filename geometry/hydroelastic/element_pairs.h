#pragma once

#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"
#include "wyvern/geometry/proximity/aabb_tree.h"

namespace wyvern::geometry::internal {

/** A mesh's elements that reach into a region, by what they have in it. */
struct ElementsInRegion {
  std::vector<int> items;
  std::vector<Aabb> boxes;  // By element; of `items` alone.
  AabbTree tree;
};

/** Scratch memory of the search for pairs; when it is reused, it allocates
nothing once it has grown. */
struct ElementPairScratch {
  ElementsInRegion A;
  ElementsInRegion B;
  PosedBoxes posed;
};

/** Replaces `pairs` by the pairs of elements (of A, of B) that may have a point
in common: all that do, and some that are near.

Both trees are over the boxes of the elements. Elements of a large mesh are
looked at with the part alone that lies where both meshes may be: in the other's
bounding box, and along some direction no farther than the other's first point.
Tetrahedra that all go to one point inside are long, and their boxes have more
to do with each other than they have. */
template <class MeshB>
void FindElementPairs(const VolumeMesh<double>& mesh_A, const AabbTree& tree_A,
                      const MeshB& mesh_B, const AabbTree& tree_B,
                      const math::RigidTransform<double>& X_AB,
                      ElementPairScratch* scratch,
                      std::vector<IndexPair>* pairs);

}  // namespace wyvern::geometry::internal
