// Uses one layer by its own target: rotates a vector.
#include <cmath>
#include <cstdio>

#include "wyvern/geometry/math/rotation_matrix.h"

int main() {
  const auto R = wyvern::math::RotationMatrix<double>::MakeZRotation(M_PI / 2);
  const Eigen::Vector3d y = R * Eigen::Vector3d::UnitX();
  std::printf("x, turned about z: %.3f %.3f %.3f\n", y[0], y[1], y[2]);
  return (y - Eigen::Vector3d::UnitY()).norm() < 1e-15 ? 0 : 1;
}
