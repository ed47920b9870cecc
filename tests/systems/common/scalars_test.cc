#include <gtest/gtest.h>

#include "tests/support/near.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/scalar_cast.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern {
namespace {

TEST(ExtractDouble, DropsDerivatives) {
  const AutoDiffXd x(2.5, Eigen::Vector2d(1, 0));
  EXPECT_EQ(ToDouble(x), 2.5);
  EXPECT_EQ(ToDouble(-1.5), -1.5);
}

TEST(ExtractDouble, TakesMatricesAndExpressions) {
  Matrix2<AutoDiffXd> m;
  m << 1, 2, 3, 4;
  const Eigen::Matrix2d expected = (Eigen::Matrix2d() << 1, 3, 2, 4).finished();
  EXPECT_TRUE(test::Near(ToDouble(m.transpose()), expected));
}

TEST(ScalarCast, GoesBetweenAllScalars) {
  const AutoDiffXd x(2.5, Eigen::Vector2d(1, 0));
  EXPECT_EQ(ScalarCast<double>(x), 2.5);
  EXPECT_EQ(ScalarCast<double>(1.5), 1.5);
  EXPECT_EQ(ScalarCast<AutoDiffXd>(1.5).value(), 1.5);
  EXPECT_EQ(ScalarCast<AutoDiffXd>(1.5).derivatives().size(), 0);
  EXPECT_EQ(ScalarCast<AutoDiffXd>(x).derivatives(), Eigen::Vector2d(1, 0));
}

}  // namespace
}  // namespace wyvern
