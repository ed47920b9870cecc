#pragma once

#include "wyvern/multibody/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/mobilizers/pose.h"

namespace wyvern::multibody::engine {

/** No motion: M is F. The members are explained in revolute_mobilizer.h. */
template <typename T>
struct WeldMobilizer {
  static constexpr int kNq = 0;
  static constexpr int kNv = 0;

  static Pose<T> CalcX_FM(const T*, const MobilizerConstants<T>&) { return {}; }
  static void CalcX_WM(const Pose<T>& X_WF, const T*,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    *X_WM = X_WF;
  }
  static Eigen::Matrix<T, 6, 0> CalcH_FM(const T*,
                                         const MobilizerConstants<T>&) {
    return {};
  }
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }
  static void CalcScrews(const Pose<T>&, const Pose<T>&, const Vector3<T>&,
                         const T*, const MobilizerConstants<T>&, T*) {}
  static constexpr bool kHasBias = false;
  static void MapVelocityToQDot(const T*, const T*, T*) {}
  static void MapQDotToVelocity(const T*, const T*, T*) {}
  static void SetZeroPosition(T*) {}
};

}  // namespace wyvern::multibody::engine
