#pragma once

/** @file
The plain number in a scalar of any type: for comparisons, messages
and tests, where derivatives do not matter. */

#include <Eigen/Core>

#include "wyvern/systems/common/autodiff.h"

namespace wyvern {

/** Returns the number itself. */
inline double ToDouble(double scalar) { return scalar; }

/** The value, without its derivatives. */
inline double ToDouble(const AutoDiffXd& scalar) { return scalar.value(); }

/** A double matrix of the same shape. */
template <typename Derived>
Eigen::Matrix<double, Derived::RowsAtCompileTime, Derived::ColsAtCompileTime, 0,
              Derived::MaxRowsAtCompileTime, Derived::MaxColsAtCompileTime>
ToDouble(const Eigen::MatrixBase<Derived>& matrix) {
  return matrix
      .unaryExpr([](const typename Derived::Scalar& value) -> double {
        return ToDouble(value);
      })
      .eval();
}

}  // namespace wyvern
