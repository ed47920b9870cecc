#include "wyvern/multibody/plant/parts/port_units.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

namespace {

void Append(const std::vector<std::string>& units,
            const std::vector<int>* indices, std::vector<std::string>* result) {
  if (indices == nullptr) {
    result->insert(result->end(), units.begin(), units.end());
    return;
  }
  for (const int i : *indices) result->push_back(units[i]);
}

}  // namespace

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
    const engine::MobilizerTraits& traits = joint->mobilizer_traits();
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
    const engine::MobilizerTraits& traits =
        actuator->joint().mobilizer_traits();
    for (int i = 0; i < actuator->num_inputs(); ++i) {
      const int at = actuator->input_start() + i;
      u_[at] = traits.is_angular[i] ? "N m" : "N";
      u_position_[at] = traits.is_angular[i] ? "rad" : "m";
      u_velocity_[at] = traits.is_angular[i] ? "rad/s" : "m/s";
    }
  }
}

std::vector<std::string> PortUnits::Make(PortQuantity quantity,
                                         const InstanceIndices* indices) const {
  const auto of = [indices](std::vector<int> InstanceIndices::*member) {
    return indices == nullptr ? nullptr : &(indices->*member);
  };
  Units units;
  switch (quantity) {
    case PortQuantity::kNone:
      break;
    case PortQuantity::kState:
      Append(q_, of(&InstanceIndices::q), &units);
      Append(v_, of(&InstanceIndices::v), &units);
      break;
    case PortQuantity::kAcceleration:
      Append(vdot_, of(&InstanceIndices::v), &units);
      break;
    case PortQuantity::kForce:
      Append(tau_, of(&InstanceIndices::v), &units);
      break;
    case PortQuantity::kEffort:
      Append(u_, of(&InstanceIndices::u), &units);
      break;
    case PortQuantity::kDesiredState:
      Append(u_position_, of(&InstanceIndices::u), &units);
      Append(u_velocity_, of(&InstanceIndices::u), &units);
      break;
  }
  return units;
}

#define WYVERN_INSTANTIATE_PORT_UNITS(T) \
  template PortUnits::PortUnits(const MultibodyTreeSystem<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_PORT_UNITS)
#undef WYVERN_INSTANTIATE_PORT_UNITS

}  // namespace wyvern::multibody::internal
