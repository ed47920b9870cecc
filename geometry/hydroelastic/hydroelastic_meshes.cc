#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/hydroelastic/element_boxes.h"
#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"
#include "wyvern/geometry/meshes/margin_layer.h"
#include "wyvern/geometry/meshes/mesh_files.h"
#include "wyvern/geometry/meshes/refine_volume_mesh.h"
#include "wyvern/geometry/meshes/shape_meshes.h"

/* A margin is a layer around a compliant shape in which its field goes on,
negative: the mesh is that of a larger shape, the depth that of the shape
itself. Shapes with corners grow in all directions at once, so that their
medial axis stays. Shapes with a centre grow from there, so far that every
face moves by the margin or more. What a file has gets a layer of elements
around it, whatever its own are. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using Mesh3 = VolumeMesh<double>;

constexpr double kCoarsest = std::numeric_limits<double>::infinity();

[[noreturn]] void ThrowNoMesh(const Shape& shape) {
  throw std::logic_error(fmt::format("{} has no mesh for hydroelastic contact.",
                                     shape.to_string()));
}

using Compliant = std::shared_ptr<const CompliantMesh>;

template <typename MakeDepth>
Compliant MakeCompliant(Mesh3 mesh, const MakeDepth& make_depth) {
  return std::make_shared<CompliantMesh>(std::move(mesh), make_depth);
}

// A convex volume of pyramids on the faces, whose apex is the last vertex.
Compliant MakeStar(const PolygonSurfaceMesh<double>& hull, double margin) {
  Mesh3 mesh = MakeConvexVolumeMesh(hull);
  std::vector<Vector3d> vertices = mesh.vertices();
  const Vector3d apex = vertices.back();
  double least = kCoarsest;
  for (int f = 0; f < hull.num_faces(); ++f) {
    least = std::min(least,
                     hull.face_normal(f).dot(hull.element_centroid(f) - apex));
  }
  const double growth = margin / least;
  std::vector<double> depths(vertices.size(), -growth);
  depths.back() = 1;
  for (Vector3d& p : vertices) p = apex + (1 + growth) * (p - apex);
  return MakeCompliant(
      Mesh3(mesh.tetrahedra(), std::move(vertices)),
      [&depths](const Mesh3* m) { return PressureField(depths, m); });
}

// Reads a file's mesh and refines it. A margin becomes a layer around it.
Compliant MakeFromFile(const geometry::Mesh& mesh, double margin) {
  Mesh3 volume =
      RefineVolumeMesh(ReadVtkToVolumeMesh(mesh.source(), mesh.scale()));
  if (!(margin > 0)) {
    return MakeCompliant(std::move(volume), [](const Mesh3* m) {
      return MakeVolumeMeshPressureField(m, 1);
    });
  }
  return MakeCompliant(
      AddMarginLayer(volume, margin), [&volume, margin](const Mesh3* m) {
        return MakeVolumeMeshPressureField(volume, m, 1, margin);
      });
}

// The overloads for Shape::Visit(): a shape's surface, with edges up to `hint`.
struct SurfaceMaker {
  using Result = TriangleSurfaceMesh<double>;

  Result operator()(const Box& box) const {
    return MakeBoxSurfaceMesh(box, kCoarsest);
  }
  Result operator()(const Capsule& capsule) const {
    return MakeCapsuleSurfaceMesh(capsule, hint);
  }
  Result operator()(const Convex& convex) const {
    return MakeConvexSurfaceMesh(convex.GetConvexHull());
  }
  Result operator()(const Cylinder& cylinder) const {
    return MakeCylinderSurfaceMesh(cylinder, hint);
  }
  Result operator()(const Ellipsoid& ellipsoid) const {
    return MakeEllipsoidSurfaceMesh(ellipsoid, hint);
  }
  Result operator()(const HalfSpace& shape) const { ThrowNoMesh(shape); }
  Result operator()(const geometry::Mesh& mesh) const {
    return ReadSurfaceMesh(mesh.source(), mesh.scale());
  }
  Result operator()(const MeshcatCone& shape) const { ThrowNoMesh(shape); }
  Result operator()(const Sphere& sphere) const {
    return MakeSphereSurfaceMesh(sphere, hint);
  }

  double hint{};
};

struct VolumeMaker {
  Compliant operator()(const Box& box) const {
    return MakeCompliant(
        MakeBoxVolumeMeshWithMa(Box(box.size().array() + 2 * margin)),
        [&box, this](const Mesh3* m) {
          return MakeBoxPressureField(box, m, 1, margin);
        });
  }
  Compliant operator()(const Capsule& capsule) const {
    return MakeCompliant(
        MakeCapsuleVolumeMesh(
            Capsule(capsule.radius() + margin, capsule.length()), hint),
        [&capsule, this](const Mesh3* m) {
          return MakeCapsulePressureField(capsule, m, 1, margin);
        });
  }
  Compliant operator()(const Convex& convex) const {
    return MakeStar(convex.GetConvexHull(), margin);
  }
  Compliant operator()(const Cylinder& cylinder) const {
    return MakeCompliant(
        MakeCylinderVolumeMeshWithMa(Cylinder(cylinder.radius() + margin,
                                              cylinder.length() + 2 * margin),
                                     hint),
        [&cylinder, this](const Mesh3* m) {
          return MakeCylinderPressureField(cylinder, m, 1, margin);
        });
  }
  Compliant operator()(const Ellipsoid& ellipsoid) const {
    const Vector3d radii(ellipsoid.a(), ellipsoid.b(), ellipsoid.c());
    return MakeCompliant(
        MakeEllipsoidVolumeMesh(
            Ellipsoid(radii * (1 + margin / radii.minCoeff())), hint),
        [&ellipsoid, this](const Mesh3* m) {
          return MakeEllipsoidPressureField(ellipsoid, m, 1, margin);
        });
  }
  Compliant operator()(const HalfSpace& shape) const { ThrowNoMesh(shape); }
  Compliant operator()(const geometry::Mesh& mesh) const {
    return mesh.extension() == ".vtk" ? MakeFromFile(mesh, margin)
                                      : MakeStar(mesh.GetConvexHull(), margin);
  }
  Compliant operator()(const MeshcatCone& shape) const { ThrowNoMesh(shape); }
  Compliant operator()(const Sphere& sphere) const {
    return MakeCompliant(
        MakeSphereVolumeMesh(Sphere(sphere.radius() + margin), hint),
        [&sphere, this](const Mesh3* m) {
          return MakeSpherePressureField(sphere, m, 1, margin);
        });
  }

  double hint{};
  double margin{};
};

}  // namespace

RigidMesh::RigidMesh(TriangleSurfaceMesh<double> mesh_in)
    : mesh(std::move(mesh_in)) {
  BuildElementTree(mesh, &tree);
}

void CompliantMesh::PlantTree() { BuildElementTree(mesh, &tree); }

std::shared_ptr<const RigidMesh> MakeRigidMesh(const Shape& shape,
                                               double hint) {
  return std::make_shared<RigidMesh>(
      shape.Visit<TriangleSurfaceMesh<double>>(SurfaceMaker{hint}));
}

std::shared_ptr<const CompliantMesh> MakeCompliantMesh(const Shape& shape,
                                                       double hint,
                                                       double margin) {
  return shape.Visit<Compliant>(VolumeMaker{hint, margin});
}

}  // namespace wyvern::geometry::internal
