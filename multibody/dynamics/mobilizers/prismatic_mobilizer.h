#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"

namespace wyvern::multibody::dynamics {

/** Displacement by q along the z of F and M. The members are explained in
revolute_mobilizer.h. */
template <typename T>
struct PrismaticMobilizer {
  /** @name Type, sizes and traits
  RevoluteMobilizer explains each of them.
  @{ */
  static constexpr MobilizerType kType = MobilizerType::kPrismatic;
  static constexpr int kNq = 1;
  static constexpr int kNv = 1;
  static constexpr bool kRotates = false;
  static constexpr bool kTranslates = true;
  static constexpr bool kHasAxis = true;
  static constexpr bool kRotatesFreely = false;
  static constexpr bool kHasQuaternion = false;
  static constexpr std::array<const char*, 1> kPositionNames{"x"};
  static constexpr std::array<const char*, 1> kVelocityNames{"v"};
  static constexpr std::array<bool, 1> kIsAngular{false};
  static constexpr std::array<bool, 1> kCarries{false};
  static constexpr int RateOfPosition(int i) { return i; }
  /** @} */

  /** X_FM = (I, q Fz), with q in metres. */
  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>&) {
    return {Matrix3<T>::Identity(), {T(0), T(0), q[0]}};
  }

  /** R_WM = R_WF; p_WM = p_WF + q Fz. */
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    X_WM->R = X_WF.R;
    X_WM->p = X_WF.p + q[0] * X_WF.R.col(2);
  }

  /** H, 6 x 1: translation along Fz. */
  static Eigen::Matrix<T, 6, 1> CalcH_FM(const T*,
                                         const MobilizerConstants<T>&) {
    return {T(0), T(0), T(0), T(0), T(0), T(1)};
  }

  /** Zero, as H is constant. */
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }

  /** Translation along Mz, in W; it is the same at each point O. */
  static void CalcScrews(const Pose<T>&, const Pose<T>& X_WM, const Vector3<T>&,
                         const T*, const MobilizerConstants<T>&, T* H) {
    Eigen::Map<Vector3<T>>(H + 0).setZero();
    Eigen::Map<Vector3<T>>(H + 3) = X_WM.R.col(2);
  }

  /** False: the direction is fixed in F. */
  static constexpr bool kHasBias = false;

  /** q̇ = v; one entry. */
  static void MapVelocityToQDot(const T*, const T* v, T* qdot) {
    qdot[0] = v[0];
  }
  /** v = q̇; one entry. */
  static void MapQDotToVelocity(const T*, const T* qdot, T* v) {
    v[0] = qdot[0];
  }
  /** q = 0. */
  static void SetZeroPosition(T* q) { q[0] = 0; }
};

}  // namespace wyvern::multibody::dynamics
