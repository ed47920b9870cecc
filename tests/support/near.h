#pragma once

/** @file
Matrix comparison that prints the worst entry when it fails. */

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Core>

namespace wyvern::test {

/** Passes if the shapes agree and every |a_ij - b_ij| <= tolerance (absolute;
a NaN anywhere fails). Use as EXPECT_TRUE(Near(a, b, 1e-12)). */
template <typename A, typename B>
::testing::AssertionResult Near(const Eigen::MatrixBase<A>& a_in,
                                const Eigen::MatrixBase<B>& b_in,
                                double tolerance = 0) {
  const Eigen::MatrixXd a = a_in;
  const Eigen::MatrixXd b = b_in;
  if (a.rows() != b.rows() || a.cols() != b.cols()) {
    return ::testing::AssertionFailure()
           << "shapes differ: " << a.rows() << "x" << a.cols() << " and "
           << b.rows() << "x" << b.cols();
  }
  for (int j = 0; j < a.cols(); ++j) {
    for (int i = 0; i < a.rows(); ++i) {
      const bool same = a(i, j) == b(i, j);  // Also for infinities.
      if (!same && !(std::abs(a(i, j) - b(i, j)) <= tolerance)) {
        return ::testing::AssertionFailure()
               << "entry (" << i << ", " << j << "): " << a(i, j) << " and "
               << b(i, j) << " differ by " << a(i, j) - b(i, j)
               << ", more than " << tolerance << "\na =\n"
               << a << "\nb =\n"
               << b;
      }
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace wyvern::test
