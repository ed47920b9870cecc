#include "tests/support/allocation_guard.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Core>

namespace wyvern::test {
namespace {

class AllocationGuardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationGuard::is_active()) {
      GTEST_SKIP() << "the sanitizer owns malloc in this build";
    }
  }
};

TEST_F(AllocationGuardTest, SeesEigenAllocate) {
  AllocationGuard guard;
  Eigen::VectorXd x(100);
  x.setZero();
  EXPECT_EQ(guard.count(), 1);
}

TEST_F(AllocationGuardTest, SeesOperatorNew) {
  AllocationGuard guard;
  std::vector<int> v(1000);
  EXPECT_EQ(guard.count(), 1);
}

TEST_F(AllocationGuardTest, CountsNothingForFixedSizes) {
  AllocationGuard guard;
  Eigen::Matrix3d m = Eigen::Matrix3d::Identity();
  m *= 2;
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(m.trace(), 6);
}

}  // namespace
}  // namespace wyvern::test
