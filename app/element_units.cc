#include "wyvern/app/element_units.h"

namespace wyvern::app {

using multibody::Joint;
using multibody::JointActuator;

std::string GetPositionUnit(const Joint<double>& joint, int i) {
  const auto& traits = joint.mobilizer_traits();
  constexpr int kQuaternionSize = 4;
  if (traits.has_quaternion && i < kQuaternionSize) return {};
  const int rate = traits.rate_of_position.at(i);
  // The angles roll, pitch and yaw are those whose rate is no velocity.
  const bool is_angle = rate < 0 || traits.is_angular.at(rate);
  return is_angle ? "rad" : "m";
}

std::string GetVelocityUnit(const Joint<double>& joint, int i) {
  return joint.mobilizer_traits().is_angular.at(i) ? "rad/s" : "m/s";
}

std::string GetEffortUnit(const JointActuator<double>& actuator) {
  if (actuator.acts_on_tendon()) return {};
  return actuator.joint().mobilizer_traits().is_angular.front() ? "N·m" : "N";
}

}  // namespace wyvern::app
