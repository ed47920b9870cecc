#pragma once

/** @file
The time derivative of a vector as seen from another frame. */

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math {

/** DtA_v = DtB_v + w_AB x v, all expressed in one frame E: the time derivative
of `v_E` in the frame A from that in B and B's angular velocity in A
(radian/second). */
template <typename v_Type, typename DtB_v_Type, typename w_AB_Type>
Vector3<typename v_Type::Scalar> ConvertTimeDerivativeToOtherFrame(
    const Eigen::MatrixBase<v_Type>& v_E,
    const Eigen::MatrixBase<DtB_v_Type>& DtB_v_E,
    const Eigen::MatrixBase<w_AB_Type>& w_AB_E) {
  using T = typename v_Type::Scalar;
  const Vector3<T> v = v_E, w = w_AB_E;
  return DtB_v_E + w.cross(v);
}

}  // namespace wyvern::math
