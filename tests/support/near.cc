#include "tests/support/near.h"

#include <cmath>

namespace wyvern::test {

::testing::AssertionResult MatricesAreNear(const Eigen::MatrixXd& a,
                                           const Eigen::MatrixXd& b,
                                           double tolerance) {
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
