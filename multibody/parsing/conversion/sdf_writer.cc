#include "wyvern/multibody/parsing/conversion/sdf_writer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/multibody/parsing/conversion/model_writer.h"
#include "wyvern/multibody/parsing/number_text.h"

/* A ParsedModel as SDFormat. A joint is posed in its parent and the child in
the joint, as far as one joint leads to each link. What SDFormat has no word
for is left out: who calls this reads the result again and sees what is gone. */

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;
using math::RigidTransform;

namespace {

/** Writes one model. */
class SdfWriter final : public ModelWriter {
 public:
  SdfWriter(const ParsedModel& model, FileNames* names)
      : ModelWriter(model, names) {
    for (const ParsedJoint& joint : model.joints) {
      if (!TypeOf(joint).empty()) placed_by_.try_emplace(joint.child, &joint);
    }
  }

  std::string Write() {
    xml_.Open("sdf", {{"version", "1.9"},
                      {"xmlns:drake", "http://drake.mit.edu"},
                      {"xmlns:wyvern", "http://wyvern"}});
    xml_.Open("model", {{"name", model_.name}});
    for (const ParsedLink& link : model_.links) WriteLink(link);
    for (const ParsedFrame& frame : model_.frames) {
      if (frame.link == kWorldName) continue;
      WriteFrame(frame.name, frame.link, frame.X_LF);
    }
    for (const ParsedJoint& joint : model_.joints) {
      if (joint.type == ParsedJointType::kPlanar) {
        WritePlanarJoint(joint);
      } else if (!TypeOf(joint).empty()) {
        WriteJoint(joint);
      }
    }
    WriteOwnElements();
    xml_.Close();
    xml_.Close();
    return xml_.text();
  }

 private:
  void WritePose(const RigidTransform<double>& X,
                 const std::string& relative_to = {}) {
    XmlText::Attributes attributes;
    if (!relative_to.empty()) {
      attributes.emplace_back("relative_to", relative_to);
    } else if (IsIdentity(X)) {
      return;
    }
    xml_.Text("pose", PositionText(X) + " " + RpyText(X), attributes);
  }

  void WritePlace(const RigidTransform<double>& X) override { WritePose(X); }

  void WriteFrame(const std::string& name, const std::string& link,
                  const RigidTransform<double>& X_LF) {
    xml_.Open("frame", {{"name", name}, {"attached_to", link}});
    WritePose(X_LF);
    xml_.Close();
  }

  void WriteTagTexts(const TagTexts& tags) override {
    for (const auto& [name, value] : tags) {
      if (value.empty()) {
        xml_.Leaf("drake:" + name);
      } else {
        xml_.Text("drake:" + name, value);
      }
    }
  }

  void WriteLink(const ParsedLink& link) {
    xml_.Open("link", {{"name", link.name}});
    const auto joint = placed_by_.find(link.name);
    if (joint == placed_by_.end()) {
      WritePose(link.X_WB.value_or(RigidTransform<double>()));
    } else {
      WritePose(
          joint->second->X_CM.value_or(RigidTransform<double>()).inverse(),
          joint->second->name);
    }
    WriteInertial(link.M_BBo_B);
    if (!model_.has_gravity || !link.has_gravity) xml_.Text("gravity", "false");
    for (const GeometryInstance& visual : link.visuals) WriteVisual(visual);
    for (const GeometryInstance& collision : link.collisions) {
      WriteCollision(collision);
    }
    xml_.Close();
  }

  // One that is not there would be of 1 kg.
  void WriteInertial(const SpatialInertia<double>& M) {
    Vector3<double> p_BoBcm = Vector3<double>::Zero();
    Matrix3<double> I = Matrix3<double>::Zero();
    if (M.get_mass() > 0) {
      p_BoBcm = M.get_com();
      I = M.Shift(p_BoBcm).CalcRotationalInertia().CopyToFullMatrix3();
    }
    xml_.Open("inertial");
    WritePose(RigidTransform<double>(p_BoBcm));
    xml_.Text("mass", ToText(M.get_mass()));
    xml_.Open("inertia");
    xml_.Text("ixx", ToText(I(0, 0)));
    xml_.Text("iyy", ToText(I(1, 1)));
    xml_.Text("izz", ToText(I(2, 2)));
    xml_.Text("ixy", ToText(I(0, 1)));
    xml_.Text("ixz", ToText(I(0, 2)));
    xml_.Text("iyz", ToText(I(1, 2)));
    xml_.Close();
    xml_.Close();
  }

  bool Has(const geometry::Shape& shape) const override {
    return shape.type_name() != "MeshcatCone";
  }

  void WriteValues(const std::string& name,
                   const XmlText::Attributes& values) override {
    xml_.Open(name);
    for (const auto& [key, value] : values) xml_.Text(key, value);
    xml_.Close();
  }

  void WriteCapsule(const geometry::Capsule& x) override {
    WriteValues("capsule", {{"radius", ToText(x.radius())},
                            {"length", ToText(x.length())}});
  }
  void WriteEllipsoid(const geometry::Ellipsoid& x) override {
    WriteValues("ellipsoid",
                {{"radii", ToText(Vector3<double>(x.a(), x.b(), x.c()))}});
  }
  void WriteHalfSpace() override {
    WriteValues("plane", {{"normal", "0 0 1"}, {"size", "1 1"}});
  }
  void OpenMesh(const std::string& file,
                const std::optional<Vector3<double>>& scale) override {
    xml_.Open("mesh");
    xml_.Text("uri", file);
    if (scale.has_value()) xml_.Text("scale", ToText(*scale));
  }

  void WriteAppearance(const geometry::GeometryProperties& seen) override {
    if (seen.HasGroup("phong")) {
      xml_.Open("material");
      for (const char* name : {"diffuse", "ambient", "specular", "emissive"}) {
        if (!seen.HasProperty("phong", name)) continue;
        const auto& rgba = seen.GetProperty<geometry::Rgba>("phong", name);
        xml_.Text(name, ToText(Vector3<double>(rgba.r(), rgba.g(), rgba.b())) +
                            " " + ToText(rgba.a()));
      }
      if (seen.HasProperty("phong", "diffuse_map")) {
        xml_.Text("drake:diffuse_map",
                  names_.NameOfFile(std::filesystem::path(
                      seen.GetProperty<std::string>("phong", "diffuse_map"))));
      }
      xml_.Close();
    }
    for (const std::string& name : seen.GetPropertyOrDefault(
             "renderer", "accepting", std::set<std::string>{})) {
      xml_.Text("drake:accepting_renderer", name);
    }
  }

  // Empty for those that SDFormat does not have, or that do not place a link.
  static std::string TypeOf(const ParsedJoint& joint) {
    switch (joint.type) {
      case ParsedJointType::kFixed:
        return "fixed";
      case ParsedJointType::kRevolute: {
        const bool is_free =
            !std::isfinite(joint.lower) && !std::isfinite(joint.upper);
        return is_free ? "continuous" : "revolute";
      }
      case ParsedJointType::kPrismatic:
        return "prismatic";
      case ParsedJointType::kBall:
      case ParsedJointType::kQuaternionBall:
        return "ball";
      case ParsedJointType::kUniversal:
        return "universal";
      case ParsedJointType::kScrew:
        return "screw";
      case ParsedJointType::kPlanar:
      case ParsedJointType::kFloating:
        break;
    }
    return "";
  }

  void WriteJoint(const ParsedJoint& joint) {
    xml_.Open("joint", {{"name", joint.name}, {"type", TypeOf(joint)}});
    WritePose(joint.X_PF.value_or(RigidTransform<double>()),
              joint.parent == kWorldName ? "__model__" : joint.parent);
    xml_.Text("parent", joint.parent);
    xml_.Text("child", joint.child);
    if (joint.type == ParsedJointType::kScrew) {
      xml_.Text("screw_thread_pitch", ToText(joint.screw_pitch));
    }
    WriteAxis(joint);
    WriteActuator(joint);
    if (joint.mimic.has_value()) {
      xml_.Leaf("drake:mimic", {{"joint", joint.mimic->joint},
                                {"multiplier", ToText(joint.mimic->multiplier)},
                                {"offset", ToText(joint.mimic->offset)}});
    }
    xml_.Close();
  }

  void WriteAxis(const ParsedJoint& joint) {
    if (joint.type == ParsedJointType::kFixed) return;
    const bool has_dynamics = !joint.damping.isZero(0) || joint.friction > 0 ||
                              joint.spring_stiffness > 0;
    const bool is_universal = joint.type == ParsedJointType::kUniversal;
    if (!HasOneDof(joint) && !is_universal && !has_dynamics) return;
    xml_.Open("axis");
    if (HasOneDof(joint)) xml_.Text("xyz", ToText(joint.axis));
    if (is_universal) xml_.Text("xyz", "1 0 0");
    if (HasOneDof(joint)) WriteLimit(joint);
    if (has_dynamics) WriteDynamics(joint);
    xml_.Close();
    if (!is_universal) return;
    xml_.Open("axis2");
    xml_.Text("xyz", "0 1 0");
    if (has_dynamics) WriteDynamics(joint);
    xml_.Close();
  }

  // Without actuator the effort is 0.
  void WriteLimit(const ParsedJoint& joint) {
    const auto write = [&](const char* name, double value) {
      if (std::isfinite(value)) xml_.Text(name, ToText(value));
    };
    xml_.Open("limit");
    write("lower", joint.lower);
    write("upper", joint.upper);
    const ParsedActuator* const actuator = FindActuator(joint);
    write("effort", actuator == nullptr ? 0 : actuator->effort_limit);
    write("velocity", joint.velocity);
    write("drake:acceleration", joint.acceleration);
    xml_.Close();
  }

  void WriteDynamics(const ParsedJoint& joint) {
    xml_.Open("dynamics");
    xml_.Text("damping", ToText(joint.damping[0]));
    xml_.Text("friction", ToText(joint.friction));
    if (joint.spring_stiffness > 0) {
      xml_.Text("spring_reference", ToText(joint.spring_reference));
      xml_.Text("spring_stiffness", ToText(joint.spring_stiffness));
    }
    xml_.Close();
  }

  void WriteActuator(const ParsedJoint& joint) {
    const ParsedActuator* const actuator = FindActuator(joint);
    if (actuator == nullptr) return;
    if (actuator->name != joint.name) {
      xml_.Text("wyvern:actuator_name", actuator->name);
    }
    WriteRotorAndGains(*actuator);
  }

  // Its frames have names; those of the plant's joint are taken.
  void WritePlanarJoint(const ParsedJoint& joint) {
    const auto frame = [&](const std::optional<RigidTransform<double>>& X,
                           const std::string& link, const char* end) {
      if (!X.has_value() || IsIdentity(*X)) return link;
      const std::string name = joint.name + end;
      WriteFrame(name, link, *X);
      return name;
    };
    const std::string F = frame(joint.X_PF, joint.parent, "_F");
    const std::string M = frame(joint.X_CM, joint.child, "_M");
    xml_.Open("drake:joint", {{"name", joint.name}, {"type", "planar"}});
    xml_.Text("drake:parent", F);
    xml_.Text("drake:child", M);
    xml_.Text("drake:damping", ToText(joint.damping));
    xml_.Close();
  }

  // By the name of the child.
  std::map<std::string, const ParsedJoint*> placed_by_;
};

}  // namespace

std::string WriteSdf(const ParsedModel& model, FileNames* names) {
  return SdfWriter(model, names).Write();
}

}  // namespace wyvern::multibody::internal
