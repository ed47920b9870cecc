#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/joint_actuator.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** The quantity that the elements of a plant's port measure. */
enum class PortQuantity {
  kNone,          ///< Numbers without common units.
  kState,         ///< Positions, then velocities.
  kAcceleration,  ///< Generalized accelerations.
  kForce,         ///< Generalized forces.
  kEffort,        ///< Efforts of actuators.
  kDesiredState,  ///< Positions, then velocities, of actuated coordinates.
};

/** Units of a plant's ports, such as "rad" and "N m", joint by joint. Elements
of quaternions and efforts of tendons have none. */
class PortUnits {
 public:
  /** Requires a finalized model. */
  template <typename T>
  explicit PortUnits(const MultibodyTreeSystem<T>& core);

  /** The units of all elements, or of those of one model instance if `indices`
  is not null. */
  std::vector<std::string> Make(PortQuantity quantity,
                                const InstanceIndices* indices) const;

 private:
  using Units = std::vector<std::string>;
  // By position, by velocity and by actuation input.
  Units q_, v_, vdot_, tau_, u_, u_position_, u_velocity_;
};

template <typename T>
PortUnits::PortUnits(const MultibodyTreeSystem<T>& core)
    : q_(core.num_q()),
      v_(core.num_v()),
      vdot_(core.num_v()),
      tau_(core.num_v()),
      u_(core.tree().num_actuated_dofs()),
      u_position_(u_.size()),
      u_velocity_(u_.size()) {
  const MultibodyTree<T>& tree = core.tree();
  for (const Joint<T>* joint : tree.joints().elements()) {
    const dynamics::MobilizerTraits& traits = joint->mobilizer_traits();
    constexpr int kQuaternionSize = 4;
    const int first = traits.has_quaternion ? kQuaternionSize : 0;
    for (int i = first; i < joint->num_positions(); ++i) {
      // The angles roll, pitch and yaw are those whose rate is no velocity.
      const int rate = traits.rate_of_position[i];
      const bool is_angle = rate < 0 || traits.is_angular[rate];
      q_[joint->position_start() + i] = is_angle ? "rad" : "m";
    }
    for (int i = 0; i < joint->num_velocities(); ++i) {
      const int at = joint->velocity_start() + i;
      v_[at] = traits.is_angular[i] ? "rad/s" : "m/s";
      vdot_[at] = traits.is_angular[i] ? "rad/s^2" : "m/s^2";
      tau_[at] = traits.is_angular[i] ? "N m" : "N";
    }
  }
  for (const JointActuator<T>* actuator : tree.actuators().elements()) {
    if (actuator->acts_on_tendon()) continue;
    const dynamics::MobilizerTraits& traits =
        actuator->joint().mobilizer_traits();
    for (int i = 0; i < actuator->num_inputs(); ++i) {
      const int at = actuator->input_start() + i;
      u_[at] = traits.is_angular[i] ? "N m" : "N";
      u_position_[at] = traits.is_angular[i] ? "rad" : "m";
      u_velocity_[at] = traits.is_angular[i] ? "rad/s" : "m/s";
    }
  }
}

}  // namespace wyvern::multibody::internal
