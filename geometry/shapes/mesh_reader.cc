#include "wyvern/geometry/shapes/mesh_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "wyvern/geometry/shapes/collada_reader.h"
#include "wyvern/geometry/shapes/gltf_reader.h"
#include "wyvern/geometry/shapes/mesh_text.h"
#include "wyvern/geometry/shapes/vtk_reader.h"

/* The reader of its kind takes a file as it is; here its bytes are found, and
what came of them is scaled, checked and cleaned: of triangles the vertices
at one place become one, those that nothing refers to and triangles without
three places go. Tetrahedra are what their users check. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// The sum makes -0 and 0, which are equal, have one hash.
struct HashOfPlace {
  std::size_t operator()(const Vector3d& p) const {
    std::size_t result = 0;
    for (const double x : p) {
      result =
          (result ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9E3779B97F4A7C15;
      result ^= result >> 32;
    }
    return result;
  }
};

// Returns the vertices that triangles refer to, scaled. Vertices at one place
// become one.
TriangleMesh Collect(const RawMesh& raw, double scale,
                     const std::string& file) {
  TriangleMesh result;
  std::unordered_map<Vector3d, int, HashOfPlace> index(raw.vertices.size());
  std::vector<int> found(raw.vertices.size(), -1);
  const auto find = [&](int vertex) {
    if (found[vertex] >= 0) return found[vertex];
    const Vector3d& p = raw.vertices[vertex];
    if (!p.allFinite()) ThrowOfMesh(file, "has a vertex that is not finite.");
    const Vector3d x = scale * p;
    if (!x.allFinite()) {
      ThrowOfMesh(file, fmt::format("has a vertex at ({}, {}, {}), which is "
                                    "not finite with the scale {}; give a "
                                    "smaller one.",
                                    p[0], p[1], p[2], scale));
    }
    const auto [place, is_new] =
        index.emplace(x, static_cast<int>(result.vertices.size()));
    if (is_new) result.vertices.push_back(x);
    return found[vertex] = place->second;
  };
  for (const auto& [a, b, c] : raw.triangles) {
    const std::array<int, 3> t = {find(a), find(b), find(c)};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
      result.triangles.push_back(t);
    }
  }
  if (raw.triangles.empty()) ThrowOfMesh(file, "has no triangles.");
  if (result.triangles.empty()) {
    ThrowOfMesh(file, fmt::format("has no triangles whose corners are three "
                                  "places, with the scale {}.",
                                  scale));
  }
  return result;
}

RawMesh ReadGltfUpright(const MeshSource& source, std::string_view bytes) {
  RawMesh mesh = ReadGltf(source, bytes);
  for (Vector3d& p : mesh.vertices) p = Vector3d(p[0], -p[2], p[1]);
  return mesh;
}

RawMesh ReadRaw(const MeshSource& source, std::string_view bytes) {
  const std::string file = source.description();
  if (source.extension() == ".obj") return ReadObj(bytes, file);
  if (source.extension() == ".stl") return ReadStl(bytes, file);
  if (source.extension() == ".dae") return ReadCollada(bytes, file);
  if (source.extension() == ".msh") return ReadMsh(bytes, file);
  return ReadGltfUpright(source, bytes);
}

void RequireCorners(const TetrahedronMesh& mesh, const std::array<int, 4>& t,
                    const std::string& file) {
  for (const int v : t) {
    if (v >= 0 && v < static_cast<int>(mesh.vertices.size())) continue;
    ThrowOfMesh(file, fmt::format("has a tetrahedron with vertex {}; there are "
                                  "{}, the first being 0.",
                                  v, mesh.vertices.size()));
  }
}

// Returns the vertices that tetrahedra use, or all vertices if there is no
// tetrahedron.
std::vector<Vector3d> CollectCorners(const TetrahedronMesh& mesh,
                                     const std::string& file) {
  if (mesh.tetrahedra.empty()) return mesh.vertices;
  std::vector<bool> is_corner(mesh.vertices.size());
  for (const auto& t : mesh.tetrahedra) {
    RequireCorners(mesh, t, file);
    for (const int v : t) is_corner[v] = true;
  }
  std::vector<Vector3d> result;
  for (std::size_t v = 0; v < is_corner.size(); ++v) {
    if (is_corner[v]) result.push_back(mesh.vertices[v]);
  }
  return result;
}

// A file in memory is copied, to be kept like one from disk.
MemoryFile ReadMeshBytes(const MeshSource& source) {
  if (!source.is_path()) return source.in_memory().mesh_file;
  std::error_code error;
  if (!std::filesystem::is_regular_file(source.path(), error)) {
    ThrowOfMesh(source.description(), "is not a file that can be read.");
  }
  return MemoryFile::Make(source.path());
}

RawMesh ReadRawFile(const MeshSource& source) {
  const std::string file = source.description();
  if (!IsTriangleMeshExtension(source.extension())) {
    ThrowOfMesh(
        file, fmt::format("has the extension '{}'; only {} files can be read.",
                          source.extension(), ListTriangleMeshExtensions()));
  }
  return ReadRaw(source, ReadMeshBytes(source).contents());
}

constexpr std::array<std::string_view, 6> kTriangleMeshExtensions = {
    ".obj", ".gltf", ".glb", ".stl", ".dae", ".msh"};

}  // namespace

bool IsTriangleMeshExtension(std::string_view extension) {
  return std::ranges::find(kTriangleMeshExtensions, extension) !=
         kTriangleMeshExtensions.end();
}

std::string ListTriangleMeshExtensions() {
  const auto last = kTriangleMeshExtensions.end() - 1;
  return fmt::format("{} and {}",
                     fmt::join(kTriangleMeshExtensions.begin(), last, ", "),
                     *last);
}

TriangleMesh ReadTriangleMesh(const MeshSource& source, double scale) {
  return Collect(ReadRawFile(source), scale, source.description());
}

TriangleMesh ReadTrianglesOrPoints(const MeshSource& source, double scale) {
  RawMesh raw = ReadRawFile(source);
  if (!raw.triangles.empty() || raw.vertices.empty()) {
    return Collect(raw, scale, source.description());
  }
  for (Vector3d& p : raw.vertices) p *= scale;
  return {.vertices = std::move(raw.vertices), .triangles = {}};
}

TetrahedronMesh ReadTetrahedronMesh(const MeshSource& source, double scale) {
  const std::string file = source.description();
  if (source.extension() != ".vtk") {
    ThrowOfMesh(file, fmt::format("has the extension '{}'; .vtk is wanted.",
                                  source.extension()));
  }
  return ReadVtk(ReadMeshBytes(source).contents(), file, scale);
}

std::vector<Vector3d> ReadHullPoints(const MeshSource& source, double scale) {
  if (source.extension() == ".vtk") {
    return CollectCorners(ReadTetrahedronMesh(source, scale),
                          source.description());
  }
  return ReadTrianglesOrPoints(source, scale).vertices;
}

void TriangleMesh::Stretch(const Vector3d& scale) {
  for (Vector3d& p : vertices) p = scale.cwiseProduct(p);
  if (scale.prod() >= 0) return;
  for (std::array<int, 3>& t : triangles) std::swap(t[1], t[2]);
}

void TetrahedronMesh::Stretch(const Vector3d& scale) {
  for (Vector3d& p : vertices) p = scale.cwiseProduct(p);
  if (scale.prod() >= 0) return;
  for (std::array<int, 4>& t : tetrahedra) std::swap(t[0], t[1]);
}

double TriangleMesh::CalcVolume(const std::string& label) const {
  std::map<std::pair<int, int>, int> balance;
  double sum = 0;
  // Near the mesh, so that what is far from the origin loses no digits.
  const Vector3d o = vertices[triangles[0][0]];
  for (const auto& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
    sum += (vertices[t[0]] - o)
               .dot((vertices[t[1]] - o).cross(vertices[t[2]] - o));
  }
  for (const auto& [edge, count] : balance) {
    if (count != 0) {
      throw std::runtime_error(fmt::format(
          "The volume of the mesh '{}' was asked for; its surface is not "
          "closed, or some of its faces are turned inside out.",
          label));
    }
  }
  return sum / 6;
}

double TetrahedronMesh::CalcVolume(const std::string& label) const {
  double sum = 0;
  for (const auto& t : tetrahedra) {
    RequireCorners(*this, t, label);
    const Vector3d& o = vertices[t[0]];
    sum += (vertices[t[1]] - o)
               .dot((vertices[t[2]] - o).cross(vertices[t[3]] - o));
  }
  return sum / 6;
}

}  // namespace wyvern::geometry::internal
