#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/moving_origin_bias.h"
#include "wyvern/multibody/dynamics/mobilizers/orientation.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"

namespace wyvern::multibody::dynamics {

/** Six degrees of freedom: q is that of the Orientation, one of orientation.h,
and p_FoMo_F; v = (w_FM_F, v_FMo_F). The members are explained in
revolute_mobilizer.h. */
template <typename T, template <typename> class Orientation>
struct FloatingMobilizer {
  /** @name Type, sizes and traits
  RevoluteMobilizer explains each of them.
  @{ */
  static constexpr MobilizerType kType = Orientation<T>::kFloatingType;
  static constexpr int kNq = Orientation<T>::kNq + 3;
  static constexpr int kNv = 6;
  static constexpr bool kRotates = true;
  static constexpr bool kTranslates = true;
  static constexpr bool kHasAxis = false;
  static constexpr bool kRotatesFreely = true;
  static constexpr bool kHasQuaternion = Orientation<T>::kIsQuaternion;
  static constexpr std::array<const char*, kNq> kPositionNames = [] {
    std::array<const char*, kNq> names{};
    for (int i = 0; i < kNq - 3; ++i) names[i] = Orientation<T>::kNames[i];
    names[kNq - 3] = "x";
    names[kNq - 2] = "y";
    names[kNq - 1] = "z";
    return names;
  }();
  static constexpr std::array<const char*, 6> kVelocityNames{"wx", "wy", "wz",
                                                             "vx", "vy", "vz"};
  static constexpr std::array<bool, 6> kIsAngular{true,  true,  true,
                                                  false, false, false};
  static constexpr std::array<bool, 6> kCarries{false, false, false,
                                                true,  true,  true};
  static constexpr int RateOfPosition(int i) {
    return i < kNq - 3 ? kNoVelocity : i - (kNq - kNv);
  }
  /** @} */

  /** X_FM = (R_FM(q), p_FoMo_F); p is the last three entries of q, in metres.
   */
  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>&) {
    return {Orientation<T>::CalcR_FM(q), {q[kNq - 3], q[kNq - 2], q[kNq - 1]}};
  }

  /** X_WM = X_WF X_FM. */
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>& constants, Pose<T>* X_WM) {
    *X_WM = X_WF * CalcX_FM(q, constants);
  }

  /** H = I, 6 x 6, as v = V_FM_F. */
  static Matrix6<T> CalcH_FM(const T*, const MobilizerConstants<T>&) {
    return Matrix6<T>::Identity();
  }

  /** Zero, as H is constant. */
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }

  /** Columns 0 to 2: rotations about Fx, Fy and Fz through Mo; columns 3 to
  5: translations along them. In W, with the linear part at O. */
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

  /** True: Mo moves in F, and the first three columns go through Mo. */
  static constexpr bool kHasBias = true;

  /** Rate of H v by the motion of Mo in F, for a fixed point O; in W. */
  static Vector6<T> CalcBias(const T* H, const T* v,
                             const Vector3<T>& p_OMo_W) {
    const Vector6<T> V =
        Eigen::Map<const Matrix6<T>>(H) * Eigen::Map<const Vector6<T>>(v);
    return MovingOriginBias<T>(V, p_OMo_W);
  }

  /** q̇ = (N(q) w_FM_F, v_FMo_F); kNq entries. */
  static void MapVelocityToQDot(const T* q, const T* v, T* qdot) {
    Orientation<T>::MapVelocityToQDot(q, v, qdot);
    for (int i = 3; i > 0; --i) qdot[kNq - i] = v[kNv - i];
  }
  /** v = (w_FM_F, v_FMo_F) of q̇; 6 entries. */
  static void MapQDotToVelocity(const T* q, const T* qdot, T* v) {
    Orientation<T>::MapQDotToVelocity(q, qdot, v);
    for (int i = 3; i > 0; --i) v[kNv - i] = qdot[kNq - i];
  }
  /** Writes the q at which M is F. */
  static void SetZeroPosition(T* q) {
    Orientation<T>::SetIdentity(q);
    for (int i = 3; i > 0; --i) q[kNq - i] = 0;
  }
};

/** Floating mobilizer whose orientation is a quaternion. */
template <typename T>
using QuaternionFloatingMobilizer = FloatingMobilizer<T, QuaternionOrientation>;
/** Floating mobilizer whose orientation is roll, pitch and yaw. */
template <typename T>
using RpyFloatingMobilizer = FloatingMobilizer<T, RpyOrientation>;

}  // namespace wyvern::multibody::dynamics
