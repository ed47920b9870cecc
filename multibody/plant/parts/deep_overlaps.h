#pragma once

#include <string>

#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::multibody::internal {

/** Describes the pairs of bodies that overlap deeply, the deepest first, with
depths [m], forces [N] and a remedy, in whole sentences; empty if there are
none. An overlap is deep if it meets two conditions. Its depth is at least a
hundredth of the smallest extent of the smaller geometry. Its force is at least
a hundred times the weight of the lighter body. Bodies that are welded together
weigh as one. With Difficulty::kSevere the shares are a twentieth and a thousand
weights, as of no load that is meant, and all deep overlaps are named if one is
as deep as that. */
template <typename T>
std::string DescribeDeepOverlaps(const MultibodyTreeSystem<T>& core,
                                 const ContactPart<T>& contact,
                                 const systems::Context<T>& context,
                                 systems::Difficulty least);

}  // namespace wyvern::multibody::internal
