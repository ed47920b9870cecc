#include "wyvern/multibody/parsing/mjcf_assets.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/convex_hull.h"
#include "wyvern/multibody/parsing/mjcf_pose.h"
#include "wyvern/multibody/parsing/parse_number.h"

/* Meshes are vertices in the frame of their file, less refpos, turned back by
refquat, then stretched by scale. MuJoCo moves them to their centre and
principal axes, and the geoms that use them back, which comes to the same.
A file that needs no refpos and refquat is named by its shape; all else
becomes a mesh in memory. */

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;
using geometry::internal::TriangleMesh;

namespace {

// A list of any length.
std::vector<double> ReadList(const XmlElement& element,
                             std::string_view attribute) {
  return ReadMjcfNumbers(element, attribute,
                         std::numeric_limits<std::size_t>::max());
}

std::vector<std::array<int, 3>> ReadFaces(const XmlElement& element,
                                          std::size_t num_vertices) {
  std::vector<std::array<int, 3>> result;
  if (!element.Attribute("face").has_value()) return result;
  const std::vector<double> numbers = ReadList(element, "face");
  if (numbers.size() % 3 != 0) {
    element.Throw("face is not whole triples of vertices.");
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers[i];
    if (x != std::floor(x) || x < 0 || x >= static_cast<double>(num_vertices)) {
      element.Throw(fmt::format("face has {}, which is not a vertex of the {}.",
                                x, num_vertices));
    }
    if (i % 3 == 0) result.emplace_back();
    result.back()[i % 3] = static_cast<int>(x);
  }
  return result;
}

TriangleMesh ReadWritten(const XmlElement& element) {
  const std::vector<double> numbers = ReadList(element, "vertex");
  if (numbers.size() % 3 != 0) {
    element.Throw("vertex is not whole triples of coordinates.");
  }
  TriangleMesh result;
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    result.vertices.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  }
  result.triangles = ReadFaces(element, result.vertices.size());
  return result;
}

// The triangles of the hull, looking outward.
TriangleMesh Hull(const TriangleMesh& mesh, const std::string& label) {
  const auto hull = geometry::internal::MakeConvexHull(mesh.vertices, label);
  TriangleMesh result{.vertices = hull.vertices(), .triangles = {}};
  for (int f = 0; f < hull.num_faces(); ++f) {
    const auto face = hull.element(f);
    for (int k = 2; k < face.num_vertices(); ++k) {
      result.triangles.push_back(
          {face.vertex(0), face.vertex(k - 1), face.vertex(k)});
    }
  }
  return result;
}

math::RigidTransform<double> ReadReference(const MjcfElement& mesh) {
  const Vector3<double> p = mesh.Triple("refpos", Vector3<double>::Zero());
  const VectorX<double> q =
      mesh.Numbers("refquat", Vector4<double>(1, 0, 0, 0));
  return {ToMjcfRotation(mesh.own(), q), p};
}

Vector3<double> ReadStretch(const MjcfElement& mesh) {
  const Vector3<double> scale = mesh.Triple("scale", Vector3<double>::Ones());
  if (!(scale.cwiseAbs().minCoeff() > 0)) {
    mesh.Throw("the scale is 0 along an axis; give other numbers.");
  }
  return scale;
}

}  // namespace

geometry::Rgba ReadMjcfColor(const MjcfElement& element) {
  const VectorX<double> rgba =
      element.Numbers("rgba", Vector4<double>(0.5, 0.5, 0.5, 1))
          .cwiseMax(0.0)
          .cwiseMin(1.0);
  return geometry::Rgba(rgba[0], rgba[1], rgba[2], rgba[3]);
}

MjcfAssets::MjcfAssets(const MjcfDocument& document,
                       const MjcfDefaults& defaults,
                       const MjcfSettingsOfModels& settings,
                       const PackageMap& packages)
    : settings_(settings), packages_(packages) {
  for (const MjcfNode* const node : document.Contents("asset")) {
    if (node->IsNamed("material")) {
      const MjcfElement material = defaults.Apply(node->element, {});
      if (!material.Has("rgba")) continue;
      colors_.insert_or_assign(material.own().RequiredName("name"),
                               ReadMjcfColor(material));
    } else if (node->IsNamed("hfield")) {
      const MjcfElement field(node->element, {});
      const std::string name =
          field.Text("name", fs::path(field.Text("file")).stem().string());
      if (!height_fields_
               .try_emplace(name, MjcfElement(node->element.About(fmt::format(
                                                  "hfield '{}'", name)),
                                              {}))
               .second) {
        field.Throw(
            "there is a height field of that name already; names must be "
            "unique.");
      }
    } else if (node->IsNamed("mesh")) {
      const MjcfElement mesh = defaults.Apply(node->element, {});
      const std::string name =
          mesh.Text("name", fs::path(mesh.Text("file")).stem().string());
      const MjcfElement about(
          node->element.About(fmt::format("mesh '{}'", name)),
          {mesh.layers().begin() + 1, mesh.layers().end()});
      if (!meshes_.try_emplace(name, about).second) {
        about.Throw(
            "there is a mesh of that name already; names must be "
            "unique.");
      }
    }
  }
}

const MjcfElement& MjcfAssets::Mesh(const XmlElement& place,
                                    const std::string& name) const {
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) {
    place.Throw(fmt::format("there is no mesh '{}' in this file.", name));
  }
  return found->second;
}

MeshFiles MjcfAssets::Files(const MjcfElement& mesh) const {
  return MeshFiles(&packages_, settings_.Of(mesh.own()).folder);
}

std::string MjcfAssets::FileName(const MjcfElement& mesh) const {
  if (!mesh.Has("file")) {
    throw std::runtime_error(fmt::format(
        "{}: the mesh has neither a file nor vertices{}.", mesh.own().place(),
        mesh.Has("builtin") ? "; built-in meshes are not read" : ""));
  }
  fs::path file = mesh.Text("file");
  const MjcfSettings& settings = settings_.Of(mesh.own());
  if (settings.strippath) file = file.filename();
  return (fs::path(settings.meshdir) / file).string();
}

TriangleMesh MjcfAssets::Read(const MjcfElement& mesh) const {
  TriangleMesh result;
  if (mesh.Has("vertex")) {
    result = ReadWritten(mesh.own());
  } else {
    const fs::path file = Files(mesh).Resolve(FileName(mesh));
    result = geometry::internal::ReadTrianglesOrPoints(
        geometry::MeshSource(file), 1.0);
  }
  const math::RigidTransform<double> X = ReadReference(mesh).inverse();
  for (Vector3<double>& p : result.vertices) p = X * p;
  result.Stretch(ReadStretch(mesh));
  return result;
}

std::unique_ptr<geometry::Shape> MjcfAssets::MakeShape(
    const MjcfElement& mesh, MeshFiles::Use use) const {
  if (!mesh.Has("vertex") && ReadReference(mesh).IsExactlyIdentity()) {
    return Files(mesh).Read(FileName(mesh), ReadStretch(mesh), use);
  }
  return MeshFiles::Make(Read(mesh), mesh.own().place(), use);
}

MassMoments MjcfAssets::CalcMass(const MjcfElement& mesh) const {
  const std::string kind = mesh.Text("inertia", "legacy");
  if (kind != "convex" && kind != "exact" && kind != "legacy" &&
      kind != "shell") {
    mesh.Throw(
        fmt::format("inertia=\"{}\" is none of convex, exact, legacy "
                    "and shell.",
                    kind));
  }
  TriangleMesh triangles = Read(mesh);
  if (kind == "convex" || triangles.triangles.empty()) {
    triangles = Hull(triangles, mesh.own().place());
  } else if (kind == "shell") {
    return HollowOfTriangles(triangles.vertices, triangles.triangles);
  }
  return SolidOfTriangles(
      triangles.vertices, triangles.triangles,
      kind == "legacy" ? Inward::kPositive : Inward::kNegative);
}

MjcfHeightField MjcfAssets::HeightField(const XmlElement& place,
                                        const std::string& name) const {
  const auto found = height_fields_.find(name);
  if (found == height_fields_.end()) {
    place.Throw(
        fmt::format("there is no height field '{}' in this file.", name));
  }
  const MjcfElement& field = found->second;
  if (!field.Has("file")) return ReadMjcfHeightField(field, {});
  fs::path file;
  try {
    file = Files(field).Resolve(FileName(field));
  } catch (const std::exception& error) {
    field.Throw(error.what());
  }
  return ReadMjcfHeightField(field, file);
}

std::optional<geometry::Rgba> MjcfAssets::Color(
    const std::string& material) const {
  const auto found = colors_.find(material);
  if (found == colors_.end()) return {};
  return found->second;
}

}  // namespace wyvern::multibody::internal
