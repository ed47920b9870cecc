#pragma once

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

namespace wyvern {
using AutoDiffXd = Eigen::AutoDiffScalar<Eigen::VectorXd>;
}  // namespace wyvern
