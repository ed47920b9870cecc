#pragma once

#include "wyvern/multibody/math/spatial_algebra.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** The articulated body inertia P_BQ of a body B about a point Q, with all that
moves on it, expressed in some frame E: P_BQ_E. It is the symmetric positive
semidefinite 6x6 matrix that relates the force F at Q to the acceleration of Q,
F = P A + z. A rigid body's is its spatial inertia, but here the mass may depend
on the direction, so it takes 21 numbers.

@tparam T double or AutoDiffXd. */
template <typename T>
class ArticulatedBodyInertia {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(ArticulatedBodyInertia);

  /** NaN where assertions are on; otherwise left unset. */
  ArticulatedBodyInertia();
  /** Makes the inertia of a rigid body, about the same point. */
  explicit ArticulatedBodyInertia(const SpatialInertia<T>& M_SQ_E)
      : P_(M_SQ_E.CopyToFullMatrix6()) {}
  /** From a 6x6 matrix; only its lower triangle is read.
  @throws std::logic_error unless it IsPhysicallyValid(). */
  template <typename Derived>
  explicit ArticulatedBodyInertia(const Eigen::MatrixBase<Derived>& matrix)
      : ArticulatedBodyInertia(Matrix6<T>(matrix), Checked{}) {}

  /** The inertia on another scalar. */
  template <typename Scalar>
  ArticulatedBodyInertia<Scalar> cast() const {
    ArticulatedBodyInertia<Scalar> result;
    result.P_ = math::internal::CastTo<Scalar>(P_);
    return result;
  }

  /** P_BQ_E as a 6 x 6 matrix, rotational rows first. */
  Matrix6<T> CopyToFullMatrix6() const { return P_; }

  /** True if all elements are finite and no eigenvalue is negative by more than
  1e-12 of the largest one. As elements differ in unit, rows and columns are
  scaled to a diagonal of ones first. */
  bool IsPhysicallyValid() const;

  /** The sum of two bodies rigidly connected, about the same point. */
  ArticulatedBodyInertia<T>& operator+=(
      const ArticulatedBodyInertia<T>& P_BQ_E) {
    P_ += P_BQ_E.P_;
    return *this;
  }
  /** Differences are not checked: the recursion takes away what moves freely.
   */
  ArticulatedBodyInertia<T>& operator-=(
      const ArticulatedBodyInertia<T>& P_BQ_E) {
    P_ -= P_BQ_E.P_;
    return *this;
  }

  /** P_BR_E from this P_BQ_E; meter. */
  ArticulatedBodyInertia<T> Shift(const Vector3<T>& p_QR_E) const {
    ArticulatedBodyInertia<T> result = *this;
    result.ShiftInPlace(p_QR_E);
    return result;
  }
  /** Shift() in place. */
  void ShiftInPlace(const Vector3<T>& p_QR_E);

  /** P A, the force at Q without the bias z, expressed in E. */
  SpatialForce<T> operator*(const SpatialAcceleration<T>& A_WB_E) const {
    return SpatialForce<T>(P_ * A_WB_E.get_coeffs());
  }
  /** P times a matrix of 6 rows. */
  template <typename OtherDerived>
  Eigen::Matrix<T, 6, OtherDerived::ColsAtCompileTime> operator*(
      const Eigen::MatrixBase<OtherDerived>& rhs) const {
    return P_ * rhs;
  }
  /** A matrix of 6 columns times P. */
  template <typename OtherDerived>
  friend Eigen::Matrix<T, OtherDerived::RowsAtCompileTime, 6> operator*(
      const Eigen::MatrixBase<OtherDerived>& lhs,
      const ArticulatedBodyInertia& rhs) {
    return lhs * rhs.P_;
  }

 private:
  template <typename>
  friend class ArticulatedBodyInertia;

  struct Checked {};
  ArticulatedBodyInertia(const Matrix6<T>& matrix, Checked);

  // Both triangles are stored and kept exactly symmetric.
  Matrix6<T> P_;
};

}  // namespace wyvern::multibody
