#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::dynamics {

/** A rigid transform X_AB as plain numbers, unchecked: the engine's kernels
read and write it in bulk. `R` is R_AB, `p` is p_AoBo_A. The user's type is
math::RigidTransform; conversion is the bridge's business. */
template <typename T>
struct Pose {
  /** The axes of B in A, as columns. */
  Matrix3<T> R{Matrix3<T>::Identity()};
  /** The position of Bo in A, m. */
  Vector3<T> p{Vector3<T>::Zero()};

  /** X_BA from X_AB. */
  Pose Inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
  /** X_AC = X_AB * X_BC. */
  Pose operator*(const Pose& X_BC) const {
    return {R * X_BC.R, p + R * X_BC.p};
  }
  /** p_AoQ_A from p_BoQ_B. */
  Vector3<T> operator*(const Vector3<T>& p_BQ) const { return p + R * p_BQ; }
};

}  // namespace wyvern::multibody::dynamics
