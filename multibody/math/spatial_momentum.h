#pragma once

#include "wyvern/multibody/math/spatial_vector.h"

namespace wyvern::multibody {

template <typename T>
class SpatialVelocity;

/** The spatial momentum L_MSP of a system S in a frame M about a point P: the
angular momentum h (newton meter second) about P and the linear momentum l
(newton second), both expressed in some frame E: L_MSP_E.

@tparam T double or AutoDiffXd. */
template <typename T>
class SpatialMomentum : public SpatialVector<SpatialMomentum, T> {
  using Base = SpatialVector<::wyvern::multibody::SpatialMomentum, T>;

 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(SpatialMomentum);

  using Base::rotational;
  using Base::translational;

  /** NaN where assertions are on; otherwise left unset. */
  SpatialMomentum() = default;
  /** Takes angular and linear momentum, expressed in one frame. */
  SpatialMomentum(const Eigen::Ref<const Vector3<T>>& h,
                  const Eigen::Ref<const Vector3<T>>& l)
      : Base(h, l) {}
  /** From an expression of 6 elements, the angular momentum first. */
  template <typename Derived>
  explicit SpatialMomentum(const Eigen::MatrixBase<Derived>& L) : Base(L) {}

  /** The momentum about Q, from P by `offset` (meter), p_PQ_E: h - p x l, and l
  as it is. */
  SpatialMomentum<T> Shift(const Vector3<T>& offset) const {
    SpatialMomentum<T> result = *this;
    result.ShiftInPlace(offset);
    return result;
  }
  /** Shift() in place. */
  SpatialMomentum<T>& ShiftInPlace(const Vector3<T>& offset) {
    rotational() -= offset.cross(translational());
    return *this;
  }

  /** Twice the kinetic energy (joule) of a body given its velocity at P,
  expressed in the same frame. Declared here, defined in spatial_velocity.h. */
  T dot(const SpatialVelocity<T>& velocity) const;
};

/** Sum of momenta about one point, both expressed in E. */
template <typename T>
SpatialMomentum<T> operator+(const SpatialMomentum<T>& L1_E,
                             const SpatialMomentum<T>& L2_E) {
  return SpatialMomentum<T>(L1_E.get_coeffs() + L2_E.get_coeffs());
}

/** Difference of momenta about one point, both expressed in E. */
template <typename T>
SpatialMomentum<T> operator-(const SpatialMomentum<T>& L1_E,
                             const SpatialMomentum<T>& L2_E) {
  return SpatialMomentum<T>(L1_E.get_coeffs() - L2_E.get_coeffs());
}

}  // namespace wyvern::multibody

#include "wyvern/multibody/math/spatial_velocity.h"  // NOLINT
#include "wyvern/systems/common/stream_formatter.h"

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::multibody::SpatialMomentum<T>>
    : wyvern::StreamFormatter {};
/// @endcond
