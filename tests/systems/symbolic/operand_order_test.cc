// Operands of && and || are evaluated in the order in which they were written,
// and only as far as they matter. Output arguments must not be null.
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/symbolic/algebra/decompose.h"
#include "wyvern/systems/symbolic/algebra/expression_tape.h"
#include "wyvern/systems/symbolic/algebra/polynomial.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace operand_order_test {

const Variable x{"x"}, y{"y"};

TEST(OperandOrder, AGuardGuardsWhatStandsBehindIt) {
  const Formula both = x > 0 && sqrt(x) == 2;
  EXPECT_FALSE(both.Evaluate({{x, -1}}));
  EXPECT_TRUE(both.Evaluate({{x, 4}}));
  const Formula either = x < 0 || log(x) < 1;
  EXPECT_TRUE(either.Evaluate({{x, -1}}));
  EXPECT_FALSE(either.Evaluate({{x, 10}}));
  // In the opposite order the check comes too late.
  EXPECT_THROW((sqrt(x) == 2 && x > 0).Evaluate({{x, -1}}), std::exception);
}

TEST(OperandOrder, IsThatOfAllOperandsInAChain) {
  Formula all = x > 0;
  for (int i = 0; i < 9; ++i) {
    all = i % 2 == 0 ? all && sqrt(x - i) >= i : all && x > i + 1;
  }
  for (double value = -2; value < 3; value += 0.5) {
    EXPECT_FALSE(all.Evaluate({{x, value}})) << value;
  }
}

TEST(OperandOrder, HoldsInNestedFormulasToo) {
  const Formula f = (x > 0 && (y > 0 && sqrt(x * y) < 2)) || x <= -5;
  EXPECT_FALSE(f.Evaluate({{x, 1}, {y, -1}}));
  EXPECT_FALSE((!(x <= 0 || sqrt(x) < 2)).Evaluate({{x, -1}}));
}

TEST(OperandOrder, IsKeptBySubstitution) {
  const Formula f = x > 0 && sqrt(x) == 2;
  EXPECT_TRUE(is_false(f.Substitute(x, -1)));
  EXPECT_TRUE(is_false(f.EvaluatePartial({{x, -1}})));
  const Formula moved = f.Substitute(x, y - 1);
  EXPECT_FALSE(moved.Evaluate({{y, 0}}));
  EXPECT_TRUE(moved.Evaluate({{y, 5}}));
}

TEST(OperandOrder, IsThatOfATape) {
  const Expression e = if_then_else(x > 0 && sqrt(x) > 1, x, -x);
  const ExpressionTape tape{Vector1<Variable>(x), Vector1<Expression>(e)};
  Eigen::VectorXd registers = tape.MakeRegisters();
  registers[0] = -3;
  tape.Run(&registers);
  EXPECT_EQ(e.Evaluate({{x, -3}}), 3);
  EXPECT_EQ(registers[tape.result(0)], 3);
}

TEST(OperandOrder, IsThatOfADerivativesKinks) {
  const Expression e = if_then_else(x > 0 && sqrt(x) > 1, 3 * x, 5 * x);
  const Expression slope = e.Differentiate(x);
  EXPECT_EQ(slope.Evaluate({{x, -1}}), 5);
  EXPECT_EQ(slope.Evaluate({{x, 0.25}}), 5);
  EXPECT_EQ(slope.Evaluate({{x, 4}}), 3);
  EXPECT_THROW(slope.Evaluate({{x, 1}}), std::runtime_error);
  EXPECT_THROW(slope.Evaluate({{x, 0}}), std::runtime_error);
}

TEST(OperandOrder, DoesNotTellFormulasApart) {
  const Formula a = x > 0, b = y == 2;
  EXPECT_TRUE((a && b).EqualTo(b && a));
  EXPECT_EQ((a || b).get_hash(), (b || a).get_hash());
  EXPECT_FALSE((a && b).Less(b && a));
  EXPECT_EQ((a && b).to_string(), (b && a).to_string());
  // The first of equal operands stays.
  const Formula again = a && (b && a);
  EXPECT_TRUE(again.EqualTo(a && b));
  EXPECT_EQ(get_operands(again).size(), 2);
}

TEST(DerivativeAtASwitch, OfAnEqualityThrowsToo) {
  for (const Formula& f : {x == 0, x != 0, !(x == 0)}) {
    const Expression slope = if_then_else(f, 2 * x, 3 * x).Differentiate(x);
    EXPECT_THROW(slope.Evaluate({{x, 0}}), std::runtime_error) << f;
    EXPECT_NO_THROW(slope.Evaluate({{x, 1}})) << f;
  }
}

TEST(OutputArguments, ThatAreNullAreRefusedByName) {
  const Vector1<Expression> e(3 * x);
  const Vector1<Variable> variables(x);
  Eigen::MatrixXd M(1, 1);
  Eigen::VectorXd v(1);
  VectorX<Variable> found;
  double c{};
  const auto [list, map] = ExtractVariablesFromExpression(e[0]);
  EXPECT_THROWS_MESSAGE(DecomposeLinearExpressions(e, variables, nullptr),
                        std::logic_error, "M is null");
  EXPECT_THROWS_MESSAGE(DecomposeAffineExpressions(e, variables, &M, nullptr),
                        std::logic_error, "v is null");
  EXPECT_THROWS_MESSAGE(DecomposeAffineExpressions(e, &M, nullptr, &found),
                        std::logic_error, "b is null");
  EXPECT_THROWS_MESSAGE(DecomposeAffineExpression(e[0], map, nullptr, &c),
                        std::logic_error, "coefficients is null");
  EXPECT_THROWS_MESSAGE(
      DecomposeQuadraticPolynomial(Polynomial(e[0]), map, nullptr, &v, &c),
      std::logic_error, "Q is null");
  EXPECT_THROWS_MESSAGE(
      ExtractAndAppendVariablesFromExpression(e[0], &found, nullptr),
      std::logic_error, "map_var_to_index is null");
  EXPECT_THROWS_MESSAGE(e[0].Draw(nullptr, nullptr), std::logic_error,
                        "environment is null");
}

TEST(DefaultFormula, IsFalse) {
  EXPECT_TRUE(is_false(Formula()));
  EXPECT_TRUE(is_false(MatrixX<Formula>(1, 1)(0, 0)));
}

TEST(MovedVariable, IsADummy) {
  Variable a("a");
  const Variable::Id id = a.get_id();
  Variable b(std::move(a));
  EXPECT_EQ(b.get_id(), id);
  EXPECT_TRUE(a.is_dummy());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(a.get_name(), Variable().get_name());
  a = std::move(b);
  EXPECT_EQ(a.get_name(), "a");
  EXPECT_TRUE(b.is_dummy());  // NOLINT(bugprone-use-after-move)
}

TEST(L2Norm, OfAFormThatIsNotPositiveIsNone) {
  EXPECT_FALSE(std::get<0>(DecomposeL2NormExpression(sqrt(-1 * x * x), 2.0)));
  const auto [found, A, b, vars] =
      DecomposeL2NormExpression(sqrt(-1e-9 * x * x + 4), 1e-8, 1e-6);
  EXPECT_TRUE(found);
  EXPECT_NEAR((A * Vector1<double>(3) + b).norm(), 2, 1e-6);
}

}  // namespace operand_order_test
}  // namespace wyvern::symbolic
