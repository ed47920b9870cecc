// Operations on graphs of a million operations in one chain: the stack does not
// overflow, and no pass over the graph is repeated for each operation.
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/symbolic/algebra/code_gen.h"
#include "wyvern/systems/symbolic/algebra/decompose.h"
#include "wyvern/systems/symbolic/algebra/expression_tape.h"
#include "wyvern/systems/symbolic/algebra/latex.h"
#include "wyvern/systems/symbolic/algebra/monomial.h"
#include "wyvern/systems/symbolic/algebra/rational_function.h"
#include "wyvern/systems/symbolic/algebra/trigonometric_polynomial.h"
#include "wyvern/systems/symbolic/expression_kinds.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace depth_test {
namespace {

constexpr int kMillion = 1'000'000;

// z -> 0.5 sin(z) + x y from x, over and over: a function and a sum a step.
constexpr int kSteps = kMillion / 2;
Expression MakeChain(const Variable& x, const Variable& y) {
  Expression e(x);
  const Expression xy = x * y;
  for (int i = 0; i < kSteps; ++i) e = 0.5 * sin(e) + xy;
  return e;
}

class SymbolicChain : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    chain = new Expression(MakeChain(x, y));
    value = 0.3;
    for (int i = 0; i < kSteps; ++i) value = 0.5 * std::sin(value) + 0.06;
  }
  static void TearDownTestSuite() { delete chain; }

  inline static const Variable x{"x"}, y{"y"};
  inline static Expression* chain{};
  inline static double value{};
  const Expression& e = *chain;
  const Environment at{{x, 0.3}, {y, 0.2}};
};

TEST_F(SymbolicChain, HasAValue) {
  EXPECT_NEAR(e.Evaluate(at), value, 1e-14);
  EXPECT_NEAR(Evaluate(Vector2<Expression>(e, 2 * e), at)(1), 2 * value, 1e-14);
}

TEST_F(SymbolicChain, PartOfItsVariablesGetValues) {
  const Expression part = e.EvaluatePartial({{x, 0.3}});
  EXPECT_EQ(part.GetVariables(), Variables{y});
  EXPECT_NEAR(part.Evaluate({{y, 0.2}}), value, 1e-14);
  EXPECT_NEAR(get_constant_value(e.EvaluatePartial(at)), value, 1e-14);
}

TEST_F(SymbolicChain, VariablesAreReplaced) {
  const Expression other = e.Substitute({{x, y}, {y, x}});
  EXPECT_NEAR(other.Evaluate({{y, 0.3}, {x, 0.2}}), value, 1e-14);
}

TEST_F(SymbolicChain, HasDerivatives) {
  // The fixed point z = 0.5 sin z + x y has dz/dx = y / (1 - 0.5 cos z).
  EXPECT_NEAR(e.Differentiate(x).Evaluate(at),
              0.2 / (1 - 0.5 * std::cos(value)), 1e-14);
}

TEST_F(SymbolicChain, IsExpanded) { EXPECT_TRUE(e.Expand().EqualTo(e)); }

TEST_F(SymbolicChain, IsComparedAndHashed) {
  const Expression same = MakeChain(x, y);
  const Expression other = MakeChain(y, x);
  EXPECT_TRUE(e.EqualTo(same));
  EXPECT_EQ(e.get_hash(), same.get_hash());
  EXPECT_FALSE(e.Less(same) || same.Less(e));
  EXPECT_FALSE(e.EqualTo(other));
  EXPECT_NE(e.Less(other), other.Less(e));
  EXPECT_TRUE((e > y).EqualTo(same > y));
}

TEST_F(SymbolicChain, CopiesShareItAndItsLastOwnerDeletesIt) {
  const Variable z("z");
  auto owner = std::make_unique<Expression>(MakeChain(x, z));
  const Expression copy(*owner);
  owner.reset();
  EXPECT_EQ(copy.GetVariables(), (Variables{x, z}));
}

TEST_F(SymbolicChain, IsWritten) {
  EXPECT_NE(e.to_string().find("0.5 * sin("), std::string::npos);
  EXPECT_FALSE(ToLatex(e).empty());
}

TEST_F(SymbolicChain, FormulasOfItAreEvaluated) {
  const Formula f = e > 0 && e < 1 && !(e == 0.5);
  EXPECT_TRUE(f.Evaluate(at));
  EXPECT_EQ(f.GetFreeVariables(), (Variables{x, y}));
  EXPECT_TRUE(f.Substitute(x, 0.3).Evaluate({{y, 0.2}}));
  EXPECT_FALSE(f.to_string().empty());
}

TEST_F(SymbolicChain, HasATapeAndCode) {
  const ExpressionTape tape(Vector2<Variable>(x, y), Vector1<Expression>(e));
  Eigen::VectorXd registers = tape.MakeRegisters();
  registers.head<2>() << 0.3, 0.2;
  tape.Run(&registers);
  EXPECT_NEAR(registers[tape.result(0)], value, 1e-14);
  const std::string code = CodeGen("f", {x, y}, e);
  int num_sines = 0;
  for (auto k = code.find("sin("); k != code.npos; k = code.find("sin(", k)) {
    ++num_sines;
    ++k;
  }
  EXPECT_EQ(num_sines, kSteps);
}

TEST_F(SymbolicChain, IsNoPolynomialAndTheMessageIsShort) {
  try {
    Polynomial{e};
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_LT(std::string(error.what()).size(), 1000u);
  }
  EXPECT_FALSE(IsAffine(Vector1<Expression>(e)));
  EXPECT_FALSE(e.is_polynomial());
  EXPECT_THROW(RationalFunction(Polynomial(e)), std::runtime_error);
}

TEST_F(SymbolicChain, HasATaylorSeries) {
  const Expression series = TaylorExpand(e, at, 1);
  EXPECT_NEAR(series.Evaluate({{x, 0.3}, {y, 0.21}}),
              value + 0.003 / (1 - 0.5 * std::cos(value)), 1e-14);
}

TEST(SymbolicChains, SmallOnesAreGoneOverOnce) {
  const Variable x("x"), y("y"), s("s"), c("c");
  Expression nested(y), fraction(x), condition(x), halves(x);
  double fraction_value = 0.3, halves_value = 0.3;
  for (int i = 0; i < 60; ++i) {
    nested = sin(nested);
    fraction = 1 / (1 + fraction);
    fraction_value = 1 / (1 + fraction_value);
  }
  for (int i = 0; i < 40; ++i) {
    condition = if_then_else(condition > 0.5, y, 2.0);
    halves = (halves + y) / 4;
    halves_value = (halves_value + 0.2) / 4;
  }
  const SinCosSubstitution angle{{x, {s, c}}};
  const Environment at{{x, 0.3}, {y, 0.2}};
  EXPECT_TRUE(Substitute(nested, angle).EqualTo(nested));
  EXPECT_TRUE(Substitute(halves, angle).EqualTo(halves));
  EXPECT_NEAR(fraction.Expand().Evaluate(at), fraction_value, 1e-15);
  EXPECT_NEAR(halves.Expand().Evaluate(at), halves_value, 1e-15);
  EXPECT_EQ(condition.Substitute(x, y).Evaluate(at), condition.Evaluate(at));
}

// Each argument has the angle: sin(x + ...).
TEST(SymbolicChains, AnglesInEachArgumentAreReplaced) {
  const Variable x("x"), y("y"), s("s"), c("c");
  constexpr int kFew = kMillion / 10;
  Expression e(y);
  double value = 0.2;
  for (int i = 0; i < kFew; ++i) {
    e = 0.5 * sin((2 * x + 3 * e) / 2 + y);
    value = 0.5 * std::sin((0.6 + 3 * value) / 2 + 0.2);
  }
  const Expression changed = Substitute(e, SinCosSubstitution{{x, {s, c}}});
  EXPECT_EQ(changed.GetVariables(), (Variables{y, s, c}));
  // Each step loses about an ulp, and the next halves what it lost.
  EXPECT_NEAR(
      changed.Evaluate({{y, 0.2}, {s, std::sin(0.3)}, {c, std::cos(0.3)}}),
      value, 1e-14);
}

// x (1 + x (1 + ...)): a result of n terms, after n²/2.
TEST(SymbolicChains, NestedProductsAreExpandedUpToALimit) {
  const Variable x("x"), y("y");
  const auto nest = [&](int steps) {
    Expression e(x);
    for (int i = 0; i < steps; ++i) e = x * (1 + e);
    return e;
  };
  EXPECT_EQ(Polynomial(nest(300)).TotalDegree(), 301);
  const Expression deep = nest(kMillion / 2);
  EXPECT_TRUE(deep.is_polynomial());
  // Expand() refuses, and so does what calls it.
  EXPECT_THROWS_MESSAGE(Polynomial{deep}, std::runtime_error,
                        "Expand(): above 1e+07 terms would be made on the way");
}

// The slope of sin(sin(...)) is a product of as many cosines, and so is that of
// each part.
TEST(SymbolicChains, FunctionsInFunctionsAreDifferentiatedUpToALimit) {
  const Variable x("x");
  const auto nest = [&](int steps) {
    Expression e(x);
    for (int i = 0; i < steps; ++i) e = sin(e);
    return e;
  };
  constexpr int kDeep = 2000;
  double value = 0.3, slope = 1;
  for (int i = 0; i < kDeep; ++i) {
    slope *= std::cos(value);
    value = std::sin(value);
  }
  // A rounding for each factor.
  EXPECT_NEAR(nest(kDeep).Differentiate(x).Evaluate({{x, 0.3}}), slope,
              kDeep * 1e-16 * slope);
  EXPECT_THROWS_MESSAGE(nest(kMillion).Differentiate(x), std::runtime_error,
                        "above 1e+07 factors would be made");
}

TEST(SymbolicChains, NestedSumsOfManyVariablesAreExpandedUpToALimit) {
  Expression e(1);
  for (int i = 0; i < 10'000; ++i) {
    e = 2 * (e + Variable(std::to_string(i)));
  }
  EXPECT_THROWS_MESSAGE(e.Expand(), std::runtime_error,
                        "terms would be made on the way");
}

TEST(SymbolicChains, QuotientsInQuotientsAreNoPolynomial) {
  const Variable x("x"), y("y");
  Expression e(x);
  for (int i = 0; i < kMillion / 4; ++i) e = (e + 1) / (y + 1);
  EXPECT_NEAR(e.Evaluate({{x, 3}, {y, 1}}), 1, 1e-15);
  EXPECT_THROWS_MESSAGE(Polynomial(e, Variables{x}), std::runtime_error,
                        "quotients in one another");
}

TEST(SymbolicChains, ParametersOfQuotientsInQuotientsAreLumped) {
  const Variable x("x"), p("p");
  Expression e = p;
  for (int i = 0; i < 50000; ++i) e = (1 + x) / e;
  const auto [W, alpha, w0] =
      DecomposeLumpedParameters(Vector1<Expression>(e), Vector1<Variable>(p));
  ASSERT_EQ(alpha.size(), 1);
  const Environment at{{x, 0}, {p, 3}};
  EXPECT_NEAR((W(0, 0) * alpha[0] + w0[0]).Evaluate(at), 3, 1e-14);
}

TEST(SymbolicChains, BasesOfManyVariablesAreMade) {
  const VectorX<Variable> x = MakeVectorContinuousVariable(100000, "x");
  const VectorX<Monomial> basis = MonomialBasis(x, 1);
  ASSERT_EQ(basis.size(), x.size() + 1);
  EXPECT_EQ(basis[0], Monomial(x[x.size() - 1]));
  EXPECT_EQ(basis[x.size() - 1], Monomial(x[0]));
}

TEST(SymbolicChains, ConditionsAndFunctionsOfTwoArguments) {
  const Variable x("x"), y("y");
  Expression e(x);
  double value = 0.3;
  for (int i = 0; i < kMillion / 8; ++i) {
    e = max(min(atan2(e, 1 + y), 2 * y), if_then_else(e > y, y / 2, e));
    value = std::max(std::min(std::atan2(value, 1.2), 0.4),
                     value > 0.2 ? 0.1 : value);
  }
  EXPECT_EQ(e.Evaluate({{x, 0.3}, {y, 0.2}}), value);
  EXPECT_TRUE(std::isfinite(
      e.Differentiate(x).Substitute({{x, 0.31}, {y, 0.2}}).Evaluate()));
}

}  // namespace
}  // namespace depth_test
}  // namespace wyvern::symbolic
