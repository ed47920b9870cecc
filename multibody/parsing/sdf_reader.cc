/* SdfTree reads a document, with those that it includes, into models and their
named parts; SdfFrames knows how those are posed in each other. ModelReader then
goes through each model, inner ones first, and reads all values, so that each
error has its file and line. */

#include "wyvern/multibody/parsing/sdf_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/element_tags.h"
#include "wyvern/multibody/parsing/inertia_repair.h"
#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/sdf_frames.h"
#include "wyvern/multibody/parsing/sdf_geometry.h"
#include "wyvern/multibody/parsing/sdf_joint.h"
#include "wyvern/multibody/parsing/sdf_pose.h"
#include "wyvern/multibody/parsing/sdf_tree.h"
#include "wyvern/multibody/parsing/sdf_urdf_place.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

/** Reads one model, and those nested in it. */
class ModelReader {
 public:
  ModelReader(const SdfScope& model, const SdfFrames& frames, bool is_static,
              const PackageMap* packages, WarningLog* log)
      : model_(model),
        element_(model.element),
        frames_(frames),
        packages_(packages),
        log_(log) {
    result_.name = model.name;
    result_.is_static = is_static || model.is_static;
  }

  ParsedModel Read() {
    for (const auto& inner : model_.models) ReadNested(*inner);
    for (const SdfItem& link : model_.links) ReadLink(link);
    SetGravity();
    if (!model_.is_world) AddModelFrame();
    for (const SdfItem& frame : model_.frames) ReadFrame(frame);
    for (const SdfItem& joint : model_.joints) ReadJoint(joint);
    for (const SdfItem& item : model_.extensions) ReadExtension(item);
    RequireReferences();
    return std::move(result_);
  }

 private:
  void ReadNested(const SdfScope& inner) {
    if (inner.urdf.has_value()) return AddUrdf(inner);
    ModelReader reader(inner, frames_, result_.is_static, packages_, log_);
    result_.nested.push_back(reader.Read());
    const std::string scope = inner.name + "::";
    for (const auto& name : reader.links_) links_.insert(scope + name);
    for (const auto& name : reader.joints_) joints_.insert(scope + name);
    for (const auto& name : reader.one_dof_) one_dof_.insert(scope + name);
    for (const auto& name : reader.names_) names_.insert(scope + name);
    for (const auto& name : reader.groups_) groups_.insert(scope + name);
  }

  void AddUrdf(const SdfScope& scope) {
    ParsedModel inner = *scope.urdf;
    inner.name = scope.name;
    PlaceUrdf(
        frames_.CalcPose(SdfFrames::kWorld, frames_.Get(scope), scope.element),
        &inner);
    inner.is_static = scope.is_static || result_.is_static;
    const std::string prefix = inner.name + "::";
    for (const ParsedLink& link : inner.links) {
      links_.insert(prefix + link.name);
      names_.insert(prefix + link.name);
    }
    for (const ParsedFrame& frame : inner.frames) {
      names_.insert(prefix + frame.name);
    }
    for (const ParsedJoint& joint : inner.joints) {
      joints_.insert(prefix + joint.name);
      names_.insert(prefix + joint.name + "_parent");
      if (HasOneDof(joint)) one_dof_.insert(prefix + joint.name);
    }
    for (const ParsedFilterGroup& group : inner.filter_groups) {
      groups_.insert(prefix + group.name);
    }
    result_.nested.push_back(std::move(inner));
  }

  void ReadLink(const SdfItem& link) {
    const SdfElement& element = link.element;
    element.WarnOfOtherChildren(
        {"pose", "inertial", "visual", "collision", "gravity"}, log_);
    ParsedLink result{link.name};
    result.place = element.place();
    result.M_BBo_B = ReadInertial(element);
    result.X_WB =
        frames_.CalcPose(SdfFrames::kWorld, frames_.Get(link), element);
    links_.insert(link.name);
    ClaimName(link.name, element);
    ReadGeometries(link, &result);
    result.has_gravity = element.Bool("gravity").value_or(true);
    result_.links.push_back(std::move(result));
  }

  // Visuals first.
  void ReadGeometries(const SdfItem& link, ParsedLink* result) {
    for (const std::string kind : {"visual", "collision"}) {
      GeometryNames names;
      std::set<std::string> taken;
      for (const SdfElement& element : link.element.children()) {
        if (element.name() != kind) continue;
        const std::string name = element.RequiredName();
        if (!taken.insert(name).second) {
          element.Warn(
              fmt::format("a second <{}> '{}' gets another name.", kind, name),
              log_);
        }
        ReadSdfGeometry(element, ReadGeometryPose(link, element), packages_,
                        &names, log_, result);
      }
    }
  }

  RigidTransform<double> ReadGeometryPose(const SdfItem& link,
                                          const SdfElement& element) {
    const SdfPose pose = ReadSdfPose(element, log_);
    if (pose.relative_to.empty()) return pose.X;
    return frames_.CalcPose(frames_.Get(link),
                            FindFrom(link, pose.relative_to, element),
                            element) *
           pose.X;
  }

  // The frame that `item` calls `name`.
  SdfFrames::Id FindFrom(const SdfItem& item, const std::string& name,
                         const SdfElement& by) const {
    return frames_.Find(model_, item.Localize(name), by);
  }

  SpatialInertia<double> ReadInertial(const SdfElement& element) {
    const auto inertial = element.Child("inertial");
    WrittenInertia written;
    written.mass = 1;
    written.moments.setOnes();
    written.products.setZero();
    if (inertial.has_value()) ReadWritten(*inertial, &written);
    std::string remark;
    try {
      const SpatialInertia<double> result = RepairInertia(written, &remark);
      if (!remark.empty()) inertial.value_or(element).Warn(remark, log_);
      return result;
    } catch (const std::logic_error& error) {
      element.Throw(fmt::format("no body has this inertia. {}", error.what()));
    }
  }

  // Missing numbers are SDFormat's defaults.
  void ReadWritten(const SdfElement& inertial, WrittenInertia* written) {
    inertial.WarnOfOtherChildren({"pose", "mass", "inertia"}, log_);
    const SdfPose pose = ReadSdfPose(inertial, log_);
    if (!pose.relative_to.empty()) {
      inertial.Warn(
          "relative_to of the <pose> in <inertial> is ignored: the pose is "
          "always relative to the link.",
          log_);
    }
    written->X_BC = pose.X;
    written->mass = inertial.Number("mass").value_or(written->mass);
    const auto inertia = inertial.Child("inertia");
    if (!inertia.has_value()) return;
    inertia->WarnOfOtherChildren({"ixx", "iyy", "izz", "ixy", "ixz", "iyz"},
                                 log_);
    const auto number = [&inertia](const char* name, double usual) {
      return inertia->Number(name).value_or(usual);
    };
    written->moments = {number("ixx", 1), number("iyy", 1), number("izz", 1)};
    written->products = {number("ixy", 0), number("ixz", 0), number("iyz", 0)};
  }

  // Gravity is off for the model instance if it is off for all links, and
  // otherwise by link.
  void SetGravity() {
    if (result_.links.empty() ||
        std::ranges::any_of(result_.links, &ParsedLink::has_gravity)) {
      return;
    }
    result_.has_gravity = false;
    for (ParsedLink& link : result_.links) link.has_gravity = true;
  }

  // Frames of the plant have different names.
  void ClaimName(const std::string& name, const SdfElement& element) {
    if (names_.insert(name).second) return;
    element.Throw(fmt::format(
        "there is already a frame '{}'; names must be unique.", name));
  }

  void AddModelFrame() {
    ClaimName("__model__", element_);
    AddFrame("__model__", frames_.Get(model_), element_);
  }

  void ReadFrame(const SdfItem& frame) {
    const std::string& name = frames_.NameOf(frame);
    ClaimName(name, frame.element);
    AddFrame(name, frames_.Get(frame), frame.element);
  }

  void AddFrame(const std::string& name, SdfFrames::Id frame,
                const SdfElement& element) {
    const SdfFrames::Id link = frames_.LinkOf(frame, element);
    result_.frames.push_back({name, frames_.NameIn(model_, link),
                              frames_.CalcPose(link, frame, element)});
  }

  void ReadJoint(const SdfItem& joint) {
    const SdfElement& element = joint.element;
    std::optional<ParsedActuator> actuator;
    ParsedJoint result = ReadSdfJoint(element, &actuator, log_);
    const std::string written_name = result.name;
    result.name = frames_.NameOf(joint);
    if (result.mimic.has_value()) {
      result.mimic->joint = joint.Localize(result.mimic->joint);
    }
    if (actuator.has_value()) {
      if (actuator->name == written_name) actuator->name = result.name;
      actuator->joint = result.name;
    }
    const SdfFrames::Id parent = FindLink(joint, "parent");
    const SdfFrames::Id child = FindLink(joint, "child");
    result.parent = frames_.NameIn(model_, parent);
    result.child = frames_.NameIn(model_, child);
    const SdfFrames::Id J = frames_.Get(joint);
    const RigidTransform<double> X_JF(SetSdfAxes(
        element, [&](int i) { return ReadAxis(joint, i); }, &result));
    // As written by many: the frame of the joint is that of its parent.
    const RigidTransform<double> X_PF =
        frames_.CalcPose(parent, J, element) * X_JF;
    if (!X_PF.IsExactlyIdentity()) result.X_PF = X_PF;
    result.X_CM = frames_.CalcPose(child, J, element) * X_JF;
    AddJoint(element, std::move(result));
    if (actuator.has_value()) {
      result_.actuators.push_back(std::move(*actuator));
    }
  }

  // The link of the frame that <parent> or <child> names.
  SdfFrames::Id FindLink(const SdfItem& joint, const char* role) const {
    const SdfElement by = joint.element.RequiredChild(role);
    const std::string name = by.text();
    if (name == kWorldName) return SdfFrames::kWorld;
    return frames_.LinkOf(FindFrom(joint, name, by), by);
  }

  // In the joint's frame J.
  Vector3<double> ReadAxis(const SdfItem& joint, int i) const {
    const char* const name = i == 0 ? "axis" : "axis2";
    const auto element = joint.element.Child(name);
    if (!element.has_value()) {
      joint.element.Throw(fmt::format("there is no <{}>.", name));
    }
    const SdfAxis axis = ReadSdfAxis(*element);
    if (axis.expressed_in.empty()) return axis.xyz;
    const SdfFrames::Id E = FindFrom(joint, axis.expressed_in, *element);
    return frames_.CalcPose(frames_.Get(joint), E, *element).rotation() *
           axis.xyz;
  }

  void AddJoint(const SdfElement& element, ParsedJoint joint) {
    if (joint.parent == joint.child) {
      element.Throw(
          fmt::format("parent and child are both on link '{}'.", joint.child));
    }
    if (!joints_.insert(joint.name).second) {
      element.Throw(fmt::format("there is already a joint '{}'.", joint.name));
    }
    if (HasOneDof(joint)) one_dof_.insert(joint.name);
    // The joint's frames are in the child's model.
    const std::size_t end = joint.child.rfind("::");
    const std::string scope =
        end == std::string::npos ? "" : joint.child.substr(0, end + 2);
    ClaimName(scope + joint.name + "_parent", element);
    ClaimName(scope + joint.name + "_child", element);
    if (joint.mimic.has_value()) {
      references_.push_back({joint.name, joint.mimic->joint, element});
    }
    result_.joints.push_back(std::move(joint));
  }

  void ReadExtensionJoint(const SdfItem& item) {
    const SdfElement& element = item.element;
    ParsedJoint joint = ReadSdfExtensionJoint(element, log_);
    const auto locate = [&](const char* role, std::string* link,
                            std::optional<RigidTransform<double>>* X_LF) {
      const SdfElement by = element.RequiredChild(role);
      const std::string name = by.text();
      const SdfFrames::Id frame =
          name == kWorldName ? SdfFrames::kWorld : FindFrom(item, name, by);
      const SdfFrames::Id on = frames_.LinkOf(frame, by);
      *link = frames_.NameIn(model_, on);
      *X_LF = frames_.CalcPose(on, frame, by);
    };
    locate("parent", &joint.parent, &joint.X_PF);
    locate("child", &joint.child, &joint.X_CM);
    AddJoint(element, std::move(joint));
  }

  void ReadExtension(const SdfItem& item) {
    const SdfElement& element = item.element;
    const std::string name = element.unprefixed_name();
    if (name == "joint") {
      ReadExtensionJoint(item);
    } else if (name == "linear_bushing_rpy") {
      ParsedBushing bushing = ReadBushing(element.Tags(), log_);
      for (std::string* frame : {&bushing.frame_A, &bushing.frame_C}) {
        *frame = item.Localize(*frame);
        RequireFrame(*frame, element);
      }
      result_.bushings.push_back(std::move(bushing));
    } else if (name == "linear_spring_damper") {
      result_.spring_dampers.push_back(ReadSpringDamper(element.Tags(), log_));
      RequireLink(result_.spring_dampers.back().body_A, element);
      RequireLink(result_.spring_dampers.back().body_B, element);
    } else if (name == "ball_constraint") {
      result_.ball_constraints.push_back(
          ReadBallConstraint(element.Tags(), log_));
      RequireLink(result_.ball_constraints.back().body_A, element);
      RequireLink(result_.ball_constraints.back().body_B, element);
    } else if (name == "collision_filter_group") {
      ReadGroup(element);
    }
  }

  void ReadGroup(const SdfElement& element) {
    if (element.IsTrue("ignore")) return;
    ParsedFilterGroup group = ReadFilterGroup(element.RequiredAttribute("name"),
                                              element.Tags(), log_);
    for (const std::string& link : group.members) RequireLink(link, element);
    if (!groups_.insert(group.name).second) {
      element.Throw(fmt::format("there is already a group '{}'.", group.name));
    }
    result_.filter_groups.push_back(std::move(group));
  }

  void RequireLink(const std::string& name, const SdfElement& element) const {
    if (name == kWorldName || links_.contains(name)) return;
    element.Throw(fmt::format("there is no link '{}'.", name));
  }

  void RequireFrame(const std::string& name, const SdfElement& element) const {
    if (name == kWorldName || names_.contains(name)) return;
    element.Throw(fmt::format("there is no link or frame '{}'.", name));
  }

  // Checks references to elements that are read later. A joint without its
  // leader moves by itself.
  void RequireReferences() {
    for (const auto& [name, other, element] : references_) {
      if (other != name && one_dof_.contains(other)) continue;
      element.Warn(fmt::format(kLostMimic, other), log_);
      std::ranges::find(result_.joints, name, &ParsedJoint::name)
          ->mimic.reset();
    }
    for (const ParsedFilterGroup& group : result_.filter_groups) {
      for (const auto* names : {&group.member_groups, &group.ignored_groups}) {
        for (const std::string& name : *names) {
          if (groups_.contains(name)) continue;
          element_.Throw(fmt::format(
              "collision filter group '{}' refers to the group '{}', which is "
              "not there.",
              group.name, name));
        }
      }
    }
  }

  struct Reference {
    std::string joint;
    std::string other;
    SdfElement element;
  };

  const SdfScope& model_;
  const SdfElement element_;
  const SdfFrames& frames_;
  const PackageMap* const packages_;
  WarningLog* const log_;
  ParsedModel result_;
  // The names, from this model, of what is in it and in those nested in it: of
  // links, of all that will be frames of the plant, of joints, of those of one
  // degree of freedom, of collision filter groups.
  std::set<std::string> links_;
  std::set<std::string> names_;
  std::set<std::string> joints_;
  std::set<std::string> one_dof_;
  std::set<std::string> groups_;
  std::vector<Reference> references_;
};

}  // namespace

ParsedModel ReadSdf(const XmlDocument& document, const PackageMap& packages,
                    bool with_shapes, WarningLog* log) {
  const SdfTree tree(document, packages, with_shapes, log);
  const SdfFrames frames(tree, log);
  ParsedModel result = ModelReader(tree.root(), frames, false,
                                   with_shapes ? &packages : nullptr, log)
                           .Read();
  // Elements of a world belong to the world.
  if (tree.root().is_world) result.name.clear();
  return result;
}

}  // namespace wyvern::multibody::internal
