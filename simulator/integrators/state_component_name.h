#pragma once

#include <string>

#include "wyvern/systems/framework/context.h"

namespace wyvern::systems::internal {

/** Names component `index` of [q; v; z] of `context`, where q has all positions
of a Diagram, leaf after leaf, then v and z likewise: the element within the
leaf System that owns it, and that System's path, as in "q[0] of
'::diagram::arm' (element 3 of the whole continuous state)". */
template <typename T>
std::string NameStateComponent(const Context<T>& context, int index);

/** Names element `index` of the continuous state vector of `context`, in the
same words. The vector of a Diagram has the whole state of a leaf after that of
another. */
template <typename T>
std::string NameStateElement(const Context<T>& context, int index);

}  // namespace wyvern::systems::internal
