#include "wyvern/multibody/parsing/urdf_geometry.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/proximity_tags.h"
#include "wyvern/multibody/parsing/urdf_children.h"
#include "wyvern/multibody/parsing/urdf_pose.h"
#include "wyvern/multibody/parsing/urdf_shape.h"
#include "wyvern/multibody/parsing/urdf_tags.h"

/* A <visual> or <collision> of URDF: pose, shape (urdf_shape.h), and properties
by role. A material is given by its name or as it is; friction and contact
come from drake:proximity_properties. */

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;
using geometry::IllustrationProperties;
using geometry::PerceptionProperties;
using geometry::ProximityProperties;
using geometry::Shape;

namespace {

// Nothing, with a warning, if it is none.
std::optional<geometry::Rgba> ReadColor(const XmlElement& color,
                                        WarningLog* log) {
  color.ExpectLeaf({"rgba"}, log);
  const std::string_view text = color.RequiredAttribute("rgba");
  const auto numbers = ParseNumbers(text);
  const bool good =
      numbers.has_value() && (numbers->size() == 3 || numbers->size() == 4) &&
      std::ranges::all_of(*numbers, [](double x) { return x >= 0 && x <= 1; });
  if (!good) {
    color.Warn(
        fmt::format("<color> is ignored: rgba=\"{}\" is not four numbers "
                    "from 0 to 1.",
                    text),
        log);
    return {};
  }
  geometry::Rgba result;
  result.set(
      Eigen::Map<const Eigen::VectorXd>(numbers->data(), numbers->size()));
  return result;
}

void ReadTexture(const XmlElement& texture, const UrdfGeometryContext& context,
                 IllustrationProperties* properties) {
  texture.ExpectLeaf({"filename"}, context.log);
  if (context.files == nullptr) return;
  try {
    const std::string file(Trim(texture.RequiredAttribute("filename")));
    properties->AddProperty("phong", "diffuse_map",
                            context.files->Resolve(file).string());
  } catch (const std::exception& error) {
    context.log->Add(texture.place(),
                     fmt::format("a texture is left out: {}", error.what()));
  }
}

// The properties of a visual from its <material>, by name or as it is.
IllustrationProperties ReadAppearance(const XmlElement& visual,
                                      const UrdfGeometryContext& context) {
  const auto material = visual.FirstChild("material", context.log);
  if (!material.has_value()) return {};
  if (material->children().empty()) {
    const auto name = material->Attribute("name").value_or("");
    const auto found = context.materials.find(std::string(name));
    if (found != context.materials.end()) return found->second;
    context.log->Add(material->place(),
                     fmt::format("there is no material '{}'.", name));
    return {};
  }
  return ReadUrdfMaterial(*material, context);
}

// Whether <drake:..._properties enabled="..."> leaves a role on.
bool IsEnabled(const XmlElement& owner, std::string_view name,
               WarningLog* log) {
  const auto child = owner.ExtensionChild(name);
  if (!child.has_value()) return true;
  child->ExpectLeaf({"enabled"}, log);
  const auto value = child->Attribute("enabled").value_or("true");
  if (value != "true" && value != "false") {
    child->Throw(
        fmt::format("enabled=\"{}\" is neither true nor false.", value));
  }
  return value == "true";
}

void ReadVisual(const XmlElement& visual, const UrdfGeometryContext& context,
                GeometryInstance* result) {
  IllustrationProperties seen = ReadAppearance(visual, context);
  std::set<std::string> renderers;
  for (const XmlElement& child : visual.children()) {
    if (!child.IsExtensionNamed("accepting_renderer")) continue;
    child.ExpectLeaf({"name"}, context.log);
    renderers.insert(child.RequiredName("name"));
  }
  if (!renderers.empty()) {
    seen.AddProperty("renderer", "accepting", renderers);
  }
  if (IsEnabled(visual, "perception_properties", context.log)) {
    result->set_perception_properties(PerceptionProperties(seen));
  }
  if (IsEnabled(visual, "illustration_properties", context.log)) {
    result->set_illustration_properties(std::move(seen));
  }
}

ProximityProperties ReadCollision(const XmlElement& collision,
                                  WarningLog* log) {
  const auto element = collision.ExtensionChild("proximity_properties");
  ProximityProperties result;
  if (element.has_value()) {
    element->ExpectAttributes({}, log);
    result = ReadProximityProperties(UrdfTags(*element, log), log);
  }
  AddDefaultFriction(&result);
  return result;
}

void WarnOfOtherGeometryChildren(const XmlElement& element, bool is_visual,
                                 WarningLog* log) {
  if (is_visual) {
    WarnOfOtherUrdfChildren(
        element,
        {.read = {"origin", "geometry", "material", "drake:accepting_renderer",
                  "drake:perception_properties",
                  "drake:illustration_properties"}},
        log);
  } else {
    WarnOfOtherUrdfChildren(
        element,
        {.read = {"origin", "geometry", "drake:proximity_properties"},
         .decoration = {"material", "verbose"}},
        log);
  }
}

void ReadOne(const XmlElement& element, const UrdfGeometryContext& context,
             GeometryNames* names, std::vector<GeometryInstance>* result) {
  const bool is_visual = element.IsNamed("visual");
  element.ExpectAttributes({"name"}, context.log);
  WarnOfOtherGeometryChildren(element, is_visual, context.log);
  const math::RigidTransform<double> X_LG =
      ReadUrdfOrigin(element, context.log);
  std::unique_ptr<Shape> shape =
      ReadUrdfShape(element, context.files, context.log);
  ProximityProperties touching;
  if (!is_visual) touching = ReadCollision(element, context.log);
  if (shape == nullptr || context.files == nullptr) return;
  const std::string name = names->Make(
      Trim(element.Attribute("name").value_or("")), shape->type_name());
  GeometryInstance& added = result->emplace_back(X_LG, std::move(shape), name);
  if (is_visual) {
    ReadVisual(element, context, &added);
  } else {
    added.set_proximity_properties(std::move(touching));
  }
}

}  // namespace

IllustrationProperties ReadUrdfMaterial(const XmlElement& material,
                                        const UrdfGeometryContext& context) {
  material.ExpectAttributes({"name"}, context.log);
  WarnOfOtherUrdfChildren(
      material, {.read = {"color", "texture"}, .decoration = {"script"}},
      context.log);
  IllustrationProperties result;
  if (const auto element = material.FirstChild("color", context.log)) {
    const auto color = ReadColor(*element, context.log);
    if (color.has_value()) result.AddProperty("phong", "diffuse", *color);
  }
  if (const auto texture = material.FirstChild("texture", context.log)) {
    ReadTexture(*texture, context, &result);
  }
  return result;
}

void ReadUrdfGeometries(const XmlElement& link,
                        const UrdfGeometryContext& context,
                        ParsedLink* result) {
  GeometryNames visual_names;
  GeometryNames collision_names;
  for (const XmlElement& child : link.children()) {
    if (child.IsNamed("visual")) {
      ReadOne(child, context, &visual_names, &result->visuals);
    } else if (child.IsNamed("collision")) {
      ReadOne(child, context, &collision_names, &result->collisions);
    }
  }
}

}  // namespace wyvern::multibody::internal
