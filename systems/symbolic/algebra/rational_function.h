#pragma once

#include <concepts>
#include <cstddef>
#include <ostream>
#include <string>

#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/symbolic/algebra/polynomial.h"

namespace wyvern::symbolic {

/** A quotient of two polynomials, of which common factors are not taken out. */
class RationalFunction {
 public:
  /** 0 / 1 */
  RationalFunction() : denominator_(1.0) {}
  /** 0 / 1; a template so that RationalFunction(0) is the constant. */
  template <std::same_as<std::nullptr_t> Null>
  explicit RationalFunction(Null) : RationalFunction() {}
  /** Returns numerator / denominator.
  @throws std::logic_error if the denominator is 0.
  @throws std::runtime_error if an indeterminate of one is in the other's
  coefficients. */
  RationalFunction(Polynomial numerator, Polynomial denominator);
  /** p / 1 */
  explicit RationalFunction(const Polynomial& p) : RationalFunction(p, one()) {}
  /** m / 1 */
  explicit RationalFunction(const Monomial& m)
      : RationalFunction(Polynomial(m)) {}
  /** c / 1 */
  explicit RationalFunction(double c) : RationalFunction(Polynomial(c)) {}

  /** Returns the numerator; common factors are in it. */
  const Polynomial& numerator() const { return numerator_; }
  /** Returns the denominator, which is not 0. */
  const Polynomial& denominator() const { return denominator_; }
  /** Sorts the variables of both anew; see Polynomial::SetIndeterminates(). */
  void SetIndeterminates(const Variables& indeterminates);

  /** Returns the value of the quotient.
  @throws std::runtime_error if the denominator is 0 there; as
  Polynomial::Evaluate(). */
  double Evaluate(const Environment& environment) const;
  /** Returns the quotient of the two as an Expression. */
  Expression ToExpression() const;
  /** Returns a text, "(numerator) / (denominator)". */
  std::string to_string() const;
  /** Whether the numerators are alike, and the denominators. */
  bool EqualTo(const RationalFunction& f) const {
    return numerator_.EqualTo(f.numerator_) &&
           denominator_.EqualTo(f.denominator_);
  }

  /** Adds a quotient; over a common denominator, if both are built alike. */
  RationalFunction& operator+=(const RationalFunction& f);
  /** Subtracts a quotient, as += adds one. */
  RationalFunction& operator-=(const RationalFunction& f);
  /** Multiplies numerators and denominators. */
  RationalFunction& operator*=(const RationalFunction& f);
  /** Divides by a quotient.
  @throws std::logic_error if f is 0. */
  RationalFunction& operator/=(const RationalFunction& f);
  // With a polynomial, a monomial or a number.
  RationalFunction& operator+=(const Polynomial& p) {
    return *this += RationalFunction(p);
  }
  /** Subtracts a polynomial. */
  RationalFunction& operator-=(const Polynomial& p) {
    return *this -= RationalFunction(p);
  }
  /** Multiplies by a polynomial. */
  RationalFunction& operator*=(const Polynomial& p) {
    return *this *= RationalFunction(p);
  }
  /** Divides by a polynomial.
  @throws std::logic_error if p is 0. */
  RationalFunction& operator/=(const Polynomial& p) {
    return *this /= RationalFunction(p);
  }
  /** Adds a constant. */
  RationalFunction& operator+=(double c) {
    return *this += RationalFunction(c);
  }
  /** Subtracts a constant. */
  RationalFunction& operator-=(double c) {
    return *this -= RationalFunction(c);
  }
  /** Multiplies by a constant. */
  RationalFunction& operator*=(double c) {
    return *this *= RationalFunction(c);
  }
  /** Divides by a constant.
  @throws std::logic_error if c is 0. */
  RationalFunction& operator/=(double c) {
    return *this /= RationalFunction(c);
  }

 private:
  static Polynomial one() { return Polynomial(1.0); }

  Polynomial numerator_;
  Polynomial denominator_;
};

/** Returns the negative. */
RationalFunction operator-(const RationalFunction& f);
#define WYVERN_RATIONAL(op)                                                    \
  RationalFunction operator op(RationalFunction a, const RationalFunction& b); \
  RationalFunction operator op(RationalFunction a, const Polynomial& b);       \
  RationalFunction operator op(const Polynomial& a,                            \
                               const RationalFunction& b);                     \
  RationalFunction operator op(RationalFunction a, double b);                  \
  RationalFunction operator op(double a, const RationalFunction& b);
WYVERN_RATIONAL(+)
WYVERN_RATIONAL(-)
WYVERN_RATIONAL(*)
WYVERN_RATIONAL(/)
#undef WYVERN_RATIONAL
/** Returns the power; for a negative n, that of the reciprocal. @throws
std::logic_error if that is of 0. */
RationalFunction pow(const RationalFunction& f, int n);
/** Writes to_string(). */
std::ostream& operator<<(std::ostream& out, const RationalFunction& f);

/** The formula that a's numerator times b's denominator is b's times a's. */
Formula operator==(const RationalFunction& a, const RationalFunction& b);
/** The formula that the two products differ. */
Formula operator!=(const RationalFunction& a, const RationalFunction& b);

namespace internal {
template <>
inline constexpr bool kIsAlgebraic<RationalFunction> = true;
}  // namespace internal

}  // namespace wyvern::symbolic

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::symbolic::RationalFunction>
    : wyvern::StreamFormatter {};
/// @endcond

namespace Eigen {
template <>
struct NumTraits<wyvern::symbolic::RationalFunction>
    : GenericNumTraits<wyvern::symbolic::RationalFunction> {
  using Real = wyvern::symbolic::RationalFunction;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 40,
    MulCost = 40
  };
};

// Operations with a number, a Monomial or a Polynomial return a
// RationalFunction.
#define WYVERN_RESULT(B)                                             \
  template <typename BinaryOp>                                       \
  struct ScalarBinaryOpTraits<wyvern::symbolic::RationalFunction, B, \
                              BinaryOp> {                            \
    using ReturnType = wyvern::symbolic::RationalFunction;           \
  };                                                                 \
  template <typename BinaryOp>                                       \
  struct ScalarBinaryOpTraits<B, wyvern::symbolic::RationalFunction, \
                              BinaryOp> {                            \
    using ReturnType = wyvern::symbolic::RationalFunction;           \
  };
WYVERN_RESULT(double)
WYVERN_RESULT(wyvern::symbolic::Monomial)
WYVERN_RESULT(wyvern::symbolic::Polynomial)
#undef WYVERN_RESULT
}  // namespace Eigen
