#pragma once

#include "wyvern/multibody/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/mobilizers/moving_origin_bias.h"
#include "wyvern/multibody/mobilizers/pose.h"
#include "wyvern/multibody/mobilizers/rotations.h"

namespace wyvern::multibody::engine {

/** Six degrees of freedom: q = (roll, constants, yaw, p_FoMo_F), the angles as
in RpyBallMobilizer. v = (w_FM_F, v_FMo_F). The members are explained in
revolute_mobilizer.h. */
template <typename T>
struct RpyFloatingMobilizer {
  static constexpr int kNq = 6;
  static constexpr int kNv = 6;

  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>&) {
    return {RotationFromRpy<T>(q), {q[3], q[4], q[5]}};
  }
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>& constants, Pose<T>* X_WM) {
    *X_WM = X_WF * CalcX_FM(q, constants);
  }
  static Matrix6<T> CalcH_FM(const T*, const MobilizerConstants<T>&) {
    return Matrix6<T>::Identity();
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
      Eigen::Map<Vector3<T>>(H + 6 * i + 18).setZero();
      Eigen::Map<Vector3<T>>(H + 6 * i + 21) = e;
    }
  }
  static constexpr bool kHasBias = true;
  static Vector6<T> CalcBias(const T* H, const T* v,
                             const Vector3<T>& p_OMo_W) {
    const Vector6<T> V =
        Eigen::Map<const Matrix6<T>>(H) * Eigen::Map<const Vector6<T>>(v);
    return MovingOriginBias<T>(V, p_OMo_W);
  }
  static void MapVelocityToQDot(const T* q, const T* v, T* qdot) {
    RpyRate<T>(q, v, qdot);
    for (int i = 0; i < 3; ++i) qdot[3 + i] = v[3 + i];
  }
  static void MapQDotToVelocity(const T* q, const T* qdot, T* v) {
    AngularVelocityFromRpyRate<T>(q, qdot, v);
    for (int i = 0; i < 3; ++i) v[3 + i] = qdot[3 + i];
  }
  static void SetZeroPosition(T* q) {
    for (int i = 0; i < kNq; ++i) q[i] = 0;
  }
};

}  // namespace wyvern::multibody::engine
