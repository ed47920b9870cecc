#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

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
  /** Coefficients by monomials. */
  using MapType = std::map<Monomial, Expression, MonomialOrder>;

  /** 0 */
  Polynomial() = default;
  /** 0; a template so that Polynomial(0) is the constant. */
  template <std::same_as<std::nullptr_t> Null>
  explicit Polynomial(Null) {}
  /** Takes the coefficients by monomials.
  @throws std::runtime_error if a variable is in a monomial and in a
  coefficient. */
  explicit Polynomial(MapType map);
  /** A monomial, with the coefficient 1. */
  Polynomial(const Monomial& m);  // NOLINT(runtime/explicit)
  /** A constant, without variables. */
  explicit Polynomial(double constant);
  /** The polynomial v of the indeterminate v. */
  explicit Polynomial(const Variable& v) : Polynomial(Monomial(v)) {}
  /** With all its variables as indeterminates.
  @throws std::runtime_error if `e` is no polynomial in them, or would have
  above 10⁶ terms. */
  explicit Polynomial(const Expression& e);
  /** Converts an expression that is a polynomial in `indeterminates`.
  @throws as above. */
  Polynomial(const Expression& e, const Variables& indeterminates);
  /** Overload that takes a vector; one that is there twice counts once. */
  Polynomial(const Expression& e,
             const Eigen::Ref<const VectorX<Variable>>& indeterminates)
      : Polynomial(e, Variables(indeterminates)) {}

  /** Returns the variables that monomials are of, or may be. */
  const Variables& indeterminates() const { return indeterminates_; }
  /** Returns the variables that coefficients are of, or may be. */
  const Variables& decision_variables() const { return decision_variables_; }
  /** Sorts the variables anew. @throws as the constructor. */
  void SetIndeterminates(const Variables& indeterminates);
  /** Returns the terms, the lowest degree first. */
  const MapType& monomial_to_coefficient_map() const { return map_; }
  /** Returns a number that equal polynomials share. */
  std::size_t get_hash() const;

  /** The highest power of an indeterminate. */
  int Degree(const Variable& v) const;
  /** Returns the highest degree of a monomial; 0 of the polynomial 0. */
  int TotalDegree() const;
  /** Returns the sum of coefficients times monomials, as it stands. */
  Expression ToExpression() const;
  /** Returns a text with every coefficient and monomial: "2*x + a*1". */
  std::string to_string() const;

  /** By an indeterminate or a decision variable. */
  Polynomial Differentiate(const Variable& x) const;
  /** Returns the derivatives by each of `variables`, as Differentiate(). */
  RowVectorX<Polynomial> Jacobian(
      const Eigen::Ref<const VectorX<Variable>>& variables) const;
  /** The antiderivative that is 0 at x = 0.
  @throws std::runtime_error if x is a decision variable. */
  Polynomial Integrate(const Variable& x) const;
  /** From x = a to x = b. @throws as above. */
  Polynomial Integrate(const Variable& x, double a, double b) const;

  /** Returns the value of the polynomial.
  @throws as Expression::Evaluate() */
  double Evaluate(const Environment& environment) const;
  /** Replaces the variables that have values by them, also in coefficients. */
  Polynomial EvaluatePartial(const Environment& environment) const;
  /** Overload for one variable. */
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
  /** Returns true if all monomials have odd degrees. */
  bool IsOdd() const;
  /** Returns the roots of a polynomial of one indeterminate with constant
  coefficients.
  @throws std::runtime_error if it is not so, or is constant. */
  Eigen::VectorXcd Roots() const;

  /** Adds a polynomial.
  @throws std::runtime_error if a variable is an indeterminate of one and in a
  coefficient of the other; so do the operators below. */
  Polynomial& operator+=(const Polynomial& p);
  /** Adds a monomial. */
  Polynomial& operator+=(const Monomial& m) { return AddProduct(1, m); }
  /** Adds a constant. */
  Polynomial& operator+=(double c) { return AddProduct(c, Monomial()); }
  /** Adds a variable: a monomial if it is an indeterminate, else a
  coefficient. */
  Polynomial& operator+=(const Variable& v);
  /** Subtracts a polynomial. */
  Polynomial& operator-=(const Polynomial& p);
  /** Subtracts a monomial. */
  Polynomial& operator-=(const Monomial& m) { return AddProduct(-1, m); }
  /** Subtracts a constant. */
  Polynomial& operator-=(double c) { return AddProduct(-c, Monomial()); }
  /** Subtracts a variable, which is taken as by +=. */
  Polynomial& operator-=(const Variable& v);
  /** Multiplies by a polynomial, term by term. */
  Polynomial& operator*=(const Polynomial& p);
  /** Multiplies by a monomial. */
  Polynomial& operator*=(const Monomial& m);
  /** Multiplies every coefficient. */
  Polynomial& operator*=(double c);
  /** Multiplies by a variable, which is taken as by +=. */
  Polynomial& operator*=(const Variable& v);
  /** Divides every coefficient.
  @throws std::runtime_error if c is 0. */
  Polynomial& operator/=(double c);

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

/** @name Arithmetic
Results with an Expression are Expressions.
@{ */
Polynomial operator-(const Polynomial& p);
Polynomial operator+(const Monomial& a, const Monomial& b);
Polynomial operator-(const Monomial& a, const Monomial& b);
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
/** Divides all coefficients by c. @throws std::runtime_error if c is 0. */
Polynomial operator/(Polynomial p, double c);
Expression operator/(const Polynomial& a, const Expression& b);
Expression operator/(const Expression& a, const Polynomial& b);
/** @} */
/** Returns the power of a polynomial, multiplied out.
@throws std::logic_error if n is negative, std::runtime_error if it would
have above 10⁶ terms. */
Polynomial pow(const Polynomial& p, int n);
/** Writes to_string(). */
std::ostream& operator<<(std::ostream& out, const Polynomial& p);

/** The formula that all coefficients are equal. */
Formula operator==(const Polynomial& a, const Polynomial& b);
/** The formula that some coefficient differs. */
Formula operator!=(const Polynomial& a, const Polynomial& b);

namespace internal {
/** Whether T is one of the types of this folder that sums and products of
other types may become. */
template <typename T>
inline constexpr bool kIsAlgebraic = false;
template <>
inline constexpr bool kIsAlgebraic<Monomial> = true;
template <>
inline constexpr bool kIsAlgebraic<Polynomial> = true;

/** The type of a sum of products. */
template <typename A, typename B>
using SumOfProducts =
    std::remove_cvref_t<decltype(std::declval<A>() * std::declval<B>() +
                                 std::declval<A>() * std::declval<B>())>;

/** Whether a product of matrices needs the operator below: the scalars differ,
or a sum of their products has another type than they have. */
template <typename A, typename B>
constexpr bool NeedsAlgebraicProduct() {
  if constexpr (kIsAlgebraic<A> || kIsAlgebraic<B>) {
    return !std::is_same_v<A, B> || !std::is_same_v<A, SumOfProducts<A, B>>;
  } else {
    return false;
  }
}
template <typename Left, typename Right>
concept HasAlgebraicProduct = is_eigen_type<Left>::value &&
    is_eigen_type<Right>::value &&
    NeedsAlgebraicProduct<typename Left::Scalar, typename Right::Scalar>();

/** Throws std::logic_error unless a has as many columns as b has rows. */
void RequireProductSizes(Eigen::Index rows_a, Eigen::Index cols_a,
                         Eigen::Index rows_b, Eigen::Index cols_b);
}  // namespace internal

/** Returns the product of a matrix of monomials, polynomials or rational
functions with one of another type; its entries have the type that sums of
products of the two types have.
@throws std::logic_error if the sizes do not match. */
template <typename Left, typename Right>
requires internal::HasAlgebraicProduct<Left, Right>
auto operator*(const Left& a, const Right& b) {
  using Sum =
      internal::SumOfProducts<typename Left::Scalar, typename Right::Scalar>;
  internal::RequireProductSizes(a.rows(), a.cols(), b.rows(), b.cols());
  const typename Left::PlainObject left(a);
  const typename Right::PlainObject right(b);
  Eigen::Matrix<Sum, Left::RowsAtCompileTime, Right::ColsAtCompileTime> result(
      a.rows(), b.cols());
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      Sum sum(0.0);
      for (Eigen::Index k = 0; k < a.cols(); ++k) {
        sum += left(i, k) * right(k, j);
      }
      result(i, j) = std::move(sum);
    }
  }
  return result;
}

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
  using Literal = double;
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

// Operations on two of double, Variable, Monomial and Polynomial, one of them a
// Monomial or Polynomial, return a Polynomial; with an Expression, they return
// an Expression. Only the product of two Monomials is a Monomial.
#define WYVERN_RESULT(A, B, R)                                    \
  template <typename BinaryOp>                                    \
  struct ScalarBinaryOpTraits<wyvern::symbolic::A, B, BinaryOp> { \
    using ReturnType = wyvern::symbolic::R;                       \
  };                                                              \
  template <typename BinaryOp>                                    \
  struct ScalarBinaryOpTraits<B, wyvern::symbolic::A, BinaryOp> { \
    using ReturnType = wyvern::symbolic::R;                       \
  };
WYVERN_RESULT(Polynomial, double, Polynomial)
WYVERN_RESULT(Polynomial, wyvern::symbolic::Variable, Polynomial)
WYVERN_RESULT(Polynomial, wyvern::symbolic::Monomial, Polynomial)
WYVERN_RESULT(Polynomial, wyvern::symbolic::Expression, Expression)
WYVERN_RESULT(Monomial, double, Polynomial)
WYVERN_RESULT(Monomial, wyvern::symbolic::Variable, Polynomial)
WYVERN_RESULT(Monomial, wyvern::symbolic::Expression, Expression)
#undef WYVERN_RESULT
#define WYVERN_RESULT(OP)                                                     \
  template <>                                                                 \
  struct ScalarBinaryOpTraits<                                                \
      wyvern::symbolic::Monomial, wyvern::symbolic::Monomial,                 \
      internal::OP<wyvern::symbolic::Monomial, wyvern::symbolic::Monomial>> { \
    using ReturnType = wyvern::symbolic::Polynomial;                          \
  };
WYVERN_RESULT(scalar_sum_op)
WYVERN_RESULT(scalar_difference_op)
#undef WYVERN_RESULT

/// @cond
// For matrix.cast<Expression>().
template <>
struct internal::cast_impl<wyvern::symbolic::Polynomial,
                           wyvern::symbolic::Expression> {
  static wyvern::symbolic::Expression run(
      const wyvern::symbolic::Polynomial& p) {
    return p.ToExpression();
  }
};
template <>
struct internal::cast_impl<wyvern::symbolic::Monomial,
                           wyvern::symbolic::Expression> {
  static wyvern::symbolic::Expression run(const wyvern::symbolic::Monomial& m) {
    return m.ToExpression();
  }
};
/// @endcond
}  // namespace Eigen
