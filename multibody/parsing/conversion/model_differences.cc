#include "wyvern/multibody/parsing/conversion/model_differences.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/multibody/parsing/conversion/shape_pairs.h"
#include "wyvern/multibody/parsing/conversion/xml_text.h"
#include "wyvern/multibody/parsing/element_tags.h"
#include "wyvern/multibody/parsing/number_text.h"

/* Elements are matched by name, and what has no name by all that it says.
Values become texts, of numbers those that read back to the last bit; only
poses and inertias, which formats have in other terms, are compared as
numbers. */

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;
using geometry::GeometryProperties;
using math::RigidTransform;

namespace {

// Tolerance of lengths, relative to the larger one, and of rotations, absolute.
constexpr double kRounding = 1e-12;

bool AreSame(const RigidTransform<double>& A, const RigidTransform<double>& B) {
  const double size =
      std::max({1.0, A.translation().norm(), B.translation().norm()});
  return A.rotation().IsNearlyEqualTo(B.rotation(), kRounding) &&
         (A.translation() - B.translation()).norm() <= kRounding * size;
}

bool AreSame(const SpatialInertia<double>& A, const SpatialInertia<double>& B) {
  const Matrix6<double> a = A.CopyToFullMatrix6();
  const Matrix6<double> b = B.CopyToFullMatrix6();
  const auto close = [](const auto& x, const auto& y) {
    return (x - y).cwiseAbs().maxCoeff() <=
           kRounding *
               std::max(x.cwiseAbs().maxCoeff(), y.cwiseAbs().maxCoeff());
  };
  return A.get_mass() == B.get_mass() &&
         close(a.topLeftCorner<3, 3>(), b.topLeftCorner<3, 3>()) &&
         close(a.topRightCorner<3, 3>(), b.topRightCorner<3, 3>());
}

std::string PoseText(const RigidTransform<double>& X) {
  return fmt::format("(xyz {}, rpy {})", PositionText(X), RpyText(X));
}

std::string ListText(const VectorX<double>& v) {
  std::string text;
  for (int i = 0; i < v.size(); ++i) {
    text += (i > 0 ? " " : "") + internal::ToText(v[i]);
  }
  return "[" + text + "]";
}

const char* NameOf(ParsedJointType type) {
  switch (type) {
    case ParsedJointType::kFixed:
      return "fixed";
    case ParsedJointType::kRevolute:
      return "revolute";
    case ParsedJointType::kPrismatic:
      return "prismatic";
    case ParsedJointType::kFloating:
      return "floating";
    case ParsedJointType::kBall:
      return "ball";
    case ParsedJointType::kQuaternionBall:
      return "quaternion ball";
    case ParsedJointType::kPlanar:
      return "planar";
    case ParsedJointType::kUniversal:
      return "universal";
    case ParsedJointType::kScrew:
      break;
  }
  return "screw";
}

std::string PropertyText(const AbstractValue& value) {
  if (const auto* x = value.maybe_get_value<double>()) {
    return internal::ToText(*x);
  }
  if (const auto* x = value.maybe_get_value<CoulombFriction<double>>()) {
    return internal::ToText(x->static_friction()) + " and " +
           internal::ToText(x->dynamic_friction());
  }
  if (const auto* x = value.maybe_get_value<geometry::HydroelasticType>()) {
    return *x == geometry::HydroelasticType::kRigid ? "rigid" : "compliant";
  }
  if (const auto* x = value.maybe_get_value<geometry::Rgba>()) {
    return internal::ToText(Vector3<double>(x->r(), x->g(), x->b())) + " " +
           internal::ToText(x->a());
  }
  if (const auto* x = value.maybe_get_value<std::string>()) {
    return std::filesystem::path(*x).lexically_normal().string();
  }
  if (const auto* x = value.maybe_get_value<std::set<std::string>>()) {
    return fmt::format("{}", fmt::join(*x, " "));
  }
  return value.GetNiceTypeName();
}

std::map<std::string, std::string> PropertyTexts(
    const GeometryProperties* properties) {
  std::map<std::string, std::string> texts;
  if (properties == nullptr) return texts;
  texts["role"] = "there";
  for (const std::string& group : properties->GetGroupNames()) {
    for (const auto& [name, value] : properties->GetPropertiesInGroup(group)) {
      texts[name] = PropertyText(*value);
    }
  }
  return texts;
}

std::string ContentsOf(const geometry::MeshSource& mesh) {
  if (mesh.is_in_memory()) return mesh.in_memory().mesh_file.contents();
  std::ifstream file(mesh.path(), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

template <class MeshShape>
bool AreSameMeshes(const MeshShape& a, const MeshShape& b) {
  return a.scale() == b.scale() && a.extension() == b.extension() &&
         ContentsOf(a.source()) == ContentsOf(b.source());
}

bool AreSame(const geometry::Shape& a, const geometry::Shape& b) {
  if (const auto* mesh = dynamic_cast<const geometry::Mesh*>(&a)) {
    const auto* other = dynamic_cast<const geometry::Mesh*>(&b);
    return other != nullptr && AreSameMeshes(*mesh, *other);
  }
  if (const auto* mesh = dynamic_cast<const geometry::Convex*>(&a)) {
    const auto* other = dynamic_cast<const geometry::Convex*>(&b);
    return other != nullptr && AreSameMeshes(*mesh, *other);
  }
  return a.to_string() == b.to_string();
}

/** Compares two models and keeps what differs. */
class Comparison {
 public:
  Comparison(const ParsedModel& before, const ParsedModel& after)
      : before_(before), after_(after) {}

  std::vector<std::string> Compare() {
    Note("the model", "name", before_.name, after_.name);
    for (const ParsedModel& nested : before_.nested) {
      Add(fmt::format("model '{}', which is nested, is left out", nested.name));
    }
    if (before_.has_gravity != after_.has_gravity) {
      Add("the model: that it has no gravity is left out");
    }
    if (before_.gravity.has_value()) {
      Add(fmt::format("the gravity [{}] is left out",
                      internal::ToText(*before_.gravity)));
    }
    CompareShapes(before_.world, after_.world);
    Match("link", before_.links, after_.links, &ParsedLink::name,
          [this](const auto& a, const auto& b) { CompareLinks(a, b); });
    Match("joint", before_.joints, after_.joints, &ParsedJoint::name,
          [this](const auto& a, const auto& b) { CompareJoints(a, b); });
    Match("frame", before_.frames, WithoutAdded(after_.frames),
          &ParsedFrame::name,
          [this](const auto& a, const auto& b) { CompareFrames(a, b); });
    Match("the actuator of joint", OfJoints(before_.actuators),
          OfJoints(after_.actuators), &ParsedActuator::joint,
          [this](const auto& a, const auto& b) { CompareActuators(a, b); });
    CompareTexts(Couplings(before_), Couplings(after_));
    CompareTexts(Connections(before_), Connections(after_));
    ComparePairs();
    return std::move(differences_);
  }

 private:
  void Add(std::string difference) {
    differences_.push_back(std::move(difference));
  }

  void Note(const std::string& subject, const char* what,
            const std::string& before, const std::string& after) {
    if (before == after) return;
    Add(fmt::format("{}: its {} {} becomes {}", subject, what, before, after));
  }
  void Note(const std::string& subject, const char* what, double before,
            double after) {
    Note(subject, what, internal::ToText(before), internal::ToText(after));
  }
  void NotePose(const std::string& subject, const char* what,
                const std::optional<RigidTransform<double>>& before,
                const std::optional<RigidTransform<double>>& after) {
    const auto a = before.value_or(RigidTransform<double>());
    const auto b = after.value_or(RigidTransform<double>());
    if (!AreSame(a, b)) {
      Add(fmt::format("{}: its {} {} becomes {}", subject, what, PoseText(a),
                      PoseText(b)));
    }
  }

  // Compares items of the same name one by one.
  template <class Item, class Compare>
  void Match(const char* kind, const std::vector<Item>& before,
             const std::vector<Item>& after, std::string Item::*name,
             const Compare& compare) {
    std::multimap<std::string, const Item*> rest;
    for (const Item& item : after) rest.emplace(item.*name, &item);
    for (const Item& item : before) {
      const auto found = rest.find(item.*name);
      if (found == rest.end()) {
        Add(fmt::format("{} '{}' is left out", kind, item.*name));
      } else {
        compare(item, *found->second);
        rest.erase(found);
      }
    }
    for (const auto& [added, item] : rest) {
      Add(fmt::format("{} '{}' is added", kind, added));
    }
  }

  static std::vector<ParsedActuator> OfJoints(
      std::vector<ParsedActuator> actuators) {
    std::erase_if(actuators, [](const ParsedActuator& actuator) {
      return actuator.joint.empty();
    });
    return actuators;
  }

  std::vector<ParsedFrame> WithoutAdded(std::vector<ParsedFrame> frames) const {
    std::erase_if(frames, [this](const ParsedFrame& frame) {
      return std::ranges::find(before_.frames, frame.name,
                               &ParsedFrame::name) == before_.frames.end();
    });
    return frames;
  }

  void CompareLinks(const ParsedLink& a, const ParsedLink& b) {
    const std::string subject = fmt::format("link '{}'", a.name);
    if (!AreSame(a.M_BBo_B, b.M_BBo_B)) {
      Add(fmt::format("{}: its inertia (mass {}) becomes another (mass {})",
                      subject, a.M_BBo_B.get_mass(), b.M_BBo_B.get_mass()));
    }
    // A link that a joint moves is where its joint is.
    if (std::ranges::find(before_.joints, a.name, &ParsedJoint::child) ==
        before_.joints.end()) {
      NotePose(subject, "pose in the world", a.X_WB, b.X_WB);
    }
    if (a.has_gravity != b.has_gravity) {
      Add(fmt::format("{}: that it has no gravity is left out", subject));
    }
    Note(subject, "fraction of its weight that is borne,", a.weight_borne,
         b.weight_borne);
    CompareShapes(a, b);
  }

  void CompareShapes(const ParsedLink& a, const ParsedLink& b) {
    const std::string of = fmt::format("of link '{}'", a.name);
    CompareShapes("visual", of, a.visuals, b.visuals);
    CompareShapes("collision", of, a.collisions, b.collisions);
  }

  void CompareShapes(const char* kind, const std::string& of,
                     const std::vector<GeometryInstance>& before,
                     const std::vector<GeometryInstance>& after) {
    std::map<std::string, const GeometryInstance*> rest;
    for (const GeometryInstance& shape : after) rest[shape.name()] = &shape;
    for (const GeometryInstance& shape : before) {
      const std::string subject =
          fmt::format("{} '{}' {}", kind, shape.name(), of);
      const auto found = rest.find(shape.name());
      if (found == rest.end()) {
        Add(fmt::format("{}, a {}, is left out", subject,
                        shape.shape().type_name()));
        continue;
      }
      CompareShape(subject, shape, *found->second);
      rest.erase(found);
    }
    for (const auto& [name, shape] : rest) {
      Add(fmt::format("{} '{}' {} is added", kind, name, of));
    }
  }

  void CompareShape(const std::string& subject, const GeometryInstance& a,
                    const GeometryInstance& b) {
    NotePose(subject, "pose", a.pose(), b.pose());
    if (!AreSame(a.shape(), b.shape())) {
      Add(fmt::format("{}: its shape {} becomes {}", subject,
                      a.shape().to_string(), b.shape().to_string()));
    }
    CompareProperties(subject, "contact", a.proximity_properties(),
                      b.proximity_properties());
    CompareProperties(subject, "illustration", a.illustration_properties(),
                      b.illustration_properties());
    CompareProperties(subject, "perception", a.perception_properties(),
                      b.perception_properties());
  }

  void CompareProperties(const std::string& subject, const char* role,
                         const GeometryProperties* before,
                         const GeometryProperties* after) {
    auto a = PropertyTexts(before);
    auto b = PropertyTexts(after);
    for (const auto& [name, text] : a) b.try_emplace(name, "nothing");
    for (const auto& [name, text] : b) {
      const std::string was = a.contains(name) ? a[name] : "nothing";
      if (was == text) continue;
      Add(fmt::format("{}: its {} {} for {} becomes {}", subject, name, was,
                      role, text));
    }
  }

  void CompareJoints(const ParsedJoint& a, const ParsedJoint& b) {
    const std::string subject = fmt::format("joint '{}'", a.name);
    Note(subject, "type", NameOf(a.type), NameOf(b.type));
    Note(subject, "parent", a.parent, b.parent);
    Note(subject, "child", a.child, b.child);
    NotePose(subject, "pose in the parent", a.X_PF, b.X_PF);
    NotePose(subject, "pose in the child", a.X_CM, b.X_CM);
    if (HasOneDof(a) && !a.axis.isApprox(b.axis, kRounding)) {
      Note(subject, "axis", internal::ToText(a.axis), internal::ToText(b.axis));
    }
    Note(subject, "pitch", a.screw_pitch, b.screw_pitch);
    Note(subject, "lower limit", a.lower, b.lower);
    Note(subject, "upper limit", a.upper, b.upper);
    Note(subject, "velocity limit", a.velocity, b.velocity);
    Note(subject, "acceleration limit", a.acceleration, b.acceleration);
    Note(subject, "damping", internal::ToText(a.damping),
         internal::ToText(b.damping));
    Note(subject, "friction", a.friction, b.friction);
    Note(subject, "spring stiffness", a.spring_stiffness, b.spring_stiffness);
    if (a.spring_stiffness > 0) {
      Note(subject, "spring reference", a.spring_reference, b.spring_reference);
    }
    Note(subject, "rotor inertia", a.armature, b.armature);
    const auto start = [](const ParsedJoint& joint) {
      return joint.default_positions.has_value()
                 ? ListText(*joint.default_positions)
                 : "[0]";
    };
    const bool starts_at_zero =
        !a.default_positions.has_value() || a.default_positions->isZero(0);
    if (!starts_at_zero || b.default_positions.has_value()) {
      Note(subject, "default position", start(a), start(b));
    }
  }

  void CompareFrames(const ParsedFrame& a, const ParsedFrame& b) {
    const std::string subject = fmt::format("frame '{}'", a.name);
    Note(subject, "link", a.link, b.link);
    NotePose(subject, "pose", a.X_LF, b.X_LF);
  }

  void CompareActuators(const ParsedActuator& a, const ParsedActuator& b) {
    const std::string subject = fmt::format("actuator '{}'", a.name);
    Note(subject, "name", a.name, b.name);
    Note(subject, "effort limit", a.effort_limit, b.effort_limit);
    Note(subject, "rotor inertia", a.rotor_inertia, b.rotor_inertia);
    Note(subject, "gear ratio", a.gear_ratio, b.gear_ratio);
    const auto gains = [](const ParsedActuator& actuator) {
      return actuator.gains.has_value()
                 ? fmt::format("p {} d {}", actuator.gains->p,
                               actuator.gains->d)
                 : "none";
    };
    Note(subject, "gains", gains(a), gains(b));
    const auto home = [](const ParsedActuator& actuator) {
      return actuator.home_force.has_value()
                 ? internal::ToText(*actuator.home_force)
                 : "none";
    };
    Note(subject, "home force", home(a), home(b));
  }

  static std::vector<std::string> Couplings(const ParsedModel& model) {
    std::vector<std::string> texts;
    const auto add = [&](const std::string& q0, const std::string& q1,
                         double ratio, double offset) {
      texts.push_back(fmt::format("the coupling q({}) = {} q({}) + {}", q0,
                                  internal::ToText(ratio), q1,
                                  internal::ToText(offset)));
    };
    for (const ParsedJoint& joint : model.joints) {
      if (!joint.mimic.has_value()) continue;
      add(joint.name, joint.mimic->joint, joint.mimic->multiplier,
          joint.mimic->offset);
    }
    for (const ParsedCoupler& coupler : model.couplers) {
      add(coupler.joint0, coupler.joint1, coupler.gear_ratio, coupler.offset);
    }
    return texts;
  }

  static std::vector<std::string> Connections(const ParsedModel& model) {
    std::vector<std::string> texts;
    const auto add = [&](const char* kind, const TagTexts& tags) {
      std::string text = kind;
      for (const auto& [name, value] : tags) text += " " + value;
      texts.push_back(text);
    };
    for (const auto& x : model.bushings) add("the bushing", WriteTags(x));
    for (const auto& x : model.spring_dampers) add("the spring", WriteTags(x));
    for (const auto& x : model.ball_constraints) {
      add("the ball constraint", WriteTags(x));
    }
    for (const ParsedTendon& tendon : model.tendons) {
      add("the spring and damper of tendon", {{"", tendon.name}});
    }
    for (const ParsedPolynomial& one : model.polynomials) {
      add("the nonlinear coupling of joints",
          {{"", one.joint0}, {"", one.joint1}});
    }
    for (const ParsedRotationLimit& limit : model.rotation_limits) {
      add("the limit of ball joint", {{"", limit.joint}});
    }
    for (const ParsedActuator& actuator : model.actuators) {
      if (!actuator.joint.empty()) continue;
      add("the tendon's actuator", {{"", actuator.name}});
    }
    for (const ParsedDrag& drag : model.drags) {
      add("the drag in the medium of link", {{"", drag.link}});
    }
    for (const ParsedWeldConstraint& weld : model.weld_constraints) {
      add("the weld constraint", {{"", weld.body_A}, {"", weld.body_B}});
    }
    return texts;
  }

  void CompareTexts(std::vector<std::string> before,
                    std::vector<std::string> after) {
    std::ranges::sort(before);
    std::ranges::sort(after);
    std::vector<std::string> lost, added;
    std::ranges::set_difference(before, after, std::back_inserter(lost));
    std::ranges::set_difference(after, before, std::back_inserter(added));
    for (const std::string& text : lost) Add(text + " is left out");
    for (const std::string& text : added) Add(text + " is added");
  }

  // A sentence for two links.
  void ComparePairs() {
    const auto before = FindUntouchingPairs(before_);
    const auto after = FindUntouchingPairs(after_);
    std::set<std::pair<std::string, std::string>> links;
    for (const auto* pairs : {&before, &after}) {
      for (const auto& [a, b] : *pairs) {
        const bool is_same = before.contains({a, b}) == after.contains({a, b});
        if (!is_same) links.emplace(a.first, b.first);
      }
    }
    for (const auto& [a, b] : links) {
      Add(
          fmt::format("which shapes of links '{}' and '{}' touch becomes "
                      "otherwise",
                      a, b));
    }
  }

  const ParsedModel& before_;
  const ParsedModel& after_;
  std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> FindDifferences(const ParsedModel& before,
                                         const ParsedModel& after) {
  return Comparison(before, after).Compare();
}

}  // namespace wyvern::multibody::internal
