#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/symbolic/environment.h"
#include "wyvern/systems/symbolic/variable.h"
#include "wyvern/systems/symbolic/variables.h"

namespace wyvern::symbolic {

class Formula;
class Expression;

/** Replacements of variables. */
using Substitution = std::unordered_map<Variable, Expression>;

/** The outermost operation of an Expression, in the order of Less(). */
enum class ExpressionKind : std::uint8_t {
  Constant,
  Var,
  Add,
  Mul,
  Div,
  Log,
  Abs,
  Exp,
  Sqrt,
  Pow,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,
  Sinh,
  Cosh,
  Tanh,
  Min,
  Max,
  Ceil,
  Floor,
  IfThenElse,
  NaN,
  UninterpretedFunction,
};

/** A formula in variables whose value is a number:
@code
const Variable x("x"), y("y");
const Expression e = 3 + sin(x) * y;
e.Evaluate({{x, 0.5}, {y, 2}});  // 3.96
e.Differentiate(x);              // (y * cos(x))
@endcode
It is built by arithmetic and elementary functions, which simplify as README.md
says. Copies share their parts, and parts never change; each function goes over
a shared part once, however often it occurs, and needs no deep stack.

NaN comes in by NaN() alone: where a constant, an operation on constants or a
value at an evaluation is not a number, std::runtime_error is thrown. */
class Expression {
 public:
  /** The constant 0. */
  Expression() = default;
  /** A constant. @throws std::runtime_error if it is NaN. */
  Expression(double value);  // NOLINT(runtime/explicit)
  /** The variable as an expression.
  @throws std::logic_error of a dummy.
  @throws std::runtime_error of a BOOLEAN variable: it has no number. */
  Expression(const Variable& variable);  // NOLINT(runtime/explicit)

  /** Returns the constant 0. */
  static Expression Zero() { return 0.0; }
  /** Returns the constant 1. */
  static Expression One() { return 1.0; }
  /** Returns the constant π. */
  static Expression Pi();
  /** Returns the constant e. */
  static Expression E();
  /** Returns an expression without a value, which stands where a derivative
  does not exist. Its evaluation throws. */
  static Expression NaN();

  /** Returns the outermost operation. */
  ExpressionKind get_kind() const;
  /** Returns a number that expressions built alike share. */
  std::size_t get_hash() const;
  /** Returns the variables that occur in it. */
  Variables GetVariables() const;

  /** Whether it is built alike: as x + y and y + x are, but not (x + y)² and
  its expansion. */
  bool EqualTo(const Expression& other) const;
  /** An order, in which EqualTo() ones are equal. */
  bool Less(const Expression& other) const;
  /** Whether it is a sum of products of variables and constants, as it stands
  or multiplied out. */
  bool is_polynomial() const;
  /** Whether Expand() would change nothing. */
  bool is_expanded() const;

  /** Its value, with those of its variables from `environment`; the random ones
  that are not there are drawn, each once.
  @throws std::runtime_error if a variable has no value, at a division by 0, or
  if a value is not a number. @throws std::logic_error if there is something to
  draw and no generator, or it holds an uninterpreted function. */
  double Evaluate(const Environment& environment = {},
                  RandomGenerator* generator = nullptr) const;
  /** Overload for an expression all of whose variables are random. */
  double Evaluate(RandomGenerator* generator) const {
    return Evaluate({}, generator);
  }
  /** Draws the random variables in it that have no value yet. */
  void Draw(RandomGenerator* generator, Environment* environment) const;

  /** Replaces variables by their values. */
  Expression EvaluatePartial(const Environment& environment) const;
  /** Multiplies sums out, in products and in powers whose exponents are
  integers. @throws std::runtime_error if it would have above 10⁶ terms. */
  Expression Expand() const;
  /** Replaces variables, all at once. */
  Expression Substitute(const Substitution& substitution) const;
  /** Overload that replaces one variable. */
  Expression Substitute(const Variable& variable, const Expression& e) const;
  /** The derivative by `x`. Where a function has a kink or a jump it is NaN().
  @throws std::runtime_error of an uninterpreted function of `x`. */
  Expression Differentiate(const Variable& x) const;
  /** The derivatives by each. @throws as Differentiate() */
  RowVectorX<Expression> Jacobian(
      const Eigen::Ref<const VectorX<Variable>>& variables) const;

  /** As a text. One that would be longer than 64 MB, as it can be if parts are
  shared, ends with "...". */
  std::string to_string() const;

  /** Adds an expression. */
  Expression& operator+=(const Expression& b);
  /** Subtracts an expression. */
  Expression& operator-=(const Expression& b);
  /** Multiplies by an expression. */
  Expression& operator*=(const Expression& b);
  /** Divides.
  @throws std::runtime_error of a constant by the constant 0. */
  Expression& operator/=(const Expression& b);
  /** Adds 1. */
  Expression& operator++() { return *this += 1.0; }
  /** Adds 1 and returns what it was before. */
  Expression operator++(int) {
    Expression before(*this);
    *this += 1.0;
    return before;
  }
  /** Subtracts 1. */
  Expression& operator--() { return *this -= 1.0; }
  /** Subtracts 1 and returns what it was before. */
  Expression operator--(int) {
    Expression before(*this);
    *this -= 1.0;
    return before;
  }

  // For the functions of this folder.
  explicit Expression(internal::Ref ref) : ref_(std::move(ref)) {}
  const internal::Ref& ref() const { return ref_; }

 private:
  internal::Ref ref_;
};

}  // namespace wyvern::symbolic

template <>
struct std::hash<wyvern::symbolic::Expression> {
  std::size_t operator()(const wyvern::symbolic::Expression& e) const {
    return e.get_hash();
  }
};
template <>
struct std::less<wyvern::symbolic::Expression> {
  bool operator()(const wyvern::symbolic::Expression& a,
                  const wyvern::symbolic::Expression& b) const {
    return a.Less(b);
  }
};
template <>
struct std::equal_to<wyvern::symbolic::Expression> {
  bool operator()(const wyvern::symbolic::Expression& a,
                  const wyvern::symbolic::Expression& b) const {
    return a.EqualTo(b);
  }
};
template <>
class std::numeric_limits<wyvern::symbolic::Expression>
    : public std::numeric_limits<double> {
 public:
  static wyvern::symbolic::Expression quiet_NaN() {
    return wyvern::symbolic::Expression::NaN();
  }
};

namespace Eigen {

template <>
struct NumTraits<wyvern::symbolic::Expression>
    : GenericNumTraits<wyvern::symbolic::Expression> {
  using Real = wyvern::symbolic::Expression;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  static int digits10() { return 0; }
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

// Operations on two different scalars among double, Variable and Expression,
// and on two variables, return an Expression.
template <typename BinaryOp>
struct ScalarBinaryOpTraits<wyvern::symbolic::Expression, double, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<double, wyvern::symbolic::Expression, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<wyvern::symbolic::Expression,
                            wyvern::symbolic::Variable, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<wyvern::symbolic::Variable,
                            wyvern::symbolic::Expression, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<wyvern::symbolic::Variable, double, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<double, wyvern::symbolic::Variable, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<wyvern::symbolic::Variable,
                            wyvern::symbolic::Variable, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};

// Eigen's own tests for an exact number are on how an expression is built.
namespace numext {
template <>
EIGEN_STRONG_INLINE bool equal_strict(const wyvern::symbolic::Expression& a,
                                      const wyvern::symbolic::Expression& b) {
  return a.EqualTo(b);
}
template <>
EIGEN_STRONG_INLINE bool not_equal_strict(
    const wyvern::symbolic::Expression& a,
    const wyvern::symbolic::Expression& b) {
  return !a.EqualTo(b);
}
template <>
EIGEN_STRONG_INLINE bool equal_strict(const wyvern::symbolic::Variable& a,
                                      const wyvern::symbolic::Variable& b) {
  return a.equal_to(b);
}
template <>
EIGEN_STRONG_INLINE bool not_equal_strict(const wyvern::symbolic::Variable& a,
                                          const wyvern::symbolic::Variable& b) {
  return !a.equal_to(b);
}
}  // namespace numext

}  // namespace Eigen

namespace wyvern::symbolic {

/** @name Arithmetic
The first operand is taken by value: a sum or product that nobody else holds
grows in place.
@{ */
Expression operator+(Expression a, const Expression& b);
Expression operator-(Expression a, const Expression& b);
Expression operator*(Expression a, const Expression& b);
/** Returns the quotient.
@throws std::runtime_error of a constant divided by the constant 0. */
Expression operator/(Expression a, const Expression& b);
Expression operator-(const Expression& a);
inline Expression operator+(const Expression& a) { return a; }
/** @} */

/** @name Functions
Angles are in radians.
@throws std::runtime_error of a constant outside of the domain.
@{ */
Expression sin(const Expression& a);
Expression cos(const Expression& a);
Expression tan(const Expression& a);
Expression asin(const Expression& a);
Expression acos(const Expression& a);
Expression atan(const Expression& a);
Expression sinh(const Expression& a);
Expression cosh(const Expression& a);
Expression tanh(const Expression& a);
Expression exp(const Expression& a);
Expression log(const Expression& a);
Expression sqrt(const Expression& a);
Expression abs(const Expression& a);
Expression floor(const Expression& a);
Expression ceil(const Expression& a);
Expression atan2(const Expression& y, const Expression& x);
Expression pow(const Expression& base, const Expression& exponent);
Expression min(const Expression& a, const Expression& b);
Expression max(const Expression& a, const Expression& b);
/** @} */
/** `e_then` where `condition` holds, else `e_else`; the other one need not have
a value there. */
Expression if_then_else(const Formula& condition, const Expression& e_then,
                        const Expression& e_else);
/** A function that has a name and arguments, and nothing else is known of.
@throws std::logic_error if the name is empty. */
Expression uninterpreted_function(std::string name,
                                  std::vector<Expression> arguments);

/** Exchanges two expressions. */
inline void swap(Expression& a, Expression& b) { std::swap(a, b); }
/** Writes to_string(). */
std::ostream& operator<<(std::ostream& out, const Expression& a);

}  // namespace wyvern::symbolic

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::symbolic::Expression> : wyvern::StreamFormatter {
};
/// @endcond
