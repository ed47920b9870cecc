#include "wyvern/multibody/parsing/urdf_shape.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/urdf_children.h"

/* The shape in a <geometry> of URDF, one of a table of names. Sizes are the
shapes' to check; one of no size, and a mesh that cannot be found or read,
are left out with a warning, and two shapes where one is wanted are an error. */

namespace wyvern::multibody::internal {

using geometry::Shape;

namespace {

// One number for all axes, or one each.
Vector3<double> ReadScale(const XmlElement& shape) {
  const auto scale = shape.Attribute("scale");
  if (!scale.has_value()) return Vector3<double>::Ones();
  const auto numbers = ParseNumbers(*scale);
  const bool good =
      numbers.has_value() && (numbers->size() == 1 || numbers->size() == 3) &&
      std::ranges::all_of(*numbers,
                          [](double x) { return std::isfinite(x) && x != 0; });
  if (!good) {
    shape.Throw(
        fmt::format("scale=\"{}\" in <mesh> is not one or three finite "
                    "numbers other than 0.",
                    *scale));
  }
  return {numbers->front(), (*numbers)[numbers->size() / 2], numbers->back()};
}

/** Reads the mesh of one <visual> or <collision>. */
class UrdfMeshReader {
 public:
  UrdfMeshReader(const XmlElement& owner, const MeshFiles* files,
                 WarningLog* log)
      : owner_(owner), files_(files), log_(log) {}

  std::unique_ptr<Shape> Read(const XmlElement& mesh) const {
    mesh.ExpectAttributes({"filename", "scale"}, log_);
    WarnOfOtherUrdfChildren(mesh, {.read = {"drake:declare_convex"}}, log_);
    const std::string uri(Trim(mesh.RequiredAttribute("filename")));
    if (uri.empty()) mesh.Throw("filename in <mesh> is empty.");
    const Vector3<double> scale = ReadScale(mesh);
    if (files_ == nullptr) return nullptr;
    try {
      return files_->Read(uri, scale, UseOf(mesh));
    } catch (const std::exception& error) {
      mesh.Warn(fmt::format(
                    "a mesh is left out of what {}: {}",
                    UseOf(mesh) == MeshFiles::Use::kSee ? "is seen" : "touches",
                    error.what()),
                log_);
      return nullptr;
    }
  }

 private:
  MeshFiles::Use UseOf(const XmlElement& mesh) const {
    if (!owner_.IsNamed("collision")) return MeshFiles::Use::kSee;
    const bool is_convex =
        mesh.ExtensionChild("declare_convex").has_value() ||
        owner_.RequiredChild("geometry").ExtensionChild("declare_convex");
    return is_convex ? MeshFiles::Use::kTouchConvex : MeshFiles::Use::kTouch;
  }

  const XmlElement owner_;
  const MeshFiles* const files_;
  WarningLog* const log_;
};

// Sets `shape` if `element` is one that has no file; a radius of zero is a
// contact point. Shapes check their sizes.
bool ReadIfSolid(const XmlElement& element, WarningLog* log,
                 std::unique_ptr<Shape>* shape) {
  const auto is = [&](std::string_view name,
                      std::initializer_list<std::string_view> attributes) {
    if (!element.IsNamed(name) && !element.IsExtensionNamed(name)) return false;
    element.ExpectLeaf(attributes, log);
    return true;
  };
  const auto number = [&](std::string_view attribute) {
    return element.RequiredNumber(attribute);
  };
  if (is("box", {"size"})) {
    element.RequiredAttribute("size");
    *shape = std::make_unique<geometry::Box>(*element.Triple("size"));
  } else if (is("sphere", {"radius"})) {
    *shape = std::make_unique<geometry::Sphere>(number("radius"));
  } else if (is("cylinder", {"radius", "length"})) {
    *shape = std::make_unique<geometry::Cylinder>(number("radius"),
                                                  number("length"));
  } else if (is("capsule", {"radius", "length"})) {
    *shape =
        std::make_unique<geometry::Capsule>(number("radius"), number("length"));
  } else if (is("ellipsoid", {"a", "b", "c"})) {
    *shape = std::make_unique<geometry::Ellipsoid>(number("a"), number("b"),
                                                   number("c"));
  } else {
    return false;
  }
  return true;
}

// Reads any shape. A shape of size 0 is null, with a warning.
bool ReadIfShape(const XmlElement& element, const UrdfMeshReader& mesh_reader,
                 WarningLog* log, std::unique_ptr<Shape>* shape) {
  if (element.IsNamed("mesh") || element.IsExtensionNamed("mesh")) {
    *shape = mesh_reader.Read(element);
    return true;
  }
  try {
    return ReadIfSolid(element, log, shape);
  } catch (const std::logic_error& error) {
    element.Warn(
        fmt::format("this <{}> is left out: {}", element.name(), error.what()),
        log);
    return true;
  }
}

}  // namespace

std::unique_ptr<Shape> ReadUrdfShape(const XmlElement& visual_or_collision,
                                     const MeshFiles* files, WarningLog* log) {
  const auto geometry = visual_or_collision.FirstChild("geometry", log);
  const auto leave_out = [&](std::string_view why) {
    visual_or_collision.Warn(fmt::format("this <{}> is left out: {}.",
                                         visual_or_collision.name(), why),
                             log);
    return nullptr;
  };
  if (!geometry.has_value()) return leave_out("it has no <geometry>");
  geometry->ExpectAttributes({}, log);
  const UrdfMeshReader mesh_reader(visual_or_collision, files, log);
  std::unique_ptr<Shape> shape;
  int num_shapes = 0;
  for (const XmlElement& child : geometry->children()) {
    if (ReadIfShape(child, mesh_reader, log, &shape)) {
      ++num_shapes;
    } else if (!child.IsExtensionNamed("declare_convex")) {
      log->Add(
          child.place(),
          fmt::format("<{}> is no known shape and is ignored; those are "
                      "box, sphere, cylinder, capsule, ellipsoid and mesh.",
                      child.name()));
    }
  }
  if (num_shapes == 0) return leave_out("its <geometry> has no shape");
  if (num_shapes > 1) {
    geometry->Throw(
        fmt::format("<geometry> has {} shapes; one is wanted.", num_shapes));
  }
  return shape;
}

}  // namespace wyvern::multibody::internal
