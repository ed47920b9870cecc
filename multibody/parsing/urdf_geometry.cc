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

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;
using geometry::IllustrationProperties;
using geometry::PerceptionProperties;
using geometry::ProximityProperties;
using geometry::Shape;

namespace {

geometry::Rgba ReadColor(const XmlElement& color) {
  color.ExpectAttributes({"rgba"});
  const std::string_view text = color.RequiredAttribute("rgba");
  const auto numbers = ParseNumbers(text);
  const bool good =
      numbers.has_value() && (numbers->size() == 3 || numbers->size() == 4) &&
      std::ranges::all_of(*numbers, [](double x) { return x >= 0 && x <= 1; });
  if (!good) {
    color.Throw(fmt::format(
        "rgba=\"{}\" in <color> is not four numbers from 0 to 1.", text));
  }
  geometry::Rgba result;
  result.set(
      Eigen::Map<const Eigen::VectorXd>(numbers->data(), numbers->size()));
  return result;
}

void ReadTexture(const XmlElement& texture, const UrdfGeometryContext& context,
                 IllustrationProperties* properties) {
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
  const auto material = visual.Child("material");
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
bool IsEnabled(const XmlElement& owner, std::string_view name) {
  const auto child = owner.ExtensionChild(name);
  if (!child.has_value()) return true;
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
    renderers.insert(child.RequiredName("name"));
  }
  if (!renderers.empty()) {
    seen.AddProperty("renderer", "accepting", renderers);
  }
  if (IsEnabled(visual, "perception_properties")) {
    result->set_perception_properties(PerceptionProperties(seen));
  }
  if (IsEnabled(visual, "illustration_properties")) {
    result->set_illustration_properties(std::move(seen));
  }
}

ProximityProperties ReadCollision(const XmlElement& collision) {
  const auto element = collision.ExtensionChild("proximity_properties");
  ProximityProperties result;
  if (element.has_value()) result = ReadProximityProperties(UrdfTags(*element));
  AddDefaultFriction(&result);
  return result;
}

// What is not known and no extension is meant for others, and passed over.
void CheckChildren(const XmlElement& element, WarningLog* log) {
  for (const XmlElement& child : element.children()) {
    const std::string_view name = child.unprefixed_name();
    const bool is_known =
        child.IsExtension()
            ? name == "proximity_properties" || name == "accepting_renderer" ||
                  name == "perception_properties" ||
                  name == "illustration_properties"
            : name == "origin" || name == "geometry" || name == "material";
    if (is_known) continue;
    const std::string message =
        fmt::format("<{}> in <{}> is not known.", child.name(), element.name());
    if (child.IsExtension()) child.Throw(message);
    log->Add(child.place(), message + " It is ignored.");
  }
}

void ReadOne(const XmlElement& element, const UrdfGeometryContext& context,
             GeometryNames* names, std::vector<GeometryInstance>* result) {
  CheckChildren(element, context.log);
  const math::RigidTransform<double> X_LG = ReadUrdfOrigin(element);
  std::unique_ptr<Shape> shape =
      ReadUrdfShape(element, context.files, context.log);
  const bool is_visual = element.IsNamed("visual");
  ProximityProperties touching;
  if (!is_visual) touching = ReadCollision(element);
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
  CheckUrdfChildren(material,
                    {.read = {"color", "texture"}, .warned = {"script"}},
                    context.log);
  IllustrationProperties result;
  if (const auto color = material.Child("color")) {
    result.AddProperty("phong", "diffuse", ReadColor(*color));
  }
  if (const auto texture = material.Child("texture")) {
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
