#include "wyvern/systems/symbolic/random_distributions.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace {

template <typename Distribution>
class SymbolicDistribution : public ::testing::Test {};
using Distributions =
    ::testing::Types<std::uniform_real_distribution<Expression>,
                     std::normal_distribution<Expression>,
                     std::exponential_distribution<Expression>>;
TYPED_TEST_SUITE(SymbolicDistribution, Distributions);

TYPED_TEST(SymbolicDistribution, EachDrawIsANewVariableUntilAReset) {
  RandomGenerator generator(1);
  TypeParam distribution;
  const Expression first = distribution(generator);
  const Expression second = distribution(generator);
  EXPECT_EQ(first.GetVariables().size(), 1);
  EXPECT_FALSE(first.EqualTo(second));
  distribution.reset();
  EXPECT_TRUE(distribution(generator).EqualTo(first));
  EXPECT_TRUE(distribution(generator).EqualTo(second));
  EXPECT_FALSE(distribution(generator).EqualTo(second));
}

TYPED_TEST(SymbolicDistribution, CopiesDrawTheSameSequence) {
  RandomGenerator generator(1);
  TypeParam original;
  const Expression first = original(generator);
  TypeParam copy(original);
  EXPECT_TRUE(copy(generator).EqualTo(original(generator)));
  copy.reset();
  EXPECT_TRUE(copy(generator).EqualTo(first));
  EXPECT_TRUE(copy == original);
  TypeParam moved(std::move(copy));
  original.reset();
  (void)original(generator);
  EXPECT_TRUE(moved(generator).EqualTo(original(generator)));
}

TYPED_TEST(SymbolicDistribution, TwoDistributionsAreIndependent) {
  RandomGenerator generator(1);
  TypeParam one, other;
  EXPECT_FALSE(one(generator).EqualTo(other(generator)));
  EXPECT_TRUE(one == other);
}

// Mean and standard deviation of many draws from one expression.
std::pair<double, double> MeanAndDeviation(const Expression& e,
                                           const Environment& environment) {
  RandomGenerator generator(7);
  constexpr int kNum = 20000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kNum; ++i) {
    const double x = e.Evaluate(environment, &generator);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kNum;
  return {mean, std::sqrt(squares / kNum - mean * mean)};
}

TEST(SymbolicDistributions, ParametersMayHaveVariables) {
  const Variable p("p");
  RandomGenerator generator(1);
  const auto expect = [&](const Expression& e, double mean, double deviation) {
    const auto [m, d] = MeanAndDeviation(e, {{p, 4.0}});
    EXPECT_NEAR(m, mean, 0.03 * deviation) << e;
    EXPECT_NEAR(d, deviation, 0.03 * deviation) << e;
  };
  expect(std::uniform_real_distribution<Expression>(p, 2 * p)(generator), 6,
         4 / std::sqrt(12));
  expect(std::uniform_real_distribution<Expression>(p - 4)(generator), 0.5,
         1 / std::sqrt(12));
  expect(std::normal_distribution<Expression>(p, p / 2)(generator), 4, 2);
  expect(std::normal_distribution<Expression>(-3.0)(generator), -3, 1);
  expect(std::exponential_distribution<Expression>(p)(generator), 0.25, 0.25);
}

TEST(SymbolicDistributions, HaveTheMembersOfTheNumericalOnes) {
  const Variable p("p");
  const std::uniform_real_distribution<Expression> uniform(p, 2.0);
  EXPECT_TRUE(uniform.a().EqualTo(p) && uniform.min().EqualTo(p));
  EXPECT_TRUE(uniform.b().EqualTo(2.0) && uniform.max().EqualTo(2.0));
  const std::normal_distribution<Expression> normal(p, 2.0);
  EXPECT_TRUE(normal.mean().EqualTo(p) && normal.stddev().EqualTo(2.0));
  EXPECT_EQ(normal.min().Evaluate(), -INFINITY);
  EXPECT_EQ(normal.max().Evaluate(), INFINITY);
  const std::exponential_distribution<Expression> exponential(p);
  EXPECT_TRUE(exponential.lambda().EqualTo(p));
  EXPECT_EQ(exponential.min().Evaluate(), 0);
  EXPECT_EQ(exponential.max().Evaluate(), INFINITY);
  EXPECT_TRUE(normal != std::normal_distribution<Expression>(p, 1.0));
  std::ostringstream text;
  text << uniform << "; " << normal << "; " << exponential;
  EXPECT_EQ(text.str(), "p 2; p 2; p");
}

TEST(SymbolicDistributions, RefuseConstantsThatNoDistributionHas) {
  using Uniform = std::uniform_real_distribution<Expression>;
  using Normal = std::normal_distribution<Expression>;
  using Exponential = std::exponential_distribution<Expression>;
  const Variable p("p");
  EXPECT_THROW(Uniform(2.0), std::runtime_error);
  EXPECT_THROW(Uniform(2.0, 1.0), std::runtime_error);
  EXPECT_NO_THROW(Uniform(2.0, 2.0));
  EXPECT_NO_THROW(Uniform(2.0, p));
  EXPECT_THROW(Normal(p, 0.0), std::runtime_error);
  EXPECT_THROW(Normal(p, -1.0), std::runtime_error);
  EXPECT_THROW(Exponential(0.0), std::runtime_error);
  EXPECT_THROW(Exponential(-p + p), std::runtime_error);
}

}  // namespace
}  // namespace wyvern::symbolic
