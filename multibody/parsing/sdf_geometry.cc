#include "wyvern/multibody/parsing/sdf_geometry.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/coulomb_friction.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/proximity_tags.h"

/* A <visual> or <collision> of SDFormat as a parsed geometry: its one shape,
its pose in the link, and the properties that its material, friction and
drake: elements give. Shapes check their sizes; a mesh that cannot be read is
left out with a warning. */

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;
using geometry::IllustrationProperties;
using geometry::PerceptionProperties;
using geometry::ProximityProperties;
using geometry::Shape;
using math::RigidTransform;

namespace {

/** Reads one <visual> or <collision>. */
class SdfGeometryReader {
 public:
  SdfGeometryReader(const SdfElement& owner, const PackageMap* packages,
                    WarningLog* log)
      : owner_(owner),
        is_visual_(owner.name() == "visual"),
        packages_(packages),
        log_(log) {}

  void Read(const RigidTransform<double>& X_LG, GeometryNames* names,
            ParsedLink* link) {
    if (is_visual_) {
      owner_.WarnOfOtherChildren(
          {"pose", "geometry", "material", "drake:accepting_renderer",
           "drake:perception_properties", "drake:illustration_properties"},
          log_);
    } else {
      owner_.WarnOfOtherChildren(
          {"pose", "geometry", "surface", "drake:proximity_properties"}, log_);
    }
    RigidTransform<double> X_GS;
    const std::unique_ptr<Shape> shape = ReadShape(&X_GS);
    ProximityProperties touching;
    if (!is_visual_) touching = ReadTouching();
    if (shape == nullptr || packages_ == nullptr) return;
    GeometryInstance instance(
        X_LG * X_GS, *shape,
        names->Make(owner_.Attribute("name").value_or(""), shape->type_name()));
    if (is_visual_) {
      SetSeen(&instance);
      link->visuals.push_back(std::move(instance));
    } else {
      instance.set_proximity_properties(std::move(touching));
      link->collisions.push_back(std::move(instance));
    }
  }

 private:
  // Null for what is left out. X_GS is that of a half space.
  std::unique_ptr<Shape> ReadShape(RigidTransform<double>* X_GS) {
    const std::optional<SdfElement> geometry = owner_.Child("geometry");
    if (!geometry.has_value()) {
      owner_.Warn(fmt::format("this <{}> is left out: it has no <geometry>.",
                              owner_.name()),
                  log_);
      return nullptr;
    }
    std::unique_ptr<Shape> shape;
    int num_shapes = 0;
    for (const SdfElement& child : geometry->children()) {
      const std::string name = child.unprefixed_name();
      if (name == "empty" || name == "heightmap" || name == "image" ||
          name == "polyline") {
        LeaveOut(child);
      } else if (name == "plane") {
        shape = ReadPlane(child, X_GS);
      } else if (name == "mesh") {
        shape = ReadMesh(child);
      } else if (name != "declare_convex") {
        shape = ReadSolidOfASize(child);
      } else {
        continue;
      }
      ++num_shapes;
    }
    if (num_shapes == 0) {
      owner_.Warn(
          fmt::format("this <{}> is left out: its <geometry> has no shape.",
                      owner_.name()),
          log_);
    } else if (num_shapes > 1) {
      geometry->Throw(
          fmt::format("<geometry> has {} shapes; one is wanted.", num_shapes));
    }
    return shape;
  }

  void LeaveOut(const SdfElement& shape) {
    const std::string message =
        fmt::format("a shape of type <{}> is not supported.", shape.name());
    log_->Add(shape.place(),
              fmt::format("{} This <{}> is left out.", message, owner_.name()));
  }

  // Shapes check their sizes.
  std::unique_ptr<Shape> ReadSolidOfASize(const SdfElement& e) const {
    try {
      return ReadSolid(e);
    } catch (const std::logic_error& error) {
      e.Warn(fmt::format("this <{}> is left out: {}", e.name(), error.what()),
             log_);
      return nullptr;
    }
  }

  std::unique_ptr<Shape> ReadSolid(const SdfElement& e) const {
    const std::string name = e.unprefixed_name();
    e.WarnOfOtherChildren(
        {"size", "radius", "length", "radii", "a", "b", "c", "drake:a",
         "drake:b", "drake:c", "drake:radius", "drake:length"},
        log_);
    // A missing size has SDFormat's default, unless the element is an extension
    // such as <drake:capsule>.
    const auto number = [&](const char* child,
                            std::optional<double> usual = {}) {
      const auto given = e.Number(child);
      if (given.has_value()) return *given;
      if (!usual.has_value() || e.IsExtension()) return e.RequiredNumber(child);
      WarnOfUsualSize(e, child, fmt::format("{} m", *usual));
      return *usual;
    };
    if (name == "box") {
      const auto size = e.Triple("size");
      if (!size.has_value()) WarnOfUsualSize(e, "size", "1 m each way");
      return std::make_unique<geometry::Box>(
          size.value_or(Vector3<double>::Ones()));
    }
    if (name == "sphere") {
      return std::make_unique<geometry::Sphere>(number("radius", 1));
    }
    if (name == "cylinder") {
      return std::make_unique<geometry::Cylinder>(number("radius", 1),
                                                  number("length", 1));
    }
    if (name == "capsule") {
      return std::make_unique<geometry::Capsule>(number("radius", 0.5),
                                                 number("length", 1));
    }
    if (name == "cone") {
      return MakeCone(e, number("radius", 0.5), number("length", 1));
    }
    if (name != "ellipsoid") {
      e.Throw(fmt::format("<{}> is no known shape.", e.name()));
    }
    // SDFormat has <radii>; the extension <a>, <b> and <c>.
    const auto radii = e.Triple("radii");
    if (radii.has_value()) return std::make_unique<geometry::Ellipsoid>(*radii);
    if (!e.IsExtension() && !e.Child("a") && !e.Child("b") && !e.Child("c")) {
      WarnOfUsualSize(e, "radii", "1 m each");
      return std::make_unique<geometry::Ellipsoid>(1, 1, 1);
    }
    return std::make_unique<geometry::Ellipsoid>(number("a"), number("b"),
                                                 number("c"));
  }

  void WarnOfUsualSize(const SdfElement& shape, const char* child,
                       const std::string& value) const {
    log_->Add(shape.place(),
              fmt::format("<{}> has no <{}>; it is {}, SDFormat's default.",
                          shape.name(), child, value));
  }

  // Approximate the cone by a pyramid with many sides, tip up, because there is
  // no cone shape.
  std::unique_ptr<Shape> MakeCone(const SdfElement& e, double radius,
                                  double length) const {
    if (!(radius > 0) || !(length > 0)) {
      throw std::logic_error(fmt::format(
          "a cone of radius {} and length {} has no size.", radius, length));
    }
    constexpr int kNumSides = 64;
    geometry::internal::TriangleMesh mesh;
    for (int i = 0; i < kNumSides; ++i) {
      const double angle = 2 * std::numbers::pi * i / kNumSides;
      mesh.vertices.emplace_back(radius * std::cos(angle),
                                 radius * std::sin(angle), -length / 2);
      const int next = (i + 1) % kNumSides;
      mesh.triangles.push_back({i, next, kNumSides});
      if (i > 1) mesh.triangles.push_back({0, i, i - 1});
    }
    mesh.vertices.emplace_back(0, 0, length / 2);
    log_->Add(e.place(),
              fmt::format("<cone> becomes a pyramid of {} sides.", kNumSides));
    return MeshFiles::Make(
        mesh, e.place(),
        is_visual_ ? MeshFiles::Use::kSee : MeshFiles::Use::kTouchConvex);
  }

  static std::unique_ptr<Shape> ReadPlane(const SdfElement& e,
                                          RigidTransform<double>* X_GS) {
    const Vector3<double> normal =
        e.Triple("normal").value_or(Vector3<double>::UnitZ());
    if (normal.isZero(0)) e.Throw("<normal> in <plane> is zero.");
    *X_GS = geometry::HalfSpace::MakePose(normal.stableNormalized(),
                                          Vector3<double>::Zero());
    return std::make_unique<geometry::HalfSpace>();
  }

  std::unique_ptr<Shape> ReadMesh(const SdfElement& e) {
    e.WarnOfOtherChildren({"uri", "scale", "drake:declare_convex"}, log_);
    const std::string uri = e.RequiredChild("uri").text();
    if (uri.empty()) e.Throw("<uri> in <mesh> is empty.");
    const Vector3<double> scale =
        e.Triple("scale").value_or(Vector3<double>::Ones());
    if ((scale.array() == 0).any()) {
      e.Throw("<scale> in <mesh> has an entry of 0.");
    }
    if (packages_ == nullptr) return nullptr;
    const bool is_convex = e.Child("declare_convex").has_value() ||
                           owner_.Child("geometry")->Child("declare_convex");
    const auto use = is_visual_  ? MeshFiles::Use::kSee
                     : is_convex ? MeshFiles::Use::kTouchConvex
                                 : MeshFiles::Use::kTouch;
    try {
      return MeshFiles(packages_, e.folder()).Read(uri, scale, use);
    } catch (const std::exception& error) {
      e.Warn(fmt::format("a mesh is left out of what {}: {}",
                         is_visual_ ? "is seen" : "touches", error.what()),
             log_);
      return nullptr;
    }
  }

  // <surface> gives what the extension does not.
  ProximityProperties ReadTouching() {
    ProximityProperties result;
    if (const auto tags = owner_.Child("proximity_properties")) {
      result = ReadProximityProperties(tags->Tags(), log_);
    }
    using geometry::internal::kFriction;
    using geometry::internal::kMaterialGroup;
    const auto ode = OdeFriction();
    if (ode.has_value() && !result.HasProperty(kMaterialGroup, kFriction)) {
      const double mu = ode->Number("mu").value_or(1);
      const double mu2 = ode->Number("mu2").value_or(mu);
      if (mu < 0 || mu2 < 0) {
        ode->Throw(fmt::format(
            "<mu> is {} and <mu2> {}; neither may be negative.", mu, mu2));
      }
      // A larger <mu2> is for a second direction, which friction here does not
      // have.
      if (mu2 > mu) {
        ode->Warn(
            fmt::format("friction is {} in all directions: <mu2>, of a second "
                        "direction, is more, {}, and is ignored.",
                        mu, mu2),
            log_);
      }
      result.AddProperty(kMaterialGroup, kFriction,
                         CoulombFriction<double>(mu, std::min(mu, mu2)));
    }
    AddDefaultFriction(&result);
    return result;
  }

  std::optional<SdfElement> OdeFriction() const {
    std::optional<SdfElement> e = owner_.Child("surface");
    if (e.has_value()) {
      e->WarnOfOtherChildren({"friction"}, log_);
      e = e->Child("friction");
    }
    if (e.has_value()) {
      e->WarnOfOtherChildren({"ode"}, log_);
      e = e->Child("ode");
    }
    if (e.has_value()) e->WarnOfOtherChildren({"mu", "mu2"}, log_);
    return e;
  }

  bool IsEnabled(std::string_view role) const {
    const auto child = owner_.Child(role);
    if (!child.has_value()) return true;
    const std::string value = child->Attribute("enabled").value_or("true");
    if (value != "true" && value != "false") {
      child->Throw(
          fmt::format("enabled=\"{}\" is neither true nor false.", value));
    }
    return value == "true";
  }

  void SetSeen(GeometryInstance* instance) {
    IllustrationProperties seen = ReadMaterial();
    std::set<std::string> renderers;
    for (const SdfElement& child : owner_.children()) {
      if (child.unprefixed_name() == "accepting_renderer") {
        renderers.insert(child.text());
      }
    }
    if (!renderers.empty()) {
      seen.AddProperty("renderer", "accepting", renderers);
    }
    if (IsEnabled("perception_properties")) {
      instance->set_perception_properties(PerceptionProperties(seen));
    }
    if (IsEnabled("illustration_properties")) {
      instance->set_illustration_properties(std::move(seen));
    }
  }

  IllustrationProperties ReadMaterial() {
    IllustrationProperties result;
    const auto material = owner_.Child("material");
    if (!material.has_value()) return result;
    material->WarnOfOtherChildren(
        {"diffuse", "ambient", "specular", "emissive", "drake:diffuse_map"},
        log_);
    for (const char* name : {"diffuse", "ambient", "specular", "emissive"}) {
      const auto element = material->Child(name);
      if (!element.has_value()) continue;
      const auto color = ReadColor(*element);
      if (color.has_value()) result.AddProperty("phong", name, *color);
    }
    if (const auto map = material->Child("diffuse_map")) {
      try {
        result.AddProperty(
            "phong", "diffuse_map",
            MeshFiles(packages_, map->folder()).Resolve(map->text()).string());
      } catch (const std::exception& error) {
        log_->Add(map->place(),
                  fmt::format("a texture is left out: {}", error.what()));
      }
    }
    return result;
  }

  // Nothing, with a warning, if it is none.
  std::optional<geometry::Rgba> ReadColor(const SdfElement& color) const {
    const auto numbers = ParseNumbers(color.text());
    if (!numbers.has_value() ||
        (numbers->size() != 3 && numbers->size() != 4) ||
        !std::ranges::all_of(*numbers,
                             [](double x) { return x >= 0 && x <= 1; })) {
      color.Warn(fmt::format("the colour <{}> is ignored: '{}' is not four "
                             "numbers from 0 to 1.",
                             color.name(), color.text()),
                 log_);
      return {};
    }
    geometry::Rgba result;
    result.set(
        Eigen::Map<const Eigen::VectorXd>(numbers->data(), numbers->size()));
    return result;
  }

  const SdfElement owner_;
  const bool is_visual_;
  const PackageMap* const packages_;
  WarningLog* const log_;
};

}  // namespace

void ReadSdfGeometry(const SdfElement& element,
                     const RigidTransform<double>& X_LG,
                     const PackageMap* packages, GeometryNames* names,
                     WarningLog* log, ParsedLink* link) {
  SdfGeometryReader(element, packages, log).Read(X_LG, names, link);
}

}  // namespace wyvern::multibody::internal
