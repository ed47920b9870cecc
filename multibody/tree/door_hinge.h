#pragma once

#include <tuple>

#include "wyvern/multibody/tree/coordinate_force.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/typed_force_element.h"
#include "wyvern/systems/common/name_value.h"

namespace wyvern::multibody {

/** Parameters of a DoorHinge; all but the angle must not be negative. */
struct DoorHingeConfig {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(spring_zero_angle_rad));
    a->Visit(WYVERN_NVP(spring_constant));
    a->Visit(WYVERN_NVP(dynamic_friction_torque));
    a->Visit(WYVERN_NVP(static_friction_torque));
    a->Visit(WYVERN_NVP(catch_width));
    a->Visit(WYVERN_NVP(catch_torque));
    a->Visit(WYVERN_NVP(viscous_friction));
    a->Visit(WYVERN_NVP(motion_threshold));
  }

  /** Where the spring is slack, [rad]. */
  double spring_zero_angle_rad{-1.5};
  /** [N·m/rad] */
  double spring_constant{1.5};
  /** [N·m] */
  double dynamic_friction_torque{3.0};
  /** [N·m] */
  double static_friction_torque{2.0};
  /** [N·m·s/rad] */
  double viscous_friction{1.0};
  /** How far the catch reaches from the closed position, [rad]. */
  double catch_width{0.02};
  /** [N·m] */
  double catch_torque{15.0};
  /** How fast friction comes in, [rad/s]; at 0 it is a step. */
  double motion_threshold{0.001};
};

/** The torques of a door's hinge, on a revolute joint that is closed at angle
q = 0 and opens towards positive q. With s(t, x) = tanh(x / t) for a step, and
d(t, x) = 2 s (1 - s²) for a lump on either side of it, the torque is

  - spring_constant (q - spring_zero_angle) + catch_torque d(w/2, q - w/2)
  - dynamic_friction_torque s(m, q̇) - static_friction_torque d(m, q̇)
  - viscous_friction q̇,   w = catch_width, m = motion_threshold.

The first two depend on the angle, so they store energy: none at q = 0. As w or
m goes to zero s becomes the sign of x, and d nothing. */
template <typename T>
class DoorHinge final
    : public internal::TypedForceElement<DoorHinge, T,
                                         internal::CoordinateForce<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DoorHinge);

  /** Makes a door hinge for a joint that must be in the same plant.
  @throws std::logic_error if a value is not finite, or is negative where it
  must not be. */
  DoorHinge(const RevoluteJoint<T>& joint, const DoorHingeConfig& config);
  ~DoorHinge() override;

  /** The hinge that the torques act on. */
  const RevoluteJoint<T>& joint() const { return joint_; }
  /** The parameters that were given to the constructor. */
  const DoorHingeConfig& config() const { return config_; }

  /** @name The same, as functions of angle [rad] and rate [rad/s]
  @{ */
  /** Returns the torque of all three kinds of friction, [N·m]. */
  T CalcHingeFrictionalTorque(const T& angular_rate) const;
  /** Returns the torque of spring and catch, [N·m]. */
  T CalcHingeSpringTorque(const T& angle) const;
  /** Returns the whole torque, of spring, catch and friction, [N·m]. */
  T CalcHingeTorque(const T& angle, const T& angular_rate) const;
  /** Returns the power of spring and catch, [W]. */
  T CalcHingeConservativePower(const T& angle, const T& angular_rate) const;
  /** Power of friction, which is never positive, [W]. */
  T CalcHingeNonConservativePower(const T& angular_rate) const;
  /** Returns the energy that spring and catch store, [J]; 0 at the angle 0. */
  T CalcHingeStoredEnergy(const T& angle) const;
  /** @} */

 private:
  friend class internal::TypedForceElement<DoorHinge, T,
                                           internal::CoordinateForce<T>>;
  T CalcElasticEnergy(const T& angle) const final {
    return CalcHingeStoredEnergy(angle);
  }
  T CalcElasticForce(const T& angle) const final {
    return CalcHingeSpringTorque(angle);
  }
  T CalcRateForce(const T& angular_rate) const final {
    return CalcHingeFrictionalTorque(angular_rate);
  }
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tuple<const RevoluteJoint<U>&, const DoorHingeConfig&>(
        dynamic_cast<const RevoluteJoint<U>&>(tree.get_joint(joint().index())),
        config_);
  }
  // Up to a constant.
  T CalcUnshiftedEnergy(const T& angle) const;

  const RevoluteJoint<T>& joint_;
  const DoorHingeConfig config_;
};

}  // namespace wyvern::multibody
