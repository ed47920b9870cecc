#pragma once

#include <string>

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Describes, in whole sentences, the rigid active constraints that do not
determine the motion of a model that starts at rest where branches of its motion
cross, such as a parallelogram whose bars are collinear. J has a lower rank
there than at the positions near by that meet the constraints. Returns an empty
text if the model moves or has no such constraints. Constraints that are
redundant everywhere, such as the loop joints of a planar linkage, are none:
they leave the rank as it is near by. Does some ten factorizations where the
rows are independent or redundant everywhere, and at most some thousand. */
template <typename T>
std::string DescribeCrossing(const MultibodyTreeSystem<T>& core,
                             const systems::Context<T>& context,
                             const ConstraintRegistry& registry);

}  // namespace wyvern::multibody::internal
