#pragma once

#include "wyvern/multibody/math/spatial_velocity.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::multibody {

/** The spatial acceleration A_MB of a frame B in a frame M: the angular
acceleration alpha_MB (radian/second²) and the acceleration a_MBo
(meter/second²) of B's origin, both the derivatives in M of those of V_MB (so
not Featherstone's spatial acceleration), expressed in some frame E: A_MB_E.

@tparam T double or AutoDiffXd. */
template <typename T>
class SpatialAcceleration : public SpatialVector<SpatialAcceleration, T> {
  using Base = SpatialVector<::wyvern::multibody::SpatialAcceleration, T>;

 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(SpatialAcceleration);

  using Base::rotational;
  using Base::translational;

  /** NaN where assertions are on; otherwise left unset. */
  SpatialAcceleration() = default;
  /** Takes alpha and a, expressed in one frame. */
  SpatialAcceleration(const Eigen::Ref<const Vector3<T>>& alpha,
                      const Eigen::Ref<const Vector3<T>>& a)
      : Base(alpha, a) {}
  /** From an expression of 6 elements, alpha first. */
  template <typename Derived>
  explicit SpatialAcceleration(const Eigen::MatrixBase<Derived>& A) : Base(A) {}

  /** A_MC of the frame C that is fixed to B with its origin at `offset`
  (meter), p_BoCo_E: alpha as it is, a + alpha x p + w x (w x p).
  @param angular_velocity_of_this_frame w_MB_E, radian/second. */
  SpatialAcceleration<T> Shift(
      const Vector3<T>& offset,
      const Vector3<T>& angular_velocity_of_this_frame) const {
    SpatialAcceleration<T> result = *this;
    result.ShiftInPlace(offset, angular_velocity_of_this_frame);
    return result;
  }
  /** Shift() in place. */
  void ShiftInPlace(const Vector3<T>& offset,
                    const Vector3<T>& angular_velocity_of_this_frame) {
    const Vector3<T>& w = angular_velocity_of_this_frame;
    translational() += rotational().cross(offset);
    translational() += w.cross(Vector3<T>(w.cross(offset)));
  }

  /** As Shift() where w_MB is zero: the part that is linear in A. */
  SpatialAcceleration<T> ShiftWithZeroAngularVelocity(
      const Vector3<T>& offset) const {
    return SpatialAcceleration<T>(rotational(),
                                  translational() + rotational().cross(offset));
  }

  /** With this A_MB_E and a frame C that moves in B: A_MC_E, which is this
  shifted to Co, plus A_BC_E, plus the two products of rates
  [w_MB x w_BC; 2 w_MB x v_BCo].
  @param position_of_moving_frame p_BoCo_E, meter.
  @param angular_velocity_of_this_frame w_MB_E, radian/second.
  @param velocity_of_moving_frame V_BC_E.
  @param acceleration_of_moving_frame A_BC_E. */
  SpatialAcceleration<T> ComposeWithMovingFrameAcceleration(
      const Vector3<T>& position_of_moving_frame,
      const Vector3<T>& angular_velocity_of_this_frame,
      const SpatialVelocity<T>& velocity_of_moving_frame,
      const SpatialAcceleration<T>& acceleration_of_moving_frame) const {
    const Vector3<T>& w_MB_E = angular_velocity_of_this_frame;
    SpatialAcceleration<T> A_MC_E = Shift(position_of_moving_frame, w_MB_E);
    A_MC_E += acceleration_of_moving_frame;
    A_MC_E.rotational() += w_MB_E.cross(velocity_of_moving_frame.rotational());
    A_MC_E.translational() +=
        T(2) * w_MB_E.cross(velocity_of_moving_frame.translational());
    return A_MC_E;
  }
};

/** Sum of accelerations, both expressed in E. */
template <typename T>
SpatialAcceleration<T> operator+(const SpatialAcceleration<T>& A1_E,
                                 const SpatialAcceleration<T>& A2_E) {
  return SpatialAcceleration<T>(A1_E.get_coeffs() + A2_E.get_coeffs());
}

/** Difference of accelerations, both expressed in E. */
template <typename T>
SpatialAcceleration<T> operator-(const SpatialAcceleration<T>& A1_E,
                                 const SpatialAcceleration<T>& A2_E) {
  return SpatialAcceleration<T>(A1_E.get_coeffs() - A2_E.get_coeffs());
}

}  // namespace wyvern::multibody

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::multibody::SpatialAcceleration<T>>
    : wyvern::StreamFormatter {};
/// @endcond
