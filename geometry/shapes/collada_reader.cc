/* A .dae file is a set of libraries whose elements refer to each other by id.
Its scene names a visual scene, a tree of nodes that each have a pose and refer
to geometries and to other nodes. A geometry has primitives: indices, in turns
of several inputs, of which VERTEX leads by way of <vertices> to the <source>
that has the positions. All that is referred to is looked up, and every index
checked, so that nothing in a file can lead outside of it. */

#include "wyvern/geometry/shapes/collada_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tinyxml2.h>
#include <Eigen/Geometry>

namespace wyvern::geometry::internal {

namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;
using tinyxml2::XMLElement;

constexpr int kDeepestInstance = 200;
constexpr int kMostInstances = 1'000'000;
constexpr std::size_t kMostTriangles = 20'000'000;

std::string_view TextOf(const XMLElement& element) {
  const char* const text = element.GetText();
  return text == nullptr ? "" : text;
}

bool IsNamed(const XMLElement& element, std::string_view name) {
  return element.Name() == name;
}

/** Reads one document. */
class ColladaReader {
 public:
  explicit ColladaReader(const std::string& file) : file_(file) {}

  RawMesh Read(std::string_view bytes) {
    if (document_.Parse(bytes.data(), bytes.size()) != tinyxml2::XML_SUCCESS) {
      Throw(fmt::format("line {} is not well-formed XML: {}",
                        document_.ErrorLineNum(), document_.ErrorName()));
    }
    const XMLElement* const root = document_.RootElement();
    if (root == nullptr || !IsNamed(*root, "COLLADA")) {
      Throw("it is not a <COLLADA> document");
    }
    CollectIds(*root);
    const Affine3d X(Eigen::Scaling(ReadUnit(*root)));
    for (const XMLElement* node = FindScene(*root).FirstChildElement("node");
         node != nullptr; node = node->NextSiblingElement("node")) {
      AddNode(*node, X, 1);
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void Throw(std::string_view why) const {
    ThrowOfMesh(file_, fmt::format("cannot be read: {}.", why));
  }
  [[noreturn]] void ThrowAt(const XMLElement& element,
                            std::string_view why) const {
    Throw(fmt::format("<{}> in line {} {}", element.Name(),
                      element.GetLineNum(), why));
  }

  // The parser has bounded the depth.
  void CollectIds(const XMLElement& element) {
    if (const char* const id = element.Attribute("id")) {
      by_id_.try_emplace(id, &element);
    }
    for (auto* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      CollectIds(*child);
    }
  }

  // Finds the element that an attribute such as url="#id" refers to.
  const XMLElement& Find(const XMLElement& from, const char* attribute,
                         std::string_view wanted) const {
    const char* const url = from.Attribute(attribute);
    if (url == nullptr) {
      ThrowAt(from, fmt::format("has no attribute '{}'", attribute));
    }
    const auto found = url[0] == '#' ? by_id_.find(url + 1) : by_id_.end();
    if (found == by_id_.end() || !IsNamed(*found->second, wanted)) {
      ThrowAt(from, fmt::format("refers to the <{}> '{}', which is not there",
                                wanted, url));
    }
    return *found->second;
  }

  const XMLElement& Child(const XMLElement& parent, const char* name) const {
    const XMLElement* const child = parent.FirstChildElement(name);
    if (child == nullptr) ThrowAt(parent, fmt::format("has no <{}>", name));
    return *child;
  }

  template <class Number>
  std::vector<Number> ReadNumbers(const XMLElement& element) const {
    std::vector<Number> result;
    const std::string_view text = TextOf(element);
    constexpr std::string_view kBlanks = " \t\r\n";
    std::size_t at = text.find_first_not_of(kBlanks);
    while (at != text.npos) {
      const std::size_t end =
          std::min(text.find_first_of(kBlanks, at), text.size());
      std::string_view word = text.substr(at, end - at);
      if (word.starts_with('+')) word.remove_prefix(1);
      Number number{};
      const char* const stop = word.data() + word.size();
      const auto [read, error] = std::from_chars(word.data(), stop, number);
      if (error != std::errc{} || read != stop) {
        ThrowAt(element, fmt::format("has '{}', which is no number", word));
      }
      result.push_back(number);
      at = text.find_first_not_of(kBlanks, end);
    }
    return result;
  }

  double ReadUnit(const XMLElement& root) const {
    const XMLElement* const asset = root.FirstChildElement("asset");
    const XMLElement* const unit =
        asset == nullptr ? nullptr : asset->FirstChildElement("unit");
    if (unit == nullptr || unit->Attribute("meter") == nullptr) return 1;
    const double meter = unit->DoubleAttribute("meter", NAN);
    if (!(meter > 0 && std::isfinite(meter))) {
      ThrowAt(*unit, "has a 'meter' that is not positive");
    }
    return meter;
  }

  // The scene that is shown, or else the first.
  const XMLElement& FindScene(const XMLElement& root) const {
    if (const XMLElement* const scene = root.FirstChildElement("scene")) {
      if (const XMLElement* const shown =
              scene->FirstChildElement("instance_visual_scene")) {
        return Find(*shown, "url", "visual_scene");
      }
    }
    return Child(Child(root, "library_visual_scenes"), "visual_scene");
  }

  void AddNode(const XMLElement& node, Affine3d X, int depth) {
    if (depth > kDeepestInstance || ++num_nodes_ > kMostInstances) {
      ThrowAt(node, "is in too many others, or in itself");
    }
    for (auto* e = node.FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      if (IsNamed(*e, "node")) {
        AddNode(*e, X, depth + 1);
      } else if (IsNamed(*e, "instance_node")) {
        AddNode(Find(*e, "url", "node"), X, depth + 1);
      } else if (IsNamed(*e, "instance_geometry")) {
        AddGeometry(Find(*e, "url", "geometry"), X);
      } else {
        Transform(*e, &X);
      }
    }
  }

  // Transformations come before what they move.
  void Transform(const XMLElement& e, Affine3d* X) const {
    const auto read = [&](std::size_t size) {
      std::vector<double> x = ReadNumbers<double>(e);
      if (x.size() != size) {
        ThrowAt(e,
                fmt::format("has {} numbers; {} are wanted", x.size(), size));
      }
      return x;
    };
    if (IsNamed(e, "matrix")) {
      const std::vector<double> x = read(16);
      Affine3d M;
      M.matrix() =
          Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(
              x.data());
      *X = *X * M;
    } else if (IsNamed(e, "translate")) {
      *X =
          *X * Eigen::Translation3d(Eigen::Map<const Vector3d>(read(3).data()));
    } else if (IsNamed(e, "scale")) {
      *X = *X *
           Eigen::Scaling(Vector3d(Eigen::Map<const Vector3d>(read(3).data())));
    } else if (IsNamed(e, "rotate")) {
      const std::vector<double> x = read(4);
      const Vector3d axis(x[0], x[1], x[2]);
      if (axis.isZero(0)) return;
      *X = *X * Eigen::AngleAxisd(x[3] * std::numbers::pi / 180,
                                  axis.stableNormalized());
    } else if (IsNamed(e, "skew") || IsNamed(e, "lookat")) {
      ThrowAt(e, "is not supported");
    }
  }

  void AddGeometry(const XMLElement& geometry, const Affine3d& X) {
    const auto [found, is_new] = geometries_.try_emplace(&geometry);
    if (is_new) found->second = ReadGeometry(geometry);
    const RawMesh& part = found->second;
    const int base = static_cast<int>(mesh_.vertices.size());
    for (const Vector3d& p : part.vertices) mesh_.vertices.push_back(X * p);
    for (const auto& [a, b, c] : part.triangles) {
      mesh_.triangles.push_back({base + a, base + b, base + c});
    }
    RequireNotTooLarge(mesh_);
  }

  void RequireNotTooLarge(const RawMesh& mesh) const {
    if (mesh.vertices.size() <= 3 * kMostTriangles &&
        mesh.triangles.size() <= kMostTriangles) {
      return;
    }
    Throw("it has too many vertices or triangles");
  }

  RawMesh ReadGeometry(const XMLElement& geometry) {
    RawMesh result;
    const XMLElement* const mesh = geometry.FirstChildElement("mesh");
    if (mesh == nullptr) return result;  // A curve.
    std::map<const XMLElement*, int> bases;
    for (auto* e = mesh->FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      const bool is_surface =
          IsNamed(*e, "triangles") || IsNamed(*e, "polylist") ||
          IsNamed(*e, "polygons") || IsNamed(*e, "tristrips") ||
          IsNamed(*e, "trifans");
      if (is_surface) AddPrimitive(*e, &bases, &result);
    }
    return result;
  }

  // Where the vertices of a primitive are among its indices.
  struct Layout {
    int stride{1};
    int offset{-1};
    const XMLElement* vertices{};
  };
  Layout ReadLayout(const XMLElement& primitive) const {
    Layout result;
    for (auto* input = primitive.FirstChildElement("input"); input != nullptr;
         input = input->NextSiblingElement("input")) {
      const int offset = input->IntAttribute("offset", -1);
      if (offset < 0 || offset > 1000) {
        ThrowAt(*input, "has no 'offset' from 0 to 1000");
      }
      result.stride = std::max(result.stride, offset + 1);
      const char* const semantic = input->Attribute("semantic");
      if (semantic == nullptr || std::string_view(semantic) != "VERTEX") {
        continue;
      }
      result.offset = offset;
      result.vertices = &Find(*input, "source", "vertices");
    }
    if (result.vertices == nullptr) {
      ThrowAt(primitive, "has no <input> of the semantic VERTEX");
    }
    return result;
  }

  std::vector<Vector3d> ReadPositions(const XMLElement& vertices) const {
    for (auto* input = vertices.FirstChildElement("input"); input != nullptr;
         input = input->NextSiblingElement("input")) {
      const char* const semantic = input->Attribute("semantic");
      if (semantic == nullptr || std::string_view(semantic) != "POSITION") {
        continue;
      }
      const XMLElement& source = Find(*input, "source", "source");
      const std::vector<double> x =
          ReadNumbers<double>(Child(source, "float_array"));
      const XMLElement& accessor =
          Child(Child(source, "technique_common"), "accessor");
      const int stride = accessor.IntAttribute("stride", 1);
      const int first = accessor.IntAttribute("offset", 0);
      if (stride < 3 || first < 0) {
        ThrowAt(accessor, "does not give three coordinates a vertex");
      }
      std::vector<Vector3d> result;
      for (std::size_t i = first; i + 3 <= x.size(); i += stride) {
        result.emplace_back(x[i], x[i + 1], x[i + 2]);
      }
      return result;
    }
    ThrowAt(vertices, "has no <input> of the semantic POSITION");
  }

  // Primitives of a geometry may share their vertices: `bases` has where they
  // begin.
  void AddPrimitive(const XMLElement& primitive,
                    std::map<const XMLElement*, int>* bases, RawMesh* mesh) {
    const Layout layout = ReadLayout(primitive);
    const auto [read, is_first] = positions_.try_emplace(layout.vertices);
    if (is_first) read->second = ReadPositions(*layout.vertices);
    const std::vector<Vector3d>& positions = read->second;
    const auto [base, is_new] = bases->try_emplace(
        layout.vertices, static_cast<int>(mesh->vertices.size()));
    if (is_new) {
      mesh->vertices.insert(mesh->vertices.end(), positions.begin(),
                            positions.end());
    }
    RequireNotTooLarge(*mesh);
    for (auto* p = primitive.FirstChildElement("p"); p != nullptr;
         p = p->NextSiblingElement("p")) {
      const std::vector<int> corners = ReadCorners(
          *p, layout, base->second, static_cast<int>(positions.size()));
      if (IsNamed(primitive, "polylist")) {
        return AddPolygons(Child(primitive, "vcount"), corners, mesh);
      }
      AddCorners(primitive, corners, mesh);
    }
  }

  static void AddCorners(const XMLElement& primitive,
                         const std::vector<int>& corners, RawMesh* mesh) {
    const int n = static_cast<int>(corners.size());
    if (IsNamed(primitive, "triangles")) {
      for (int i = 0; i + 3 <= n; i += 3) AddFan(&corners[i], 3, mesh);
    } else if (IsNamed(primitive, "tristrips")) {
      for (int i = 0; i + 3 <= n; ++i) {
        // Every second one is the other way round.
        const std::array<int, 3> t = {corners[i], corners[i + 1 + i % 2],
                                      corners[i + 2 - i % 2]};
        AddFan(t.data(), 3, mesh);
      }
    } else {
      AddFan(corners.data(), n, mesh);
    }
  }

  // The vertices that <p> names, as indices into the mesh.
  std::vector<int> ReadCorners(const XMLElement& p, const Layout& layout,
                               int base, int count) const {
    const std::vector<int> indices = ReadNumbers<int>(p);
    std::vector<int> result;
    for (std::size_t i = layout.offset; i < indices.size();
         i += layout.stride) {
      if (indices[i] < 0 || indices[i] >= count) {
        ThrowAt(p, fmt::format("has the vertex {}; there are {}", indices[i],
                               count));
      }
      result.push_back(base + indices[i]);
    }
    return result;
  }

  void AddPolygons(const XMLElement& vcount, const std::vector<int>& corners,
                   RawMesh* mesh) const {
    std::size_t first = 0;
    for (const int size : ReadNumbers<int>(vcount)) {
      if (size < 0 || corners.size() - first < static_cast<std::size_t>(size)) {
        ThrowAt(vcount, "counts more vertices than <p> has");
      }
      AddFan(corners.data() + first, size, mesh);
      first += size;
    }
  }

  static void AddFan(const int* corners, int size, RawMesh* mesh) {
    for (int k = 2; k < size; ++k) {
      mesh->triangles.push_back({corners[0], corners[k - 1], corners[k]});
    }
  }

  const std::string& file_;
  tinyxml2::XMLDocument document_;
  std::map<std::string, const XMLElement*, std::less<>> by_id_;
  // Content read from each <geometry> and each <vertices>.
  std::map<const XMLElement*, RawMesh> geometries_;
  std::map<const XMLElement*, std::vector<Vector3d>> positions_;
  RawMesh mesh_;
  int num_nodes_{0};
};

}  // namespace

RawMesh ReadCollada(std::string_view bytes, const std::string& file) {
  return ColladaReader(file).Read(bytes);
}

}  // namespace wyvern::geometry::internal
