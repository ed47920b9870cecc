#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/orientation.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"

namespace wyvern::multibody::dynamics {

/** M turns freely about Mo, which is Fo. q is that of the Orientation, one of
orientation.h, and v = w_FM_F. The members are explained in
revolute_mobilizer.h. */
template <typename T, template <typename> class Orientation>
struct BallMobilizer {
  /** @name Type, sizes and traits
  RevoluteMobilizer explains each of them.
  @{ */
  static constexpr MobilizerType kType = Orientation<T>::kBallType;
  static constexpr int kNq = Orientation<T>::kNq;
  static constexpr int kNv = 3;
  static constexpr bool kRotates = true;
  static constexpr bool kTranslates = false;
  static constexpr bool kHasAxis = false;
  static constexpr bool kRotatesFreely = true;
  static constexpr bool kHasQuaternion = Orientation<T>::kIsQuaternion;
  static constexpr std::array<const char*, kNq> kPositionNames =
      Orientation<T>::kNames;
  static constexpr std::array<const char*, 3> kVelocityNames{"wx", "wy", "wz"};
  static constexpr std::array<bool, 3> kIsAngular{true, true, true};
  static constexpr std::array<bool, 3> kCarries{false, false, false};
  static constexpr int RateOfPosition(int) { return kNoVelocity; }
  /** @} */

  /** X_FM = (R_FM(q), 0). */
  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>&) {
    return {Orientation<T>::CalcR_FM(q), Vector3<T>::Zero()};
  }

  /** R_WM = R_WF R_FM(q); Mo stays at Fo. */
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    X_WM->R.noalias() = X_WF.R * Orientation<T>::CalcR_FM(q);
    X_WM->p = X_WF.p;
  }

  /** H = [I; 0], 6 x 3, as v = w_FM_F. */
  static Eigen::Matrix<T, 6, 3> CalcH_FM(const T*,
                                         const MobilizerConstants<T>&) {
    return Eigen::Matrix<T, 6, 3>::Identity();
  }

  /** Zero, as H is constant. */
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }

  /** Column i: the axis Fi through Mo, in W, with the linear part at O. */
  static void CalcScrews(const Pose<T>& X_WF, const Pose<T>&,
                         const Vector3<T>& p_OMo_W, const T*,
                         const MobilizerConstants<T>&, T* H) {
    for (int i = 0; i < 3; ++i) {
      const Vector3<T> e = X_WF.R.col(i);
      Eigen::Map<Vector3<T>>(H + 6 * i) = e;
      Eigen::Map<Vector3<T>>(H + 6 * i + 3) = p_OMo_W.cross(e);
    }
  }

  /** False: the columns are fixed in F. */
  static constexpr bool kHasBias = false;

  /** q̇ = N(q) w_FM_F, by Orientation; kNq entries. */
  static void MapVelocityToQDot(const T* q, const T* v, T* qdot) {
    Orientation<T>::MapVelocityToQDot(q, v, qdot);
  }
  /** w_FM_F = N⁺(q) q̇, by Orientation; 3 entries. */
  static void MapQDotToVelocity(const T* q, const T* qdot, T* v) {
    Orientation<T>::MapQDotToVelocity(q, qdot, v);
  }
  /** Writes the coordinates of R_FM = I. */
  static void SetZeroPosition(T* q) { Orientation<T>::SetIdentity(q); }
};

/** Ball mobilizer whose q is a quaternion. */
template <typename T>
using QuaternionBallMobilizer = BallMobilizer<T, QuaternionOrientation>;
/** Ball mobilizer whose q are roll, pitch and yaw. */
template <typename T>
using RpyBallMobilizer = BallMobilizer<T, RpyOrientation>;

}  // namespace wyvern::multibody::dynamics
