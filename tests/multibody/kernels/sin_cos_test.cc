#include "wyvern/multibody/kernels/sin_cos.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {
namespace {

constexpr double kMany = 1.5;  // A step that comes to all quadrants.

// Returns the sines and cosines of n angles from `first` on.
template <typename T>
void ExpectEachIsRight(const std::vector<T>& x) {
  const int n = static_cast<int>(x.size());
  std::vector<T> sine(n), cosine(n);
  SinCos(x.data(), n, sine.data(), cosine.data());
  for (int i = 0; i < n; ++i) {
    using std::cos;
    using std::sin;
    // A few units in the last place, of numbers of size 1.
    EXPECT_NEAR(ToDouble(T(sine[i] - sin(x[i]))), 0, 5e-16) << i;
    EXPECT_NEAR(ToDouble(T(cosine[i] - cos(x[i]))), 0, 5e-16) << i;
  }
}

TEST(SinCosOfMany, IsRightForAnyNumberOfAngles) {
  for (int n = 0; n < 14; ++n) {
    std::vector<double> x(n);
    for (int i = 0; i < n; ++i) x[i] = kMany * (i - 6);
    ExpectEachIsRight(x);
  }
}

TEST(SinCosOfMany, TakesLargeAnglesAmongSmallOnes) {
  for (int large = 0; large < 6; ++large) {
    std::vector<double> x{0.1, -0.2, 3, -4, 5, 1.6};
    x[large] = -1e9;
    ExpectEachIsRight(x);
  }
}

TEST(SinCosOfMany, TakesAutoDiff) {
  std::vector<AutoDiffXd> x;
  for (double angle : {1.0, 2.0, 3.0, 4.0, 5.0}) x.emplace_back(angle, 1, 0);
  ExpectEachIsRight(x);
}

TEST(SinCosOfMany, KeepsNaN) {
  const std::vector<double> x{1, 2, std::numeric_limits<double>::quiet_NaN(), 4,
                              5};
  std::vector<double> sine(5), cosine(5);
  SinCos(x.data(), 5, sine.data(), cosine.data());
  EXPECT_TRUE(std::isnan(sine[2]) && std::isnan(cosine[2]));
  EXPECT_NEAR(sine[3], std::sin(4.0), 5e-16);
}

TEST(SinCosOfMany, WritesNoMoreThanItIsAskedFor) {
  for (int n = 1; n < 9; ++n) {
    const std::vector<double> x(n, 2.0);
    std::vector<double> sine(n + 4, 7), cosine(n + 4, 7);
    SinCos(x.data(), n, sine.data(), cosine.data());
    for (int i = n; i < n + 4; ++i) EXPECT_EQ(sine[i] + cosine[i], 14);
  }
}

}  // namespace
}  // namespace wyvern::multibody::internal
