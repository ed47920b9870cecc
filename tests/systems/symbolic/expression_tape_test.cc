// ExpressionTape: the values of Expression::Evaluate(), and NaN where that
// throws.
#include "wyvern/systems/symbolic/algebra/expression_tape.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"

namespace wyvern::symbolic {
namespace {

// Result of Evaluate(), or NaN if it throws.
double ValueOrNan(const Expression& e, const Environment& environment) {
  try {
    return e.Evaluate(environment);
  } catch (const std::runtime_error&) {
    return std::nan("");
  }
}

TEST(ExpressionTape, ValuesAreThoseOfEvaluate) {
  const Variable x("x"), y("y"), b("b", Variable::Type::BOOLEAN);
  VectorX<Expression> e(16);
  e << 3 + 2 * x - y, pow(x, 2) * pow(y, -3) * 4, x / y, pow(x, y),
      sin(x) * cos(y) * tan(x) + sinh(x) - cosh(y) * tanh(x), asin(x) + acos(y),
      atan(x) + atan2(x, y) + abs(x), sqrt(x) + exp(y), log(x * y),
      min(x, y) + 2 * max(x, 1 / y), floor(x) + ceil(y),
      if_then_else(x > 0 && 1 / x > y, log(x), 1 / y),
      if_then_else(y == 0 || 1 / y < x, x, log(y)),
      if_then_else(!(x >= y), x, y), if_then_else(Formula(b), x, y * y),
      Expression(7);
  const ExpressionTape tape(Vector3<Variable>(x, y, b), e);
  EXPECT_EQ(tape.num_variables(), 3);
  ASSERT_EQ(tape.num_results(), e.size());
  Eigen::VectorXd registers = tape.MakeRegisters();
  int num_missing = 0;
  for (const double x_value : {-1.5, -0.3, 0.0, 0.4, 1.0, 2.5}) {
    for (const double y_value : {-2.0, -0.4, 0.0, 0.3, 1.0, 3.5}) {
      const double b_value = x_value > y_value;
      registers.head(3) << x_value, y_value, b_value;
      tape.Run(&registers);
      for (int i = 0; i < e.size(); ++i) {
        const double wanted =
            ValueOrNan(e[i], {{x, x_value}, {y, y_value}, {b, b_value}});
        const double got = registers[tape.result(i)];
        num_missing += std::isnan(wanted);
        EXPECT_EQ(std::isnan(got), std::isnan(wanted)) << e[i];
        if (std::isnan(wanted) || got == wanted) continue;
        EXPECT_NEAR(got, wanted, 4e-15 * (1 + std::abs(wanted))) << e[i];
      }
    }
  }
  EXPECT_GT(num_missing, 50);
}

TEST(ExpressionTape, PartsThatAreSharedAreComputedOnce) {
  const Variable x("x");
  Expression e = x;
  for (int i = 0; i < 100; ++i) e = sin(e) * cos(e);
  const ExpressionTape tape(Vector1<Variable>(x), Vector2<Expression>(e, -e));
  EXPECT_EQ(tape.num_steps(), 301);
  Eigen::VectorXd registers = tape.MakeRegisters();
  registers[0] = 0.2;
  const test::AllocationGuard guard;
  tape.Run(&registers);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(registers[tape.result(1)], -registers[tape.result(0)]);
}

TEST(ExpressionTape, DeepGraphs) {
  const Variable x("x");
  Expression e = x;
  for (int i = 0; i < 200000; ++i) e = sin(e);
  const ExpressionTape tape(Vector1<Variable>{x}, Vector1<Expression>{e});
  EXPECT_EQ(tape.num_steps(), 200000);
}

TEST(ExpressionTape, BadInput) {
  const Variable x("x"), y("y");
  EXPECT_THROW(ExpressionTape(Vector1<Variable>{x}, Vector1<Expression>(x * y)),
               std::logic_error);
  EXPECT_THROW(ExpressionTape(
                   {}, Vector1<Expression>(uninterpreted_function("f", {1.0}))),
               std::logic_error);
  EXPECT_TRUE(
      std::isnan(ExpressionTape({}, Vector1<Expression>(Expression::NaN()))
                     .MakeRegisters()[0]));
}

}  // namespace
}  // namespace wyvern::symbolic
