#include "wyvern/geometry/math/evenly_distributed_pts_on_sphere.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::math {

Eigen::Matrix3Xd UniformPtsOnSphereFibonacci(int num_points) {
  if (num_points < 1) {
    throw std::logic_error(
        fmt::format("UniformPtsOnSphereFibonacci(): {} points; give 1 or more.",
                    num_points));
  }
  const double golden_angle = M_PI * (3 - std::sqrt(5.0));
  Eigen::Matrix3Xd points(3, num_points);
  for (int i = 0; i < num_points; ++i) {
    const double z = (2.0 * i + 1) / num_points - 1;
    const double radius = std::sqrt((1 - z) * (1 + z));
    const double angle = i * golden_angle;
    points.col(i) << radius * std::cos(angle), radius * std::sin(angle), z;
  }
  return points;
}

}  // namespace wyvern::math
