#pragma once

/** @file
Matrix comparison that prints the worst entry when it fails. */

#include <gtest/gtest.h>
#include <Eigen/Core>

namespace wyvern::test {

/** Passes if the shapes agree and every |a_ij - b_ij| <= tolerance (absolute;
a NaN anywhere fails). */
::testing::AssertionResult MatricesAreNear(const Eigen::MatrixXd& a,
                                           const Eigen::MatrixXd& b,
                                           double tolerance);

/** Overload for any expressions: EXPECT_TRUE(Near(a, b, 1e-12)). */
template <typename A, typename B>
::testing::AssertionResult Near(const Eigen::MatrixBase<A>& a,
                                const Eigen::MatrixBase<B>& b,
                                double tolerance = 0) {
  return MatricesAreNear(a, b, tolerance);
}

}  // namespace wyvern::test
