#pragma once

#include "wyvern/multibody/math/spatial_vector.h"

namespace wyvern::multibody {

template <typename T>
class SpatialVelocity;

/** A spatial force (wrench) F_Bp on a body B at its point Bp: the torque tau
(newton meter) on B and the force f (newton) applied at Bp, both expressed in
some frame E: F_Bp_E.

@tparam T double or AutoDiffXd. */
template <typename T>
class SpatialForce : public SpatialVector<SpatialForce, T> {
  using Base = SpatialVector<::wyvern::multibody::SpatialForce, T>;

 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(SpatialForce);

  using Base::rotational;
  using Base::translational;

  /** NaN where assertions are on; otherwise left unset. */
  SpatialForce() = default;
  /** Takes torque and force, expressed in one frame. */
  SpatialForce(const Eigen::Ref<const Vector3<T>>& tau,
               const Eigen::Ref<const Vector3<T>>& f)
      : Base(tau, f) {}
  /** From an expression of 6 elements, the torque first. */
  template <typename Derived>
  explicit SpatialForce(const Eigen::MatrixBase<Derived>& F) : Base(F) {}

  /** The equivalent force applied at Bq, from Bp by `offset` (meter),
  p_BpBq_E: tau - p x f, and f as it is. */
  SpatialForce<T> Shift(const Vector3<T>& offset) const {
    SpatialForce<T> result = *this;
    result.ShiftInPlace(offset);
    return result;
  }
  /** Shift() in place. */
  SpatialForce<T>& ShiftInPlace(const Vector3<T>& offset) {
    rotational() -= offset.cross(translational());
    return *this;
  }

  /** Shifts the force in each column: as Shift().
  @throws std::logic_error if the shapes differ or `shifted_forces` is null. */
  static void Shift(const Eigen::Ref<const Matrix6X<T>>& spatial_forces,
                    const Vector3<T>& offset,
                    EigenPtr<Matrix6X<T>> shifted_forces);
  /** Shifts the force in each column, in place.
  @throws std::logic_error if `spatial_forces` is null. */
  static void ShiftInPlace(EigenPtr<Matrix6X<T>> spatial_forces,
                           const Vector3<T>& offset);

  /** Power (watt) given the velocity of B at Bp, expressed in the same frame.
  Declared here, defined in spatial_velocity.h. */
  T dot(const SpatialVelocity<T>& velocity) const;
};

/** Sum of forces about one point, both expressed in E. */
template <typename T>
SpatialForce<T> operator+(const SpatialForce<T>& F1_E,
                          const SpatialForce<T>& F2_E) {
  return SpatialForce<T>(F1_E.get_coeffs() + F2_E.get_coeffs());
}

/** Difference of forces about one point, both expressed in E. */
template <typename T>
SpatialForce<T> operator-(const SpatialForce<T>& F1_E,
                          const SpatialForce<T>& F2_E) {
  return SpatialForce<T>(F1_E.get_coeffs() - F2_E.get_coeffs());
}

}  // namespace wyvern::multibody

#include "wyvern/multibody/math/spatial_velocity.h"  // NOLINT
#include "wyvern/systems/common/stream_formatter.h"

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::multibody::SpatialForce<T>>
    : wyvern::StreamFormatter {};
/// @endcond
