#include "wyvern/multibody/tree/ball_rpy_joint.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
BallRpyJoint<T>::BallRpyJoint(const std::string& name,
                              const Frame<T>& frame_on_parent,
                              const Frame<T>& frame_on_child, double damping)
    : internal::RpyCoordinates<internal::BallJoint<BallRpyJoint, T>>(
          dynamics::MobilizerType::kRpyBall, name, frame_on_parent,
          frame_on_child, damping) {}

template <typename T>
BallRpyJoint<T>::~BallRpyJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::BallRpyJoint);
