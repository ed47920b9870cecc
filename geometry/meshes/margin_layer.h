#pragma once

#include "wyvern/geometry/meshes/volume_mesh.h"

namespace wyvern::geometry::internal {

/** A volume mesh with a layer of `margin`, m, around it. First come the mesh's
own elements and vertices, as they are, then three elements a face of its
surface, and a vertex outside for each on the surface: the nearest that is
`margin` or more in front of every face there.
@throws std::logic_error naming the vertex or the face if there is no such
place, or the layer would be inside out: the surface is too narrow or too sharp
there for the margin.
@pre margin > 0. */
VolumeMesh<double> AddMarginLayer(const VolumeMesh<double>& mesh,
                                  double margin);

}  // namespace wyvern::geometry::internal
