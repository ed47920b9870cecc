#pragma once

#include <string>

#include "wyvern/multibody/tree/ball_joint.h"
#include "wyvern/multibody/tree/orientation_coordinates.h"

namespace wyvern::multibody {

/** A ball joint without singular orientations: M turns freely in F, the origins
coinciding. q is the unit quaternion of R_FM (qw, qx, qy, qz); v is w_FM_F in
rad/s. Its positions can have no limits. BallRpyJoint has the same motion, three
angles and a gimbal lock. Its functions are those of
internal::QuaternionCoordinates, internal::BallJoint and Joint. */
template <typename T>
class QuaternionBallJoint final
    : public internal::QuaternionCoordinates<
          internal::BallJoint<QuaternionBallJoint, T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(QuaternionBallJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "quaternion_ball";

  /** @param damping [N·m·s]: a torque -damping w_FM. */
  QuaternionBallJoint(const std::string& name, const Frame<T>& frame_on_parent,
                      const Frame<T>& frame_on_child, double damping = 0);
  ~QuaternionBallJoint() override;
};

}  // namespace wyvern::multibody
