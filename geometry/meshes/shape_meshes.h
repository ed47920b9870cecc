#pragma once

/** @file
Meshes of shapes, in the shape's frame G.

Volume meshes conform to the medial axis: the points inside that are nearest to
the surface at two places or more. The depth below the surface, which a field
measures, is then linear on each element (of a round shape: of the body with
flat faces that the mesh is). A resolution hint is a length in meter that edges
around the shape do not exceed; infinity asks for the coarsest mesh. All throw
std::logic_error naming the shape unless the hint is positive, and naming the
number of elements that it would make if they are more than a million. */

#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** A grid on each face; no edge along an axis is longer than the hint. */
TriangleSurfaceMesh<double> MakeBoxSurfaceMesh(const Box& box,
                                               double resolution_hint);
/** A grid of equal bricks, six elements each, which does not conform to the
medial axis: for what deforms. */
VolumeMesh<double> MakeBoxVolumeMesh(const Box& box, double resolution_hint);
/** The corners and the medial axis alone: a rectangle, a segment or a point,
and what slants from there to the edges is between elements too. */
VolumeMesh<double> MakeBoxVolumeMeshWithMa(const Box& box);

/** All edges are no longer than the hint; the least is an octahedron. */
TriangleSurfaceMesh<double> MakeSphereSurfaceMesh(const Sphere& sphere,
                                                  double resolution_hint);
/** The surface and the centre, which is the last vertex. */
VolumeMesh<double> MakeSphereVolumeMesh(const Sphere& sphere,
                                        double resolution_hint);

/** A sphere's, stretched; no edge is longer than the hint. */
TriangleSurfaceMesh<double> MakeEllipsoidSurfaceMesh(const Ellipsoid& ellipsoid,
                                                     double resolution_hint);
/** The surface and the centre, which is the last vertex. It stands for the
medial axis; see MakeEllipsoidPressureField(). */
VolumeMesh<double> MakeEllipsoidVolumeMesh(const Ellipsoid& ellipsoid,
                                           double resolution_hint);

/** A prism on a regular polygon, whose sides are no longer than the hint. Its
medial axis is a segment on Gz if it is tall, a polygon across if it is flat. */
VolumeMesh<double> MakeCylinderVolumeMeshWithMa(const Cylinder& cylinder,
                                                double resolution_hint);
TriangleSurfaceMesh<double> MakeCylinderSurfaceMesh(const Cylinder& cylinder,
                                                    double resolution_hint);

/** Rings of vertices around Gz and on the half spheres, at most the hint apart;
its medial axis is a segment on Gz. */
VolumeMesh<double> MakeCapsuleVolumeMesh(const Capsule& capsule,
                                         double resolution_hint);
TriangleSurfaceMesh<double> MakeCapsuleSurfaceMesh(const Capsule& capsule,
                                                   double resolution_hint);

/** The hull's faces, as fans of triangles. */
TriangleSurfaceMesh<double> MakeConvexSurfaceMesh(
    const PolygonSurfaceMesh<double>& hull);
/** Makes the tetrahedra between the hull's faces and the centroid of its
volume, which is the last vertex.
@throws std::logic_error if the hull is not closed, convex and outward. */
VolumeMesh<double> MakeConvexVolumeMesh(const PolygonSurfaceMesh<double>& hull);

}  // namespace wyvern::geometry::internal
