#include "wyvern/systems/symbolic/expression_kinds.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace {

using Type = Variable::Type;

TEST(SymbolicVariable, CopiesAreTheSameAndOthersAreNot) {
  const Variable x("x"), copy = x, other("x");
  EXPECT_TRUE(x.equal_to(copy));
  EXPECT_FALSE(x.equal_to(other));
  EXPECT_EQ(x.get_type(), Type::CONTINUOUS);
}

TEST(SymbolicExpression, EvaluatesAsTheSameFormulaOfNumbers) {
  const Variable x("x"), y("y");
  const Expression e = (2 * x - sin(y)) / (1 + exp(-x)) + pow(x, 3) +
                       atan2(y, x) * sqrt(y) - max(x, y) * min(x, 0.2) +
                       abs(-cos(y)) + tanh(x);
  const double a = 0.7, b = 1.3;
  EXPECT_NEAR(e.Evaluate(Environment{{x, a}, {y, b}}),
              (2 * a - std::sin(b)) / (1 + std::exp(-a)) + a * a * a +
                  std::atan2(b, a) * std::sqrt(b) - b * 0.2 +
                  std::abs(-std::cos(b)) + std::tanh(a),
              1e-15);
}

TEST(SymbolicExpression, FoldsConstants) {
  EXPECT_EQ((Expression(2) + 3 * Expression(4)).to_string(), "14");
  EXPECT_EQ(Expression().Evaluate(), 0);
}

TEST(SymbolicExpression, IsWrittenAsAFormula) {
  const Variable x("x");
  EXPECT_EQ((2 * x + sin(x)).to_string(), "(2 * x + sin(x))");
  EXPECT_EQ(atan2(x, 1).to_string(), "atan2(x, 1)");
}

TEST(SymbolicExpression, WorksInEigenMatrices) {
  const Variable x("x");
  const Vector2<Expression> v(x, 2.0);
  const Vector2<Expression> w = 3.0 * v + Vector2<Expression>(1.0, x);
  EXPECT_TRUE(
      wyvern::test::Near(Evaluate(w, {{x, 5}}), Eigen::Vector2d(16, 11)));
  EXPECT_EQ(v.dot(v).Evaluate({{x, 5}}), 29);
}

TEST(SymbolicExpression, DrawsEachVariableOncePerEvaluation) {
  const Expression u(Variable("u", Type::RANDOM_UNIFORM));
  RandomGenerator generator;
  EXPECT_EQ((u - u).Evaluate(&generator), 0);
  const Vector2<Expression> pair(u, 2 * u);
  const Eigen::MatrixXd values = Evaluate(pair, {}, &generator);
  EXPECT_EQ(values(1), 2 * values(0));
  EXPECT_NE(u.Evaluate(&generator), u.Evaluate(&generator));
}

// The mean of n draws is within 5 standard deviations / √n.
void ExpectMoments(Type type, double mean, double variance) {
  const Expression e(Variable("e", type));
  RandomGenerator generator(1);
  constexpr int kDraws = 20000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = e.Evaluate(&generator);
    sum += x;
    squares += (x - mean) * (x - mean);
  }
  EXPECT_NEAR(sum / kDraws, mean, 5 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(squares / kDraws, variance, 0.1 * variance);
}

TEST(SymbolicExpression, RandomVariablesHaveTheirMoments) {
  ExpectMoments(Type::RANDOM_UNIFORM, 0.5, 1.0 / 12);
  ExpectMoments(Type::RANDOM_GAUSSIAN, 0, 1);
  ExpectMoments(Type::RANDOM_EXPONENTIAL, 1, 1);
}

TEST(SymbolicExpression, SaysWhatIsMissing) {
  const Variable x("x"), u("u", Type::RANDOM_UNIFORM);
  EXPECT_THROWS_MESSAGE(Expression(x).Evaluate(), std::runtime_error,
                        "'x' has no value");
  EXPECT_THROWS_MESSAGE(Expression(u).Evaluate(), std::logic_error,
                        "'u' is random; give a RandomGenerator");
  RandomGenerator generator;
  EXPECT_THROWS_MESSAGE(x.Draw(&generator), std::logic_error, "not random");
}

TEST(SymbolicExpression, RefusesNaN) {
  const Variable x("x");
  EXPECT_THROWS_MESSAGE(Expression(std::numeric_limits<double>::quiet_NaN()),
                        std::runtime_error, "not a number");
  EXPECT_THROWS_MESSAGE(log(x).Evaluate({{x, -1}}), std::runtime_error,
                        "the value of log(x) is not a number");
}

}  // namespace
}  // namespace wyvern::symbolic
