#pragma once

#include <array>
#include <vector>

#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"

namespace wyvern::geometry {

/** The surface of a volume: the faces that belong to one element alone, their
normals outward, and their vertices in the order of the volume's. Elements that
touch are to share vertices, not to have their own at the same places.
@throws std::runtime_error naming the vertices of a face that belongs to three
elements or more. */
template <class T>
TriangleSurfaceMesh<T> ConvertVolumeToSurfaceMesh(const VolumeMesh<T>& volume);

namespace internal {

/** The faces of that surface, by the vertices of the volume.
@throws std::runtime_error as ConvertVolumeToSurfaceMesh(). */
std::vector<std::array<int, 3>> FindBoundaryFaces(
    const std::vector<VolumeElement>& elements);

}  // namespace internal
}  // namespace wyvern::geometry
