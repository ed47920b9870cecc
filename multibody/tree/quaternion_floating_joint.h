#pragma once

#include <string>

#include "wyvern/multibody/tree/floating_joint.h"
#include "wyvern/multibody/tree/orientation_coordinates.h"

namespace wyvern::multibody {

/** Six degrees of freedom: M moves freely in F. q is the unit quaternion of
R_FM (qw, qx, qy, qz) and p_FoMo_F in metres; v is w_FM_F in rad/s and v_FMo_F
in m/s. Its functions are those of internal::QuaternionCoordinates,
internal::FloatingJointOf, internal::FloatingJoint and Joint. */
template <typename T>
class QuaternionFloatingJoint final
    : public internal::QuaternionCoordinates<
          internal::FloatingJointOf<QuaternionFloatingJoint, T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(QuaternionFloatingJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "quaternion_floating";

  /** @param angular_damping [N·m·s]: a torque -d w_FM.
  @param translational_damping [N·s/m]: a force -d v_FM. */
  QuaternionFloatingJoint(const std::string& name,
                          const Frame<T>& frame_on_parent,
                          const Frame<T>& frame_on_child,
                          double angular_damping = 0.0,
                          double translational_damping = 0.0);
  ~QuaternionFloatingJoint() override;
};

}  // namespace wyvern::multibody
