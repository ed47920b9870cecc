#pragma once

#include <array>
#include <memory>
#include <vector>

#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"
#include "wyvern/geometry/proximity/aabb_tree.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** The tetrahedra of a shape that deforms, in the shape's frame G: of a box,
sphere, ellipsoid, cylinder or capsule by the hint, of a Mesh of a .vtk file its
own, whatever the hint.
@param resolution_hint [m] edges are about as long or shorter
@throws std::logic_error if the shape is another, the hint is not positive and
finite, or it would make more than a million elements, and std::runtime_error if
the file has no mesh of tetrahedra. */
VolumeMesh<double> MakeDeformableMesh(const Shape& shape,
                                      double resolution_hint);

/** A geometry that deforms, but for where its vertices are: what never changes
once it is registered. */
struct DeformableGeometry {
  explicit DeformableGeometry(VolumeMesh<double> reference_mesh_G);
  DeformableGeometry(const DeformableGeometry&) = delete;
  DeformableGeometry& operator=(const DeformableGeometry&) = delete;

  /** The reference configuration. */
  VolumeMesh<double> mesh_G;
  /** At each vertex, m: the distance from the surface of the reference
  configuration, negative inside, 0 on it. */
  std::vector<double> signed_distance;
  /** At each element's centroid if all of its corners are on the surface, so
  that the vertices say nothing of its inside; else 0. */
  std::vector<double> centre_distance;
  /** The element behind the face opposite to each corner; -1 on the surface. */
  std::vector<std::array<int, 4>> neighbors;
  /** The reference configuration's surface, outward. */
  TriangleSurfaceMesh<double> surface_G;
  /** The number in mesh_G of each vertex of the surface; increasing. */
  std::vector<int> surface_vertices;
  /** Over the tetrahedra of the reference configuration. */
  AabbTree tree;
};

}  // namespace wyvern::geometry::internal
