#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** dynamics::CalcArticulatedInertias() of the core's model.
@throws std::runtime_error if a joint moves no inertia, naming it and its
body. */
template <typename T>
void CalcArticulatedInertias(const MultibodyTreeSystem<T>& core,
                             const dynamics::Configuration<T>& at,
                             const Eigen::Ref<const VectorX<T>>& diagonal,
                             dynamics::ArticulatedInertias<T>* result);

}  // namespace wyvern::multibody::internal
