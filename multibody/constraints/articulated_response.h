#pragma once

#include <span>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems {
template <typename T>
class Context;
}

namespace wyvern::multibody {

template <typename T>
class ConstraintSet;
template <typename T>
struct ConstrainedSystem;
namespace internal {
template <typename T>
class MultibodyTreeSystem;
}

/** What ForwardDynamicsContactsKokkevis() does, once its arguments are checked:
v̇ and system->force.
@param applied Applied node forces; empty for none. Generalized forces are
system->c. */
template <typename T>
void SolveByArticulatedResponse(const internal::MultibodyTreeSystem<T>& plant,
                                const systems::Context<T>& context,
                                std::span<const Vector6<T>> applied,
                                const ConstraintSet<T>& set,
                                ConstrainedSystem<T>* system,
                                Eigen::Ref<VectorX<T>> vdot);

}  // namespace wyvern::multibody
