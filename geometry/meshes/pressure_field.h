#pragma once

/** @file
The pressure field of a compliant shape: modulus times relative depth, Pa.

p(x) = E e(x), with e(x) the depth of x below the surface over the most depth
that the shape has: 0 on the surface, 1 on the medial axis. At a vertex it is
that of the shape; in between it is linear. In a margin around the shape, where
the mesh of a larger shape has vertices, it is negative.

All throw std::logic_error naming the shape if the modulus is not positive and
finite, or a vertex lies outside of the shape by more than rounding and the
margin, m. */

#include <vector>

#include "wyvern/geometry/meshes/mesh_field_linear.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** A field on a volume mesh, which is not owned. */
using PressureField = VolumeMeshFieldLinear<double, double>;

PressureField MakeBoxPressureField(const Box& box,
                                   const VolumeMesh<double>* mesh_G,
                                   double hydroelastic_modulus,
                                   double margin = 0);
PressureField MakeSpherePressureField(const Sphere& sphere,
                                      const VolumeMesh<double>* mesh_G,
                                      double hydroelastic_modulus,
                                      double margin = 0);
/** The depth is that in the sphere that the ellipsoid is stretched from. */
PressureField MakeEllipsoidPressureField(const Ellipsoid& ellipsoid,
                                         const VolumeMesh<double>* mesh_G,
                                         double hydroelastic_modulus,
                                         double margin = 0);
PressureField MakeCylinderPressureField(const Cylinder& cylinder,
                                        const VolumeMesh<double>* mesh_G,
                                        double hydroelastic_modulus,
                                        double margin = 0);
PressureField MakeCapsulePressureField(const Capsule& capsule,
                                       const VolumeMesh<double>* mesh_G,
                                       double hydroelastic_modulus,
                                       double margin = 0);
/** By the distance from the mesh's own surface, over the most that a vertex
has.
@throws std::logic_error also if no vertex is inside: RefineVolumeMesh() makes
some. */
PressureField MakeVolumeMeshPressureField(const VolumeMesh<double>* mesh_G,
                                          double hydroelastic_modulus);
/** Makes the field of a volume in a layer of `margin`, as AddMarginLayer()
makes it: the first vertices of the mesh are the volume's, and the others are
outside. */
PressureField MakeVolumeMeshPressureField(const VolumeMesh<double>& volume,
                                          const VolumeMesh<double>* mesh_G,
                                          double hydroelastic_modulus,
                                          double margin);

/** Computes the distance [m] of each vertex of a volume from its surface. The
distance is 0 on the surface. It is also 0 for a vertex that no element uses,
which may be anywhere. */
std::vector<double> CalcVertexDepths(const VolumeMesh<double>& volume);

}  // namespace wyvern::geometry::internal
