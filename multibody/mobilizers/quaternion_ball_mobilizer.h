#pragma once

#include "wyvern/multibody/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/mobilizers/pose.h"
#include "wyvern/multibody/mobilizers/rotations.h"

namespace wyvern::multibody::engine {

/** Rotation by the quaternion q = (w, x, y, z), of any length but 0.
v = w_FM_F. The members are explained in revolute_mobilizer.h. */
template <typename T>
struct QuaternionBallMobilizer {
  static constexpr int kNq = 4;
  static constexpr int kNv = 3;

  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>&) {
    return {RotationFromQuaternion<T>(q), Vector3<T>::Zero()};
  }
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    X_WM->R.noalias() = X_WF.R * RotationFromQuaternion<T>(q);
    X_WM->p = X_WF.p;
  }
  static Eigen::Matrix<T, 6, 3> CalcH_FM(const T*,
                                         const MobilizerConstants<T>&) {
    return Eigen::Matrix<T, 6, 3>::Identity();
  }
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }
  static void CalcScrews(const Pose<T>& X_WF, const Pose<T>&,
                         const Vector3<T>& p_OMo_W, const T*,
                         const MobilizerConstants<T>&, T* H) {
    for (int i = 0; i < 3; ++i) {
      const Vector3<T> e = X_WF.R.col(i);
      Eigen::Map<Vector3<T>>(H + 6 * i) = e;
      Eigen::Map<Vector3<T>>(H + 6 * i + 3) = p_OMo_W.cross(e);
    }
  }
  static constexpr bool kHasBias = false;
  static void MapVelocityToQDot(const T* q, const T* v, T* qdot) {
    QuaternionRate<T>(q, v, qdot);
  }
  static void MapQDotToVelocity(const T* q, const T* qdot, T* v) {
    AngularVelocityFromQuaternionRate<T>(q, qdot, v);
  }
  static void SetZeroPosition(T* q) {
    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
  }
};

}  // namespace wyvern::multibody::engine
