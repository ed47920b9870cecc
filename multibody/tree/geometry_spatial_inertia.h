#pragma once

#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/multibody/math/spatial_inertia.h"

namespace wyvern::multibody {

/** Computes M_GGo_G, the spatial inertia of a solid of uniform density, in kg
and m, about the origin Go of the shape's frame G and expressed in G. For a
Convex the solid is its hull; for a Mesh, the space that its triangles or
tetrahedra enclose.
@param density in kg/m³
@throws std::logic_error if the density is not positive and finite, or for a
  HalfSpace or a MeshcatCone.
@throws std::runtime_error if a mesh cannot be read, is open or encloses no
  volume. */
SpatialInertia<double> CalcSpatialInertia(const geometry::Shape& shape,
                                          double density);

/** Computes M_MMo_M, the spatial inertia of the space that a closed surface in
a frame M encloses. The vertices of its triangles run counter-clockwise seen
from outside.
@throws std::logic_error if the density is not positive and finite, or the
  triangles enclose no positive volume. Whether they close is not checked. */
SpatialInertia<double> CalcSpatialInertia(
    const geometry::TriangleSurfaceMesh<double>& mesh, double density);

}  // namespace wyvern::multibody
