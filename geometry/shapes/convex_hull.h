#pragma once

#include <span>
#include <string>

#include "wyvern/geometry/shapes/polygon_surface_mesh.h"

namespace wyvern::geometry::internal {

/** The convex hull of some points, its coplanar triangles merged to polygons
and its vertices numbered in the order of the points. `label` names the points
in messages.
@throws std::runtime_error if there are fewer than four points, one is not
finite or farther than 1e50 m, they are all within 1e-50 m, or the hull has no
volume. */
PolygonSurfaceMesh<double> MakeConvexHull(
    std::span<const Eigen::Vector3d> points, const std::string& label);

}  // namespace wyvern::geometry::internal
