#include "wyvern/multibody/tree/universal_joint.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
UniversalJoint<T>::UniversalJoint(const std::string& name,
                                  const Frame<T>& frame_on_parent,
                                  const Frame<T>& frame_on_child,
                                  double damping)
    : internal::TypedJoint<UniversalJoint, T>(
          dynamics::MobilizerType::kUniversal, name, frame_on_parent,
          frame_on_child, VectorX<double>::Constant(2, damping)) {}

template <typename T>
UniversalJoint<T>::~UniversalJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::UniversalJoint);
