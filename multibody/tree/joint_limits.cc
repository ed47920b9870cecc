#include <limits>

#include "wyvern/multibody/tree/joint.h"

namespace wyvern::multibody {

JointLimits::JointLimits(int num_positions, int num_velocities) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  position_lower = VectorX<double>::Constant(num_positions, -kInf);
  position_upper = VectorX<double>::Constant(num_positions, kInf);
  velocity_lower = VectorX<double>::Constant(num_velocities, -kInf);
  velocity_upper = VectorX<double>::Constant(num_velocities, kInf);
  acceleration_lower = velocity_lower;
  acceleration_upper = velocity_upper;
}

}  // namespace wyvern::multibody
