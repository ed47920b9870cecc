#include "wyvern/geometry/meshes/mesh_files.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"
#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/geometry/shapes/mesh_text.h"

namespace wyvern::geometry {
namespace internal {

VolumeMesh<double> ReadVtkToVolumeMesh(const MeshSource& source, double scale) {
  TetrahedronMesh mesh = ReadTetrahedronMesh(source, scale);
  std::vector<VolumeElement> elements;
  elements.reserve(mesh.tetrahedra.size());
  for (const auto& t : mesh.tetrahedra) elements.emplace_back(t.data());
  try {
    return {std::move(elements), std::move(mesh.vertices)};
  } catch (const std::logic_error& error) {
    ThrowOfMesh(source.description(),
                fmt::format("cannot be used: {}", error.what()));
  }
}

TriangleSurfaceMesh<double> ReadSurfaceMesh(const MeshSource& source,
                                            double scale) {
  if (source.extension() == ".vtk") {
    return ConvertVolumeToSurfaceMesh(ReadVtkToVolumeMesh(source, scale));
  }
  TriangleMesh mesh = ReadTriangleMesh(source, scale);
  std::vector<SurfaceTriangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) triangles.emplace_back(t.data());
  try {
    return {std::move(triangles), std::move(mesh.vertices)};
  } catch (const std::logic_error& error) {
    ThrowOfMesh(source.description(),
                fmt::format("cannot be used: {}", error.what()));
  }
}

}  // namespace internal

TriangleSurfaceMesh<double> ReadObjToTriangleSurfaceMesh(
    const std::filesystem::path& filename, double scale) {
  const MeshSource source(filename);
  if (source.extension() != ".obj") {
    internal::ThrowOfMesh(source.description(),
                          fmt::format("has the extension '{}'; .obj is wanted.",
                                      source.extension()));
  }
  return internal::ReadSurfaceMesh(source, scale);
}

}  // namespace wyvern::geometry
