#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/moving_origin_bias.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/dynamics/mobilizers/rotations.h"

namespace wyvern::multibody::dynamics {

/** Mo at (q[0], q[1]) in the xy plane of F, M turned by q[2] about Fz. The
members are explained in revolute_mobilizer.h. */
template <typename T>
struct PlanarMobilizer {
  /** @name Type, sizes and traits
  RevoluteMobilizer explains each of them.
  @{ */
  static constexpr MobilizerType kType = MobilizerType::kPlanar;
  static constexpr int kNq = 3;
  static constexpr int kNv = 3;
  static constexpr bool kRotates = true;
  static constexpr bool kTranslates = true;
  static constexpr bool kHasAxis = false;
  static constexpr bool kRotatesFreely = false;
  static constexpr bool kHasQuaternion = false;
  static constexpr std::array<const char*, 3> kPositionNames{"x", "y", "qz"};
  static constexpr std::array<const char*, 3> kVelocityNames{"vx", "vy", "wz"};
  static constexpr std::array<bool, 3> kIsAngular{false, false, true};
  static constexpr std::array<bool, 3> kCarries{true, true, false};
  static constexpr int RateOfPosition(int i) { return i; }
  /** @} */

  /** X_FM = (Rz(q[2]), (q[0], q[1], 0)). */
  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>& constants) {
    Pose<T> X_FM;
    CalcX_WM(Pose<T>{}, q, constants, &X_FM);
    return X_FM;
  }

  /** R_WM = R_WF Rz(q[2]); p_WM = p_WF + q[0] Fx + q[1] Fy. */
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    TurnAboutZ<T>(X_WF.R, q[2], &X_WM->R);
    X_WM->p = X_WF.p + q[0] * X_WF.R.col(0) + q[1] * X_WF.R.col(1);
  }

  /** H, 6 x 3: columns translate along Fx, translate along Fy and rotate
  about Fz. */
  static Eigen::Matrix<T, 6, 3> CalcH_FM(const T*,
                                         const MobilizerConstants<T>&) {
    Eigen::Matrix<T, 6, 3> H = Eigen::Matrix<T, 6, 3>::Zero();
    H(3, 0) = H(4, 1) = H(2, 2) = 1;
    return H;
  }

  /** Zero, as H is constant. */
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }

  /** The columns of H in W: the last rotates about Fz through Mo and has its
  linear part at O. */
  static void CalcScrews(const Pose<T>& X_WF, const Pose<T>&,
                         const Vector3<T>& p_OMo_W, const T*,
                         const MobilizerConstants<T>&, T* H) {
    const Vector3<T> z = X_WF.R.col(2);
    Eigen::Map<Vector3<T>>(H + 0).setZero();
    Eigen::Map<Vector3<T>>(H + 3) = X_WF.R.col(0);
    Eigen::Map<Vector3<T>>(H + 6).setZero();
    Eigen::Map<Vector3<T>>(H + 9) = X_WF.R.col(1);
    Eigen::Map<Vector3<T>>(H + 12) = z;
    Eigen::Map<Vector3<T>>(H + 15) = p_OMo_W.cross(z);
  }

  /** True: Mo moves in F, and the last column goes through Mo. */
  static constexpr bool kHasBias = true;

  /** Rate of H v by the motion of Mo in F, for a fixed point O; in W. */
  static Vector6<T> CalcBias(const T* H, const T* v,
                             const Vector3<T>& p_OMo_W) {
    const Vector6<T> V = Eigen::Map<const Eigen::Matrix<T, 6, 3>>(H) *
                         Eigen::Map<const Vector3<T>>(v);
    return MovingOriginBias<T>(V, p_OMo_W);
  }

  /** q̇ = v; 3 entries. */
  static void MapVelocityToQDot(const T*, const T* v, T* qdot) {
    for (int i = 0; i < 3; ++i) qdot[i] = v[i];
  }
  /** v = q̇; 3 entries. */
  static void MapQDotToVelocity(const T*, const T* qdot, T* v) {
    for (int i = 0; i < 3; ++i) v[i] = qdot[i];
  }
  /** q = 0. */
  static void SetZeroPosition(T* q) { q[0] = q[1] = q[2] = 0; }
};

}  // namespace wyvern::multibody::dynamics
