#pragma once

/** @file
Orientations drawn uniformly: all are equally likely, in the sense
that any fixed rotation before or after makes no difference. `generator` is a
RandomGenerator or any standard one, and is advanced. */

#include <cmath>
#include <random>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/random.h"

namespace wyvern::math {

/** A unit quaternion of either sign: K. Shoemake, "Uniform random rotations",
Graphics Gems III, 1992. */
template <typename T = double, class Generator = RandomGenerator>
Eigen::Quaternion<T> UniformlyRandomQuaternion(Generator* generator) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const double u = uniform(*generator);
  const double a = 2 * M_PI * uniform(*generator);
  const double b = 2 * M_PI * uniform(*generator);
  const double r = std::sqrt(1 - u), s = std::sqrt(u);
  return Eigen::Quaternion<T>(T(s * std::cos(b)), T(r * std::sin(a)),
                              T(r * std::cos(a)), T(s * std::sin(b)));
}

/** Returns a rotation matrix drawn uniformly from all rotations. */
template <typename T = double, class Generator = RandomGenerator>
RotationMatrix<T> UniformlyRandomRotationMatrix(Generator* generator) {
  return RotationMatrix<T>(UniformlyRandomQuaternion<T>(generator));
}

/** With an angle in [0, π] (which is not itself uniform). */
template <typename T = double, class Generator = RandomGenerator>
Eigen::AngleAxis<T> UniformlyRandomAngleAxis(Generator* generator) {
  return UniformlyRandomRotationMatrix<T>(generator).ToAngleAxis();
}

/** Roll, pitch and yaw, radian, as from RollPitchYaw(R). */
template <typename T = double, class Generator = RandomGenerator>
Vector3<T> UniformlyRandomRPY(Generator* generator) {
  return RollPitchYaw<T>(UniformlyRandomRotationMatrix<T>(generator)).vector();
}

}  // namespace wyvern::math
