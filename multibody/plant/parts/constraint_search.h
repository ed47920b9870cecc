#pragma once

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/projected_state.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Errors of rigid constraints that are no drift, [m] or [rad]. */
inline constexpr double kOpenError = 1e-4;

/** Whether positions near the Context's meet the rigid active constraints. */
enum class ConstraintReach { kMet, kUndecided, kOutOfReach };

/** Looks for positions at which all rigid active constraints hold to
kOpenError, by the method of Levenberg and Marquardt from the Context's
positions, and again from places around the best ones. Locked joints do not
move, and joints of one degree of freedom stay within their limits. Leaves the
best positions in state->q, with the rows there. At most some hundred
factorizations. Allocates nothing after the first. */
template <typename T>
ConstraintReach SearchConstraints(const MultibodyTreeSystem<T>& core,
                                  const systems::Context<T>& context,
                                  const ConstraintRegistry& registry,
                                  ProjectedState<T>* state);

/** Throws std::runtime_error that names plant, time and the constraints which a
search found out of reach: those that are off the most at the best positions,
and the joints that are at their limits there. */
template <typename T>
[[noreturn]] void ThrowOutOfReach(const MultibodyTreeSystem<T>& core,
                                  const systems::Context<T>& context,
                                  const ConstraintRegistry& registry,
                                  const ProjectedState<T>& state);

}  // namespace wyvern::multibody::internal
