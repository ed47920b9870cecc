#include "wyvern/multibody/parsing/conversion/urdf_writer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/multibody/parsing/conversion/model_writer.h"
#include "wyvern/multibody/parsing/number_text.h"
#include "wyvern/multibody/parsing/urdf_tags.h"

/* A ParsedModel as URDF. What URDF has no word for is left out: who calls this
reads the result again and sees what is gone. The reader of each element is
in the file urdf_<element>.cc one folder up, and says what the attributes
mean. */

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;
using math::RigidTransform;

namespace {

/** Writes one model. */
class UrdfWriter final : public ModelWriter {
 public:
  UrdfWriter(const ParsedModel& model, FileNames* names)
      : ModelWriter(model, names) {}

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
    for (const auto& actuator : model_.actuators) {
      if (!actuator.joint.empty()) WriteActuator(actuator);
    }
    WriteOwnElements();
    xml_.Close();
    return xml_.text();
  }

 private:
  void WritePlace(const RigidTransform<double>& X) override {
    if (IsIdentity(X)) return;
    xml_.Leaf("origin", {{"xyz", PositionText(X)}, {"rpy", RpyText(X)}});
  }

  void WriteTagTexts(const TagTexts& tags) override {
    for (const auto& [name, value] : tags) {
      const std::string attribute(UrdfValueAttribute(name));
      xml_.Leaf("drake:" + name, attribute.empty()
                                     ? XmlText::Attributes{}
                                     : XmlText::Attributes{{attribute, value}});
    }
  }

  void WriteLink(const ParsedLink& link) {
    xml_.Open("link", {{"name", link.name}});
    if (link.M_BBo_B.get_mass() > 0) WriteInertial(link.M_BBo_B);
    for (const GeometryInstance& visual : link.visuals) WriteVisual(visual);
    for (const GeometryInstance& collision : link.collisions) {
      WriteCollision(collision);
    }
    xml_.Close();
  }

  void WriteInertial(const SpatialInertia<double>& M) {
    const Vector3<double> p_BoBcm = M.get_com();
    const Matrix3<double> I =
        M.Shift(p_BoBcm).CalcRotationalInertia().CopyToFullMatrix3();
    xml_.Open("inertial");
    WritePlace(RigidTransform<double>(p_BoBcm));
    xml_.Leaf("mass", {{"value", ToText(M.get_mass())}});
    xml_.Leaf("inertia", {{"ixx", ToText(I(0, 0))},
                          {"iyy", ToText(I(1, 1))},
                          {"izz", ToText(I(2, 2))},
                          {"ixy", ToText(I(0, 1))},
                          {"ixz", ToText(I(0, 2))},
                          {"iyz", ToText(I(1, 2))}});
    xml_.Close();
  }

  bool Has(const geometry::Shape& shape) const override {
    const std::string_view type = shape.type_name();
    return type != "HalfSpace" && type != "MeshcatCone";
  }

  void WriteValues(const std::string& name,
                   const XmlText::Attributes& values) override {
    xml_.Leaf(name, values);
  }

  void WriteCapsule(const geometry::Capsule& x) override {
    WriteValues("drake:capsule", {{"radius", ToText(x.radius())},
                                  {"length", ToText(x.length())}});
  }
  void WriteEllipsoid(const geometry::Ellipsoid& x) override {
    WriteValues(
        "drake:ellipsoid",
        {{"a", ToText(x.a())}, {"b", ToText(x.b())}, {"c", ToText(x.c())}});
  }
  void WriteHalfSpace() override {}
  void OpenMesh(const std::string& file,
                const std::optional<Vector3<double>>& scale) override {
    XmlText::Attributes attributes{{"filename", file}};
    if (scale.has_value()) attributes.emplace_back("scale", ToText(*scale));
    xml_.Open("mesh", attributes);
  }

  void WriteAppearance(const geometry::GeometryProperties& seen) override {
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

  // Snaps an axis that is a right angle away from z to rounding, because the
  // turn that a reader derives from an axis depends on it.
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
    WritePlace(X_PF);
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
    WritePlace(X_CM.inverse());
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
    const ParsedActuator* const actuator = FindActuator(joint);
    add("effort", actuator == nullptr ? joint.effort : actuator->effort_limit);
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
    WriteRotorAndGains(actuator);
    xml_.Close();
    xml_.Close();
  }
};

}  // namespace

std::string WriteUrdf(const ParsedModel& model, FileNames* names) {
  return UrdfWriter(model, names).Write();
}

}  // namespace wyvern::multibody::internal
