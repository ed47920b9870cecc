#pragma once

/** @file
Meshes from files. */

#include <filesystem>

#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"
#include "wyvern/geometry/shapes/mesh_source.h"

namespace wyvern::geometry {

/** The triangles of a Wavefront .obj file, polygons as fans, all objects as
one, with lengths times `scale`. Vertices at one place are one.
@throws std::runtime_error naming the file if it cannot be read, is no .obj file
or has no triangles. */
TriangleSurfaceMesh<double> ReadObjToTriangleSurfaceMesh(
    const std::filesystem::path& filename, double scale = 1.0);

namespace internal {

/** The surface of any mesh file that Mesh takes; of a .vtk file it is the
surface of the volume.
@throws std::runtime_error naming the file if it cannot be read. */
TriangleSurfaceMesh<double> ReadSurfaceMesh(const MeshSource& source,
                                            double scale = 1.0);

/** The tetrahedra of a legacy VTK file, with lengths times `scale`.
@throws std::runtime_error naming the file, and the line where it has one, if it
cannot be read, is not a text with an unstructured grid of tetrahedra, or
VolumeMesh refuses what it has. */
VolumeMesh<double> ReadVtkToVolumeMesh(const MeshSource& source,
                                       double scale = 1.0);

}  // namespace internal
}  // namespace wyvern::geometry
