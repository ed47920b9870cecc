#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::internal {

/** For blocks that multiply and add: if `output` has an element that is not
finite though what came in is, numbers have grown too large on the way.
@throws std::runtime_error naming the System, the element and the time. An
infinite input, say a limit that is none, may have infinite consequences.
Allocates nothing; looks at the inputs only if it must. */
template <typename T>
void RequireNoOverflow(const System<T>& system, const Context<T>& context,
                       const BasicVector<T>& output);

}  // namespace wyvern::systems::internal
