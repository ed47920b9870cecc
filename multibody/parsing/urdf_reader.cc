#include "wyvern/multibody/parsing/urdf_reader.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/element_tags.h"
#include "wyvern/multibody/parsing/urdf_children.h"
#include "wyvern/multibody/parsing/urdf_joint.h"
#include "wyvern/multibody/parsing/urdf_link.h"
#include "wyvern/multibody/parsing/urdf_pose.h"
#include "wyvern/multibody/parsing/urdf_tags.h"
#include "wyvern/multibody/parsing/urdf_transmission.h"

/* A URDF document to a ParsedModel, in an order in which things refer back:
materials, links, joints, mimics, frames, transmissions, then the drake:
elements and the groups of collision filters. Each has a reader of its own
(urdf_link.h, urdf_joint.h, ...); here it is checked that names are given
once and that what is referred to is there. */

namespace wyvern::multibody::internal {

namespace {

/** Reads the parts of one robot in the order in which they refer to each other.
 */
class UrdfReader {
 public:
  UrdfReader(const XmlElement& robot, const MeshFiles* files, WarningLog* log)
      : robot_(robot), log_(log), geometry_{.files = files, .log = log} {}

  ParsedModel Read(const std::string& file_name) {
    model_.name = ReadName(file_name);
    robot_.ExpectAttributes({"name"}, log_);
    WarnOfOtherUrdfChildren(
        robot_,
        {.read = {"material", "link", "joint", "frame", "transmission",
                  "drake:joint", "drake:collision_filter_group",
                  "drake:linear_bushing_rpy", "drake:linear_spring_damper",
                  "drake:ball_constraint"},
         .decoration = {"gazebo", "sensor", "verbose", "ros2_control", "group",
                        "group_state", "disable_collisions"}},
        log_);
    for (const XmlElement& element : Parts("material")) ReadMaterial(element);
    for (const XmlElement& element : Parts("link")) ReadLink(element);
    for (const XmlElement& element : robot_.children()) {
      if (element.unprefixed_name() == "joint") ReadJoint(element);
    }
    for (ParsedJoint& joint : model_.joints) RequireMimic(&joint);
    for (const XmlElement& element : Parts("frame")) ReadFrame(element);
    for (const XmlElement& element : Parts("transmission")) {
      ReadTransmission(element);
    }
    for (const XmlElement& element : robot_.children()) {
      if (element.IsExtension()) ReadExtension(element);
    }
    RequireGroups();
    return std::move(model_);
  }

 private:
  std::vector<XmlElement> Parts(std::string_view name) const {
    std::vector<XmlElement> result;
    for (const XmlElement& child : robot_.children()) {
      if (child.IsNamed(name)) result.push_back(child);
    }
    return result;
  }

  // A robot with links whose name is missing is called by its file's.
  std::string ReadName(const std::string& file_name) const {
    if (robot_.Attribute("name").has_value() || Parts("link").empty()) {
      return robot_.RequiredName("name");
    }
    robot_.Warn(fmt::format("<robot> has no attribute 'name'; it is called "
                            "'{}'.",
                            file_name),
                log_);
    return file_name;
  }

  // Throws at `element` if `names` has the name of this kind already.
  static void Claim(const XmlElement& element, const std::string& name,
                    std::string_view kind,
                    std::map<std::string, std::string>* names) {
    const auto [first, is_new] = names->try_emplace(name, element.place());
    if (is_new) return;
    element.Throw(
        fmt::format("{} '{}' is there already, at {}; names must be unique.",
                    kind, name, first->second));
  }

  // The world is there whether declared or not.
  void RequireLink(const XmlElement& element, const std::string& name) const {
    if (name == kWorldName || links_.contains(name)) return;
    element.Throw(fmt::format("there is no link '{}' in this file.", name));
  }

  void ReadMaterial(const XmlElement& element) {
    const std::string name(element.RequiredAttribute("name"));
    const auto properties = ReadUrdfMaterial(element, geometry_);
    if (geometry_.materials.try_emplace(name, properties).second) return;
    log_->Add(element.place(),
              fmt::format("a second material '{}' is ignored.", name));
  }

  void ReadLink(const XmlElement& element) {
    if (element.IsTrue("drake_ignore")) return;
    ParsedLink link = ReadUrdfLink(element, geometry_);
    Claim(element, link.name, "link", &links_);
    Claim(element, link.name, "frame", &frames_);
    if (link.name == kWorldName) {
      model_.world = std::move(link);
    } else {
      model_.links.push_back(std::move(link));
    }
  }

  void ReadJoint(const XmlElement& element) {
    if (element.IsTrue("drake_ignore")) return;
    ParsedJoint joint = ReadUrdfJoint(element, log_);
    Claim(element, joint.name, "joint", &joints_);
    // The plant names the joint's frame on the parent so.
    Claim(element, joint.name + "_parent", "frame", &frames_);
    const XmlElement subject =
        element.About(fmt::format("joint '{}'", joint.name));
    RequireLink(subject, joint.parent);
    RequireLink(subject, joint.child);
    joint_elements_.emplace(joint.name, subject);
    model_.joints.push_back(std::move(joint));
  }

  void ReadFrame(const XmlElement& element) {
    ParsedFrame frame;
    frame.name = element.RequiredName("name");
    const XmlElement subject =
        element.About(fmt::format("frame '{}'", frame.name));
    subject.ExpectLeaf({"name", "link", "xyz", "rpy"}, log_);
    frame.link = subject.RequiredName("link");
    frame.X_LF = ReadUrdfPose(subject);
    Claim(subject, frame.name, "frame", &frames_);
    RequireLink(subject, frame.link);
    model_.frames.push_back(std::move(frame));
  }

  void ReadTransmission(const XmlElement& element) {
    std::optional<ParsedActuator> actuator =
        ReadUrdfTransmission(element, model_.joints, log_);
    if (!actuator.has_value()) return;
    const auto [other, is_new] =
        actuated_.try_emplace(actuator->joint, actuator->name);
    if (!is_new) {
      element.Warn(fmt::format("the actuator '{}' is left out: joint '{}' has "
                               "the actuator '{}' already.",
                               actuator->name, actuator->joint, other->second),
                   log_);
      return;
    }
    if (actuators_.contains(actuator->name)) {
      std::string name = actuator->name;
      do {
        name += "_" + actuator->joint;
      } while (actuators_.contains(name));
      element.Warn(fmt::format("there is already an actuator '{}'; this one is "
                               "called '{}'.",
                               actuator->name, name),
                   log_);
      actuator->name = name;
    }
    Claim(element, actuator->name, "actuator", &actuators_);
    model_.actuators.push_back(std::move(*actuator));
  }

  // A joint whose leader is not there moves by itself.
  void RequireMimic(ParsedJoint* joint) const {
    if (!joint->mimic.has_value()) return;
    const std::string leader = joint->mimic->joint;
    const auto other =
        std::ranges::find(model_.joints, leader, &ParsedJoint::name);
    if (other != model_.joints.end() && &*other != joint && HasOneDof(*other)) {
      return;
    }
    joint_elements_.at(joint->name).Warn(fmt::format(kLostMimic, leader), log_);
    joint->mimic.reset();
  }

  void ReadExtension(const XmlElement& element) {
    const std::string_view name = element.unprefixed_name();
    if (name == "linear_bushing_rpy") {
      const ParsedBushing& added = model_.bushings.emplace_back(
          ReadBushing(UrdfTags(element, log_), log_));
      RequireFrame(element, added.frame_A);
      RequireFrame(element, added.frame_C);
    } else if (name == "linear_spring_damper") {
      const ParsedSpringDamper& added = model_.spring_dampers.emplace_back(
          ReadSpringDamper(UrdfTags(element, log_), log_));
      RequireLink(element, added.body_A);
      RequireLink(element, added.body_B);
    } else if (name == "ball_constraint") {
      const ParsedBallConstraint& added = model_.ball_constraints.emplace_back(
          ReadBallConstraint(UrdfTags(element, log_), log_));
      RequireLink(element, added.body_A);
      RequireLink(element, added.body_B);
    } else if (name == "collision_filter_group") {
      return ReadGroup(element);
    } else {
      return;
    }
    element.ExpectAttributes({}, log_);
  }

  void ReadGroup(const XmlElement& element) {
    if (element.IsTrue("ignore")) return;
    const std::string name = element.RequiredName("name");
    element.ExpectAttributes({"name", "ignore"}, log_);
    Claim(element, name, "collision filter group", &groups_);
    const ParsedFilterGroup& added = model_.filter_groups.emplace_back(
        ReadFilterGroup(name, UrdfTags(element, log_), log_));
    for (const std::string& link : added.members) RequireLink(element, link);
  }

  void RequireGroups() const {
    for (const ParsedFilterGroup& group : model_.filter_groups) {
      for (const auto* names : {&group.member_groups, &group.ignored_groups}) {
        for (const std::string& name : *names) {
          if (groups_.contains(name)) continue;
          throw std::runtime_error(fmt::format(
              "{}: collision filter group '{}' refers to the group '{}', "
              "which is not there.",
              groups_.at(group.name), group.name, name));
        }
      }
    }
  }

  void RequireFrame(const XmlElement& element, const std::string& name) const {
    if (name == kWorldName || frames_.contains(name)) return;
    element.Throw(
        fmt::format("there is no link or frame '{}' in this file.", name));
  }

  const XmlElement robot_;
  WarningLog* const log_;
  UrdfGeometryContext geometry_;
  ParsedModel model_;
  // Where each name was given.
  std::map<std::string, std::string> links_;
  std::map<std::string, std::string> joints_;
  std::map<std::string, std::string> frames_;
  std::map<std::string, std::string> actuators_;
  std::map<std::string, std::string> groups_;
  std::map<std::string, XmlElement> joint_elements_;
  // The actuator of each joint.
  std::map<std::string, std::string> actuated_;
};

}  // namespace

ParsedModel ReadUrdf(const XmlDocument& document, const PackageMap* packages,
                     WarningLog* log) {
  const XmlElement robot = document.root();
  if (!robot.IsNamed("robot")) {
    robot.Throw(fmt::format(
        "the document is a <{}>; a URDF document is a <robot>.", robot.name()));
  }
  const std::filesystem::path file(document.source());
  const std::string name =
      document.folder().has_value() ? file.stem().string() : "robot";
  if (packages == nullptr) return UrdfReader(robot, nullptr, log).Read(name);
  const MeshFiles files(packages, document.folder());
  return UrdfReader(robot, &files, log).Read(name);
}

}  // namespace wyvern::multibody::internal
