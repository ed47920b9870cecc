#include "wyvern/multibody/tree/quaternion_floating_joint.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
QuaternionFloatingJoint<T>::QuaternionFloatingJoint(
    const std::string& name, const Frame<T>& frame_on_parent,
    const Frame<T>& frame_on_child, double angular_damping,
    double translational_damping)
    : internal::QuaternionCoordinates<
          internal::FloatingJointOf<QuaternionFloatingJoint, T>>(
          dynamics::MobilizerType::kQuaternionFloating, name, frame_on_parent,
          frame_on_child, angular_damping, translational_damping) {}

template <typename T>
QuaternionFloatingJoint<T>::~QuaternionFloatingJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::QuaternionFloatingJoint);
