// A program for Drake, on an installed Wyvern: turns a vector.
#include <cmath>

#include "drake/common/drake_throw.h"
#include "drake/common/text_logging.h"
#include "drake/math/rotation_matrix.h"

int main() {
  const auto R = drake::math::RotationMatrixd::MakeZRotation(M_PI / 2);
  const Eigen::Vector3d y = R * Eigen::Vector3d::UnitX();
  DRAKE_THROW_UNLESS((y - Eigen::Vector3d::UnitY()).norm() < 1e-15, y[0]);
  drake::log()->info("x, turned about z: {} {} {}", y[0], y[1], y[2]);
  return 0;
}
