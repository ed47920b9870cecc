#include "wyvern/multibody/parsing/urdf_reader.h"

#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/urdf_children.h"
#include "wyvern/multibody/parsing/urdf_joint.h"
#include "wyvern/multibody/parsing/urdf_link.h"
#include "wyvern/multibody/parsing/urdf_pose.h"
#include "wyvern/multibody/parsing/urdf_transmission.h"

namespace wyvern::multibody::internal {

namespace {

/** Reads the parts of one robot in the order in which they refer to each other.
 */
class UrdfReader {
 public:
  UrdfReader(const XmlElement& robot, WarningLog* log)
      : robot_(robot), log_(log) {}

  UrdfModel Read() {
    model_.name = robot_.RequiredName("name");
    CheckUrdfChildren(robot_,
                      {.read = {"link", "joint", "frame", "transmission"},
                       .ignored = {"material"},
                       .warned = {"gazebo", "sensor", "verbose", "ros2_control",
                                  "group", "group_state", "disable_collisions",
                                  "drake:collision_filter_group"}},
                      log_);
    for (const XmlElement& element : Parts("link")) ReadLink(element);
    for (const XmlElement& element : Parts("joint")) ReadJoint(element);
    for (const XmlElement& element : Parts("frame")) ReadFrame(element);
    for (const XmlElement& element : Parts("transmission")) {
      ReadTransmission(element);
    }
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
    if (name == kUrdfWorld || links_.contains(name)) return;
    element.Throw(fmt::format("there is no link '{}' in this file.", name));
  }

  void ReadLink(const XmlElement& element) {
    UrdfLink link = ReadUrdfLink(element, log_);
    Claim(element, link.name, "link", &links_);
    Claim(element, link.name, "frame", &frames_);
    if (link.name != kUrdfWorld) model_.links.push_back(std::move(link));
  }

  void ReadJoint(const XmlElement& element) {
    UrdfJoint joint = ReadUrdfJoint(element, log_);
    Claim(element, joint.name, "joint", &joints_);
    // The plant names the joint's frame on the parent so.
    Claim(element, joint.name + "_parent", "frame", &frames_);
    const XmlElement subject =
        element.About(fmt::format("joint '{}'", joint.name));
    RequireLink(subject, joint.parent);
    RequireLink(subject, joint.child);
    model_.joints.push_back(std::move(joint));
  }

  void ReadFrame(const XmlElement& element) {
    UrdfFrame frame;
    frame.name = element.RequiredName("name");
    const XmlElement subject =
        element.About(fmt::format("frame '{}'", frame.name));
    subject.ExpectAttributes({"name", "link", "xyz", "rpy"});
    frame.link = subject.RequiredName("link");
    frame.X_LF = ReadUrdfPose(subject);
    Claim(subject, frame.name, "frame", &frames_);
    RequireLink(subject, frame.link);
    model_.frames.push_back(std::move(frame));
  }

  void ReadTransmission(const XmlElement& element) {
    std::optional<UrdfActuator> actuator =
        ReadUrdfTransmission(element, model_.joints, log_);
    if (!actuator.has_value()) return;
    Claim(element, actuator->name, "actuator", &actuators_);
    const auto [other, is_new] =
        actuated_.try_emplace(actuator->joint, actuator->name);
    if (!is_new) {
      element.Throw(fmt::format(
          "joint '{}' already has the actuator '{}'; one is wanted.",
          actuator->joint, other->second));
    }
    model_.actuators.push_back(std::move(*actuator));
  }

  const XmlElement robot_;
  WarningLog* const log_;
  UrdfModel model_;
  // Where each name was given.
  std::map<std::string, std::string> links_;
  std::map<std::string, std::string> joints_;
  std::map<std::string, std::string> frames_;
  std::map<std::string, std::string> actuators_;
  // The actuator of each joint.
  std::map<std::string, std::string> actuated_;
};

}  // namespace

UrdfModel ReadUrdf(const XmlDocument& document, WarningLog* log) {
  const XmlElement robot = document.root();
  if (!robot.IsNamed("robot")) {
    robot.Throw(fmt::format(
        "the document is a <{}>; a URDF document is a <robot>.", robot.name()));
  }
  return UrdfReader(robot, log).Read();
}

}  // namespace wyvern::multibody::internal
