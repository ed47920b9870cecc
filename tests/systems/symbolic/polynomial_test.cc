// Polynomials and what is taken apart by them. Texts are those of pydrake 1.51.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/symbolic/algebra/decompose.h"
#include "wyvern/systems/symbolic/algebra/rational_function.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace {

using test::Near;

class SymbolicPolynomial : public ::testing::Test {
 protected:
  const Variable x{"x"}, y{"y"}, z{"z"};
  const Environment at_{{x, 0.7}, {y, -1.3}, {z, 2.1}};
};

TEST_F(SymbolicPolynomial, IsMadeOfAnExpression) {
  EXPECT_EQ(Polynomial(x * x + 2 * x * y + 1).to_string(),
            "1*1 + 2*x * y + 1*x^2");
  const Polynomial p(x * x * z + 2 * x * y + 1, Variables{x});
  EXPECT_EQ(p.to_string(), "1*1 + (2 * y)*x + z*x^2");
  EXPECT_EQ(p.indeterminates().to_string(), "{x}");
  EXPECT_EQ(p.decision_variables().to_string(), "{y, z}");
  EXPECT_EQ(Polynomial(sin(x), Variables{y}).to_string(), "sin(x)*1");
  EXPECT_EQ(Polynomial(x / y, Variables{x}).to_string(), "(1 / y)*x");
  EXPECT_EQ(Polynomial(0 * x).to_string(), "0");
  EXPECT_EQ(Polynomial(pow(x + y, 2) / 2).to_string(),
            "0.5*y^2 + 1*x * y + 0.5*x^2");
  EXPECT_EQ(Polynomial((x + 1) / z * x, Variables{x}).to_string(),
            "(1 / z)*x + (1 / z)*x^2");
}

TEST_F(SymbolicPolynomial, RefusesWhatIsNone) {
  EXPECT_THROWS_MESSAGE(Polynomial{sin(x)}, std::runtime_error,
                        "the term sin(x) is no polynomial");
  EXPECT_THROWS_MESSAGE(Polynomial{x / y}, std::runtime_error,
                        "the denominator y must be free of");
  EXPECT_THROWS_MESSAGE(Polynomial{pow(x, 0.5)}, std::runtime_error,
                        "no polynomial");
  EXPECT_THROWS_MESSAGE(Polynomial{pow(x, -1)}, std::runtime_error,
                        "no polynomial");
  EXPECT_THROWS_MESSAGE(Polynomial(Polynomial::MapType{{Monomial(x), x}}),
                        std::runtime_error, "{x} are indeterminates");
  EXPECT_THROWS_MESSAGE(Monomial(x, -1), std::logic_error, "exponent is -1");
  EXPECT_THROWS_MESSAGE(Monomial(2 * x), std::runtime_error, "2 * x");
}

TEST_F(SymbolicPolynomial, ArithmeticIsThatOfTheExpressions) {
  std::mt19937 generator(3);
  std::uniform_int_distribution<int> draw(-3, 3);
  const Vector3<Variable> v(x, y, z);
  for (int n = 0; n < 20; ++n) {
    Expression e, f;
    for (const Monomial& m : MonomialBasis(v, 3)) {
      e += draw(generator) * m.ToExpression();
      f += draw(generator) * m.ToExpression();
    }
    const Polynomial p(e), q(f);
    const double a = e.Evaluate(at_), b = f.Evaluate(at_);
    const double tolerance = 1e-13 * (1 + std::abs(a)) * (1 + std::abs(b));
    EXPECT_NEAR(p.Evaluate(at_), a, tolerance);
    EXPECT_NEAR((p + q).Evaluate(at_), a + b, tolerance);
    EXPECT_NEAR((p - q).Evaluate(at_), a - b, tolerance);
    EXPECT_NEAR((p * q).Evaluate(at_), a * b, tolerance);
    EXPECT_TRUE((p * q - Polynomial(e * f)).EqualTo(Polynomial()));
    EXPECT_NEAR(p.Differentiate(x).Evaluate(at_),
                e.Differentiate(x).Evaluate(at_), tolerance);
    // The derivative of the integral.
    EXPECT_TRUE(
        p.Integrate(y).Differentiate(y).CoefficientsAlmostEqual(p, 1e-14));
  }
}

TEST_F(SymbolicPolynomial, VariablesAreMonomialsOrCoefficients) {
  const Polynomial p(x);
  EXPECT_EQ((p + x).to_string(), "2*x");
  EXPECT_EQ((p + y).to_string(), "y*1 + 1*x");
  EXPECT_EQ((p * y).to_string(), "y*x");
  EXPECT_EQ((y - p).to_string(), "y*1 + -1*x");
  EXPECT_EQ((p + Monomial(y)).to_string(), "1*y + 1*x");
  EXPECT_EQ((p / 2).to_string(), "0.5*x");
  EXPECT_THROWS_MESSAGE(p / 0, std::runtime_error, "divided by zero");
  EXPECT_THROWS_MESSAGE(p * y * Polynomial(y), std::runtime_error,
                        "{y} are indeterminates");
}

TEST_F(SymbolicPolynomial, CalculusAndValues) {
  EXPECT_EQ(Polynomial(pow(x + y, 3)).Differentiate(x).to_string(),
            "3*y^2 + 6*x * y + 3*x^2");
  EXPECT_EQ(Polynomial(x * x * z).Integrate(x).to_string(),
            "0.33333333333333331*x^3 * z");
  EXPECT_EQ(Polynomial(x * x * z).Integrate(x, 0, 2).to_string(),
            "2.6666666666666665*z");
  EXPECT_EQ(Polynomial(x * y).EvaluatePartial(x, 2).to_string(), "2*y");
  EXPECT_EQ(Polynomial(x * x + y).TotalDegree(), 2);
  EXPECT_EQ(Polynomial(3 * x * x + y).Degree(x), 2);
  EXPECT_TRUE(Polynomial(2 * x * x).IsEven());
  EXPECT_TRUE(Polynomial(x * x * x + x).IsOdd());
  EXPECT_EQ(Polynomial(1e-9 * x + y)
                .RemoveTermsWithSmallCoefficients(1e-6)
                .to_string(),
            "1*y");
  EXPECT_EQ(
      Polynomial(x * x * z + x * y)
          .SubstituteAndExpand(
              {{x, Polynomial(y + 1)}, {y, Polynomial(y)}, {z, Polynomial(z)}})
          .to_string(),
      "1*z + 1*y + 2*y * z + 1*y^2 + 1*y^2 * z");
  const Eigen::RowVectorXd values = Eigen::RowVector2d(2, 3);
  EXPECT_TRUE(Near(Polynomial(x * x + 1).EvaluateIndeterminates(
                       Vector1<Variable>(x), values),
                   Eigen::Vector2d(5, 10)));
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  VectorX<Variable> decisions;
  Polynomial((2 * y + z + 1) * x, Variables{x})
      .EvaluateWithAffineCoefficients(Vector1<Variable>(x), values, &A,
                                      &decisions, &b);
  EXPECT_TRUE(Near(A, (Eigen::Matrix2d() << 4, 2, 6, 3).finished()));
  EXPECT_TRUE(Near(b, Eigen::Vector2d(2, 3)));
}

TEST_F(SymbolicPolynomial, RootsAreWhereItIsZero) {
  const Polynomial p((x - 1) * (x + 2) * (x - 3) * (x * x + 1) * 4);
  const Eigen::VectorXcd roots = p.Roots();
  ASSERT_EQ(roots.size(), 5);
  for (const std::complex<double>& r : roots) {
    const auto value = (r - 1.0) * (r + 2.0) * (r - 3.0) * (r * r + 1.0);
    EXPECT_LT(std::abs(value), 1e-12);
  }
  EXPECT_THROWS_MESSAGE(Polynomial(x * y).Roots(), std::runtime_error,
                        "it must be of one");
}

TEST_F(SymbolicPolynomial, BasesAreInOrder) {
  const auto text = [](const VectorX<Monomial>& basis) {
    std::string result;
    for (const Monomial& m : basis) result += m.to_string() + ", ";
    return result;
  };
  EXPECT_EQ(text(MonomialBasis({x, y, z}, 2)),
            "z^2, y * z, y^2, x * z, x * y, x^2, z, y, x, 1, ");
  const Eigen::Matrix<Monomial, 10, 1> fixed = MonomialBasis<3, 2>({x, y, z});
  EXPECT_EQ(text(fixed), text(MonomialBasis({x, y, z}, 2)));
  EXPECT_THROW((MonomialBasis<2, 2>({x, y, z})), std::logic_error);
  EXPECT_EQ(text(EvenDegreeMonomialBasis({x, y}, 2)), "y^2, x * y, x^2, 1, ");
  EXPECT_EQ(text(OddDegreeMonomialBasis({x, y}, 3)),
            "y^3, x * y^2, x^2 * y, x^3, y, x, ");
  EXPECT_EQ(text(CalcMonomialBasisOrderUpToOne({x, y})), "1, y, x, x * y, ");
  EXPECT_THROW(MonomialBasis({x, y, z}, -1), std::logic_error);
  EXPECT_THROW(MonomialBasis({x, y, z}, 100000), std::logic_error);
}

TEST_F(SymbolicPolynomial, EqualityIsAFormulaOfTheCoefficients) {
  EXPECT_TRUE(is_false(Polynomial(x) == Polynomial(y)));
  EXPECT_EQ((Polynomial(x * z, Variables{x}) == Polynomial(y * x, Variables{x}))
                .to_string(),
            "(( - y + z) == 0)");
}

TEST_F(SymbolicPolynomial, RationalFunctions) {
  const RationalFunction f{Polynomial(x), Polynomial(y)};
  const RationalFunction g{Polynomial(x), Polynomial(x)};
  EXPECT_EQ((f + f).to_string(), "(2*x) / (1*y)");
  EXPECT_EQ((f + g).to_string(), "(1*x * y + 1*x^2) / (1*x * y)");
  EXPECT_EQ((f * g).to_string(), "(1*x^2) / (1*x * y)");
  EXPECT_EQ((f / g).to_string(), "(1*x^2) / (1*x * y)");
  EXPECT_EQ((f + 1).to_string(), "(1*y + 1*x) / (1*y)");
  EXPECT_EQ(pow(f, -2).to_string(), "(1*y^2) / (1*x^2)");
  EXPECT_EQ(f.Evaluate({{x, 1}, {y, 2}}), 0.5);
  EXPECT_THROWS_MESSAGE(f.Evaluate({{x, 1}, {y, 0}}), std::runtime_error,
                        "no value");
  EXPECT_THROWS_MESSAGE(f / RationalFunction(), std::logic_error,
                        "must not be 0");
  EXPECT_TRUE(is_true(f * g == g * f));
}

class SymbolicDecompose : public SymbolicPolynomial {};

TEST_F(SymbolicDecompose, AffineAndLinearExpressions) {
  const Vector2<Expression> e(x + 2 * y + 1, 3 * (y - x));
  const Vector2<Variable> v(x, y);
  Eigen::MatrixXd M(2, 2);
  Eigen::VectorXd b(2);
  DecomposeAffineExpressions(e, v, &M, &b);
  EXPECT_TRUE(Near(M, (Eigen::Matrix2d() << 1, 2, -3, 3).finished()));
  EXPECT_TRUE(Near(b, Eigen::Vector2d(1, 0)));
  EXPECT_THROWS_MESSAGE(DecomposeLinearExpressions(e, v, &M),
                        std::runtime_error, "has the constant 1");
  const Vector1<Expression> product(x * y), sine(sin(x));
  Eigen::MatrixXd row(1, 2);
  EXPECT_THROWS_MESSAGE(DecomposeLinearExpressions(product, v, &row),
                        std::runtime_error, "must be affine");
  EXPECT_THROWS_MESSAGE(DecomposeLinearExpressions(sine, v, &row),
                        std::runtime_error, "must be affine");
  EXPECT_THROWS_MESSAGE(
      DecomposeLinearExpressions(Vector1<Expression>(z), v, &row),
      std::runtime_error, "'z' is not among those given");
  EXPECT_THROWS_MESSAGE(DecomposeAffineExpressions(e, v, &row, &b),
                        std::logic_error, "M is 1 x 2");
  VectorX<Variable> found;
  DecomposeAffineExpressions(e, &M, &b, &found);
  EXPECT_EQ(found.size(), 2);
  Eigen::RowVectorXd coefficients(2);
  double constant{};
  EXPECT_EQ(
      DecomposeAffineExpression(2 * y + 5, {{x.get_id(), 0}, {y.get_id(), 1}},
                                &coefficients, &constant),
      1);
  EXPECT_EQ(constant, 5);
}

TEST_F(SymbolicDecompose, AffineInSomeVariables) {
  const Vector1<Expression> product(x * y), sine(sin(x) * y + z);
  EXPECT_TRUE(IsAffine(product, {x}));
  EXPECT_FALSE(IsAffine(product, {x, y}));
  EXPECT_FALSE(IsAffine(product));
  EXPECT_TRUE(IsAffine(sine, {y, z}));
  EXPECT_FALSE(IsAffine(sine, {x}));
  EXPECT_TRUE(IsAffine(Vector1<Expression>((x + 1) * (x - 1) - x * x), {x}));
}

TEST_F(SymbolicDecompose, QuadraticPolynomials) {
  Eigen::MatrixXd Q(2, 2);
  Eigen::VectorXd b(2);
  double c{};
  const std::unordered_map<Variable::Id, int> map{{x.get_id(), 0},
                                                  {y.get_id(), 1}};
  DecomposeQuadraticPolynomial(Polynomial(x * x + 3 * x * y + 2 * x + 1), map,
                               &Q, &b, &c);
  EXPECT_TRUE(Near(Q, (Eigen::Matrix2d() << 2, 3, 3, 0).finished()));
  EXPECT_TRUE(Near(b, Eigen::Vector2d(2, 0)));
  EXPECT_EQ(c, 1);
  EXPECT_THROWS_MESSAGE(
      DecomposeQuadraticPolynomial(Polynomial(x * x * y), map, &Q, &b, &c),
      std::runtime_error, "of degree 3");
}

TEST_F(SymbolicDecompose, LumpedParameters) {
  const Variable m("m"), l("l"), g("g");
  const Vector1<Expression> f(m * l * l * x + m * g * l * sin(y) + 3 * z);
  const auto [W, alpha, w0] =
      DecomposeLumpedParameters(f, Vector3<Variable>(m, l, g));
  EXPECT_EQ(W.cols(), 2);
  EXPECT_TRUE((W * alpha + w0)(0).Expand().EqualTo(f(0).Expand()));
  for (const Expression& e : alpha) {
    EXPECT_TRUE(e.GetVariables().IsSubsetOf({m, l, g}));
  }
  EXPECT_EQ(w0(0).to_string(), "(3 * z)");
  EXPECT_THROWS_MESSAGE(
      DecomposeLumpedParameters(Vector1<Expression>(sin(m * x)),
                                Vector1<Variable>(m)),
      std::runtime_error, "mixes parameters");
}

TEST_F(SymbolicDecompose, TaylorSeriesMatchTheFunctionToTheirOrder) {
  const Expression f = exp(x) * sin(y) + x * y * y;
  const Environment a{{x, 0.2}, {y, -0.4}};
  double before = 1;
  for (const double h : {0.1, 0.05}) {
    const Environment near{{x, 0.2 + h}, {y, -0.4 - h}};
    const double error =
        std::abs(TaylorExpand(f, a, 4).Evaluate(near) - f.Evaluate(near));
    EXPECT_LT(error, 2 * std::pow(h, 5));
    EXPECT_LT(error, before / 25);  // Nearly 2 to the fifth.
    before = error;
  }
  EXPECT_EQ(TaylorExpand(x * x + y, {{x, 1}}, 0).to_string(), "(1 + y)");
  EXPECT_THROW(TaylorExpand(f, a, -1), std::logic_error);
}

TEST(SymbolicRelaxation, ProductsAreReplacedByEntries) {
  const auto x = MakeVectorContinuousVariable(2, "x");
  const auto y = MakeVectorContinuousVariable(2, "y");
  const Variable z("z");
  MatrixX<Expression> W(2, 2);
  W << Variable("a"), Variable("b"), Variable("c"), Variable("d");
  const Expression e =
      (x[0] + 2 * x[1]) * (3 * y[1] - y[0]) + z * x[0] * y[0] + sin(z) + y[1];
  EXPECT_TRUE(ReplaceBilinearTerms(e, x, y, W)
                  .Expand()
                  .EqualTo((3 * W(0, 1) - W(0, 0) + 6 * W(1, 1) - 2 * W(1, 0) +
                            z * W(0, 0) + sin(z) + y[1])
                               .Expand()));
  // A square, of a variable that is in both.
  EXPECT_TRUE(ReplaceBilinearTerms(pow(x[1], 2), x, x, W).EqualTo(W(1, 1)));
  EXPECT_THROW(ReplaceBilinearTerms(x[0] * x[1], x, y, W), std::runtime_error);
  EXPECT_THROW(ReplaceBilinearTerms(x[0] * x[0] * y[1], x, y, W),
               std::runtime_error);
  EXPECT_THROW(ReplaceBilinearTerms(e, x, y, W.leftCols(1)), std::logic_error);
}

TEST(SymbolicRelaxation, AGramMatrixIsGivenByItsLowerTriangle) {
  const auto x = MakeVectorContinuousVariable(2, "x");
  const VectorX<Monomial> m = MonomialBasis(x, 1);
  Eigen::Matrix3d Q;
  Q << 1, 2, 3, 2, 4, 5, 3, 5, 6;
  VectorX<Expression> lower(6);
  lower << 1, 2, 3, 4, 5, 6;
  Expression wanted;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      wanted += Q(i, j) * m[i].ToExpression() * m[j].ToExpression();
    }
  }
  EXPECT_TRUE(
      CalcPolynomialWLowerTriangularPart(m, lower).EqualTo(Polynomial(wanted)));
  EXPECT_THROW(CalcPolynomialWLowerTriangularPart(m, lower.head(5)),
               std::logic_error);
}

}  // namespace
}  // namespace wyvern::symbolic
