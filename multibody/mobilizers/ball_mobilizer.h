#pragma once

#include <array>

#include "wyvern/multibody/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/mobilizers/orientation.h"
#include "wyvern/multibody/mobilizers/pose.h"

namespace wyvern::multibody::engine {

/** M turns freely about Mo, which is Fo. q is that of the Orientation, one of
orientation.h, and v = w_FM_F. The members are explained in
revolute_mobilizer.h. */
template <typename T, template <typename> class Orientation>
struct BallMobilizer {
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

  static Pose<T> CalcX_FM(const T* q, const MobilizerConstants<T>&) {
    return {Orientation<T>::CalcR_FM(q), Vector3<T>::Zero()};
  }
  static void CalcX_WM(const Pose<T>& X_WF, const T* q,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    X_WM->R.noalias() = X_WF.R * Orientation<T>::CalcR_FM(q);
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
    Orientation<T>::MapVelocityToQDot(q, v, qdot);
  }
  static void MapQDotToVelocity(const T* q, const T* qdot, T* v) {
    Orientation<T>::MapQDotToVelocity(q, qdot, v);
  }
  static void SetZeroPosition(T* q) { Orientation<T>::SetIdentity(q); }
};

template <typename T>
using QuaternionBallMobilizer = BallMobilizer<T, QuaternionOrientation>;
template <typename T>
using RpyBallMobilizer = BallMobilizer<T, RpyOrientation>;

}  // namespace wyvern::multibody::engine
