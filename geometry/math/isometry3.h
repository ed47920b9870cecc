#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern {

/** A rigid transform as Eigen has it; math::RigidTransform says what is
checked. */
template <typename T>
using Isometry3 = Eigen::Transform<T, 3, Eigen::Isometry>;

}  // namespace wyvern
