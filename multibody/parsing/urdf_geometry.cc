#include "wyvern/multibody/parsing/urdf_geometry.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/urdf_pose.h"

namespace wyvern::multibody::internal {

namespace {

void CheckPositive(const XmlElement& shape,
                   std::initializer_list<std::string_view> attributes) {
  for (const std::string_view attribute : attributes) {
    if (shape.RequiredNumber(attribute) > 0) continue;
    shape.Throw(
        fmt::format("{} in <{}> is not positive.", attribute, shape.name()));
  }
}

// A radius of zero is a contact point.
void CheckSphere(const XmlElement& shape) {
  if (shape.RequiredNumber("radius") >= 0) return;
  shape.Throw("radius in <sphere> is negative.");
}

void CheckBox(const XmlElement& shape) {
  shape.RequiredAttribute("size");
  if (shape.Triple("size")->minCoeff() > 0) return;
  shape.Throw("size in <box> has an entry that is not positive.");
}

void CheckMesh(const XmlElement& shape) {
  if (Trim(shape.RequiredAttribute("filename")).empty()) {
    shape.Throw("filename in <mesh> is empty.");
  }
  const auto scale = shape.Attribute("scale");
  if (!scale.has_value()) return;
  // One number for all axes, or one each.
  const auto numbers = ParseNumbers(*scale);
  const bool good =
      numbers.has_value() && (numbers->size() == 1 || numbers->size() == 3) &&
      std::ranges::all_of(*numbers,
                          [](double x) { return std::isfinite(x) && x != 0; });
  if (good) return;
  shape.Throw(fmt::format(
      "scale=\"{}\" in <mesh> is not one or three finite numbers other than 0.",
      *scale));
}

// Whether `element` is a shape, which it checks.
bool CheckShape(const XmlElement& element) {
  const auto is = [&](std::string_view name) {
    return element.IsNamed(name) || element.IsExtensionNamed(name);
  };
  if (is("box")) {
    CheckBox(element);
  } else if (is("sphere")) {
    CheckSphere(element);
  } else if (is("cylinder") || is("capsule")) {
    CheckPositive(element, {"radius", "length"});
  } else if (is("ellipsoid")) {
    CheckPositive(element, {"a", "b", "c"});
  } else if (is("mesh")) {
    CheckMesh(element);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void CheckUrdfGeometry(const XmlElement& visual_or_collision) {
  ReadUrdfOrigin(visual_or_collision);
  const XmlElement geometry = visual_or_collision.RequiredChild("geometry");
  int num_shapes = 0;
  for (const XmlElement& child : geometry.children()) {
    if (CheckShape(child)) {
      ++num_shapes;
    } else if (!child.IsExtension()) {
      child.Throw(fmt::format(
          "<{}> is no known shape; those are box, sphere, cylinder, capsule, "
          "ellipsoid and mesh.",
          child.name()));
    }
  }
  if (num_shapes == 1) return;
  geometry.Throw(
      fmt::format("<geometry> has {} shapes; one is wanted.", num_shapes));
}

}  // namespace wyvern::multibody::internal
