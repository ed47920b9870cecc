#include "wyvern/multibody/tree/quaternion_ball_joint.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
QuaternionBallJoint<T>::QuaternionBallJoint(const std::string& name,
                                            const Frame<T>& frame_on_parent,
                                            const Frame<T>& frame_on_child,
                                            double damping)
    : internal::QuaternionCoordinates<
          internal::BallJoint<QuaternionBallJoint, T>>(
          dynamics::MobilizerType::kQuaternionBall, name, frame_on_parent,
          frame_on_child, damping) {}

template <typename T>
QuaternionBallJoint<T>::~QuaternionBallJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::QuaternionBallJoint);
