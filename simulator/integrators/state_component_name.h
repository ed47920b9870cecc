#pragma once

#include <string>

#include "wyvern/systems/framework/context.h"

namespace wyvern::systems::internal {

/** Element `index` of the continuous state of `context`, in words: the element
within the leaf System that owns it, and that System's path, as in
"q[0] of '::diagram::arm' (element 3 of the whole continuous state)". The whole
state of a Diagram is all q's, then all v's, then all z's of its parts. */
template <typename T>
std::string NameStateComponent(const Context<T>& context, int index);

}  // namespace wyvern::systems::internal
