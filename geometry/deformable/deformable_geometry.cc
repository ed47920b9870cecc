#include "wyvern/geometry/deformable/deformable_geometry.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/hydroelastic/element_boxes.h"
#include "wyvern/geometry/meshes/mesh_files.h"
#include "wyvern/geometry/meshes/pressure_field.h"
#include "wyvern/geometry/meshes/shape_meshes.h"
#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::geometry::internal {
namespace {

// The overloads for Shape::Visit().
struct MeshMaker {
  using Result = VolumeMesh<double>;

  Result operator()(const Box& box) const {
    return MakeBoxVolumeMesh(box, hint);
  }
  Result operator()(const Capsule& capsule) const {
    return MakeCapsuleVolumeMesh(capsule, hint);
  }
  Result operator()(const Cylinder& cylinder) const {
    return MakeCylinderVolumeMeshWithMa(cylinder, hint);
  }
  Result operator()(const Ellipsoid& ellipsoid) const {
    return MakeEllipsoidVolumeMesh(ellipsoid, hint);
  }
  Result operator()(const Mesh& mesh) const {
    if (mesh.extension() != ".vtk") Refuse(mesh);
    return ReadVtkToVolumeMesh(mesh.source(), mesh.scale());
  }
  Result operator()(const Sphere& sphere) const {
    if (sphere.radius() == 0) Refuse(sphere);
    return MakeSphereVolumeMesh(sphere, hint);
  }
  Result operator()(const Convex& convex) const { Refuse(convex); }
  Result operator()(const HalfSpace& half_space) const { Refuse(half_space); }
  Result operator()(const MeshcatCone& cone) const { Refuse(cone); }

  [[noreturn]] static void Refuse(const Shape& shape) {
    throw std::logic_error(fmt::format(
        "{} cannot deform; take a box, a sphere, an ellipsoid, a cylinder, a "
        "capsule, or a mesh of a .vtk file with tetrahedra.",
        shape.to_string()));
  }

  double hint{};
};

std::vector<double> CalcSignedDistances(const VolumeMesh<double>& mesh) {
  std::vector<double> result = CalcVertexDepths(mesh);
  for (double& depth : result) depth = depth == 0 ? 0 : -depth;
  return result;
}

std::vector<int> FindSurfaceVertices(const VolumeMesh<double>& mesh) {
  std::vector<bool> is_on_surface(mesh.num_vertices());
  for (const auto& face : FindBoundaryFaces(mesh.tetrahedra())) {
    for (const int v : face) is_on_surface[v] = true;
  }
  std::vector<int> result;
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    if (is_on_surface[v]) result.push_back(v);
  }
  return result;
}

}  // namespace

VolumeMesh<double> MakeDeformableMesh(const Shape& shape,
                                      double resolution_hint) {
  wyvern::internal::RequirePositive(shape.to_string(),
                                    "the resolution hint [m]", resolution_hint);
  return shape.Visit<VolumeMesh<double>>(MeshMaker{resolution_hint});
}

DeformableGeometry::DeformableGeometry(VolumeMesh<double> reference_mesh_G)
    : mesh_G(std::move(reference_mesh_G)),
      signed_distance(CalcSignedDistances(mesh_G)),
      surface_G(ConvertVolumeToSurfaceMesh(mesh_G)),
      surface_vertices(FindSurfaceVertices(mesh_G)) {
  BuildElementTree(mesh_G, &tree);
}

}  // namespace wyvern::geometry::internal
