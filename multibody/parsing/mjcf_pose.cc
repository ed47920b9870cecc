#include "wyvern/multibody/parsing/mjcf_pose.h"

#include <cctype>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/turn_z_to.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;
using math::RotationMatrix;

namespace {

// Shorter is no direction.
constexpr double kLeastLength = 1e-14;

VectorX<double> ReadAll(const XmlElement& element, std::string_view attribute,
                        std::size_t count) {
  const std::vector<double> numbers =
      ReadMjcfNumbers(element, attribute, count);
  if (numbers.size() != count) {
    element.Throw(fmt::format("{} in <{}> has {} numbers; give {}.", attribute,
                              element.name(), numbers.size(), count));
  }
  return Eigen::Map<const VectorX<double>>(numbers.data(), count);
}

Vector3<double> Direction(const XmlElement& element, std::string_view attribute,
                          const Vector3<double>& v) {
  const double length = v.stableNorm();
  if (!(length > kLeastLength) || !std::isfinite(length)) {
    element.Throw(fmt::format("{} in <{}> gives no direction.", attribute,
                              element.name()));
  }
  return v / length;
}

RotationMatrix<double> FromAxes(const XmlElement& element,
                                const VectorX<double>& xy) {
  const Vector3<double> x = Direction(element, "xyaxes", xy.head<3>());
  const Vector3<double> y =
      Direction(element, "xyaxes", xy.tail<3>() - x.dot(xy.tail<3>()) * x);
  return RotationMatrix<double>::MakeFromOrthonormalColumns(x, y, x.cross(y));
}

RotationMatrix<double> FromEuler(const Vector3<double>& angles,
                                 const MjcfSettings& settings) {
  RotationMatrix<double> R;
  for (int i = 0; i < 3; ++i) {
    const char letter = settings.eulerseq[i];
    const auto axis = std::tolower(static_cast<unsigned char>(letter)) - 'x';
    const RotationMatrix<double> turn(Eigen::AngleAxis<double>(
        settings.angle * angles[i], Vector3<double>::Unit(axis)));
    const bool stays = std::isupper(static_cast<unsigned char>(letter));
    R = stays ? turn * R : R * turn;
  }
  return R;
}

}  // namespace

RigidTransform<double> PoseOfEnds(const Vector6<double>& ends) {
  const Vector3<double> from = ends.head<3>();
  const Vector3<double> to = ends.tail<3>();
  return {TurnZTo(from - to), 0.5 * (from + to)};
}

RotationMatrix<double> ToMjcfRotation(const XmlElement& element,
                                      const Vector4<double>& wxyz) {
  const double length = wxyz.stableNorm();
  if (!(length > kLeastLength) || !std::isfinite(length)) {
    element.Throw(
        fmt::format("a quaternion in <{}> has no length.", element.name()));
  }
  const Vector4<double> unit = wxyz / length;
  return RotationMatrix<double>(
      Eigen::Quaternion<double>(unit[0], unit[1], unit[2], unit[3]));
}

RotationMatrix<double> ReadMjcfRotation(const MjcfElement& element,
                                        const MjcfSettingsOfModels& models) {
  const MjcfSettings& settings = models.Of(element.own());
  const auto found =
      element.OneOf({"quat", "axisangle", "xyaxes", "zaxis", "euler"});
  if (!found.has_value()) return {};
  const auto& [holder, attribute] = *found;
  if (attribute == "quat") {
    return ToMjcfRotation(holder, ReadAll(holder, attribute, 4));
  }
  if (attribute == "xyaxes") {
    return FromAxes(holder, ReadAll(holder, attribute, 6));
  }
  if (attribute == "zaxis") {
    return TurnZTo(Direction(holder, attribute, ReadAll(holder, attribute, 3)));
  }
  if (attribute == "euler") {
    return FromEuler(ReadAll(holder, attribute, 3), settings);
  }
  const VectorX<double> turn = ReadAll(holder, attribute, 4);
  return RotationMatrix<double>(Eigen::AngleAxis<double>(
      settings.angle * turn[3], Direction(holder, attribute, turn.head<3>())));
}

RotationMatrix<double> ReadMjcfTurns(const MjcfElement& element,
                                     const MjcfSettingsOfModels& models,
                                     int times) {
  const Vector3<double> euler =
      times * element.Triple("euler", Vector3<double>::Zero());
  if (!euler.allFinite()) {
    element.Throw("the angles of euler are too large for so many copies.");
  }
  return FromEuler(euler, models.Of(element.own()));
}

RigidTransform<double> ReadMjcfPose(const MjcfElement& element,
                                    const MjcfSettingsOfModels& settings) {
  return RigidTransform<double>(ReadMjcfRotation(element, settings),
                                element.Triple("pos", Vector3<double>::Zero()));
}

}  // namespace wyvern::multibody::internal
