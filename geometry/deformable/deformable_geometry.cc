#include "wyvern/geometry/deformable/deformable_geometry.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/hydroelastic/element_boxes.h"
#include "wyvern/geometry/meshes/mesh_files.h"
#include "wyvern/geometry/meshes/pressure_field.h"
#include "wyvern/geometry/meshes/shape_meshes.h"
#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"
#include "wyvern/systems/common/check_argument.h"

/* A deformable geometry is made once, when it is registered: a mesh of
tetrahedra, from the shape or from its file, and all that contact needs of the
reference configuration. The surface consists of the faces that belong to one
tetrahedron only; sorting the faces by their vertices brings the two sides of an
inner face together. A tetrahedron whose corners all lie on the surface has
distance 0 at each of them, although its inside has not; such a tetrahedron has
the distance of its centroid as well, which a mesh with a vertex there gives. */

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

// Each such element is cut in four, about a vertex of its own.
std::vector<double> CalcCentreDistances(
    const VolumeMesh<double>& mesh,
    const std::vector<double>& signed_distances) {
  std::vector<Eigen::Vector3d> vertices = mesh.vertices();
  std::vector<VolumeElement> elements;
  std::vector<int> centres(mesh.num_elements(), -1);
  for (int e = 0; e < mesh.num_elements(); ++e) {
    const VolumeElement& tet = mesh.element(e);
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    bool is_level = true;
    for (int k = 0; k < 4; ++k) {
      centre += mesh.vertex(tet.vertex(k)) / 4;
      is_level = is_level && signed_distances[tet.vertex(k)] == 0;
    }
    if (!is_level) {
      elements.push_back(tet);
      continue;
    }
    centres[e] = static_cast<int>(vertices.size());
    vertices.push_back(centre);
    for (int k = 0; k < 4; ++k) {
      std::array<int, 4> v;
      for (int i = 0; i < 4; ++i) v[i] = i == k ? centres[e] : tet.vertex(i);
      elements.emplace_back(v[0], v[1], v[2], v[3]);
    }
  }
  std::vector<double> result(mesh.num_elements(), 0);
  if (static_cast<int>(vertices.size()) == mesh.num_vertices()) return result;
  const std::vector<double> depths =
      CalcVertexDepths({std::move(elements), std::move(vertices)});
  for (int e = 0; e < mesh.num_elements(); ++e) {
    if (centres[e] >= 0) result[e] = -depths[centres[e]];
  }
  return result;
}

std::vector<std::array<int, 4>> FindNeighbors(const VolumeMesh<double>& mesh) {
  // Faces by their vertices, those of the same next to each other.
  std::vector<std::pair<std::array<int, 3>, std::array<int, 2>>> faces;
  for (int e = 0; e < mesh.num_elements(); ++e) {
    for (int k = 0; k < 4; ++k) {
      std::array<int, 3> key;
      for (int i = 0; i < 3; ++i)
        key[i] = mesh.element(e).vertex((k + i + 1) % 4);
      std::ranges::sort(key);
      faces.push_back({key, {e, k}});
    }
  }
  std::ranges::sort(faces);
  std::vector<std::array<int, 4>> result(mesh.num_elements(), {-1, -1, -1, -1});
  for (size_t i = 1; i < faces.size(); ++i) {
    if (faces[i].first != faces[i - 1].first) continue;
    const auto& [e, k] = faces[i].second;
    const auto& [other, k_other] = faces[i - 1].second;
    result[e][k] = other;
    result[other][k_other] = e;
  }
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
      centre_distance(CalcCentreDistances(mesh_G, signed_distance)),
      neighbors(FindNeighbors(mesh_G)),
      surface_G(ConvertVolumeToSurfaceMesh(mesh_G)),
      surface_vertices(FindSurfaceVertices(mesh_G)) {
  BuildElementTree(mesh_G, &tree);
}

}  // namespace wyvern::geometry::internal
