#include "wyvern/multibody/tree/rpy_floating_joint.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
RpyFloatingJoint<T>::RpyFloatingJoint(const std::string& name,
                                      const Frame<T>& frame_on_parent,
                                      const Frame<T>& frame_on_child,
                                      double angular_damping,
                                      double translational_damping)
    : internal::RpyCoordinates<internal::FloatingJointOf<RpyFloatingJoint, T>>(
          dynamics::MobilizerType::kRpyFloating, name, frame_on_parent,
          frame_on_child, angular_damping, translational_damping) {}

template <typename T>
RpyFloatingJoint<T>::~RpyFloatingJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RpyFloatingJoint);
