#include "wyvern/systems/common/stochastic.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::schema {
namespace stochastic_test {

using Eigen::Vector2d;
using Eigen::VectorXd;

TEST(Stochastic, SamplesHaveTheMomentsOfTheirDistributions) {
  const std::vector<DistributionVariant> all{4.0, Deterministic(5),
                                             Gaussian(2, 3), Uniform(-1, 5),
                                             UniformDiscrete({1, 2, 6})};
  const VectorXd mean = (VectorXd(5) << 4, 5, 2, 2, 3).finished();
  // The uniform variance is width^2 / 12; that of the values (4 + 1 + 9) / 3.
  const VectorXd variance = (VectorXd(5) << 0, 0, 9, 3, 14 / 3.0).finished();
  EXPECT_EQ(Mean(all), mean);
  RandomGenerator generator(5);
  const int n = 20000;
  VectorXd sum = VectorXd::Zero(5), squares = VectorXd::Zero(5);
  for (int i = 0; i < n; ++i) {
    const VectorXd sample = Sample(all, &generator) - mean;
    sum += sample;
    squares += sample.cwiseAbs2();
  }
  for (int i = 0; i < 5; ++i) {
    // Five standard errors; the fourth moment is at most three variances'.
    EXPECT_NEAR(sum[i] / n, 0, 5 * std::sqrt(variance[i] / n));
    EXPECT_NEAR(squares[i] / n, variance[i],
                5 * variance[i] * 2 / std::sqrt(n));
  }
}

TEST(Stochastic, AVectorIsDrawnElementByElement) {
  const DistributionVectorVariant<2> gaussian{
      GaussianVector<2>(Vector2d(1, 2), Vector2d(0.5, 0))};
  RandomGenerator one(7), other(7);
  const VectorXd x = ToDistributionVector(gaussian)->Sample(&one);
  EXPECT_EQ(x[0], Gaussian(1, 0.5).Sample(&other));
  EXPECT_EQ(x[1], 2);
  // One width for all.
  const GaussianVector<Eigen::Dynamic> spread(VectorXd::Zero(4),
                                              VectorXd::Ones(1));
  EXPECT_EQ(spread.Sample(&one).size(), 4);
  const UniformVector<2> uniform(Vector2d(0, 5), Vector2d(1, 6));
  EXPECT_EQ(uniform.Mean(), Vector2d(0.5, 5.5));
  EXPECT_GT(uniform.Sample(&one)[1], 4);
}

TEST(Stochastic, WhatHasNoWidthIsDeterministic) {
  EXPECT_EQ(GetDeterministicValue(DistributionVariant(Gaussian(3, 0))), 3);
  EXPECT_EQ(GetDeterministicValue(DistributionVariant(Uniform(3, 3))), 3);
  EXPECT_EQ(GetDeterministicValue(DistributionVariant(UniformDiscrete({3}))),
            3);
  for (const DistributionVariant& random :
       {DistributionVariant(Gaussian(3, 1)), DistributionVariant(Uniform(3, 4)),
        DistributionVariant(UniformDiscrete({3, 4}))}) {
    EXPECT_FALSE(IsDeterministic(random));
    EXPECT_THROWS_MESSAGE(GetDeterministicValue(random), std::logic_error,
                          "Sample() it");
  }
}

TEST(Stochastic, WhatIsNoDistributionIsAnErrorWhenSampled) {
  RandomGenerator generator;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROWS_MESSAGE(Gaussian(0, -1).Sample(&generator), std::logic_error,
                        "stddev is -1");
  EXPECT_THROWS_MESSAGE(Gaussian(nan, 1).Sample(&generator), std::logic_error,
                        "mean is nan");
  EXPECT_THROWS_MESSAGE(Uniform(2, 1).Sample(&generator), std::logic_error,
                        "max - min is -1");
  EXPECT_THROWS_MESSAGE(Uniform(-1e308, 1e308).Sample(&generator),
                        std::logic_error, "max - min is inf");
  EXPECT_THROWS_MESSAGE(UniformDiscrete().Sample(&generator), std::logic_error,
                        "values");
  EXPECT_THROWS_MESSAGE(UniformDiscrete().Mean(), std::logic_error, "values");
  EXPECT_THROWS_MESSAGE(Uniform(0, 1).Sample(nullptr), std::logic_error,
                        "generator");
  const GaussianVector<Eigen::Dynamic> odd(VectorXd::Zero(3),
                                           VectorXd::Ones(2));
  EXPECT_THROWS_MESSAGE(odd.Sample(&generator), std::logic_error, "stddev");
  UniformVector<Eigen::Dynamic> sizes(VectorXd::Zero(3), VectorXd::Ones(2));
  EXPECT_THROWS_MESSAGE(sizes.Sample(&generator), std::logic_error, "max");
  EXPECT_THROWS_MESSAGE(sizes.Mean(), std::logic_error, "max");
}

}  // namespace stochastic_test
}  // namespace wyvern::schema
