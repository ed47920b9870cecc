#pragma once

#include "wyvern/multibody/math/spatial_vector.h"

namespace wyvern::multibody {

template <typename T>
class SpatialForce;
template <typename T>
class SpatialMomentum;

/** The spatial velocity V_MB of a frame B in a frame M: the angular velocity
w_MB (radian/second) and the velocity v_MBo (meter/second) of B's origin, both
expressed in some frame E: V_MB_E.

@tparam T double or AutoDiffXd. */
template <typename T>
class SpatialVelocity : public SpatialVector<SpatialVelocity, T> {
  using Base = SpatialVector<::wyvern::multibody::SpatialVelocity, T>;

 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(SpatialVelocity);

  using Base::rotational;
  using Base::translational;

  /** NaN where assertions are on; otherwise left unset. */
  SpatialVelocity() = default;
  /** Takes w and v, expressed in one frame. */
  SpatialVelocity(const Eigen::Ref<const Vector3<T>>& w,
                  const Eigen::Ref<const Vector3<T>>& v)
      : Base(w, v) {}
  /** From an expression of 6 elements, w first. */
  template <typename Derived>
  explicit SpatialVelocity(const Eigen::MatrixBase<Derived>& V) : Base(V) {}

  /** V_MC of the frame C that is fixed to B with its origin at `offset`
  (meter), p_BoCo_E: w as it is, v + w x p. */
  SpatialVelocity<T> Shift(const Vector3<T>& offset) const {
    return SpatialVelocity<T>(rotational(),
                              translational() + rotational().cross(offset));
  }
  /** Shift() in place. */
  void ShiftInPlace(const Vector3<T>& offset) {
    translational() += rotational().cross(offset);
  }

  /** With this V_MB_E and a frame C that moves in B: V_MC_E.
  @param position_of_moving_frame p_BoCo_E, meter.
  @param velocity_of_moving_frame V_BC_E. */
  SpatialVelocity<T> ComposeWithMovingFrameVelocity(
      const Vector3<T>& position_of_moving_frame,
      const SpatialVelocity<T>& velocity_of_moving_frame) const {
    SpatialVelocity<T> V_MC_E = Shift(position_of_moving_frame);
    V_MC_E += velocity_of_moving_frame;
    return V_MC_E;
  }

  /** Power (watt) of a force on B at Bo, expressed in the same frame. */
  T dot(const SpatialForce<T>& force) const;
  /** Twice the kinetic energy (joule) if `momentum` is B's in M about Bo. */
  T dot(const SpatialMomentum<T>& momentum) const;
};

/** Sum of velocities, both expressed in E. */
template <typename T>
SpatialVelocity<T> operator+(const SpatialVelocity<T>& V1_E,
                             const SpatialVelocity<T>& V2_E) {
  return SpatialVelocity<T>(V1_E.get_coeffs() + V2_E.get_coeffs());
}

/** V_AC - V_AB is V_BC only where Bo and Co coincide. */
template <typename T>
SpatialVelocity<T> operator-(const SpatialVelocity<T>& V1_E,
                             const SpatialVelocity<T>& V2_E) {
  return SpatialVelocity<T>(V1_E.get_coeffs() - V2_E.get_coeffs());
}

}  // namespace wyvern::multibody

// The products with a velocity need the classes on the other side.
#include "wyvern/multibody/math/spatial_force.h"     // NOLINT
#include "wyvern/multibody/math/spatial_momentum.h"  // NOLINT
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::multibody {

template <typename T>
T SpatialVelocity<T>::dot(const SpatialForce<T>& force) const {
  return this->get_coeffs().dot(force.get_coeffs());
}

template <typename T>
T SpatialVelocity<T>::dot(const SpatialMomentum<T>& momentum) const {
  return this->get_coeffs().dot(momentum.get_coeffs());
}

template <typename T>
T SpatialForce<T>::dot(const SpatialVelocity<T>& velocity) const {
  return velocity.dot(*this);
}

template <typename T>
T SpatialMomentum<T>::dot(const SpatialVelocity<T>& velocity) const {
  return velocity.dot(*this);
}

}  // namespace wyvern::multibody

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::multibody::SpatialVelocity<T>>
    : wyvern::StreamFormatter {};
/// @endcond
