#include "wyvern/systems/common/random.h"

#include <random>

#include <gtest/gtest.h>

namespace wyvern {
namespace {

TEST(RandomGenerator, SameSeedGivesSameNumbers) {
  RandomGenerator a(12), b(12), c(13);
  const auto first = a();
  EXPECT_EQ(first, b());
  EXPECT_NE(first, c());
}

// The C++ standard, [rand.predef], fixes the 10000th number of mt19937.
TEST(RandomGenerator, IsTheStandardMersenneTwister) {
  RandomGenerator generator;
  for (int i = 0; i < 9999; ++i) generator();
  EXPECT_EQ(generator(), 4123659995u);
}

TEST(RandomGenerator, DrivesStandardDistributions) {
  RandomGenerator generator;
  std::normal_distribution<double> gaussian;
  double sum = 0;
  for (int i = 0; i < 10000; ++i) sum += gaussian(generator);
  // The mean of 10^4 samples has a standard deviation of 0.01.
  EXPECT_LT(std::abs(sum / 10000), 0.04);
}

TEST(RandomGenerator, CopiesContinueAlike) {
  RandomGenerator a(3);
  a();
  RandomGenerator b = a;
  EXPECT_EQ(a(), b());
}

}  // namespace
}  // namespace wyvern
