#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/rotations.h"

namespace wyvern::multibody::dynamics {

/** R_FM by the quaternion q = (w, x, y, z), of any length but 0. The other
coordinates of orientation have the same members. */
template <typename T>
struct QuaternionOrientation {
  /** The mobilizer that turns freely with these coordinates. */
  static constexpr MobilizerType kBallType = MobilizerType::kQuaternionBall;
  /** The mobilizer that also translates freely. */
  static constexpr MobilizerType kFloatingType =
      MobilizerType::kQuaternionFloating;
  /** How many coordinates there are. */
  static constexpr int kNq = 4;
  /** True for the quaternion alone. */
  static constexpr bool kIsQuaternion = true;
  /** The coordinates' short names, in order. */
  static constexpr std::array<const char*, kNq> kNames{"qw", "qx", "qy", "qz"};

  /** Returns R_FM; the kNq numbers of `q` are not checked. */
  static Matrix3<T> CalcR_FM(const T* q) {
    return RotationFromQuaternion<T>(q);
  }
  /** q̇ from w_FM_F. */
  static void MapVelocityToQDot(const T* q, const T* w, T* qdot) {
    QuaternionRate<T>(q, w, qdot);
  }
  /** w_FM_F from q̇. */
  static void MapQDotToVelocity(const T* q, const T* qdot, T* w) {
    AngularVelocityFromQuaternionRate<T>(q, qdot, w);
  }
  /** Writes the coordinates of R_FM = identity. */
  static void SetIdentity(T* q) {
    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
  }
};

/** R_FM = Rz(q[2]) Ry(q[1]) Rx(q[0]): roll, pitch and yaw about the fixed x, y
and z. q̇ does not exist at a pitch of ±π/2. */
template <typename T>
struct RpyOrientation {
  /** The mobilizer that turns freely with these angles. */
  static constexpr MobilizerType kBallType = MobilizerType::kRpyBall;
  /** The mobilizer that also translates freely. */
  static constexpr MobilizerType kFloatingType = MobilizerType::kRpyFloating;
  /** How many angles there are. */
  static constexpr int kNq = 3;
  /** False, as q are angles, in radians. */
  static constexpr bool kIsQuaternion = false;
  /** Short names of the angles, in order. */
  static constexpr std::array<const char*, kNq> kNames{"qx", "qy", "qz"};

  /** Returns R_FM of the three angles; they are not checked. */
  static Matrix3<T> CalcR_FM(const T* q) { return RotationFromRpy<T>(q); }
  /** q̇ from w_FM_F. Not finite at a pitch of ±π/2. */
  static void MapVelocityToQDot(const T* q, const T* w, T* qdot) {
    RpyRate<T>(q, w, qdot);
  }
  /** w_FM_F from q̇. */
  static void MapQDotToVelocity(const T* q, const T* qdot, T* w) {
    AngularVelocityFromRpyRate<T>(q, qdot, w);
  }
  /** Writes the angles of R_FM = I, which are 0. */
  static void SetIdentity(T* q) { q[0] = q[1] = q[2] = 0; }
};

}  // namespace wyvern::multibody::dynamics
