#pragma once

/** @file
A norm that can be differentiated everywhere. */

#include <cmath>

#include "wyvern/geometry/math/scalar_value.h"

namespace wyvern::math {

/** |x|, with derivatives that are 0, one of the subgradients, where x = 0. */
template <typename Derived>
typename Derived::Scalar DifferentiableNorm(
    const Eigen::MatrixBase<Derived>& x) {
  using std::sqrt;
  using T = typename Derived::Scalar;
  const T squared = x.squaredNorm();
  return internal::ValueOf(squared) > 0 ? T(sqrt(squared)) : T(0 * squared);
}

}  // namespace wyvern::math
