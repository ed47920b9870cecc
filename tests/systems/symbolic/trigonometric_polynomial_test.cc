// Sines and cosines as variables. Texts are those of pydrake 1.51 where it has
// an answer.
#include "wyvern/systems/symbolic/algebra/trigonometric_polynomial.h"

#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/symbolic/algebra/decompose.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace {

using AngleType = SinCosSubstitutionType;

class SymbolicTrigonometry : public ::testing::Test {
 protected:
  SinCosSubstitution Of(AngleType type) const {
    return {{x, SinCos(s, c, type)}, {y, SinCos(sy, cy, type)}};
  }
  // Angles, and what the variables then are.
  Environment At(double a, double b, AngleType type) const {
    const double k = type == AngleType::kAngle ? 1 : 0.5;
    return {{x, a},
            {y, b},
            {z, 0.3},
            {s, std::sin(k * a)},
            {c, std::cos(k * a)},
            {sy, std::sin(k * b)},
            {cy, std::cos(k * b)}};
  }

  const Variable x{"x"}, y{"y"}, z{"z"};
  const Variable s{"s"}, c{"c"}, sy{"sy"}, cy{"cy"};
};

TEST_F(SymbolicTrigonometry, TextsAreDrakes) {
  const SinCosSubstitution whole{{x, SinCos(s, c)}};
  EXPECT_EQ(Substitute(sin(x), whole).to_string(), "s");
  EXPECT_EQ(Substitute(cos(-x), whole).to_string(), "c");
  EXPECT_EQ(Substitute(tan(x), whole).to_string(), "(s / c)");
  EXPECT_EQ(Substitute(sin(2 * x), whole).to_string(), "(2 * s * c)");
  EXPECT_EQ(Substitute(cos(2 * x), whole).to_string(),
            "( - pow(s, 2) + pow(c, 2))");
  EXPECT_EQ(Substitute(sin(x + y), whole).to_string(),
            "((s * cos(y)) + (c * sin(y)))");
  EXPECT_EQ(Substitute(exp(sin(x)), whole).to_string(), "exp(s)");
  const SinCosSubstitution by_sin{
      {x, SinCos(s, c, AngleType::kHalfAnglePreferSin)}};
  EXPECT_EQ(Substitute(cos(x), by_sin).to_string(), "(1 - 2 * pow(s, 2))");
  EXPECT_EQ(Substitute(sin(x), by_sin).to_string(), "(2 * s * c)");
  EXPECT_EQ(Substitute(sin(0.5 * x), by_sin).to_string(), "s");
  const SinCosSubstitution by_cos{
      {x, SinCos(s, c, AngleType::kHalfAnglePreferCos)}};
  EXPECT_EQ(Substitute(cos(x), by_cos).to_string(), "(-1 + 2 * pow(c, 2))");
}

TEST_F(SymbolicTrigonometry, ValuesAreThoseOfTheAngles) {
  const Expression several[] = {
      sin(x),
      cos(3 * x - 2 * y + z),
      tan(x + y),
      x * sin(x + y + 1),
      sin(5 * x) * cos(4 * (x - y)),
      sin(z + cos(x)),
      if_then_else(sin(x) > cos(y), exp(cos(x)), sin(-7 * y)),
      pow(sin(2 * x), 3) / (2 + cos(y)),
  };
  for (const AngleType type :
       {AngleType::kAngle, AngleType::kHalfAnglePreferSin,
        AngleType::kHalfAnglePreferCos}) {
    for (const Expression& e : several) {
      const Expression changed = Substitute(e, Of(type));
      for (const double a : {-2.0, 0.4, 1.3}) {
        const Environment at = At(a, 0.7 - a, type);
        // The expansion of sin(7 y) has coefficients of some hundreds that
        // cancel.
        EXPECT_NEAR(changed.Evaluate(at), e.Evaluate(at), 1e-12)
            << e << " -> " << changed;
      }
    }
  }
  for (const AngleType type :
       {AngleType::kHalfAnglePreferSin, AngleType::kHalfAnglePreferCos}) {
    const Environment at = At(0.9, -0.2, type);
    const Expression e = cos(1.5 * x - 0.5 * y) + tan(x / 2);
    EXPECT_NEAR(Substitute(e, Of(type)).Evaluate(at), e.Evaluate(at), 1e-14);
  }
}

TEST_F(SymbolicTrigonometry, OfAMatrixEntryByEntry) {
  Matrix2<Expression> R;
  R << cos(x), -sin(x), sin(x), cos(x);
  const MatrixX<Expression> m = Substitute(R, Of(AngleType::kAngle));
  EXPECT_TRUE(m(0, 0).EqualTo(c) && m(1, 0).EqualTo(s));
  EXPECT_TRUE(m(0, 1).EqualTo(-s) && m(1, 1).EqualTo(c));
}

TEST_F(SymbolicTrigonometry, RefusesOtherArguments) {
  const SinCosSubstitution whole = Of(AngleType::kAngle);
  for (const Expression& e : {sin(x * x), cos(x * z), sin(0.5 * x), tan(x / z),
                              sin(abs(x)), cos(x * y), sin(1001 * x)}) {
    EXPECT_THROWS_MESSAGE(Substitute(e, whole), std::runtime_error,
                          "must have an integer of at most 1000 times the "
                          "angle x, or half an integer");
  }
  EXPECT_THROWS_MESSAGE(
      Substitute(cos(x / 4), Of(AngleType::kHalfAnglePreferSin)),
      std::runtime_error, "the argument (x / 4) of a trigonometric function");
  const SinCosSubstitution same{{x, SinCos(s, s)}};
  EXPECT_THROWS_MESSAGE(Substitute(sin(x), same), std::logic_error,
                        "sine and cosine of x are both s");
}

TEST_F(SymbolicTrigonometry, GraphOfAMillionOperationsIsGoneOverOnce) {
  Expression e = sin(x);
  for (int i = 0; i < 500'000; ++i) e = cos(z + e * e);
  const Expression changed = Substitute(e, Of(AngleType::kAngle));
  const Environment at = At(0.8, 0, AngleType::kAngle);
  EXPECT_DOUBLE_EQ(changed.Evaluate(at), e.Evaluate(at));
  EXPECT_FALSE(changed.GetVariables().include(x));
}

TEST_F(SymbolicTrigonometry, StereographicProjectionIsOfHalfTangents) {
  const Variable t0("t0"), t1("t1");
  const Vector2<Variable> t(t0, t1);
  const std::vector<SinCos> pairs{SinCos(s, c), SinCos(sy, cy)};
  // The terms that pydrake gives.
  const RationalFunction g =
      SubstituteStereographicProjection(Polynomial(s * s * cy + x), pairs, t);
  EXPECT_TRUE(g.numerator().EqualTo(Polynomial(
      4 * pow(t0, 2) - 4 * pow(t0, 2) * pow(t1, 2) + x + x * pow(t1, 2) +
      2 * x * pow(t0, 2) + 2 * x * pow(t0, 2) * pow(t1, 2) + x * pow(t0, 4) +
      x * pow(t0, 4) * pow(t1, 2))))
      << g;
  EXPECT_TRUE(g.denominator().EqualTo(
      Polynomial(1 + pow(t1, 2) + 2 * pow(t0, 2) + 2 * pow(t0, 2) * pow(t1, 2) +
                 pow(t0, 4) + pow(t0, 4) * pow(t1, 2))))
      << g;
  const Polynomial p(z * s * s * cy + x * c * sy - 3 * c + z,
                     Variables{x, s, c, sy, cy});
  const RationalFunction f = SubstituteStereographicProjection(p, pairs, t);
  Environment at = At(0.9, -1.7, AngleType::kAngle);
  at.insert(t[0], std::tan(0.45));
  at.insert(t[1], std::tan(-0.85));
  EXPECT_NEAR(f.Evaluate(at), p.Evaluate(at), 1e-13);
  EXPECT_EQ(f.numerator().decision_variables(), Variables{z});
  const RationalFunction free =
      SubstituteStereographicProjection(Polynomial(x * x), pairs, t);
  EXPECT_EQ(free.to_string(), "(1*x^2) / (1*1)");
}

TEST_F(SymbolicTrigonometry, HalfAnglesInCoefficientsAreProjectedToo) {
  const Variable t0("t0");
  const std::vector<SinCos> pairs{SinCos(s, c)};
  const Polynomial p(t0 * s + (z + t0 * t0) * c, Variables{s, c});
  const RationalFunction f =
      SubstituteStereographicProjection(p, pairs, Vector1<Variable>(t0));
  const double angle = 0.9, half = std::tan(0.45);
  const double wanted =
      half * std::sin(angle) + (0.7 + half * half) * std::cos(angle);
  EXPECT_NEAR(f.Evaluate({{t0, half}, {z, 0.7}}), wanted, 1e-14);
  EXPECT_EQ(f.numerator().indeterminates(), Variables{t0});
  EXPECT_EQ(f.numerator().decision_variables(), Variables{z});
}

TEST_F(SymbolicTrigonometry, StereographicProjectionRefuses) {
  const Vector1<Variable> t(Variable("t0"));
  const std::vector<SinCos> pairs{SinCos(s, c), SinCos(sy, cy)};
  EXPECT_THROWS_MESSAGE(
      SubstituteStereographicProjection(Polynomial(s * cy), pairs, t),
      std::logic_error, "SubstituteStereographicProjection(): t has size 1");
  const Polynomial hidden(exp(s) * x, Variables{x});
  EXPECT_THROWS_MESSAGE(
      SubstituteStereographicProjection(hidden, {pairs[0]}, t),
      std::runtime_error, "exp(s)");
}

TEST_F(SymbolicTrigonometry, NormsAreTakenApart) {
  const Expression several[] = {
      sqrt(x * x + y * y + 2 * x + 1), sqrt(pow(2 * x + 3, 2) + y * y),
      sqrt(pow(x + y, 2) + pow(x - 2 * y + 3 * z - 1, 2) + 0 * z),
      sqrt(pow(x - 1, 2) + 4), sqrt(x * x + 1)};
  for (const Expression& e : several) {
    const auto [is_norm, A, b, v] = DecomposeL2NormExpression(e);
    ASSERT_TRUE(is_norm) << e;
    Environment at{{x, 0.7}, {y, -1.1}, {z, 0.4}};
    Eigen::VectorXd value(v.size());
    for (int i = 0; i < v.size(); ++i) value[i] = at[v[i]];
    EXPECT_NEAR((A * value + b).norm(), e.Evaluate(at), 1e-13) << e;
  }
  const auto [is_norm, A, b, v] = DecomposeL2NormExpression(several[1]);
  EXPECT_TRUE(A.isApprox(Eigen::Matrix2d{{2, 0}, {0, 1}}, 1e-15)) << A;
  EXPECT_TRUE(b.isApprox(Eigen::Vector2d(3, 0), 1e-15)) << b;
}

TEST_F(SymbolicTrigonometry, OtherExpressionsAreNoNorms) {
  for (const Expression& e :
       {Expression(x), sqrt(x), sqrt(x * x - y * y), sqrt(x * y), sqrt(exp(x)),
        2 * sqrt(x * x + y * y), sqrt(x * x - 1), sqrt(x * x + y),
        sqrt(pow(x, 4) + 1), Expression(2.0)}) {
    const auto [is_norm, A, b, v] = DecomposeL2NormExpression(e);
    EXPECT_FALSE(is_norm) << e;
    EXPECT_EQ(A.size() + b.size() + v.size(), 0) << e;
  }
  EXPECT_THROWS_MESSAGE(DecomposeL2NormExpression(sqrt(x * x + 1), -1),
                        std::logic_error, "psd_tol is -1");
}

}  // namespace
}  // namespace wyvern::symbolic
