#pragma once

#include <string_view>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems::internal {

/** The number that every entry of `values` is.
@throws std::logic_error if entries differ or there is none, pointing to the
method `instead`. */
double TheOneValue(std::string_view who, const Eigen::VectorXd& values,
                   std::string_view instead);

}  // namespace wyvern::systems::internal
