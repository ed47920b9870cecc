#include <cmath>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/convex_hull.h"
#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::geometry {
namespace internal {

struct ScaledMesh::Hull {
  std::once_flag once;
  PolygonSurfaceMesh<double> mesh;
};

ScaledMesh::ScaledMesh(const char* shape, MeshSource source, double scale)
    : shape_(shape),
      source_(std::move(source)),
      scale_(scale),
      hull_(std::make_shared<Hull>()) {
  const std::string description = source_.description();
  wyvern::internal::RequirePositive(
      wyvern::internal::Caller(shape).Of("mesh", description), "scale", scale);
}

std::string ScaledMesh::filename() const { return source_.path().string(); }

const PolygonSurfaceMesh<double>& ScaledMesh::GetConvexHull() const {
  std::call_once(hull_->once, [this]() {
    hull_->mesh =
        MakeConvexHull(ReadHullPoints(source_, scale_), source_.description());
  });
  return hull_->mesh;
}

std::string ScaledMesh::to_string() const {
  return fmt::format("{}({}='{}', scale={})", shape_,
                     source_.is_path() ? "filename" : "mesh_data",
                     source_.description(), scale_);
}

}  // namespace internal

namespace {

// A .obj file of the hull of points.
InMemoryMesh MakeObj(const Eigen::Matrix3Xd& points, const std::string& label) {
  const std::vector<Eigen::Vector3d> list(points.colwise().begin(),
                                          points.colwise().end());
  const PolygonSurfaceMesh<double> hull = internal::MakeConvexHull(list, label);
  std::string text;
  for (const Eigen::Vector3d& v : hull.vertices()) {
    text += fmt::format("v {} {} {}\n", v[0], v[1], v[2]);
  }
  for (int f = 0; f < hull.num_faces(); ++f) {
    text += "f";
    for (int k = 0; k < hull.element(f).num_vertices(); ++k) {
      text += fmt::format(" {}", hull.element(f).vertex(k) + 1);
    }
    text += "\n";
  }
  return {MemoryFile(std::move(text), ".obj", label), {}};
}

}  // namespace

Convex::Convex(const std::filesystem::path& filename, double scale)
    : mesh_("Convex", MeshSource(filename), scale) {}
Convex::Convex(InMemoryMesh mesh_data, double scale)
    : mesh_("Convex", MeshSource(std::move(mesh_data)), scale) {}
Convex::Convex(MeshSource source, double scale)
    : mesh_("Convex", std::move(source), scale) {}
Convex::Convex(const Eigen::Matrix3Xd& points, const std::string& label,
               double scale)
    : mesh_("Convex", MeshSource(MakeObj(points, label)), scale) {}

Mesh::Mesh(const std::filesystem::path& filename, double scale)
    : mesh_("Mesh", MeshSource(filename), scale) {}
Mesh::Mesh(InMemoryMesh mesh_data, double scale)
    : mesh_("Mesh", MeshSource(std::move(mesh_data)), scale) {}
Mesh::Mesh(MeshSource source, double scale)
    : mesh_("Mesh", std::move(source), scale) {}

}  // namespace wyvern::geometry
