#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "wyvern/multibody/math/inertia_validity.h"

namespace wyvern::multibody::internal {

/** Whether all numbers of a matrix are known: those of expressions in variables
are not, and what is not known is not checked. */
template <typename Matrix>
bool AreKnown(const Matrix& m) {
  using T = typename Matrix::Scalar;
  if constexpr (requires(const T& x) { KnownNumberOr(x, 0.0); }) {
    for (int i = 0; i < m.size(); ++i) {
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      if (std::isinf(KnownNumberOr(m.data()[i], kInfinity))) return false;
    }
  }
  return true;
}

}  // namespace wyvern::multibody::internal
