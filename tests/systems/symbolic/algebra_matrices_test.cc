// Operators between numbers, variables, monomials, polynomials, rational
// functions and expressions, alone and in matrices.
#include <type_traits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/symbolic/algebra/rational_function.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace algebra_matrices_test {

const Variable x("x"), y("y"), a("a");
const Environment kAt{{x, 1.5}, {y, -0.5}, {a, 4.0}};

double ValueOf(double c) { return c; }
double ValueOf(const Variable& v) { return kAt[v]; }
double ValueOf(const Monomial& m) { return m.Evaluate(kAt); }
double ValueOf(const Polynomial& p) { return p.Evaluate(kAt); }
double ValueOf(const RationalFunction& f) { return f.Evaluate(kAt); }
double ValueOf(const Expression& e) { return e.Evaluate(kAt); }
template <typename Derived>
Eigen::MatrixXd ValueOf(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const auto& entry) { return ValueOf(entry); });
}

const Monomial kMonomial(x, 2);
const Polynomial kPolynomial(a* x + y, {x, y});
const RationalFunction kRational(Polynomial(x), Polynomial(1 + y));

// Checks that sums, differences and products of A and B are of type Sum, and
// have the right values.
template <typename Sum, typename A, typename B>
void ExpectScalars(const A& u, const B& v) {
  const auto check = [](const auto& result, double value) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(result)>, Sum>);
    EXPECT_NEAR(ValueOf(result), value, 1e-14);
  };
  const double du = ValueOf(u), dv = ValueOf(v);
  check(u + v, du + dv);
  check(v + u, du + dv);
  check(u - v, du - dv);
  check(v - u, dv - du);
  if constexpr (!std::is_same_v<A, Monomial> || !std::is_same_v<B, Monomial>) {
    check(u * v, du * dv);
    check(v * u, du * dv);
  }
}

TEST(SymbolicAlgebra, MonomialsAndPolynomialsMixWithAllScalars) {
  ExpectScalars<Polynomial>(kMonomial, kMonomial);
  ExpectScalars<Polynomial>(kMonomial, 2.5);
  ExpectScalars<Polynomial>(kMonomial, 2);
  ExpectScalars<Polynomial>(kMonomial, x);
  ExpectScalars<Polynomial>(kMonomial, a);
  ExpectScalars<Expression>(kMonomial, x + a);
  ExpectScalars<Polynomial>(kPolynomial, kPolynomial);
  ExpectScalars<Polynomial>(kPolynomial, kMonomial);
  ExpectScalars<Polynomial>(kPolynomial, -3.0);
  ExpectScalars<Polynomial>(kPolynomial, 3);
  ExpectScalars<Polynomial>(kPolynomial, y);
  ExpectScalars<Polynomial>(kPolynomial, a);
  ExpectScalars<Expression>(kPolynomial, x + a);
  static_assert(std::is_same_v<decltype(kMonomial * kMonomial), Monomial>);
  EXPECT_NEAR(ValueOf(kPolynomial / 2), ValueOf(kPolynomial) / 2, 1e-15);
  EXPECT_NEAR(ValueOf(kMonomial / (x + a)), 2.25 / 5.5, 1e-15);
}

TEST(SymbolicAlgebra, RationalFunctionsMixWithAllButVariables) {
  ExpectScalars<RationalFunction>(kRational, kRational);
  ExpectScalars<RationalFunction>(kRational, kMonomial);
  ExpectScalars<RationalFunction>(kRational, Polynomial(x * y + 2));
  ExpectScalars<RationalFunction>(kRational, 0.5);
  ExpectScalars<RationalFunction>(kRational, 3);
}

TEST(SymbolicAlgebra, AssignmentsCombineInPlace) {
  Polynomial p = kPolynomial;
  p /= 4;
  EXPECT_NEAR(ValueOf(p), ValueOf(kPolynomial) / 4, 1e-15);
  EXPECT_THROWS_MESSAGE(p /= 0.0, std::runtime_error, "divided by zero");
  EXPECT_NEAR(ValueOf(p), ValueOf(kPolynomial) / 4, 1e-15);
  RationalFunction f = kRational;
  f += 1;
  f *= kMonomial;
  f -= Polynomial(y);
  f /= Polynomial(x * y);
  f /= 2.0;
  f -= kMonomial;
  EXPECT_NEAR(ValueOf(f), ((3 + 1) * 2.25 + 0.5) / -0.75 / 2 - 2.25, 1e-14);
  EXPECT_THROW(f /= 0.0, std::logic_error);
}

TEST(SymbolicAlgebra, ZeroAndNullMakeTheZeroOfAType) {
  EXPECT_TRUE(Polynomial(0).EqualTo(Polynomial()));
  EXPECT_TRUE(Polynomial(3).EqualTo(Polynomial(3.0)));
  EXPECT_TRUE(Polynomial(nullptr).EqualTo(Polynomial()));
  EXPECT_TRUE(RationalFunction(0).EqualTo(RationalFunction()));
  EXPECT_TRUE(RationalFunction(nullptr).EqualTo(RationalFunction()));
}

// Overload for matrices; sums are made entry by entry.
template <typename Sum, typename A, typename B>
void ExpectMatrices(const A& u, const B& v) {
  const auto check = [](const auto& result, const Eigen::MatrixXd& value) {
    static_assert(
        std::is_same_v<typename std::remove_cvref_t<decltype(result)>::Scalar,
                       Sum>);
    EXPECT_TRUE(ValueOf(result).isApprox(value, 1e-14));
  };
  Eigen::Matrix<A, 2, 2> U;
  U << u, u, u, u;
  Eigen::Matrix<B, 2, 3> V;
  V << v, v, v, v, v, v;
  const Eigen::MatrixXd dU = ValueOf(U), dV = ValueOf(V);
  check((U * V).eval(), dU * dV);
  check((V.transpose() * U).eval(), dV.transpose() * dU);
  check((MatrixX<A>(U) * MatrixX<B>(V)).eval(), dU * dV);
  check((U * V.col(1)).eval(), dU * dV.col(1));
  check((U + V.leftCols(2)).eval(), dU + dV.leftCols(2));
  check((V.leftCols(2) - U).eval(), dV.leftCols(2) - dU);
  if constexpr (!std::is_same_v<A, Monomial> || !std::is_same_v<B, Monomial>) {
    check((u * V).eval(), ValueOf(u) * dV);
    check((U * v).eval(), dU * ValueOf(v));
  }
}

TEST(SymbolicAlgebra, MatricesOfMonomialsAndPolynomialsMix) {
  ExpectMatrices<Polynomial>(kMonomial, kMonomial);
  ExpectMatrices<Polynomial>(kMonomial, 2.5);
  ExpectMatrices<Polynomial>(kMonomial, y);
  ExpectMatrices<Expression>(kMonomial, x + a);
  ExpectMatrices<Polynomial>(kPolynomial, kPolynomial);
  ExpectMatrices<Polynomial>(kPolynomial, kMonomial);
  ExpectMatrices<Polynomial>(kPolynomial, 2.5);
  ExpectMatrices<Polynomial>(kPolynomial, x);
  ExpectMatrices<Polynomial>(kPolynomial, a);
  ExpectMatrices<Expression>(kPolynomial, x + a);
}

TEST(SymbolicAlgebra, MatricesOfRationalFunctionsMix) {
  ExpectMatrices<RationalFunction>(kRational, kRational);
  ExpectMatrices<RationalFunction>(kRational, kMonomial);
  ExpectMatrices<RationalFunction>(kRational, Polynomial(x * y + 2));
  ExpectMatrices<RationalFunction>(kRational, 2.5);
}

TEST(SymbolicAlgebra, DotProductsSumsAndIntegers) {
  const Vector2<Polynomial> p(kPolynomial, Polynomial(x));
  const Vector2<Monomial> m(kMonomial, Monomial(y));
  const Eigen::Vector2d d(2, -1);
  EXPECT_NEAR(ValueOf(p.dot(d)), ValueOf(p).col(0).dot(d), 1e-14);
  EXPECT_NEAR(ValueOf(d.dot(p)), ValueOf(p).col(0).dot(d), 1e-14);
  EXPECT_NEAR(ValueOf(p.dot(p)), ValueOf(p).squaredNorm(), 1e-14);
  EXPECT_NEAR(ValueOf(p.dot(m)), ValueOf(p).col(0).dot(ValueOf(m).col(0)),
              1e-14);
  EXPECT_NEAR(ValueOf(p.sum()), ValueOf(p).sum(), 1e-14);
  EXPECT_TRUE(ValueOf(2 * p).isApprox(2 * ValueOf(p)));
  EXPECT_TRUE(ValueOf(m * 2).isApprox(2 * ValueOf(m)));
  const Vector2<Variable> v(x, y);
  EXPECT_TRUE(ValueOf(v * 2).isApprox(2 * ValueOf(v)));
  EXPECT_TRUE(ValueOf(2 * v).isApprox(2 * ValueOf(v)));
  EXPECT_TRUE(ValueOf(v / 2).isApprox(ValueOf(v) / 2));
  EXPECT_TRUE(ValueOf(p.cast<Expression>().eval()).isApprox(ValueOf(p)));
}

TEST(SymbolicAlgebra, ProductsOfWrongSizesAreRefused) {
  const MatrixX<Polynomial> p(2, 3);
  const Eigen::MatrixXd d(2, 2);
  EXPECT_THROWS_MESSAGE(p * d, std::logic_error, "2 x 3 matrix times a 2 x 2");
}

}  // namespace algebra_matrices_test
}  // namespace wyvern::symbolic
