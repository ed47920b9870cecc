#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "wyvern/geometry/shapes/mesh_source.h"

namespace wyvern::geometry::internal {

/** Triangles of a mesh file, in meter: vertices at one place are one. */
struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;

  /** The volume enclosed, m³.
  @throws std::runtime_error naming `label` if the surface is open: if some edge
  does not have one triangle on each side. */
  double CalcVolume(const std::string& label) const;

  /** Multiplies the vertices' coordinates; the triangles of a mesh that this
  turns inside out are turned back. */
  void Stretch(const Eigen::Vector3d& scale);
};

/** True for the extensions of ReadTriangleMesh(): .obj, .gltf, .glb, .stl, .dae
and .msh. */
bool IsTriangleMeshExtension(std::string_view extension);

/** Returns these extensions as a phrase for messages: ".obj, ... and .msh". */
std::string ListTriangleMeshExtensions();

/** Reads a file of triangles, all its objects placed as the file says, its
lengths times `scale`. The axes are those of the file, but for glTF, whose y
axis is up: it becomes z.
@throws std::runtime_error naming the file if it cannot be read, has no
triangles, a vertex that is not finite, or an extension that is not known. */
TriangleMesh ReadTriangleMesh(const MeshSource& source, double scale);

/** Behaves like ReadTriangleMesh(), but a file that has vertices and no
triangles gives its vertices, which may not be finite. */
TriangleMesh ReadTrianglesOrPoints(const MeshSource& source, double scale);

/** Tetrahedra of a mesh file, in meter; their indices are as the file has
them, and may be those of no vertex. */
struct TetrahedronMesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 4>> tetrahedra;

  /** The sum of theirs, m³: negative of those that are inside out.
  @throws std::runtime_error naming `label` if an index is of no vertex. */
  double CalcVolume(const std::string& label) const;

  /** Multiplies the vertices' coordinates; tetrahedra that this turns inside
  out are turned back. */
  void Stretch(const Eigen::Vector3d& scale);
};

/** Reads a legacy VTK file, its lengths times `scale`.
@throws std::runtime_error naming the file, and the line where it has one, if it
cannot be read or is not a text with an unstructured grid of tetrahedra. */
TetrahedronMesh ReadTetrahedronMesh(const MeshSource& source, double scale);

/** Returns the points whose convex hull is the hull of the mesh: the vertices
of its triangles or tetrahedra, or all vertices of a file that has neither.
Otherwise it behaves like ReadTriangleMesh() and ReadTetrahedronMesh(); points
may not be finite.
@throws std::runtime_error also if a tetrahedron refers to a vertex that does
not exist. */
std::vector<Eigen::Vector3d> ReadHullPoints(const MeshSource& source,
                                            double scale);

}  // namespace wyvern::geometry::internal
