#pragma once

#include <string>

#include "wyvern/multibody/plant/parts/contact_part.h"

namespace wyvern::multibody::internal {

/** Names the pairs of bodies that overlap deeply, the deepest first, with
depths [m], forces [N] and what to do, in whole sentences; empty if there is
none. An overlap is deep from a hundredth of the smallest extent of the smaller
geometry on, if its stiffness makes of that a hundred times the lighter body's
weight. */
template <typename T>
std::string DescribeDeepOverlaps(const MultibodyTreeSystem<T>& core,
                                 const ContactPart<T>& contact,
                                 const systems::Context<T>& context);

}  // namespace wyvern::multibody::internal
