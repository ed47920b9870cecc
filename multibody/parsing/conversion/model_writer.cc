#include "wyvern/multibody/parsing/conversion/model_writer.h"

#include <algorithm>

#include "wyvern/multibody/parsing/number_text.h"
#include "wyvern/multibody/parsing/proximity_tags.h"

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;

void ModelWriter::WriteVisual(const GeometryInstance& visual) {
  if (!Has(visual.shape())) return;
  xml_.Open("visual", {{"name", visual.name()}});
  WriteShape(visual);
  const geometry::GeometryProperties* seen = visual.illustration_properties();
  if (seen == nullptr) seen = visual.perception_properties();
  if (seen != nullptr) WriteAppearance(*seen);
  const auto write_role = [&](const char* name, const void* role) {
    if (role == nullptr) xml_.Leaf(name, {{"enabled", "false"}});
  };
  write_role("drake:illustration_properties", visual.illustration_properties());
  write_role("drake:perception_properties", visual.perception_properties());
  xml_.Close();
}

void ModelWriter::WriteCollision(const GeometryInstance& collision) {
  if (!Has(collision.shape())) return;
  xml_.Open("collision", {{"name", collision.name()}});
  WriteShape(collision);
  xml_.Open("drake:proximity_properties");
  WriteTagTexts(WriteProximityProperties(*collision.proximity_properties()));
  xml_.Close();
  xml_.Close();
}

void ModelWriter::WriteShape(const GeometryInstance& instance) {
  WritePlace(instance.pose());
  xml_.Open("geometry");
  instance.shape().Visit([this](const auto& shape) { WriteSolid(shape); });
  xml_.Close();
}

void ModelWriter::WriteSolid(const geometry::Box& box) {
  WriteValues("box", {{"size", ToText(box.size())}});
}

void ModelWriter::WriteSolid(const geometry::Sphere& sphere) {
  WriteValues("sphere", {{"radius", ToText(sphere.radius())}});
}

void ModelWriter::WriteSolid(const geometry::Cylinder& cylinder) {
  WriteValues("cylinder", {{"radius", ToText(cylinder.radius())},
                           {"length", ToText(cylinder.length())}});
}

template <class MeshShape>
void ModelWriter::WriteMesh(const MeshShape& mesh, bool is_convex) {
  std::optional<Vector3<double>> scale;
  if (mesh.scale() != 1) scale = Vector3<double>::Constant(mesh.scale());
  OpenMesh(names_.NameOfMesh(mesh.source()), scale);
  if (is_convex) xml_.Leaf("drake:declare_convex");
  xml_.Close();
}

template <class Items>
void ModelWriter::WriteAll(const char* name, const Items& items) {
  for (const auto& item : items) {
    xml_.Open(name);
    WriteTagTexts(WriteTags(item));
    xml_.Close();
  }
}

void ModelWriter::WriteOwnElements() {
  WriteAll("drake:linear_bushing_rpy", model_.bushings);
  WriteAll("drake:linear_spring_damper", model_.spring_dampers);
  WriteAll("drake:ball_constraint", model_.ball_constraints);
  for (const ParsedFilterGroup& group : model_.filter_groups) {
    xml_.Open("drake:collision_filter_group", {{"name", group.name}});
    WriteTagTexts(WriteTags(group));
    xml_.Close();
  }
}

const ParsedActuator* ModelWriter::FindActuator(
    const ParsedJoint& joint) const {
  const auto found =
      std::ranges::find(model_.actuators, joint.name, &ParsedActuator::joint);
  return found == model_.actuators.end() ? nullptr : &*found;
}

void ModelWriter::WriteRotorAndGains(const ParsedActuator& actuator) {
  WriteTagTexts({{"rotor_inertia", ToText(actuator.rotor_inertia)},
                 {"gear_ratio", ToText(actuator.gear_ratio)}});
  if (!actuator.gains.has_value()) return;
  xml_.Leaf("drake:controller_gains", {{"p", ToText(actuator.gains->p)},
                                       {"d", ToText(actuator.gains->d)}});
}

}  // namespace wyvern::multibody::internal
