// Laws of expressions: what any of them, built at random, has in common with
// numbers and with AutoDiffXd; and what the deepest and most shared ones need.
#include <cmath>
#include <random>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/symbolic/expression_kinds.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace {

constexpr int kVariables = 3;

// A formula of any scalar, the same for one seed, that is smooth and defined
// everywhere.
template <typename T>
class RandomFormula {
 public:
  RandomFormula(int seed, const std::vector<T>& x) : generator_(seed), x_(x) {}

  T Make(int depth) {
    using std::atan2;
    using std::cos;
    using std::cosh;
    using std::exp;
    using std::log;
    using std::pow;
    using std::sin;
    using std::sqrt;
    using std::tanh;
    if (depth == 0) {
      const int leaf = Draw(kVariables + 1);
      if (leaf < kVariables) return x_[leaf];
      return T(0.25 * (1 + Draw(8)));
    }
    const int kind = Draw(16);
    const T a = Make(depth - 1);
    switch (kind) {
      case 0:
        return sin(a);
      case 1:
        return cos(a);
      case 2:
        return exp(-a * a);
      case 3:
        return sqrt(1.0 + a * a);
      case 4:
        return log(2.0 + cos(a));
      case 5:
        return tanh(a);
      case 6:
        return pow(sin(a), 3);
      case 7:
        return -a;
      default:
        break;
    }
    const T b = Make(depth - 1);
    switch (kind) {
      case 8:
        return a - b;
      case 9:
        return a / (1.5 + sin(b));
      case 10:
        return atan2(a, 2.0 + cos(b));
      case 11:
      case 12:
        return tanh(a) * sin(b);
      default:
        return a + b;
    }
  }

 private:
  int Draw(int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator_);
  }

  std::mt19937 generator_;
  const std::vector<T>& x_;
};

class SymbolicLaws : public ::testing::TestWithParam<int> {
 protected:
  SymbolicLaws() {
    std::mt19937 generator(100 + GetParam());
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    for (int i = 0; i < kVariables; ++i) {
      const Variable v("v" + std::to_string(i));
      variables_.push_back(v);
      symbols_.push_back(v);
      values_.push_back(uniform(generator));
      environment_.insert(v, values_.back());
    }
    e_ = RandomFormula<Expression>(GetParam(), symbols_).Make(6);
    value_ = RandomFormula<double>(GetParam(), values_).Make(6);
  }

  // A few hundred operations, none of which loses digits.
  double tolerance() const { return 1e-12 * (1 + std::abs(value_)); }

  std::vector<Variable> variables_;
  std::vector<Expression> symbols_;
  std::vector<double> values_;
  Environment environment_;
  Expression e_;
  double value_{};
};

TEST_P(SymbolicLaws, ValuesAreThoseOfNumbers) {
  EXPECT_NEAR(e_.Evaluate(environment_), value_, tolerance()) << e_;
}

TEST_P(SymbolicLaws, DerivativesAreThoseOfAutoDiff) {
  std::vector<AutoDiffXd> x;
  for (int i = 0; i < kVariables; ++i) {
    x.push_back(AutoDiffXd(values_[i], kVariables, i));
  }
  const AutoDiffXd y = RandomFormula<AutoDiffXd>(GetParam(), x).Make(6);
  for (int i = 0; i < kVariables; ++i) {
    const double wanted =
        y.derivatives().size() == 0 ? 0.0 : double{y.derivatives()[i]};
    EXPECT_NEAR(e_.Differentiate(variables_[i]).Evaluate(environment_), wanted,
                1e-11 * (1 + std::abs(wanted)))
        << e_;
  }
}

TEST_P(SymbolicLaws, RewritingKeepsTheValue) {
  EXPECT_NEAR(e_.Expand().Evaluate(environment_), value_, tolerance());
  EXPECT_TRUE(e_.Expand().is_expanded());
  const Environment some{{variables_[0], values_[0]}};
  EXPECT_NEAR(e_.EvaluatePartial(some).Evaluate(environment_), value_,
              tolerance());
  EXPECT_FALSE(e_.EvaluatePartial(some).GetVariables().include(variables_[0]));
  EXPECT_EQ(e_.EvaluatePartial(environment_).get_kind(),
            ExpressionKind::Constant);
  // All at once: x and y change places.
  const Expression swapped = e_.Substitute(
      {{variables_[0], variables_[1]}, {variables_[1], variables_[0]}});
  Environment other = environment_;
  other[variables_[0]] = values_[1];
  other[variables_[1]] = values_[0];
  EXPECT_NEAR(swapped.Evaluate(other), value_, tolerance());
}

TEST_P(SymbolicLaws, AlikeIsAlikeHoweverItWasBuilt) {
  const Expression again =
      RandomFormula<Expression>(GetParam(), symbols_).Make(6);
  EXPECT_TRUE(e_.EqualTo(again));
  EXPECT_EQ(e_.get_hash(), again.get_hash());
  EXPECT_FALSE(e_.Less(again) || again.Less(e_));
  EXPECT_EQ(e_.to_string(), again.to_string());
  const Expression f = sin(e_), g = e_ * symbols_[0] + 0.5, h = pow(e_, 0.5);
  EXPECT_TRUE((f + g + h).EqualTo(h + (g + f)));
  EXPECT_TRUE((f * g * h).EqualTo(h * (g * f)));
  EXPECT_TRUE((f + g - g).EqualTo(f));
  // One of two that differ is less.
  EXPECT_NE(f.Less(g), g.Less(f));
  EXPECT_NE(g.Less(h), h.Less(g));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SymbolicLaws, ::testing::Range(0, 60));

// x -> sin(x) + 0.5 x, a million times over.
Expression MakeDeep(const Variable& x, int depth) {
  Expression e(x);
  for (int i = 0; i < depth; ++i) e = sin(e) * 0.5 + 0.25 * x;
  return e;
}

TEST(SymbolicDepth, AMillionOperationsNeedNoDeepStack) {
  const Variable x("x");
  constexpr int kDepth = 250'000;
  const Expression e = MakeDeep(x, kDepth);
  double value = 0.3, slope = 1;
  for (int i = 0; i < kDepth; ++i) {
    slope = 0.5 * std::cos(value) * slope + 0.25;
    value = 0.5 * std::sin(value) + 0.25 * 0.3;
  }
  EXPECT_NEAR(e.Evaluate({{x, 0.3}}), value, 1e-14);
  EXPECT_NEAR(e.Differentiate(x).Evaluate({{x, 0.3}}), slope, 1e-14);
  EXPECT_EQ(e.GetVariables().size(), 1u);
  EXPECT_NEAR(e.Substitute(x, 2.0 * x).Evaluate({{x, 0.15}}), value, 1e-14);
  EXPECT_TRUE(e.EqualTo(MakeDeep(x, kDepth)));
  EXPECT_FALSE(e.Less(MakeDeep(x, kDepth)));
  EXPECT_EQ(e.to_string().substr(0, 20), "(0.25 * x + 0.5 * si");
  EXPECT_TRUE(e.Expand().EqualTo(e));
}

TEST(SymbolicDepth, ConditionsMayBeDeepToo) {
  const Variable x("x");
  Expression e(x);
  for (int i = 0; i < 100'000; ++i) e = if_then_else(e > 0.5, 0.5 * e, e + x);
  double value = 0.3;
  for (int i = 0; i < 100'000; ++i)
    value = value > 0.5 ? 0.5 * value : value + 0.3;
  EXPECT_EQ(e.Evaluate({{x, 0.3}}), value);
  EXPECT_EQ(e.Substitute(x, 0.3).Evaluate(), value);
}

TEST(SymbolicDepth, SharedPartsAreVisitedOnce) {
  const Variable x("x");
  // As a tree it has 2 to the 200 parts.
  const auto make = [&x] {
    Expression e(x);
    for (int i = 0; i < 200; ++i) e = 0.5 * sin(e) + 0.5 * cos(e * e);
    return e;
  };
  const Expression e = make();
  double value = 0.3;
  for (int i = 0; i < 200; ++i) {
    value = 0.5 * std::sin(value) + 0.5 * std::cos(value * value);
  }
  EXPECT_NEAR(e.Evaluate({{x, 0.3}}), value, 1e-14);
  EXPECT_TRUE(std::isfinite(e.Differentiate(x).Evaluate({{x, 0.3}})));
  EXPECT_NEAR(e.EvaluatePartial({{x, 0.3}}).Evaluate(), value, 1e-14);
  EXPECT_TRUE(e.EqualTo(make()));
  EXPECT_NEAR(e.Expand().Evaluate({{x, 0.3}}), value, 1e-14);
  const Vector2<Expression> pair(e, 2 * e);
  EXPECT_NEAR(Evaluate(pair, {{x, 0.3}})(1), 2 * value, 1e-14);
  EXPECT_TRUE(e.to_string().ends_with("..."));
}

TEST(SymbolicDepth, WideSumsAndProductsGrowInPlace) {
  constexpr int kSize = 20'000;
  const VectorX<Variable> x = MakeVectorContinuousVariable(kSize, "x");
  Expression sum, product(1);
  Environment ones;
  for (int i = 0; i < kSize; ++i) {
    sum += 2 * x[i];
    product *= x[kSize - 1 - i];
    ones.insert(x[i], 1);
  }
  EXPECT_EQ(sum.Evaluate(ones), 2.0 * kSize);
  EXPECT_EQ(product.Evaluate(ones), 1.0);
  EXPECT_TRUE(sum.Differentiate(x[7]).EqualTo(2));
  for (int i = 0; i < kSize; ++i) sum -= 2 * x[kSize - 1 - i];
  EXPECT_TRUE(is_zero(sum));
}

TEST(SymbolicCopies, NeverChangeWithWhatTheyWereCopiedFrom) {
  const Variable x("x"), y("y");
  Expression a = x + y, copy = a;
  a += y;
  EXPECT_EQ(copy.to_string(), "(x + y)");
  Expression p = x * y;
  const Expression q = p;
  p *= p;
  EXPECT_EQ(q.to_string(), "(x * y)");
  EXPECT_EQ(p.to_string(), "(pow(x, 2) * pow(y, 2))");
  a += a;
  EXPECT_EQ(a.to_string(), "(2 * x + 4 * y)");
  a -= a;
  EXPECT_EQ(a.to_string(), "0");
  Expression i = x;
  EXPECT_EQ((i++).to_string(), "x");
  EXPECT_EQ((--i).to_string(), "x");
}

// Where Drake's rule gives a value that the expression does not have.
TEST(SymbolicRules, KeepTheDomain) {
  const Variable x("x"), y("y"), z("z");
  const Environment negative{{x, -2.0}, {y, 0.5}, {z, 0.5}};
  // |x|, not x.
  EXPECT_EQ(pow(pow(x, 2), 0.5).Evaluate(negative), 2);
  EXPECT_EQ(sqrt(x * x).Evaluate(negative), 2);
  // Both have a factor that is not a number.
  EXPECT_THROW((pow(x, y) * pow(x, z)).Evaluate(negative), std::runtime_error);
  EXPECT_THROW((pow(x, 0.5) * pow(x, 0.5)).Evaluate(negative),
               std::runtime_error);
  EXPECT_THROW(pow(pow(x, 0.5), 2).Evaluate(negative), std::runtime_error);
  EXPECT_EQ(pow(x * x, 0.5).Expand().Evaluate(negative), 2);
  EXPECT_EQ((pow(x, 3) * pow(x, -1)).to_string(), "pow(x, 2)");
}

TEST(SymbolicRules, SumsInSumsComeApartWhenTheirFactorIsOne) {
  const Variable x("x"), y("y"), z("z");
  const Expression e = 3 * (x + y) + z - 2 * (x + y);
  EXPECT_EQ(e.to_string(), "(x + y + z)");
  EXPECT_EQ((z + 2 * (x + y) - 3 * (x + y)).to_string(), "( - x - y + z)");
  EXPECT_EQ((x * pow(2 * y, 2) / y).to_string(), "((x * pow((2 * y), 2)) / y)");
  EXPECT_EQ((x * pow(2 * y, 2) * pow(2 * y, -1)).to_string(), "(2 * x * y)");
  EXPECT_EQ((z * pow(x * y, 3) * pow(x * y, -2)).to_string(), "(x * y * z)");
}

TEST(SymbolicConditions, ABranchThatIsNotTakenNeedNotHaveAValue) {
  const Variable x("x");
  const Expression e = if_then_else(x > 0, log(x), 1 / x);
  EXPECT_EQ(e.Evaluate({{x, 1}}), 0);
  EXPECT_EQ(e.Evaluate({{x, -2}}), -0.5);
  EXPECT_EQ(e.Substitute(x, -2.0).to_string(), "-0.5");
  EXPECT_EQ(if_then_else(x == 0, 0.0, 1 / x).Substitute(x, 0.0).to_string(),
            "0");
  EXPECT_TRUE((x == 0 || 1 / x > 0).Evaluate({{x, 0}}));
  EXPECT_FALSE((x != 0 && 1 / x > 0).Evaluate({{x, 0}}));
}

TEST(SymbolicErrors, NamesWhatHasNoValue) {
  const Variable x("x"), b("b", Variable::Type::BOOLEAN);
  EXPECT_THROWS_MESSAGE((x + 1).Evaluate(), std::runtime_error,
                        "'x' has no value");
  EXPECT_THROWS_MESSAGE(Expression{b}, std::runtime_error,
                        "'b' is BOOLEAN and has no number");
  EXPECT_THROWS_MESSAGE(Formula{x}, std::runtime_error,
                        "'x' is a number, neither true nor false");
  EXPECT_THROWS_MESSAGE(Expression{Variable()}, std::logic_error, "dummy");
  EXPECT_THROWS_MESSAGE(x.get_id() > 0 ? Expression(1) / 0 : 0,
                        std::runtime_error, "divides by zero");
  EXPECT_THROWS_MESSAGE((1 / x).Evaluate({{x, 0}}), std::runtime_error,
                        "(1 / x) divides by zero");
  EXPECT_THROWS_MESSAGE(log(Expression(-1)), std::runtime_error,
                        "log(-1) is not a number");
  EXPECT_THROWS_MESSAGE(pow(Expression(-1), 0.5), std::runtime_error,
                        "pow(-1, 0.5) is not a number");
  EXPECT_THROWS_MESSAGE((x + acos(x)).Evaluate({{x, 2}}), std::runtime_error,
                        "the value of acos(x) is not a number");
  EXPECT_THROWS_MESSAGE(Environment({{x, std::nan("")}}), std::runtime_error,
                        "'x' is not a number");
  EXPECT_THROWS_MESSAGE(abs(x).Differentiate(x).Evaluate({{x, 0}}),
                        std::runtime_error, "not a number");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THROWS_MESSAGE((x - inf) + (x + inf), std::runtime_error,
                        "not a number");
  EXPECT_THROWS_MESSAGE(min(x * inf, 1).Evaluate({{x, 0}}), std::runtime_error,
                        "not a number");
  EXPECT_THROWS_MESSAGE((x * inf < 1).Evaluate({{x, 0}}), std::runtime_error,
                        "not a number");
}

TEST(SymbolicErrors, OfFunctionsThatNothingIsKnownOf) {
  const Variable x("x"), y("y");
  const Expression f = uninterpreted_function("f", {x, 2 * x});
  EXPECT_EQ(f.to_string(), "f(x, (2 * x))");
  EXPECT_TRUE(is_zero(f.Differentiate(y)));
  EXPECT_THROWS_MESSAGE(f.Differentiate(x), std::runtime_error,
                        "depends on 'x'");
  EXPECT_THROWS_MESSAGE(f.Evaluate({{x, 1}}), std::logic_error,
                        "f(x, (2 * x))");
  EXPECT_EQ(f.Substitute(x, y).to_string(), "f(y, (2 * y))");
  EXPECT_THROW(uninterpreted_function("", {}), std::logic_error);
}

TEST(SymbolicErrors, ExpandRefusesWhatNoMemoryHolds) {
  const Variable x("x"), y("y"), z("z");
  EXPECT_THROWS_MESSAGE(pow(x + y + z, 100000).Expand(), std::runtime_error,
                        "terms");
  EXPECT_THROWS_MESSAGE(pow(x + 1, 1e8).Expand(), std::runtime_error, "terms");
  EXPECT_EQ(
      get_expr_to_coeff_map_in_addition(pow(x + y + z, 20).Expand()).size(),
      231u);
}

TEST(SymbolicKinds, PartsOfAnExpression) {
  const Variable x("x"), y("y");
  const Expression sum = 3 + 2 * x - y * y, product = 5 * x * pow(y, 3);
  EXPECT_EQ(get_constant_in_addition(sum), 3);
  const auto terms = get_expr_to_coeff_map_in_addition(sum);
  EXPECT_EQ(terms.at(Expression(x)), 2);
  EXPECT_EQ(terms.at(y * y), -1);
  EXPECT_EQ(get_constant_in_multiplication(product), 5);
  const auto factors = get_base_to_exponent_map_in_multiplication(product);
  EXPECT_TRUE(is_one(factors.at(Expression(x))));
  EXPECT_EQ(get_constant_value(factors.at(Expression(y))), 3);
  EXPECT_TRUE(is_multiplication(-x));
  EXPECT_TRUE(get_variable(Expression(x)).equal_to(x));
  EXPECT_EQ(get_argument(sin(product)).to_string(), product.to_string());
  EXPECT_EQ(get_second_argument(x / y).to_string(), "y");
  const Expression e = if_then_else(x > y, x, 1);
  EXPECT_EQ(get_conditional_formula(e).to_string(), "(x > y)");
  EXPECT_TRUE(is_one(get_else_expression(e)));
  EXPECT_THROWS_MESSAGE(get_constant_in_addition(product), std::logic_error,
                        "is no sum");
  EXPECT_THROWS_MESSAGE(get_argument(x + y), std::logic_error, "no function");
}

struct KindCounter {
  int VisitConstant(const Expression&) { return 1; }
  int VisitVariable(const Expression&) { return 2; }
  int VisitAddition(const Expression&) { return 3; }
  int VisitMultiplication(const Expression&) { return 4; }
  int VisitDivision(const Expression&) { return 5; }
  int VisitPow(const Expression&) { return 6; }
};

TEST(SymbolicKinds, PolynomialsAreVisitedByKind) {
  const Variable x("x"), y("y");
  KindCounter counter;
  EXPECT_EQ(VisitPolynomial<int>(&counter, 1 + x * y), 3);
  EXPECT_EQ(VisitPolynomial<int>(&counter, x / 2), 5);
  EXPECT_EQ(VisitPolynomial<int>(&counter, pow(x + y, 2)), 6);
  EXPECT_THROW(VisitPolynomial<int>(&counter, sin(x)), std::runtime_error);
  EXPECT_TRUE((x * y + pow(x + 1, 3) / 2).is_polynomial());
  EXPECT_FALSE((x / y).is_polynomial());
  EXPECT_FALSE(pow(x, -1).is_polynomial());
}

TEST(SymbolicFormulas, PartsAndFreeVariables) {
  const Variable x("x"), y("y"), b("b", Variable::Type::BOOLEAN);
  const Formula f = forall({x}, x > y && b);
  EXPECT_EQ(f.GetFreeVariables().to_string(), "{y, b}");
  EXPECT_TRUE(is_forall(f));
  EXPECT_EQ(get_quantified_variables(f).to_string(), "{x}");
  EXPECT_EQ(get_operands(get_quantified_formula(f)).size(), 2u);
  EXPECT_EQ(f.Substitute(y, 2.0).to_string(), "forall({x}. (b and (x > 2)))");
  EXPECT_THROWS_MESSAGE(f.Substitute(y, x + 1), std::runtime_error, "bound");
  EXPECT_THROWS_MESSAGE(f.Evaluate({{y, 0}, {b, 1}}), std::logic_error,
                        "not evaluated");
  EXPECT_TRUE(bool(Expression(1) < 2));
  EXPECT_EQ(get_lhs_expression(x < y).to_string(), "x");
  EXPECT_THROWS_MESSAGE(get_operand(x < y), std::logic_error, "no negation");
  EXPECT_TRUE((b || x > 0).Evaluate({{b, 1}, {x, -1}}));
  EXPECT_FALSE((!b).Evaluate({{b, 1}}));
  EXPECT_EQ((b && x > 0).Substitute(b, 1.0).to_string(), "(x > 0)");
  Matrix2<Expression> m;
  m << x, y, y, x;
  EXPECT_TRUE(
      get_matrix_in_positive_semidefinite(positive_semidefinite(m))(0, 1)
          .EqualTo(y));
  m(0, 1) = 2 * y;
  EXPECT_THROWS_MESSAGE(positive_semidefinite(m), std::runtime_error,
                        "m must be symmetric");
}

TEST(SymbolicVariables, AreASetInOrder) {
  const Variable x("x"), y("y"), z("z");
  Variables set{y, x};
  EXPECT_EQ(set.to_string(), "{x, y}");
  EXPECT_EQ((set + z - x).to_string(), "{y, z}");
  EXPECT_TRUE(Variables({x}).IsStrictSubsetOf(set));
  EXPECT_EQ(intersect(set, {y, z}).to_string(), "{y}");
  EXPECT_EQ(set.erase({x, z}), 1u);
  const MatrixX<Variable> m = MakeMatrixVariable<2, 2>("m");
  EXPECT_EQ(m(1, 0).get_name(), "m(1, 0)");
  EXPECT_THROW(MakeVectorVariable(-1, "v"), std::logic_error);
  EXPECT_THROW(MakeMatrixVariable(2, -1, "v"), std::logic_error);
}

TEST(SymbolicMatrices, JacobianAndSubstitution) {
  const Vector2<Variable> x = MakeVectorVariable<2>("x");
  const Vector2<Expression> f(x[0] * x[1], sin(x[0]));
  const MatrixX<Expression> J = Jacobian(f, x);
  Matrix2<Expression> wanted;
  wanted << x[1], x[0], cos(x[0]), 0;
  EXPECT_TRUE(CheckStructuralEquality(J, wanted));
  EXPECT_EQ(Substitute(f, x[0], 2.0)(0).to_string(), "(2 * x(1))");
  const Matrix2<double> A = Matrix2<double>::Constant(2);
  const Vector2<Expression> product = A * x;
  EXPECT_EQ(product[0].to_string(), "(2 * x(0) + 2 * x(1))");
  EXPECT_EQ(x.dot(product).Expand().to_string(),
            "(4 * (x(0) * x(1)) + 2 * pow(x(0), 2) + 2 * pow(x(1), 2))");
  EXPECT_EQ(GetVariableVector(f).size(), 2);
  EXPECT_TRUE(CheckStructuralEquality(f(0).Jacobian(x), wanted.row(0)));
}

}  // namespace
}  // namespace wyvern::symbolic
