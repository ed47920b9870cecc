#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wyvern/geometry/meshes/pressure_field.h"
#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"
#include "wyvern/geometry/proximity/aabb_tree.h"
#include "wyvern/geometry/shapes/geometry_roles.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** The surface of a rigid shape, and a tree over its triangles. */
struct RigidMesh {
  explicit RigidMesh(TriangleSurfaceMesh<double> mesh);

  TriangleSurfaceMesh<double> mesh;
  AabbTree tree;
};

/** The volume of a compliant shape, its relative depth (0 on the surface, 1 on
the medial axis, negative in a margin around the shape), and a tree over its
tetrahedra. A pressure is the modulus times the depth. */
struct CompliantMesh {
  /** `make_depth` is given the mesh and returns the depth on it. */
  template <typename MakeDepth>
  CompliantMesh(VolumeMesh<double> mesh_in, const MakeDepth& make_depth)
      : mesh(std::move(mesh_in)), depth(make_depth(&mesh)) {
    PlantTree();
  }
  CompliantMesh(const CompliantMesh&) = delete;
  CompliantMesh& operator=(const CompliantMesh&) = delete;

  VolumeMesh<double> mesh;
  PressureField depth;
  AabbTree tree;

 private:
  void PlantTree();
};

/** A geometry as hydroelastic contact sees it. */
struct HydroelasticGeometry {
  HydroelasticType type{HydroelasticType::kUndefined};
  bool is_half_space{false};
  /** Modulus of a compliant geometry, [Pa]; thickness of a half space, [m]. */
  double modulus{0};
  double slab_thickness{0};
  /** How far around a compliant geometry its field goes on, m. */
  double margin{0};
  /** Null for other types and half spaces. Shared by equal shapes. */
  std::shared_ptr<const RigidMesh> rigid;
  std::shared_ptr<const CompliantMesh> compliant;
  /** Not empty if the type lacks a property: which, and how to give it. */
  std::string missing;

  bool is_rigid() const { return type == HydroelasticType::kRigid; }
  bool is_compliant() const { return type == HydroelasticType::kCompliant; }
};

/** Makes the geometry of a shape with its properties. Meshes are made once for
equal shapes with equal properties, in all threads. A shape without a volume,
such as a sphere of radius 0, stays undefined. A geometry that lacks a property
of its type names it in `missing`, and has no mesh.
@throws std::logic_error saying which property is bad and which would do, and
std::runtime_error if a mesh file cannot be used. */
HydroelasticGeometry MakeHydroelasticGeometry(
    const Shape& shape, const ProximityProperties& properties);

/** The surface of a shape, made once for equal shapes with equal hints, m. A
hint that does not matter to the shape makes no difference.
@throws std::logic_error if the shape has no surface mesh, and
std::runtime_error if a mesh file cannot be used. */
std::shared_ptr<const RigidMesh> ShareRigidMesh(const Shape& shape,
                                                double hint);

/** The meshes of a shape, made anew at every call; MakeHydroelasticGeometry()
shares them. `margin` is in m. */
std::shared_ptr<const RigidMesh> MakeRigidMesh(const Shape& shape, double hint);
std::shared_ptr<const CompliantMesh> MakeCompliantMesh(const Shape& shape,
                                                       double hint,
                                                       double margin);

}  // namespace wyvern::geometry::internal
