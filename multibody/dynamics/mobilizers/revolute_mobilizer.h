#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/dynamics/mobilizers/rotations.h"

namespace wyvern::multibody::dynamics {

/** Rotation by q about the z of F and M. Every motion has these members. */
template <typename T>
struct RevoluteMobilizer {
  /** The type that this class is for. */
  static constexpr MobilizerType kType = MobilizerType::kRevolute;
  /** How many positions there are: the entries of `q` and `qdot` below. */
  static constexpr int kNq = 1;
  /** How many velocities there are: the entries of `v` below. */
  static constexpr int kNv = 1;

  /** @name Values for MobilizerTraits
  Each is the field of the same name there, which says what it means.
  @{ */
  static constexpr bool kRotates = true;
  static constexpr bool kTranslates = false;
  static constexpr bool kHasAxis = true;
  static constexpr bool kRotatesFreely = false;
  static constexpr bool kHasQuaternion = false;
  static constexpr std::array<const char*, 1> kPositionNames{"q"};
  static constexpr std::array<const char*, 1> kVelocityNames{"w"};
  static constexpr std::array<bool, 1> kIsAngular{true};
  static constexpr std::array<bool, 1> kCarries{false};
  /** @} */

  /** Returns the velocity that is the rate of position i, or kNoVelocity. */
  static constexpr int RateOfPosition(int i) { return i; }

  /** Pose of M in F. The constants are a screw's pitch and the path of a
  curvilinear motion; others do not read them. */
  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>& constants) {
    Pose<T> X_FM;
    CalcX_WM(Pose<T>{}, q, constants, &X_FM);
    return X_FM;
  }

  /** X_WM = X_WF X_FM, without the multiplications by 0 and 1, in place. */
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    TurnAboutZ<T>(X_WF.R, q[0], &X_WM->R);
    X_WM->p = X_WF.p;
  }

  /** H: V_FM_F = (w_FM_F, v_FMo_F) = H v. */
  static Eigen::Matrix<T, 6, 1> CalcH_FM(const T*,
                                         const MobilizerConstants<T>&) {
    return {T(0), T(0), T(1), T(0), T(0), T(0)};
  }

  /** Ḣ v, the part of A_FM_F that v̇ does not make. */
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }

  /** H as kernels use it: in W, and the linear part that of a point O instead
  of Mo. Writes 6 kNv numbers, by column. */
  static void CalcScrews(const Pose<T>&, const Pose<T>& X_WM,
                         const Vector3<T>& p_OMo_W, const T*,
                         const MobilizerConstants<T>&, T* H) {
    const Vector3<T> z = X_WM.R.col(2);
    Eigen::Map<Vector3<T>>(H + 0) = z;
    Eigen::Map<Vector3<T>>(H + 3) = p_OMo_W.cross(z);
  }

  /** False if d/dt (H v) of CalcScrews(), O and v being held, comes from the
  motion of F alone. True: there is CalcBias(), which gives the rest. */
  static constexpr bool kHasBias = false;

  /** Writes q̇ = N(q) v: kNq entries. */
  static void MapVelocityToQDot(const T*, const T* v, T* qdot) {
    qdot[0] = v[0];
  }
  /** Writes v = N⁺(q) q̇: kNv entries. */
  static void MapQDotToVelocity(const T*, const T* qdot, T* v) {
    v[0] = qdot[0];
  }
  /** Writes the q at which F and M coincide. */
  static void SetZeroPosition(T* q) { q[0] = 0; }
};

}  // namespace wyvern::multibody::dynamics
