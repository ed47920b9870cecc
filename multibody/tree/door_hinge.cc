// The torques of a door's hinge by the formula in the header. Signs are
// smoothed, s(t, x) = tanh(x / t), and so are lumps, d(t, x) = 2 s (1 - s²),
// whose integral t s² makes the stored energy a closed form.
#include "wyvern/multibody/tree/door_hinge.h"

#include <cmath>
#include <vector>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"

namespace wyvern::multibody {

namespace {

// s(t, x): from -1 to 1 within about ±t.
template <typename T>
T CalcStep(double t, const T& x) {
  using std::tanh;
  if (t == 0) {
    return if_then_else(x > 0, T(1), if_then_else(x < 0, T(-1), T(0)));
  }
  return tanh(x / t);
}

// d(t, x): a lump of area t on either side of 0, with the sign of x.
template <typename T>
T CalcLumps(double t, const T& x) {
  if (t == 0) return T(0);
  const T s = CalcStep(t, x);
  return 2.0 * s * (1.0 - s * s);
}

}  // namespace

template <typename T>
DoorHinge<T>::DoorHinge(const RevoluteJoint<T>& joint,
                        const DoorHingeConfig& config)
    : internal::TypedForceElement<DoorHinge, T, internal::CoordinateForce<T>>(
          joint),
      joint_(joint),
      config_(config) {
  const auto check = [&](double value, const char* what) {
    internal::RequireNonNegative(
        internal::Caller::Element("DoorHinge", joint.name()), what, value);
  };
  internal::RequireFinite(internal::Caller::Element("DoorHinge", joint.name()),
                          "spring_zero_angle_rad",
                          config.spring_zero_angle_rad);
  check(config.spring_constant, "spring_constant");
  check(config.dynamic_friction_torque, "dynamic_friction_torque");
  check(config.static_friction_torque, "static_friction_torque");
  check(config.viscous_friction, "viscous_friction");
  check(config.catch_width, "catch_width");
  check(config.catch_torque, "catch_torque");
  check(config.motion_threshold, "motion_threshold");
}

template <typename T>
DoorHinge<T>::~DoorHinge() = default;

template <typename T>
T DoorHinge<T>::CalcHingeFrictionalTorque(const T& angular_rate) const {
  const double m = config_.motion_threshold;
  return -config_.dynamic_friction_torque * CalcStep(m, angular_rate) -
         config_.static_friction_torque * CalcLumps(m, angular_rate) -
         config_.viscous_friction * angular_rate;
}

template <typename T>
T DoorHinge<T>::CalcHingeSpringTorque(const T& angle) const {
  const double half = config_.catch_width / 2;
  return config_.catch_torque * CalcLumps<T>(half, angle - half) -
         config_.spring_constant * (angle - config_.spring_zero_angle_rad);
}

template <typename T>
T DoorHinge<T>::CalcHingeTorque(const T& angle, const T& angular_rate) const {
  return CalcHingeSpringTorque(angle) + CalcHingeFrictionalTorque(angular_rate);
}

template <typename T>
T DoorHinge<T>::CalcHingeConservativePower(const T& angle,
                                           const T& angular_rate) const {
  return CalcHingeSpringTorque(angle) * angular_rate;
}

template <typename T>
T DoorHinge<T>::CalcHingeNonConservativePower(const T& angular_rate) const {
  return CalcHingeFrictionalTorque(angular_rate) * angular_rate;
}

// The integral of d(t, x) over x is t s(t, x)².
template <typename T>
T DoorHinge<T>::CalcUnshiftedEnergy(const T& angle) const {
  const double half = config_.catch_width / 2;
  const T stretch = angle - config_.spring_zero_angle_rad;
  const T s = CalcStep<T>(half, angle - half);
  return 0.5 * config_.spring_constant * stretch * stretch -
         config_.catch_torque * half * s * s;
}

template <typename T>
T DoorHinge<T>::CalcHingeStoredEnergy(const T& angle) const {
  return CalcUnshiftedEnergy(angle) - CalcUnshiftedEnergy(T(0));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::DoorHinge);
