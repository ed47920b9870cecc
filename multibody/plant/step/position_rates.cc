#include "wyvern/multibody/plant/step/position_rates.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

namespace {

// The joint by roll, pitch and yaw whose pitch is nearest to ±π/2.
template <typename T>
std::string FindGimbalLock(const MultibodyTreeSystem<T>& core,
                           const Eigen::Ref<const VectorX<T>>& q) {
  double least = 2;
  std::string name;
  for (const Joint<T>* joint : core.tree().inboard_joints()) {
    if (joint == nullptr || !joint->mobilizer_traits().has_roll_pitch_yaw()) {
      continue;
    }
    const double pitch = ToDouble(q[joint->position_start() + 1]);
    if (!(std::abs(std::cos(pitch)) < least)) continue;
    least = std::abs(std::cos(pitch));
    name = joint->name();
  }
  return name;
}

}  // namespace

template <typename T>
void CalcPositionRates(const MultibodyTreeSystem<T>& core,
                       const systems::Context<T>& context,
                       const Eigen::Ref<const VectorX<T>>& q,
                       const Eigen::Ref<const VectorX<T>>& v,
                       Eigen::Ref<VectorX<T>> qdot) {
  try {
    dynamics::MapVelocityToQDot<T>(core.model(), q, v, qdot);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(
        fmt::format("MultibodyPlant '{}': at time {}: joint '{}': {}",
                    core.GetSystemPathname(), ToDouble(context.get_time()),
                    FindGimbalLock<T>(core, q), error.what()));
  }
}

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcPositionRates<T>) CalcPositionRates<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
