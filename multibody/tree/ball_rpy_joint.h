#pragma once

#include <string>

#include "wyvern/multibody/tree/ball_joint.h"
#include "wyvern/multibody/tree/orientation_coordinates.h"

namespace wyvern::multibody {

/** A ball joint: M turns freely in F, the origins coinciding. q is roll, pitch,
yaw about the fixed x, y, z, R_FM = Rz(yaw) Ry(pitch) Rx(roll), [rad]; v is
w_FM_F in rad/s. q̇ does not exist at pitch = ±π/2. Its functions are those of
internal::RpyCoordinates, internal::BallJoint and Joint. */
template <typename T>
class BallRpyJoint final
    : public internal::RpyCoordinates<internal::BallJoint<BallRpyJoint, T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BallRpyJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "ball_rpy";

  /** @param damping [N·m·s]: a torque -damping w_FM. */
  BallRpyJoint(const std::string& name, const Frame<T>& frame_on_parent,
               const Frame<T>& frame_on_child, double damping = 0);
  ~BallRpyJoint() override;
};

}  // namespace wyvern::multibody
