#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/math/line_and_arc_path.h"

namespace wyvern::multibody::dynamics {

/** Displacement by q along a path of lines and arcs in a plane of F: Mx is its
tangent, Mz the normal of the plane. The members are explained in
revolute_mobilizer.h. */
template <typename T>
struct CurvilinearMobilizer {
  /** @name Type, sizes and traits
  RevoluteMobilizer explains each of them.
  @{ */
  static constexpr MobilizerType kType = MobilizerType::kCurvilinear;
  static constexpr int kNq = 1;
  static constexpr int kNv = 1;
  static constexpr bool kRotates = true;
  static constexpr bool kTranslates = true;
  static constexpr bool kHasAxis = false;
  static constexpr bool kRotatesFreely = false;
  static constexpr bool kHasQuaternion = false;
  static constexpr std::array<const char*, 1> kPositionNames{"q"};
  static constexpr std::array<const char*, 1> kVelocityNames{"v"};
  static constexpr std::array<bool, 1> kIsAngular{false};
  static constexpr std::array<bool, 1> kCarries{false};
  static constexpr int RateOfPosition(int i) { return i; }
  /** @} */

  /** X_FM is the pose of the path at the distance q, in metres. */
  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>& constants) {
    Pose<T> X_FM;
    constants.path->CalcPose(q[0], &X_FM.R, &X_FM.p);
    return X_FM;
  }

  /** X_WM = X_WF X_FM. */
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>& constants, Pose<T>* X_WM) {
    *X_WM = X_WF * CalcX_FM(q, constants);
  }

  /** H, 6 x 1: rotation about Mz by the turning rate of the path (rad/m), and
  translation along Mx. */
  static Eigen::Matrix<T, 6, 1> CalcH_FM(
      const T* q, const MobilizerConstants<T>& constants) {
    const Matrix3<T> R_FM = CalcX_FM(q, constants).R;
    Eigen::Matrix<T, 6, 1> H;
    H << constants.path->turning_rate(q[0]) * R_FM.col(2), R_FM.col(0);
    return H;
  }

  /** Ḣ v = (0, turning rate v² My): the tangent turns. The turning rate is
  constant on each segment. */
  static Vector6<T> CalcHdotTimesV(const T* q, const T* v,
                                   const MobilizerConstants<T>& constants) {
    const T rate = constants.path->turning_rate(q[0]) * v[0];
    Vector6<T> result;
    result << Vector3<T>::Zero(),
        (rate * v[0]) * CalcX_FM(q, constants).R.col(1);
    return result;
  }

  /** The screw of the present segment, in W, with the linear part at O. */
  static void CalcScrews(const Pose<T>&, const Pose<T>& X_WM,
                         const Vector3<T>& p_OMo_W, const T* q,
                         const MobilizerConstants<T>& constants, T* H) {
    const double rate = constants.path->turning_rate(q[0]);
    const Vector3<T> w = rate * X_WM.R.col(2);
    Eigen::Map<Vector3<T>>(H + 0) = w;
    Eigen::Map<Vector3<T>>(H + 3) = p_OMo_W.cross(w) + X_WM.R.col(0);
  }

  /** False: on a segment M turns about the arc's centre or slides along the
  line, so that the screw is fixed in F. */
  static constexpr bool kHasBias = false;

  /** q̇ = v; one entry. */
  static void MapVelocityToQDot(const T*, const T* v, T* qdot) {
    qdot[0] = v[0];
  }
  /** v = q̇; one entry. */
  static void MapQDotToVelocity(const T*, const T* qdot, T* v) {
    v[0] = qdot[0];
  }
  /** q = 0: the start of the path. */
  static void SetZeroPosition(T* q) { q[0] = 0; }
};

}  // namespace wyvern::multibody::dynamics
