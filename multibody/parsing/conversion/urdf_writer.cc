// A ParsedModel as URDF. What URDF has no word for is left out: who calls this
// reads the result again and sees what is gone. The reader of each element is
// in the file urdf_<element>.cc one folder up, and says what the attributes
// mean.
#include "wyvern/multibody/parsing/conversion/urdf_writer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/multibody/parsing/element_tags.h"
#include "wyvern/multibody/parsing/number_text.h"
#include "wyvern/multibody/parsing/proximity_tags.h"
#include "wyvern/multibody/parsing/urdf_tags.h"

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;
using math::RigidTransform;

namespace {

/** Writes one model. */
class UrdfWriter {
 public:
  UrdfWriter(const ParsedModel& model, FileNames* names)
      : model_(model), names_(*names) {}

  std::string Write() {
    xml_.Open("robot",
              {{"name", model_.name}, {"xmlns:drake", "http://drake.mit.edu"}});
    if (!model_.world.visuals.empty() || !model_.world.collisions.empty()) {
      WriteLink(model_.world);
    }
    for (const ParsedLink& link : model_.links) WriteLink(link);
    for (const ParsedJoint& joint : model_.joints) WriteJoint(joint);
    for (const ParsedFrame& frame : model_.frames) {
      xml_.Leaf("frame", {{"name", frame.name},
                          {"link", frame.link},
                          {"xyz", PositionText(frame.X_LF)},
                          {"rpy", RpyText(frame.X_LF)}});
    }
    for (const auto& actuator : model_.actuators) WriteActuator(actuator);
    WriteAll("drake:linear_bushing_rpy", model_.bushings);
    WriteAll("drake:linear_spring_damper", model_.spring_dampers);
    WriteAll("drake:ball_constraint", model_.ball_constraints);
    for (const ParsedFilterGroup& group : model_.filter_groups) {
      xml_.Open("drake:collision_filter_group", {{"name", group.name}});
      WriteTagTexts(WriteTags(group));
      xml_.Close();
    }
    xml_.Close();
    return xml_.text();
  }

 private:
  void WriteOrigin(const RigidTransform<double>& X) {
    if (IsIdentity(X)) return;
    xml_.Leaf("origin", {{"xyz", PositionText(X)}, {"rpy", RpyText(X)}});
  }

  void WriteTagTexts(const TagTexts& tags) {
    for (const auto& [name, value] : tags) {
      const std::string attribute(UrdfValueAttribute(name));
      xml_.Leaf("drake:" + name, attribute.empty()
                                     ? XmlText::Attributes{}
                                     : XmlText::Attributes{{attribute, value}});
    }
  }

  template <class Items>
  void WriteAll(const char* name, const Items& items) {
    for (const auto& item : items) {
      xml_.Open(name);
      WriteTagTexts(WriteTags(item));
      xml_.Close();
    }
  }

  void WriteLink(const ParsedLink& link) {
    xml_.Open("link", {{"name", link.name}});
    if (link.M_BBo_B.get_mass() > 0) WriteInertial(link.M_BBo_B);
    for (const GeometryInstance& visual : link.visuals) WriteVisual(visual);
    for (const GeometryInstance& collision : link.collisions) {
      if (!Has(collision)) continue;
      xml_.Open("collision", {{"name", collision.name()}});
      WriteShape(collision);
      xml_.Open("drake:proximity_properties");
      WriteTagTexts(
          WriteProximityProperties(*collision.proximity_properties()));
      xml_.Close();
      xml_.Close();
    }
    xml_.Close();
  }

  void WriteInertial(const SpatialInertia<double>& M) {
    const Vector3<double> p_BoBcm = M.get_com();
    const Matrix3<double> I =
        M.Shift(p_BoBcm).CalcRotationalInertia().CopyToFullMatrix3();
    xml_.Open("inertial");
    WriteOrigin(RigidTransform<double>(p_BoBcm));
    xml_.Leaf("mass", {{"value", ToText(M.get_mass())}});
    xml_.Leaf("inertia", {{"ixx", ToText(I(0, 0))},
                          {"iyy", ToText(I(1, 1))},
                          {"izz", ToText(I(2, 2))},
                          {"ixy", ToText(I(0, 1))},
                          {"ixz", ToText(I(0, 2))},
                          {"iyz", ToText(I(1, 2))}});
    xml_.Close();
  }

  // Whether URDF has the shape.
  static bool Has(const GeometryInstance& instance) {
    const std::string_view type = instance.shape().type_name();
    return type != "HalfSpace" && type != "MeshcatCone";
  }

  void WriteShape(const GeometryInstance& instance) {
    WriteOrigin(instance.pose());
    xml_.Open("geometry");
    instance.shape().Visit([this](const auto& shape) { WriteSolid(shape); });
    xml_.Close();
  }

  void WriteSolid(const geometry::Box& box) {
    xml_.Leaf("box", {{"size", ToText(box.size())}});
  }
  void WriteSolid(const geometry::Sphere& sphere) {
    xml_.Leaf("sphere", {{"radius", ToText(sphere.radius())}});
  }
  template <class Round>
  void WriteRound(const char* name, const Round& round) {
    xml_.Leaf(name, {{"radius", ToText(round.radius())},
                     {"length", ToText(round.length())}});
  }
  void WriteSolid(const geometry::Cylinder& x) { WriteRound("cylinder", x); }
  void WriteSolid(const geometry::Capsule& x) {
    WriteRound("drake:capsule", x);
  }
  void WriteSolid(const geometry::Ellipsoid& x) {
    xml_.Leaf(
        "drake:ellipsoid",
        {{"a", ToText(x.a())}, {"b", ToText(x.b())}, {"c", ToText(x.c())}});
  }
  template <class MeshShape>
  void WriteMesh(const MeshShape& mesh, bool is_convex) {
    XmlText::Attributes attributes{
        {"filename", names_.NameOfMesh(mesh.source())}};
    if (mesh.scale() != 1) {
      attributes.emplace_back(
          "scale", ToText(Vector3<double>::Constant(mesh.scale()).eval()));
    }
    xml_.Open("mesh", attributes);
    if (is_convex) xml_.Leaf("drake:declare_convex");
    xml_.Close();
  }
  void WriteSolid(const geometry::Mesh& mesh) { WriteMesh(mesh, false); }
  void WriteSolid(const geometry::Convex& mesh) { WriteMesh(mesh, true); }
  void WriteSolid(const geometry::HalfSpace&) {}
  void WriteSolid(const geometry::MeshcatCone&) {}

  void WriteVisual(const GeometryInstance& visual) {
    if (!Has(visual)) return;
    xml_.Open("visual", {{"name", visual.name()}});
    WriteShape(visual);
    const geometry::GeometryProperties* seen = visual.illustration_properties();
    if (seen == nullptr) seen = visual.perception_properties();
    if (seen != nullptr) WriteAppearance(*seen);
    const auto write_role = [&](const char* name, const void* role) {
      if (role == nullptr) xml_.Leaf(name, {{"enabled", "false"}});
    };
    write_role("drake:illustration_properties",
               visual.illustration_properties());
    write_role("drake:perception_properties", visual.perception_properties());
    xml_.Close();
  }

  void WriteAppearance(const geometry::GeometryProperties& seen) {
    const bool has_color = seen.HasProperty("phong", "diffuse");
    const bool has_map = seen.HasProperty("phong", "diffuse_map");
    if (has_color || has_map) xml_.Open("material", {{"name", ""}});
    if (has_color) {
      const auto& rgba = seen.GetProperty<geometry::Rgba>("phong", "diffuse");
      xml_.Leaf(
          "color",
          {{"rgba", ToText(Vector3<double>(rgba.r(), rgba.g(), rgba.b())) +
                        " " + ToText(rgba.a())}});
    }
    if (has_map) {
      xml_.Leaf(
          "texture",
          {{"filename",
            names_.NameOfFile(std::filesystem::path(
                seen.GetProperty<std::string>("phong", "diffuse_map")))}});
    }
    if (has_color || has_map) xml_.Close();
    for (const std::string& name : seen.GetPropertyOrDefault(
             "renderer", "accepting", std::set<std::string>{})) {
      xml_.Leaf("drake:accepting_renderer", {{"name", name}});
    }
  }

  // What is turned from z by a right angle is not a little off it, for the turn
  // that a reader makes of an axis depends on which it is.
  static Vector3<double> WithoutRounding(Vector3<double> axis) {
    for (double& x : axis) {
      if (std::abs(x) < 1e-15) x = 0;
    }
    return axis;
  }

  // The tag and type of a joint.
  static std::pair<std::string, std::string> TypeOf(const ParsedJoint& joint) {
    switch (joint.type) {
      case ParsedJointType::kFixed:
        return {"joint", "fixed"};
      case ParsedJointType::kPrismatic:
        return {"joint", "prismatic"};
      case ParsedJointType::kFloating:
        return {"joint", "floating"};
      case ParsedJointType::kPlanar:
        return {"joint", "planar"};
      case ParsedJointType::kBall:
      case ParsedJointType::kQuaternionBall:
        return {"drake:joint", "ball"};
      case ParsedJointType::kUniversal:
        return {"drake:joint", "universal"};
      case ParsedJointType::kScrew:
        return {"drake:joint", "screw"};
      case ParsedJointType::kRevolute:
        break;
    }
    const bool is_free =
        !std::isfinite(joint.lower) && !std::isfinite(joint.upper);
    return {"joint", is_free ? "continuous" : "revolute"};
  }

  void WriteJoint(const ParsedJoint& joint) {
    RigidTransform<double> X_PF = joint.X_PF.value_or(RigidTransform<double>());
    const RigidTransform<double> X_CM =
        joint.X_CM.value_or(RigidTransform<double>());
    Vector3<double> axis = joint.axis;
    std::string child = joint.child;
    if (joint.type == ParsedJointType::kPlanar) {
      // Its axis is z of F and M.
      axis = WithoutRounding(X_CM.rotation().col(2));
      X_PF = X_PF * X_CM.inverse();
    } else if (!IsIdentity(X_CM)) {
      child = joint.name + "_child";
      xml_.Leaf("link", {{"name", child}});
    }
    const auto [tag, type] = TypeOf(joint);
    xml_.Open(tag, {{"name", joint.name}, {"type", type}});
    WriteOrigin(X_PF);
    xml_.Leaf("parent", {{"link", joint.parent}});
    xml_.Leaf("child", {{"link", child}});
    if (HasOneDof(joint) || joint.type == ParsedJointType::kPlanar) {
      xml_.Leaf("axis", {{"xyz", ToText(axis)}});
    }
    if (joint.type == ParsedJointType::kScrew) {
      xml_.Leaf("drake:screw_thread_pitch",
                {{"value", ToText(joint.screw_pitch)}});
    }
    if (HasOneDof(joint)) WriteLimit(joint);
    WriteDynamics(joint);
    WriteMimic(joint);
    xml_.Close();
    if (child == joint.child) return;
    xml_.Open("joint", {{"name", child + "_welds_to_" + joint.child},
                        {"type", "fixed"}});
    WriteOrigin(X_CM.inverse());
    xml_.Leaf("parent", {{"link", child}});
    xml_.Leaf("child", {{"link", joint.child}});
    xml_.Close();
  }

  void WriteLimit(const ParsedJoint& joint) {
    XmlText::Attributes limit;
    const auto add = [&](const char* name, double value) {
      if (std::isfinite(value)) limit.emplace_back(name, ToText(value));
    };
    add("lower", joint.lower);
    add("upper", joint.upper);
    add("velocity", joint.velocity);
    add("drake:acceleration", joint.acceleration);
    const auto actuator =
        std::ranges::find(model_.actuators, joint.name, &ParsedActuator::joint);
    add("effort", actuator == model_.actuators.end() ? joint.effort
                                                     : actuator->effort_limit);
    if (!limit.empty()) xml_.Leaf("limit", limit);
  }

  void WriteDynamics(const ParsedJoint& joint) {
    if (joint.type == ParsedJointType::kFixed ||
        joint.type == ParsedJointType::kFloating ||
        (joint.damping.isZero(0) && joint.friction == 0)) {
      return;
    }
    const bool is_planar = joint.type == ParsedJointType::kPlanar;
    xml_.Leaf("dynamics", {{"damping", is_planar ? ToText(joint.damping)
                                                 : ToText(joint.damping[0])},
                           {"friction", ToText(joint.friction)}});
  }

  void WriteMimic(const ParsedJoint& joint) {
    if (!joint.mimic.has_value()) return;
    xml_.Leaf("mimic", {{"joint", joint.mimic->joint},
                        {"multiplier", ToText(joint.mimic->multiplier)},
                        {"offset", ToText(joint.mimic->offset)}});
  }

  void WriteActuator(const ParsedActuator& actuator) {
    xml_.Open("transmission", {{"name", actuator.joint + "_transmission"}});
    xml_.Text("type", "transmission_interface/SimpleTransmission");
    xml_.Open("joint", {{"name", actuator.joint}});
    xml_.Text("hardwareInterface", "hardware_interface/EffortJointInterface");
    xml_.Close();
    xml_.Open("actuator", {{"name", actuator.name}});
    WriteTagTexts({{"rotor_inertia", ToText(actuator.rotor_inertia)},
                   {"gear_ratio", ToText(actuator.gear_ratio)}});
    if (actuator.gains.has_value()) {
      xml_.Leaf("drake:controller_gains", {{"p", ToText(actuator.gains->p)},
                                           {"d", ToText(actuator.gains->d)}});
    }
    xml_.Close();
    xml_.Close();
  }

  const ParsedModel& model_;
  FileNames& names_;
  XmlText xml_;
};

}  // namespace

std::string WriteUrdf(const ParsedModel& model, FileNames* names) {
  return UrdfWriter(model, names).Write();
}

}  // namespace wyvern::multibody::internal
