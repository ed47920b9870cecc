#pragma once

#include <complex>
#include <cstddef>
#include <map>
#include <ostream>
#include <string>

#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/symbolic/algebra/monomial.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic {

/** A sum of monomials of some variables, the indeterminates, each times a
coefficient: an expression of other variables, the decision variables. In
a x² + y of the indeterminates x and y, a is a decision variable.

A Variable in arithmetic is a monomial if it is an indeterminate of the
polynomial, and a coefficient if not; Monomial(v) makes it one. */
class Polynomial {
 public:
  using MapType = std::map<Monomial, Expression, MonomialOrder>;

  /** 0 */
  Polynomial() = default;
  explicit Polynomial(std::nullptr_t) {}
  /** @throws std::runtime_error if a variable is in a monomial and in a
  coefficient. */
  explicit Polynomial(MapType map);
  Polynomial(const Monomial& m);  // NOLINT(runtime/explicit)
  explicit Polynomial(double constant);
  explicit Polynomial(const Variable& v) : Polynomial(Monomial(v)) {}
  /** With all its variables as indeterminates.
  @throws std::runtime_error if `e` is no polynomial in them, or would have
  above 10⁶ terms. */
  explicit Polynomial(const Expression& e);
  /** @throws as above. */
  Polynomial(const Expression& e, const Variables& indeterminates);
  Polynomial(const Expression& e,
             const Eigen::Ref<const VectorX<Variable>>& indeterminates)
      : Polynomial(e, Variables(indeterminates)) {}

  const Variables& indeterminates() const { return indeterminates_; }
  const Variables& decision_variables() const { return decision_variables_; }
  /** Sorts the variables anew. @throws as the constructor. */
  void SetIndeterminates(const Variables& indeterminates);
  const MapType& monomial_to_coefficient_map() const { return map_; }
  std::size_t get_hash() const;

  /** The highest power of an indeterminate. */
  int Degree(const Variable& v) const;
  int TotalDegree() const;
  Expression ToExpression() const;
  std::string to_string() const;

  /** By an indeterminate or a decision variable. */
  Polynomial Differentiate(const Variable& x) const;
  RowVectorX<Polynomial> Jacobian(
      const Eigen::Ref<const VectorX<Variable>>& variables) const;
  /** The antiderivative that is 0 at x = 0.
  @throws std::runtime_error if x is a decision variable. */
  Polynomial Integrate(const Variable& x) const;
  /** From x = a to x = b. @throws as above. */
  Polynomial Integrate(const Variable& x, double a, double b) const;

  /** @throws as Expression::Evaluate() */
  double Evaluate(const Environment& environment) const;
  Polynomial EvaluatePartial(const Environment& environment) const;
  Polynomial EvaluatePartial(const Variable& v, double value) const;
  /** For each column of values, of `indeterminates`. The coefficients must be
  constants. @throws std::runtime_error if they are not. */
  Eigen::VectorXd EvaluateIndeterminates(
      const Eigen::Ref<const VectorX<Variable>>& indeterminates,
      const Eigen::Ref<const Eigen::MatrixXd>& values) const;
  /** Evaluates a polynomial whose coefficients are affine in the decision
  variables: row i of A times these plus b[i] is the value for column i.
  @throws std::runtime_error if they are not. */
  void EvaluateWithAffineCoefficients(
      const Eigen::Ref<const VectorX<Variable>>& indeterminates,
      const Eigen::Ref<const Eigen::MatrixXd>& values, Eigen::MatrixXd* A,
      VectorX<Variable>* decision_variables, Eigen::VectorXd* b) const;

  /** Adds coefficient * m. @throws as the constructor. */
  Polynomial& AddProduct(const Expression& coefficient, const Monomial& m);
  /** Replaces indeterminates by polynomials and multiplies out.
  @throws std::runtime_error if one has none. */
  Polynomial SubstituteAndExpand(
      const std::map<Variable, Polynomial>& substitution) const;
  /** With coefficients expanded, and without those that are then 0. */
  Polynomial Expand() const;
  /** Without terms whose coefficient is a constant of at most `tolerance`. */
  Polynomial RemoveTermsWithSmallCoefficients(double tolerance) const;
  /** Whether all monomials have even (odd) degrees. */
  bool IsEven() const;
  bool IsOdd() const;
  /** Returns the roots of a polynomial of one indeterminate with constant
  coefficients.
  @throws std::runtime_error if it is not so, or is constant. */
  Eigen::VectorXcd Roots() const;

  Polynomial& operator+=(const Polynomial& p);
  Polynomial& operator+=(const Monomial& m) { return AddProduct(1, m); }
  Polynomial& operator+=(double c) { return AddProduct(c, Monomial()); }
  Polynomial& operator+=(const Variable& v);
  Polynomial& operator-=(const Polynomial& p);
  Polynomial& operator-=(const Monomial& m) { return AddProduct(-1, m); }
  Polynomial& operator-=(double c) { return AddProduct(-c, Monomial()); }
  Polynomial& operator-=(const Variable& v);
  Polynomial& operator*=(const Polynomial& p);
  Polynomial& operator*=(const Monomial& m);
  Polynomial& operator*=(double c);
  Polynomial& operator*=(const Variable& v);

  /** Whether the same monomials have coefficients that are built alike. */
  bool EqualTo(const Polynomial& p) const;
  /** Whether constant coefficients differ by no more than `tolerance`, and the
  others, expanded, are alike. */
  bool CoefficientsAlmostEqual(const Polynomial& p, double tolerance) const;

 private:
  void CollectVariables();
  void RequireApart() const;

  MapType map_;
  Variables indeterminates_;
  Variables decision_variables_;
};

Polynomial operator-(const Polynomial& p);
#define WYVERN_POLYNOMIAL(op)                                       \
  Polynomial operator op(Polynomial a, const Polynomial& b);        \
  Polynomial operator op(Polynomial a, const Monomial& b);          \
  Polynomial operator op(const Monomial& a, Polynomial b);          \
  Polynomial operator op(Polynomial a, double b);                   \
  Polynomial operator op(double a, Polynomial b);                   \
  Polynomial operator op(Polynomial a, const Variable& b);          \
  Polynomial operator op(const Variable& a, Polynomial b);          \
  Expression operator op(const Polynomial& a, const Expression& b); \
  Expression operator op(const Expression& a, const Polynomial& b);
WYVERN_POLYNOMIAL(+)
WYVERN_POLYNOMIAL(-)
WYVERN_POLYNOMIAL(*)
#undef WYVERN_POLYNOMIAL
/** @throws std::runtime_error if c is 0. */
Polynomial operator/(Polynomial p, double c);
Expression operator/(const Polynomial& a, const Expression& b);
Expression operator/(const Expression& a, const Polynomial& b);
/** @throws std::logic_error if n is negative, std::runtime_error if it would
have above 10⁶ terms. */
Polynomial pow(const Polynomial& p, int n);
std::ostream& operator<<(std::ostream& out, const Polynomial& p);

/** That all coefficients are equal. */
Formula operator==(const Polynomial& a, const Polynomial& b);
Formula operator!=(const Polynomial& a, const Polynomial& b);

}  // namespace wyvern::symbolic

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::symbolic::Polynomial> : wyvern::StreamFormatter {
};
/// @endcond

namespace Eigen {
template <>
struct NumTraits<wyvern::symbolic::Polynomial>
    : GenericNumTraits<wyvern::symbolic::Polynomial> {
  using Real = wyvern::symbolic::Polynomial;
  using Nested = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 20,
    MulCost = 20
  };
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<wyvern::symbolic::Polynomial, double, BinaryOp> {
  using ReturnType = wyvern::symbolic::Polynomial;
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<double, wyvern::symbolic::Polynomial, BinaryOp> {
  using ReturnType = wyvern::symbolic::Polynomial;
};
}  // namespace Eigen
