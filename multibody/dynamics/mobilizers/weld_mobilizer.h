#pragma once

#include <array>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"

namespace wyvern::multibody::dynamics {

/** No motion: M is F. The members are explained in revolute_mobilizer.h. */
template <typename T>
struct WeldMobilizer {
  /** @name Type, sizes and traits
  RevoluteMobilizer explains each of them.
  @{ */
  static constexpr MobilizerType kType = MobilizerType::kWeld;
  static constexpr int kNq = 0;
  static constexpr int kNv = 0;
  static constexpr bool kRotates = false;
  static constexpr bool kTranslates = false;
  static constexpr bool kHasAxis = false;
  static constexpr bool kRotatesFreely = false;
  static constexpr bool kHasQuaternion = false;
  static constexpr std::array<const char*, 0> kPositionNames{};
  static constexpr std::array<const char*, 0> kVelocityNames{};
  static constexpr std::array<bool, 0> kIsAngular{};
  static constexpr std::array<bool, 0> kCarries{};
  static constexpr int RateOfPosition(int i) { return i; }
  /** @} */

  /** X_FM = I. */
  static Pose<T> CalcX_FM(const T*, const MobilizerConstants<T>&) { return {}; }

  /** X_WM = X_WF. */
  static void CalcX_WM(const Pose<T>& X_WF, const T*,
                       const MobilizerConstants<T>&, Pose<T>* X_WM) {
    *X_WM = X_WF;
  }

  /** H, 6 x 0. */
  static Eigen::Matrix<T, 6, 0> CalcH_FM(const T*,
                                         const MobilizerConstants<T>&) {
    return {};
  }

  /** Zero, as there is no motion. */
  static Vector6<T> CalcHdotTimesV(const T*, const T*,
                                   const MobilizerConstants<T>&) {
    return Vector6<T>::Zero();
  }

  /** Writes nothing, as H has no column. */
  static void CalcScrews(const Pose<T>&, const Pose<T>&, const Vector3<T>&,
                         const T*, const MobilizerConstants<T>&, T*) {}

  /** False, as there is no motion. */
  static constexpr bool kHasBias = false;

  /** Writes nothing, as there is no position. */
  static void MapVelocityToQDot(const T*, const T*, T*) {}
  /** Writes nothing, as there is no velocity. */
  static void MapQDotToVelocity(const T*, const T*, T*) {}
  /** Writes nothing, as there is no position. */
  static void SetZeroPosition(T*) {}
};

}  // namespace wyvern::multibody::dynamics
