#include "wyvern/multibody/standalone/multibody_tree_context.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
MultibodyTreeContext<T>::MultibodyTreeContext(int num_positions,
                                              int num_velocities)
    : num_positions_(num_positions), num_velocities_(num_velocities) {}

template <typename T>
MultibodyTreeContext<T>::MultibodyTreeContext(
    const MultibodyTreeContext<T>& source) = default;

template <typename T>
MultibodyTreeContext<T>::~MultibodyTreeContext() = default;

template <typename T>
Eigen::VectorBlock<VectorX<T>>
MultibodyTreeContext<T>::get_mutable_positions() {
  auto x = static_cast<systems::BasicVector<T>&>(
               this->get_mutable_continuous_state_vector())
               .get_mutable_value();
  return x.nestedExpression().segment(x.startRow(), num_positions_);
}

template <typename T>
Eigen::VectorBlock<VectorX<T>>
MultibodyTreeContext<T>::get_mutable_velocities() {
  auto x = static_cast<systems::BasicVector<T>&>(
               this->get_mutable_continuous_state_vector())
               .get_mutable_value();
  return x.nestedExpression().segment(x.startRow() + num_positions_,
                                      num_velocities_);
}

template <typename T>
std::unique_ptr<systems::ContextBase>
MultibodyTreeContext<T>::DoCloneWithoutPointers() const {
  return std::unique_ptr<systems::ContextBase>(
      new MultibodyTreeContext<T>(*this));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::MultibodyTreeContext);
