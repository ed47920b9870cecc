/* libsdformat of this version does not know <joint> in <world>. All frames of
the world's models are collected, by their names in it and with where they are;
the joint's own frame J is placed by its <pose> from them, and its axes are
turned into J. */

#include "wyvern/multibody/parsing/sdf_world_joint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/sdf_joint.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

/** A frame F on a link L of a model, by their names in the world. */
struct WorldFrame {
  std::string link;
  RigidTransform<double> X_LF;
  RigidTransform<double> X_WF;
};
using WorldFrames = std::map<std::string, WorldFrame>;

void CollectFrames(const ParsedModel& model, const std::string& scope,
                   WorldFrames* result) {
  for (const ParsedLink& link : model.links) {
    (*result)[scope + link.name] = {scope + link.name, {}, *link.X_WB};
  }
  for (const ParsedModel& inner : model.nested) {
    CollectFrames(inner, scope + inner.name + "::", result);
  }
  for (const ParsedFrame& frame : model.frames) {
    const bool on_world = frame.link == kWorldName;
    const auto link = result->find(scope + frame.link);
    if (!on_world && link == result->end()) continue;
    const RigidTransform<double> X_WF =
        on_world ? frame.X_LF : link->second.X_WF * frame.X_LF;
    (*result)[scope + frame.name] = {on_world ? kWorldName : scope + frame.link,
                                     frame.X_LF, X_WF};
  }
}

const WorldFrame& FindFrame(const SdfElement& element, const std::string& name,
                            const WorldFrames& frames) {
  const auto found = frames.find(name);
  if (found != frames.end()) return found->second;
  element.Throw(fmt::format(
      "there is no link or frame '{}' in this world; those of a model are "
      "called model::name.",
      name));
}

std::vector<double> ReadFinite(const SdfElement& element, std::size_t size) {
  const auto numbers = ParseNumbers(element.text());
  if (!numbers.has_value() || numbers->size() != size ||
      !std::ranges::all_of(*numbers,
                           [](double x) { return std::isfinite(x); })) {
    element.Throw(fmt::format("<{}> is '{}'; {} finite numbers are wanted.",
                              element.name(), element.text(), size));
  }
  return *numbers;
}

// X_WJ, from <pose> relative to the child's frame or another.
RigidTransform<double> ReadJointPose(const SdfElement& element,
                                     const WorldFrame& child,
                                     const WorldFrames& frames) {
  const std::optional<SdfElement> pose = element.Child("pose");
  if (!pose.has_value()) return child.X_WF;
  for (const char* attribute : {"degrees", "rotation_format"}) {
    if (!pose->Attribute(attribute).has_value()) continue;
    pose->Throw(
        fmt::format("the attribute '{}' is not supported here; write "
                    "x, y, z, roll, pitch and yaw in metre and radian.",
                    attribute));
  }
  const std::vector<double> x = ReadFinite(*pose, 6);
  const auto relative_to = pose->Attribute("relative_to");
  const WorldFrame& R = relative_to.has_value() && !relative_to->empty()
                            ? FindFrame(*pose, *relative_to, frames)
                            : child;
  return R.X_WF *
         RigidTransform<double>(math::RollPitchYaw<double>(x[3], x[4], x[5]),
                                Vector3<double>(x[0], x[1], x[2]));
}

// In J.
Vector3<double> ReadWorldAxis(const SdfElement& element, int i,
                              const math::RotationMatrix<double>& R_WJ,
                              const WorldFrames& frames) {
  const SdfElement axis = element.RequiredChild(i == 0 ? "axis" : "axis2");
  const std::optional<SdfElement> xyz = axis.Child("xyz");
  if (!xyz.has_value()) return Vector3<double>::UnitZ();
  const std::vector<double> x = ReadFinite(*xyz, 3);
  const Vector3<double> v(x[0], x[1], x[2]);
  const auto expressed_in = xyz->Attribute("expressed_in");
  if (!expressed_in.has_value() || expressed_in->empty()) return v;
  const WorldFrame& E = FindFrame(*xyz, *expressed_in, frames);
  return R_WJ.inverse() * (E.X_WF.rotation() * v);
}

}  // namespace

void AddSdfWorldJoint(const SdfElement& element, WarningLog* log,
                      ParsedModel* world) {
  std::optional<ParsedActuator> actuator;
  ParsedJoint joint = ReadSdfJoint(element, &actuator, log);
  if (std::ranges::find(world->joints, joint.name, &ParsedJoint::name) !=
      world->joints.end()) {
    element.Throw(fmt::format("there is already a joint '{}'.", joint.name));
  }
  WorldFrames frames{{kWorldName, {kWorldName, {}, {}}}};
  CollectFrames(*world, "", &frames);
  const WorldFrame& parent =
      FindFrame(element, element.RequiredChild("parent").text(), frames);
  const WorldFrame& child =
      FindFrame(element, element.RequiredChild("child").text(), frames);
  if (parent.link == child.link) {
    element.Throw(
        fmt::format("parent and child are both on link '{}'.", child.link));
  }
  const RigidTransform<double> X_WJ = ReadJointPose(element, child, frames);
  const math::RotationMatrix<double> R_JF = SetSdfAxes(
      element,
      [&](int i) { return ReadWorldAxis(element, i, X_WJ.rotation(), frames); },
      &joint);
  const RigidTransform<double> X_WM = X_WJ * RigidTransform<double>(R_JF);
  const auto in = [&](const WorldFrame& frame) {
    const RigidTransform<double> X_WL = frame.X_WF * frame.X_LF.inverse();
    return X_WL.InvertAndCompose(X_WM);
  };
  joint.parent = parent.link;
  joint.child = child.link;
  joint.X_PF = in(parent);
  joint.X_CM = in(child);
  world->joints.push_back(std::move(joint));
  if (actuator.has_value()) world->actuators.push_back(std::move(*actuator));
}

}  // namespace wyvern::multibody::internal
