#pragma once

#include <set>
#include <string>

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/projected_state.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Relative errors of rigid constraints above this bound are not drift; see
MechanismScale. */
inline constexpr double kOpenError = 1e-4;

/** Result: whether positions near the Context's meet the rigid active
constraints. */
enum class ConstraintReach { kMet, kUndecided, kOutOfReach };

/** Searches for positions at which all rigid active constraints hold to
kOpenError. Uses the method of Levenberg and Marquardt from the Context's
positions, and then from places around the best positions. Locked joints do not
move, and joints of one degree of freedom stay within their limits. Leaves the
best positions in state->q, with the rows there. Needs at most some hundred
factorizations, and allocates nothing after the first call. */
template <typename T>
ConstraintReach SearchConstraints(const MultibodyTreeSystem<T>& core,
                                  const systems::Context<T>& context,
                                  const ConstraintRegistry& registry,
                                  ProjectedState<T>* state);

/** Throws std::runtime_error with the plant, the time and the constraints that
a search found out of reach. It names the constraints with the largest errors at
the best positions, and the joints that are at their limits there. */
template <typename T>
[[noreturn]] void ThrowOutOfReach(const MultibodyTreeSystem<T>& core,
                                  const systems::Context<T>& context,
                                  const ConstraintRegistry& registry,
                                  const ProjectedState<T>& state);

/** Throws std::runtime_error with the plant, the time and constraints that no
motion meets.
@param largest_error Of the rows of these constraints.
@param names Of the constraints, in words.
@param remark A sentence more, after a space; default none. */
template <typename T>
[[noreturn]] void ThrowContradiction(const MultibodyTreeSystem<T>& core,
                                     const systems::Context<T>& context,
                                     double largest_error,
                                     const std::set<std::string>& names,
                                     const std::string& remark = {});

}  // namespace wyvern::multibody::internal
