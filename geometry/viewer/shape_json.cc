#include "wyvern/geometry/viewer/shape_json.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/meshes/mesh_files.h"
#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"
#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/geometry/viewer/model_json.h"

/* Shapes become JSON for a page. A page draws simple shapes from their
parameters. Meshes and convex hulls become triangles: vertices as 32-bit floats
and indices, both in base64 (RFC 4648), because text of numbers would be three
times as long. An empty mesh is an empty list. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Matrix3Xi;

std::string FloatsJson(const Eigen::Ref<const Matrix3Xd>& values) {
  const Eigen::Matrix3Xf floats = values.cast<float>();
  return Base64Json(floats.data(), floats.size() * sizeof(float));
}

std::string Triangles(const TriangleMesh& mesh) {
  Matrix3Xd vertices(3, mesh.vertices.size());
  Matrix3Xi faces(3, mesh.triangles.size());
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    vertices.col(v) = mesh.vertices[v];
  }
  for (size_t f = 0; f < mesh.triangles.size(); ++f) {
    for (int k = 0; k < 3; ++k) faces(k, f) = mesh.triangles[f][k];
  }
  return TrianglesJson(vertices, faces, Matrix3Xd(3, 0));
}

std::string Hull(const PolygonSurfaceMesh<double>& hull) {
  TriangleMesh mesh;
  mesh.vertices = hull.vertices();
  for (int f = 0; f < hull.num_faces(); ++f) {
    const SurfacePolygon face = hull.element(f);
    for (int k = 2; k < face.num_vertices(); ++k) {
      mesh.triangles.push_back(
          {face.vertex(0), face.vertex(k - 1), face.vertex(k)});
    }
  }
  return Triangles(mesh);
}

std::string Skin(const TriangleSurfaceMesh<double>& surface) {
  TriangleMesh mesh;
  mesh.vertices = surface.vertices();
  for (const SurfaceTriangle& t : surface.triangles()) {
    mesh.triangles.push_back({t.vertex(0), t.vertex(1), t.vertex(2)});
  }
  return Triangles(mesh);
}

struct ShapeToJson {
  std::string operator()(const Box& box) const {
    return fmt::format(R"({{"shape":"box","size":[{},{},{}]}})", box.width(),
                       box.depth(), box.height());
  }
  std::string operator()(const Capsule& capsule) const {
    return fmt::format(R"({{"shape":"capsule","radius":{},"length":{}}})",
                       capsule.radius(), capsule.length());
  }
  std::string operator()(const Convex& convex) const {
    return Hull(convex.GetConvexHull());
  }
  std::string operator()(const Cylinder& cylinder) const {
    return fmt::format(R"({{"shape":"cylinder","radius":{},"length":{}}})",
                       cylinder.radius(), cylinder.length());
  }
  std::string operator()(const Ellipsoid& ellipsoid) const {
    return fmt::format(R"({{"shape":"ellipsoid","radii":[{},{},{}]}})",
                       ellipsoid.a(), ellipsoid.b(), ellipsoid.c());
  }
  std::string operator()(const HalfSpace&) const {
    return R"({"shape":"half_space"})";
  }
  std::string operator()(const Mesh& mesh) const {
    if (mesh.extension() == ".vtk") {
      return Skin(ConvertVolumeToSurfaceMesh(
          ReadVtkToVolumeMesh(mesh.source(), mesh.scale())));
    }
    // A mesh that cannot be read is refused before its materials are read.
    const TriangleMesh triangles =
        ReadTriangleMesh(mesh.source(), mesh.scale());
    if (auto model = ModelJson(mesh)) return *std::move(model);
    return Triangles(triangles);
  }
  std::string operator()(const MeshcatCone& cone) const {
    return fmt::format(R"({{"shape":"cone","height":{},"radii":[{},{}]}})",
                       cone.height(), cone.a(), cone.b());
  }
  std::string operator()(const Sphere& sphere) const {
    return fmt::format(R"({{"shape":"ellipsoid","radii":[{0},{0},{0}]}})",
                       sphere.radius());
  }
};

}  // namespace

std::string Base64Json(const void* data, size_t size) {
  constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const uint8_t*>(data);
  std::string result = "\"";
  result.reserve(size / 3 * 4 + 6);
  for (size_t i = 0; i < size; i += 3) {
    const size_t count = std::min<size_t>(3, size - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? bytes[i + k] : 0);
    }
    for (size_t k = 0; k < 4; ++k) {
      result += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return result + '"';
}

std::string RgbaJson(const Rgba& rgba) {
  return fmt::format("[{},{},{},{}]", rgba.r(), rgba.g(), rgba.b(), rgba.a());
}

std::string TrianglesJson(const Eigen::Ref<const Matrix3Xd>& vertices,
                          const Eigen::Ref<const Matrix3Xi>& faces,
                          const Eigen::Ref<const Matrix3Xd>& colors) {
  const Eigen::Matrix<uint32_t, 3, Eigen::Dynamic> indices =
      faces.cast<uint32_t>();
  std::string result = fmt::format(
      R"({{"shape":"triangles","vertices":{},"faces":{})", FloatsJson(vertices),
      Base64Json(indices.data(), indices.size() * sizeof(uint32_t)));
  if (colors.size() > 0) {
    result += fmt::format(R"(,"colors":{})", FloatsJson(colors));
  }
  return result + "}";
}

std::string SegmentsJson(const Eigen::Ref<const Matrix3Xd>& ends,
                         double width) {
  return fmt::format(R"({{"shape":"segments","ends":{},"width":{}}})",
                     FloatsJson(ends), width);
}

std::string ArrowsJson(const Eigen::Ref<const Matrix3Xd>& start,
                       const Eigen::Ref<const Matrix3Xd>& arrows,
                       double width) {
  return fmt::format(
      R"({{"shape":"arrows","start":{},"arrows":{},"width":{}}})",
      FloatsJson(start), FloatsJson(arrows), width);
}

std::string ShapeJson(const Shape& shape) {
  return shape.Visit<std::string>(ShapeToJson{});
}

}  // namespace wyvern::geometry::internal
