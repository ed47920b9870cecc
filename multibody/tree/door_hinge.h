#pragma once

#include <memory>

#include "wyvern/multibody/tree/force_element.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/systems/common/name_value.h"

namespace wyvern::multibody {

/** What a DoorHinge is made of; all but the angle must not be negative. */
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
class DoorHinge final : public ForceElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DoorHinge);

  /** @throws std::logic_error if a value is not finite, or is negative where it
  must not be. */
  DoorHinge(const RevoluteJoint<T>& joint, const DoorHingeConfig& config);
  ~DoorHinge() override;

  const RevoluteJoint<T>& joint() const { return joint_; }
  const DoorHingeConfig& config() const { return config_; }

  T CalcPotentialEnergy(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc) const override;
  T CalcConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const override;
  T CalcNonConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const override;

  /** @name The same, as functions of angle [rad] and rate [rad/s]
  @{ */
  /** Of friction of all three kinds, [N·m]. */
  T CalcHingeFrictionalTorque(const T& angular_rate) const;
  /** Of spring and catch, [N·m]. */
  T CalcHingeSpringTorque(const T& angle) const;
  T CalcHingeTorque(const T& angle, const T& angular_rate) const;
  /** [W] */
  T CalcHingeConservativePower(const T& angle, const T& angular_rate) const;
  T CalcHingeNonConservativePower(const T& angular_rate) const;
  /** [J] */
  T CalcHingeStoredEnergy(const T& angle) const;
  /** @} */

 private:
  void DoRequireMembers(const internal::MultibodyTree<T>& tree) const override;
  void DoCalcAndAddForceContribution(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc,
      MultibodyForces<T>* forces) const override;
  std::unique_ptr<ForceElement<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<ForceElement<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override;
  template <typename ToScalar>
  std::unique_ptr<ForceElement<ToScalar>> TemplatedClone(
      const internal::MultibodyTree<ToScalar>& tree_clone) const;
  // Up to a constant.
  T CalcUnshiftedEnergy(const T& angle) const;

  const RevoluteJoint<T>& joint_;
  const DoorHingeConfig config_;
};

}  // namespace wyvern::multibody
