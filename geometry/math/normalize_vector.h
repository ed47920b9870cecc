#pragma once

#include <stdexcept>

#include "wyvern/geometry/math/gradient.h"

namespace wyvern::math {

/** u = x / |x|, and if wanted its first and second derivative by x, laid out as
Gradient says:

    du_i/dx_j = (delta_ij - u_i u_j) / |x|

and the derivative of that by x_k is
    -(delta_ij u_k + delta_ik u_j + delta_jk u_i - 3 u_i u_j u_k) / |x|^2.
@throws std::logic_error if x is zero. */
template <typename Derived>
void NormalizeVector(
    const Eigen::MatrixBase<Derived>& x, typename Derived::PlainObject& x_norm,
    typename Gradient<Derived, Derived::RowsAtCompileTime, 1>::type* dx_norm =
        nullptr,
    typename Gradient<Derived, Derived::RowsAtCompileTime, 2>::type* ddx_norm =
        nullptr) {
  using T = typename Derived::Scalar;
  const T length = x.norm();
  if (!(length > 0)) {
    throw std::logic_error(
        "NormalizeVector(): the vector is zero, or not a number; a direction "
        "needs a length.");
  }
  x_norm = x / length;
  const auto& u = x_norm;
  const Eigen::Index n = x.rows();
  if (dx_norm != nullptr) {
    dx_norm->noalias() = -(u / length) * u.transpose();
    dx_norm->diagonal().array() += 1 / length;
  }
  if (ddx_norm != nullptr) {
    ddx_norm->resize(n * n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      for (Eigen::Index j = 0; j < n; ++j) {
        for (Eigen::Index i = 0; i < n; ++i) {
          T sum = -3 * u(i) * u(j) * u(k);
          if (i == j) sum += u(k);
          if (i == k) sum += u(j);
          if (j == k) sum += u(i);
          (*ddx_norm)(j * n + i, k) = -sum / (length * length);
        }
      }
    }
  }
}

}  // namespace wyvern::math
