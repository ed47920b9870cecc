#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/dynamics/mobilizers/rotations.h"

namespace wyvern::multibody::dynamics {

/** Rotation by q about the z of F and M, and with it displacement by q times
the pitch (metres per radian) along it. The members are explained in
revolute_mobilizer.h. */
template <typename T>
struct ScrewMobilizer {
  /** @name Type, sizes and traits
  RevoluteMobilizer explains each of them.
  @{ */
  static constexpr MobilizerType kType = MobilizerType::kScrew;
  static constexpr int kNq = 1;
  static constexpr int kNv = 1;
  static constexpr bool kRotates = true;
  static constexpr bool kTranslates = true;
  static constexpr bool kHasAxis = true;
  static constexpr bool kRotatesFreely = false;
  static constexpr bool kHasQuaternion = false;
  static constexpr std::array<const char*, 1> kPositionNames{"q"};
  static constexpr std::array<const char*, 1> kVelocityNames{"w"};
  static constexpr std::array<bool, 1> kIsAngular{true};
  static constexpr std::array<bool, 1> kCarries{false};
  static constexpr int RateOfPosition(int i) { return i; }
  /** @} */

  /** X_FM = (Rz(q), pitch q Fz), with the pitch in metres per radian. */
  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>& constants) {
    Pose<T> X_FM;
    CalcX_WM(Pose<T>{}, q, constants, &X_FM);
    return X_FM;
  }

  /** R_WM = R_WF Rz(q); p_WM = p_WF + pitch q Fz. */
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>& constants, Pose<T>* X_WM) {
    const T displacement = constants.pitch * q[0];
    TurnAboutZ<T>(X_WF.R, q[0], &X_WM->R);
    X_WM->p = X_WF.p + displacement * X_WF.R.col(2);
  }

  /** H, 6 x 1: rotation about Fz and translation by the pitch along it. */
  static Eigen::Matrix<T, 6, 1> CalcH_FM(
      const T*, const MobilizerConstants<T>& constants) {
    return {T(0), T(0), T(1), T(0), T(0), constants.pitch};
  }

  /** Zero, as H is constant. */
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }

  /** The screw about Mz through Mo, in W, with the linear part at O. */
  static void CalcScrews(const Pose<T>&, const Pose<T>& X_WM,
                         const Vector3<T>& p_OMo_W, const T*,
                         const MobilizerConstants<T>& constants, T* H) {
    const Vector3<T> z = X_WM.R.col(2);
    Eigen::Map<Vector3<T>>(H + 0) = z;
    Eigen::Map<Vector3<T>>(H + 3) = p_OMo_W.cross(z) + constants.pitch * z;
  }

  /** False: the screw is fixed in F. */
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
