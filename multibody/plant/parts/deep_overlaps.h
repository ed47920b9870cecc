#pragma once

#include <string>

#include "wyvern/multibody/plant/parts/contact_part.h"

namespace wyvern::multibody::internal {

/** Names the pairs of bodies that overlap deeply, the deepest first, with
depths and what to do, in whole sentences; empty if there is none. Deep is a
tenth of the smallest extent of the smaller geometry. */
template <typename T>
std::string DescribeDeepOverlaps(const MultibodyTreeSystem<T>& core,
                                 const ContactPart<T>& contact,
                                 const systems::Context<T>& context);

}  // namespace wyvern::multibody::internal
