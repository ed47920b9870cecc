#pragma once

#include <array>
#include <cmath>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/kernels/sin_cos.h"

namespace wyvern::multibody::dynamics {

/** Rotation by q[0] about Fx, then by q[1] about the y so moved, which is My:
R_FM = Rx(q[0]) Ry(q[1]). The members are explained in revolute_mobilizer.h. */
template <typename T>
struct UniversalMobilizer {
  /** @name Type, sizes and traits
  RevoluteMobilizer explains each of them.
  @{ */
  static constexpr MobilizerType kType = MobilizerType::kUniversal;
  static constexpr int kNq = 2;
  static constexpr int kNv = 2;
  static constexpr bool kRotates = true;
  static constexpr bool kTranslates = false;
  static constexpr bool kHasAxis = false;
  static constexpr bool kRotatesFreely = false;
  static constexpr bool kHasQuaternion = false;
  static constexpr std::array<const char*, 2> kPositionNames{"qx", "qy"};
  static constexpr std::array<const char*, 2> kVelocityNames{"wx", "wy"};
  static constexpr std::array<bool, 2> kIsAngular{true, true};
  static constexpr std::array<bool, 2> kCarries{true, false};
  static constexpr int RateOfPosition(int i) { return i; }
  /** @} */

  /** X_FM = (Rx(q[0]) Ry(q[1]), 0). */
  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>& constants) {
    Pose<T> X_FM;
    CalcX_WM(Pose<T>{}, q, constants, &X_FM);
    return X_FM;
  }

  /** R_WM = R_WF Rx(q[0]) Ry(q[1]); Mo stays at Fo. */
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    T s0, c0, s1, c1;
    internal::SinCos(q[0], &s0, &c0);
    internal::SinCos(q[1], &s1, &c1);
    const Vector3<T> x = X_WF.R.col(0);
    const Vector3<T> z = c0 * X_WF.R.col(2) - s0 * X_WF.R.col(1);
    X_WM->R.col(0) = c1 * x - s1 * z;
    X_WM->R.col(1) = c0 * X_WF.R.col(1) + s0 * X_WF.R.col(2);
    X_WM->R.col(2) = c1 * z + s1 * x;
    X_WM->p = X_WF.p;
  }

  /** H, 6 x 2: columns rotate about Fx and about My = (0, cos q[0], sin
  q[0]). */
  static Eigen::Matrix<T, 6, 2> CalcH_FM(const T* q,
                                         const MobilizerConstants<T>&) {
    using std::cos;
    using std::sin;
    Eigen::Matrix<T, 6, 2> H = Eigen::Matrix<T, 6, 2>::Zero();
    H(0, 0) = 1;
    H(1, 1) = cos(q[0]);
    H(2, 1) = sin(q[0]);
    return H;
  }

  /** Ḣ v = (v[0] v[1] Fx × My, 0): My turns about Fx. */
  static Vector6<T> CalcHdotTimesV(const T* q, const T* v,
                                   const MobilizerConstants<T>&) {
    using std::cos;
    using std::sin;
    Vector6<T> result = Vector6<T>::Zero();
    result[1] = -sin(q[0]) * v[0] * v[1];
    result[2] = cos(q[0]) * v[0] * v[1];
    return result;
  }

  /** The axes Fx and My through Mo, in W, with the linear part at O. */
  static void CalcScrews(const Pose<T>& X_WF, const Pose<T>& X_WM,
                         const Vector3<T>& p_OMo_W, const T*,
                         const MobilizerConstants<T>&, T* H) {
    const Vector3<T> x = X_WF.R.col(0);
    const Vector3<T> y = X_WM.R.col(1);
    Eigen::Map<Vector3<T>>(H + 0) = x;
    Eigen::Map<Vector3<T>>(H + 3) = p_OMo_W.cross(x);
    Eigen::Map<Vector3<T>>(H + 6) = y;
    Eigen::Map<Vector3<T>>(H + 9) = p_OMo_W.cross(y);
  }

  /** True: My turns about Fx. */
  static constexpr bool kHasBias = true;
  /** The second axis turns about the first; both keep going through Mo. */
  static Vector6<T> CalcBias(const T* H, const T* v,
                             const Vector3<T>& p_OMo_W) {
    const Vector3<T> x = Eigen::Map<const Vector3<T>>(H);
    const Vector3<T> y = Eigen::Map<const Vector3<T>>(H + 6);
    const T vv = v[0] * v[1];
    const Vector3<T> alpha = vv * x.cross(y);
    Vector6<T> result;
    result.template head<3>() = alpha;
    result.template tail<3>() = p_OMo_W.cross(alpha);
    return result;
  }

  /** q̇ = v; 2 entries. */
  static void MapVelocityToQDot(const T*, const T* v, T* qdot) {
    qdot[0] = v[0];
    qdot[1] = v[1];
  }
  /** v = q̇; 2 entries. */
  static void MapQDotToVelocity(const T*, const T* qdot, T* v) {
    v[0] = qdot[0];
    v[1] = qdot[1];
  }
  /** q = 0. */
  static void SetZeroPosition(T* q) { q[0] = q[1] = 0; }
};

}  // namespace wyvern::multibody::dynamics
