#pragma once

/** @file
The double part of a scalar or a matrix of scalars, for choosing
branches and for messages. */

#include <Eigen/Core>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/scalar_cast.h"

namespace wyvern::math::internal {

inline double ValueOf(double x) { return x; }
inline double ValueOf(const AutoDiffXd& x) { return x.value(); }

/** The values of a matrix, its shape kept. */
template <typename Derived>
auto ValuesOf(const Eigen::MatrixBase<Derived>& m) {
  using T = typename Derived::Scalar;
  return Eigen::Matrix<double, Derived::RowsAtCompileTime,
                       Derived::ColsAtCompileTime>(
      m.unaryExpr([](const T& x) { return ValueOf(x); }));
}

/** The matrix with its elements as U: to double, derivatives are dropped. */
template <typename U, typename Derived>
auto CastTo(const Eigen::MatrixBase<Derived>& m) {
  using T = typename Derived::Scalar;
  return Eigen::Matrix<U, Derived::RowsAtCompileTime,
                       Derived::ColsAtCompileTime>(
      m.unaryExpr([](const T& x) { return ScalarCast<U>(x); }));
}

/** The largest |element|, or NaN if there is one. */
template <typename Derived>
typename Derived::Scalar MaxAbs(const Eigen::MatrixBase<Derived>& expression) {
  using std::abs;
  using T = typename Derived::Scalar;
  const typename Derived::PlainObject m = expression;
  T largest(0);
  for (int i = 0; i < m.size(); ++i) {
    const T size = abs(m.data()[i]);
    if (!(size == size)) return size;
    if (size > largest) largest = size;
  }
  return largest;
}

}  // namespace wyvern::math::internal
