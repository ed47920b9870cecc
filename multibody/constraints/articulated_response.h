#pragma once

#include <span>

#include "wyvern/multibody/constraints/constraint_set.h"

namespace wyvern::multibody {

/** What ForwardDynamicsContactsKokkevis() does, once its arguments are checked:
v̇ and the set's force().
@param applied Applied node forces; empty for none. Generalized forces are
set->system().c. */
template <typename T>
void SolveByArticulatedResponse(const internal::MultibodyTreeSystem<T>& plant,
                                const systems::Context<T>& context,
                                std::span<const Vector6<T>> applied,
                                ConstraintSet<T>* set,
                                Eigen::Ref<VectorX<T>> vdot);

}  // namespace wyvern::multibody
