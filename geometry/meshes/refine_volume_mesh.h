#pragma once

#include "wyvern/geometry/meshes/volume_mesh.h"

namespace wyvern::geometry {

/** Splits what a field that is zero on the surface could not rise in: inner
edges, inner faces and elements all of whose vertices lie on the surface get a
vertex in their middle. The volume, its surface and the numbers of its vertices
stay; new ones come after them. A mesh that needs nothing is returned as it is.
@throws std::runtime_error as ConvertVolumeToSurfaceMesh(). */
VolumeMesh<double> RefineVolumeMesh(const VolumeMesh<double>& mesh);

}  // namespace wyvern::geometry
