#pragma once

/** @file
What functions on a plant ask of vectors. `function` is who asks,
without its parentheses; `what` names the argument. */

#include <string_view>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
template <typename T>
class MultibodyForces;
}  // namespace wyvern::multibody

namespace wyvern::multibody::internal {

/** @throws std::logic_error if a vector for results is null or of another
size. */
template <typename T>
void RequireResult(std::string_view function, std::string_view what,
                   const EigenPtr<VectorX<T>>& result, Eigen::Index wanted);

/** The first entry that is not finite; -1 if all are. */
template <typename T>
int FindNotFinite(const Eigen::Ref<const VectorX<T>>& values);

/** @throws std::logic_error naming a body, or a velocity, of which the force is
not finite. */
template <typename T>
void RequireFiniteForces(std::string_view function, std::string_view what,
                         const MultibodyForces<T>& forces);

/** @throws std::runtime_error naming an entry of a result, which is not finite
although what it was worked out from was. */
template <typename Value>
void RequireFiniteResult(const Caller& who, std::string_view what,
                         const Value& result) {
  RequireFinite(who.OfResults(), what, result,
                "the state of the Context, or what was given, is too large for "
                "a double to hold what follows from it");
}

}  // namespace wyvern::multibody::internal
