#pragma once

#include <Eigen/Core>

namespace wyvern::math {

/** Points on the unit sphere, a column each, nearly evenly spread along a
Fibonacci spiral from one pole to the other: each at the middle of one of n
zones of equal area, a golden angle on from the one before (A. Gonzalez,
"Measurement of areas on a sphere using Fibonacci and latitude-longitude
lattices", Math. Geosci. 42, 2010).
@throws std::logic_error if num_points < 1. */
Eigen::Matrix3Xd UniformPtsOnSphereFibonacci(int num_points);

}  // namespace wyvern::math
