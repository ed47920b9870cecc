#include "wyvern/multibody/parsing/sdf_pose.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/parsing/parse_number.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;
using math::RollPitchYaw;
using math::RotationMatrix;

namespace {

std::vector<double> ReadPoseNumbers(const SdfElement& pose, std::size_t size) {
  const auto numbers = ParseNumbers(pose.text());
  if (!numbers.has_value() || numbers->size() != size ||
      !std::ranges::all_of(*numbers,
                           [](double x) { return std::isfinite(x); })) {
    pose.Throw(fmt::format("<pose> is '{}'; {} finite numbers are wanted.",
                           pose.text(), size));
  }
  return *numbers;
}

RigidTransform<double> ReadTransform(const SdfElement& pose) {
  const bool is_in_degrees = pose.IsTrue("degrees");
  const std::string format =
      pose.Attribute("rotation_format").value_or("euler_rpy");
  if (format != "euler_rpy" && format != "quat_xyzw") {
    pose.Throw(fmt::format(
        "rotation_format='{}' is not known; give euler_rpy or quat_xyzw.",
        format));
  }
  if (pose.text().empty()) return {};
  if (format == "euler_rpy") {
    const std::vector<double> x = ReadPoseNumbers(pose, 6);
    const double unit = is_in_degrees ? std::numbers::pi / 180 : 1;
    return {RollPitchYaw<double>(unit * x[3], unit * x[4], unit * x[5]),
            Vector3<double>(x[0], x[1], x[2])};
  }
  if (is_in_degrees) pose.Throw("a quaternion is not in degrees.");
  const std::vector<double> x = ReadPoseNumbers(pose, 7);
  const Eigen::Vector4d xyzw(x[3], x[4], x[5], x[6]);
  if (xyzw.isZero(0)) pose.Throw("the quaternion is zero.");
  const Eigen::Vector4d unit = xyzw.stableNormalized();
  return {RotationMatrix<double>(
              Eigen::Quaterniond(unit[3], unit[0], unit[1], unit[2])),
          Vector3<double>(x[0], x[1], x[2])};
}

bool UsesParentModelFrame(const SdfElement& axis) {
  if (!axis.IsOlderThan(7)) return false;
  return axis.IsOlderThan(5) ||
         axis.Bool("use_parent_model_frame").value_or(false);
}

}  // namespace

SdfPose ReadSdfPose(const SdfElement& owner, WarningLog* log) {
  std::optional<SdfElement> pose;
  for (const SdfElement& child : owner.children()) {
    if (child.name() != "pose") continue;
    if (pose.has_value()) {
      child.Warn("a second <pose> is ignored; the first counts.", log);
    } else {
      pose = child;
    }
  }
  if (!pose.has_value()) return {};
  SdfPose result{ReadTransform(*pose), ""};
  result.relative_to = pose->Attribute("relative_to").value_or("");
  if (result.relative_to.empty() && pose->IsOlderThan(7)) {
    result.relative_to = pose->Attribute("frame").value_or("");
  }
  return result;
}

SdfAxis ReadSdfAxis(const SdfElement& axis) {
  SdfAxis result{Vector3<double>::UnitZ(), ""};
  if (const auto xyz = axis.Child("xyz")) {
    result.xyz = *axis.Triple("xyz");
    if (result.xyz.isZero(0)) {
      xyz->Throw("<xyz> is zero; an axis needs a direction.");
    }
    result.expressed_in = xyz->Attribute("expressed_in").value_or("");
  }
  if (UsesParentModelFrame(axis)) result.expressed_in = "__model__";
  return result;
}

}  // namespace wyvern::multibody::internal
