#pragma once

#include <string>

#include "wyvern/multibody/tree/floating_joint.h"
#include "wyvern/multibody/tree/orientation_coordinates.h"

namespace wyvern::multibody {

/** Six degrees of freedom: M moves freely in F. q is roll, pitch, yaw about the
fixed x, y, z, R_FM = Rz(yaw) Ry(pitch) Rx(roll), and p_FoMo_F in metres; v is
w_FM_F in rad/s and v_FMo_F in m/s. q̇ does not exist at pitch = ±π/2. Its
functions are those of internal::RpyCoordinates, internal::FloatingJointOf,
internal::FloatingJoint and Joint. */
template <typename T>
class RpyFloatingJoint final
    : public internal::RpyCoordinates<
          internal::FloatingJointOf<RpyFloatingJoint, T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RpyFloatingJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "rpy_floating";

  /** @param angular_damping [N·m·s]: a torque -d w_FM.
  @param translational_damping [N·s/m]: a force -d v_FM. */
  RpyFloatingJoint(const std::string& name, const Frame<T>& frame_on_parent,
                   const Frame<T>& frame_on_child, double angular_damping = 0.0,
                   double translational_damping = 0.0);
  ~RpyFloatingJoint() override;
};

}  // namespace wyvern::multibody
