#pragma once

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** q̇ = N(q) v.
@throws std::runtime_error that names plant, time and joint at gimbal lock. */
template <typename T>
void CalcPositionRates(const MultibodyTreeSystem<T>& core,
                       const systems::Context<T>& context,
                       const Eigen::Ref<const VectorX<T>>& q,
                       const Eigen::Ref<const VectorX<T>>& v,
                       Eigen::Ref<VectorX<T>> qdot);

}  // namespace wyvern::multibody::internal
