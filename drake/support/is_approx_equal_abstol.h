#pragma once

#include <Eigen/Core>

namespace wyvern {

/** Whether two matrices have one size and no entry differs by more than
`tolerance`. NaN differs from everything. */
template <typename DerivedA, typename DerivedB>
bool is_approx_equal_abstol(const Eigen::MatrixBase<DerivedA>& a,
                            const Eigen::MatrixBase<DerivedB>& b,
                            double tolerance) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         ((a - b).array().abs() <= tolerance).all();
}

}  // namespace wyvern
