#include "wyvern/multibody/parsing/mesh_files.h"

#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/multibody/parsing/package_search.h"

/* A mesh of a model file is resolved and then made a shape. Resolution takes
URLs, absolute paths, and paths relative to the model's file; packages that
nobody named are searched for. A scale of three different factors, or a mirror,
is applied to the vertices, and the result is a file in memory; an equal
positive scale stays a parameter of the Mesh. Shapes for contact compute their
convex hull at once, so that a bad file is refused while the model is read. */

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;
using geometry::Convex;
using geometry::InMemoryMesh;
using geometry::Mesh;
using geometry::MeshSource;
using geometry::Shape;
using geometry::internal::TetrahedronMesh;
using geometry::internal::TriangleMesh;

namespace {

// As a file in memory.
MeshSource ToSource(const TriangleMesh& mesh, const std::string& label) {
  std::string text;
  for (const Vector3<double>& p : mesh.vertices) {
    fmt::format_to(std::back_inserter(text), "v {} {} {}\n", p[0], p[1], p[2]);
  }
  for (const auto& [a, b, c] : mesh.triangles) {
    fmt::format_to(std::back_inserter(text), "f {} {} {}\n", a + 1, b + 1,
                   c + 1);
  }
  return InMemoryMesh{MemoryFile(std::move(text), ".obj", label), {}};
}

MeshSource ToSource(const TetrahedronMesh& mesh, const std::string& label) {
  std::string text = fmt::format(
      "# vtk DataFile Version 3.0\n\nASCII\n"
      "DATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
      mesh.vertices.size());
  for (const Vector3<double>& p : mesh.vertices) {
    text += fmt::format("{} {} {}\n", p[0], p[1], p[2]);
  }
  const std::size_t n = mesh.tetrahedra.size();
  text += fmt::format("CELLS {} {}\n", n, 5 * n);
  for (const auto& [a, b, c, d] : mesh.tetrahedra) {
    text += fmt::format("4 {} {} {} {}\n", a, b, c, d);
  }
  text += fmt::format("CELL_TYPES {}\n", n);
  for (std::size_t i = 0; i < n; ++i) text += "10\n";
  return InMemoryMesh{MemoryFile(std::move(text), ".vtk", label), {}};
}

MeshSource Stretch(const MeshSource& source, const Vector3<double>& scale) {
  if (source.extension() == ".vtk") {
    auto mesh = geometry::internal::ReadTetrahedronMesh(source, 1.0);
    mesh.Stretch(scale);
    return ToSource(mesh, source.description());
  }
  TriangleMesh mesh = geometry::internal::ReadTriangleMesh(source, 1.0);
  mesh.Stretch(scale);
  return ToSource(mesh, source.description());
}

template <class MeshShape>
std::unique_ptr<Shape> MakeShape(MeshSource source, double scale,
                                 bool hull_is_wanted) {
  auto shape = std::make_unique<MeshShape>(std::move(source), scale);
  if (hull_is_wanted) shape->GetConvexHull();
  return shape;
}

}  // namespace

fs::path MeshFiles::ResolveFolderOrFile(const std::string& given) const {
  fs::path path = Find(given);
  FileRecord* const record = packages_.file_record();
  return record == nullptr ? path : record->Use(path);
}

fs::path MeshFiles::Find(const std::string& given) const {
  FileRecord* const record = packages_.file_record();
  // Some write package:///name/path.
  std::string uri = given;
  const std::size_t slashes = uri.find(":///");
  if (PackageOfUrl(uri) == "" && slashes != uri.npos) uri.erase(slashes + 3, 1);
  const auto package = PackageOfUrl(uri);
  if (package.has_value() && !packages_.Contains(*package)) {
    const auto found = FindPackage(*package, folder_);
    if (!found.has_value()) {
      throw std::runtime_error(
          fmt::format("there is no package '{}' for '{}'; {}.", *package, uri,
                      kWherePackagesAre));
    }
    PackageMap one = packages_;
    one.Add(*package, found->string());
    if (record != nullptr) record->UsePackage(*package, found->string());
    return one.ResolveUrl(uri);
  }
  if (package.has_value() && record != nullptr) {
    std::optional<std::string> told_later;
    record->UsePackage(*package, packages_.GetPath(*package, &told_later));
  }
  if (uri.find("://") != std::string::npos) return packages_.ResolveUrl(uri);
  fs::path path = uri;
  if (path.is_relative()) {
    if (!folder_.has_value()) {
      throw std::runtime_error(fmt::format(
          "the file '{}' is relative to that of the model, but the model is in "
          "a string; give an absolute path or a URL.",
          uri));
    }
    path = (*folder_ / path).lexically_normal();
  }
  if (record != nullptr) path = record->Locate(path);
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw std::runtime_error(fmt::format(
        "the file '{}', which is '{}', does not exist.", uri, path.string()));
  }
  return path;
}

fs::path MeshFiles::Resolve(const std::string& uri) const {
  fs::path path = ResolveFolderOrFile(uri);
  std::error_code error;
  if (fs::is_regular_file(path, error)) return path;
  throw std::runtime_error(
      fmt::format("'{}', which is '{}', is not a file but a folder or device.",
                  uri, path.string()));
}

std::unique_ptr<Shape> MeshFiles::Read(const std::string& uri,
                                       const Vector3<double>& scale,
                                       Use use) const {
  MeshSource source{Resolve(uri)};
  if (use == Use::kSee &&
      !geometry::internal::IsTriangleMeshExtension(source.extension())) {
    throw std::runtime_error(
        fmt::format("'{}' is of a format that cannot be read; those are {}.",
                    uri, geometry::internal::ListTriangleMeshExtensions()));
  }
  double size = scale[0];
  if (size <= 0 || scale[1] != size || scale[2] != size) {
    source = Stretch(source, scale);
    size = 1;
  }
  return use == Use::kTouchConvex
             ? MakeShape<Convex>(std::move(source), size, true)
             : MakeShape<Mesh>(std::move(source), size, use == Use::kTouch);
}

std::unique_ptr<Shape> MeshFiles::Make(const TriangleMesh& mesh,
                                       const std::string& label, Use use) {
  const bool is_hull = use == Use::kTouchConvex || mesh.triangles.empty();
  MeshSource source = ToSource(mesh, label);
  return is_hull ? MakeShape<Convex>(std::move(source), 1, true)
                 : MakeShape<Mesh>(std::move(source), 1, use == Use::kTouch);
}

}  // namespace wyvern::multibody::internal
