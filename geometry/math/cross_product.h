#pragma once

/** @file
The cross product as a matrix. */

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math {

/** The skew-symmetric 3x3 matrix [p]x with [p]x q = p x q for every q. */
template <typename Derived>
Matrix3<typename Derived::Scalar> VectorToSkewSymmetric(
    const Eigen::MatrixBase<Derived>& p) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived, 3);
  using T = typename Derived::Scalar;
  Matrix3<T> m;
  m << T(0), -p(2), p(1),  //
      p(2), T(0), -p(0),   //
      -p(1), p(0), T(0);
  return m;
}

}  // namespace wyvern::math
