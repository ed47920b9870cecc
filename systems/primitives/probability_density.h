#pragma once

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/random.h"

namespace wyvern::systems::internal {

/** The joint density at `x` of independent elements, each of the given
distribution. */
template <typename T>
T CalcProbabilityDensity(RandomDistribution distribution,
                         const Eigen::Ref<const VectorX<T>>& x);

}  // namespace wyvern::systems::internal
