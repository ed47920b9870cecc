#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::dynamics {

/** Returns the part of d/dt (H v) that is not due to the motion of F, for a
mobilizer with constant H_FM whose rotation axes go through an Mo that moves in
F. With V = (w, v_O):
v_O = v_Mo + p_OMo x w, and p_OMo changes by v_Mo, so (0, v_Mo x w). */
template <typename T>
Vector6<T> MovingOriginBias(const Vector6<T>& V, const Vector3<T>& p_OMo_W) {
  const Vector3<T> w = V.template head<3>();
  const Vector3<T> v_Mo = V.template tail<3>() + w.cross(p_OMo_W);
  Vector6<T> bias;
  bias.template head<3>().setZero();
  bias.template tail<3>() = v_Mo.cross(w);
  return bias;
}

}  // namespace wyvern::multibody::dynamics
