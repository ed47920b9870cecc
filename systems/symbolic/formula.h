#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <set>
#include <string>

#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::symbolic {

/** The outermost operation of a Formula, in the order of Less(). */
enum class FormulaKind : std::uint8_t {
  False,
  True,
  Var,
  Eq,
  Neq,
  Gt,
  Geq,
  Lt,
  Leq,
  And,
  Or,
  Not,
  Forall,
  Isnan,
  PositiveSemidefinite,
};

/** A statement on variables that is true or false: x < y, with &&, || and !.
Where the two sides of a comparison differ by a constant, it is that answer. */
class Formula {
 public:
  /** Constructs False. */
  Formula() : Formula(false) {}
  /** Constructs True or False. */
  explicit Formula(bool value);
  /** The formula that the variable is true.
  @throws std::logic_error of a dummy, std::runtime_error unless the
  variable is BOOLEAN. */
  explicit Formula(const Variable& variable);

  /** Returns the formula that always holds. */
  static Formula True() { return Formula(true); }
  /** Returns the formula that never holds. */
  static Formula False() { return Formula(false); }

  /** Returns the outermost operation. */
  FormulaKind get_kind() const;
  /** Returns a number that formulas built alike share. */
  std::size_t get_hash() const;
  /** All but those that a forall binds. */
  Variables GetFreeVariables() const;
  /** Returns true if both are built alike; they are not evaluated. */
  bool EqualTo(const Formula& other) const;
  /** Orders formulas; those that are EqualTo() are equal in it. */
  bool Less(const Formula& other) const;

  /** Its truth. The right operands of && and || are looked at if they matter. A
  BOOLEAN variable is true if its value is not 0.
  @throws as Expression::Evaluate(); std::logic_error of a forall. */
  bool Evaluate(const Environment& environment = {},
                RandomGenerator* generator = nullptr) const;
  /** Overload for a formula all of whose variables are random. */
  bool Evaluate(RandomGenerator* generator) const {
    return Evaluate({}, generator);
  }
  /** Replaces variables by their values; throws as Substitute(). */
  Formula EvaluatePartial(const Environment& environment) const;
  /** Replaces variables, all at once, but those that a forall binds. A BOOLEAN
  one cannot be replaced by an expression but 0 and 1.
  @throws std::runtime_error if it is to be. */
  Formula Substitute(const Substitution& substitution) const;
  /** Overload that replaces one variable. */
  Formula Substitute(const Variable& variable, const Expression& e) const;

  /** Returns the formula as a text. */
  std::string to_string() const;

  /** Its truth without any variables. @throws as Evaluate() */
  explicit operator bool() const { return Evaluate(); }

  // For the functions of this folder.
  explicit Formula(internal::Ref ref) : ref_(std::move(ref)) {}
  const internal::Ref& ref() const { return ref_; }

 private:
  internal::Ref ref_;
};

/** @name Logical operators
The operands are formulas or BOOLEAN variables. Evaluate() looks at the right
one only if it matters.
@{ */
Formula operator&&(const Formula& a, const Formula& b);
Formula operator&&(const Variable& a, const Formula& b);
Formula operator&&(const Formula& a, const Variable& b);
Formula operator&&(const Variable& a, const Variable& b);
Formula operator||(const Formula& a, const Formula& b);
Formula operator||(const Variable& a, const Formula& b);
Formula operator||(const Formula& a, const Variable& b);
Formula operator||(const Variable& a, const Variable& b);
Formula operator!(const Formula& a);
Formula operator!(const Variable& a);
/** @} */

/** @name Comparisons
Each returns a formula, which is True or False if both sides are constants.
@{ */
Formula operator==(const Expression& a, const Expression& b);
Formula operator!=(const Expression& a, const Expression& b);
Formula operator<(const Expression& a, const Expression& b);
Formula operator<=(const Expression& a, const Expression& b);
Formula operator>(const Expression& a, const Expression& b);
Formula operator>=(const Expression& a, const Expression& b);
/** @} */

/** Whether `f` holds for all values of `variables`. It is not evaluated. */
Formula forall(const Variables& variables, const Formula& f);
/** All of them; True of none. */
Formula make_conjunction(const std::set<Formula>& formulas);
/** One of them; False of none. */
Formula make_disjunction(const std::set<Formula>& formulas);
/** That the value of `e` is NaN. */
Formula isnan(const Expression& e);
/** That the value of `e` is infinite. */
Formula isinf(const Expression& e);
/** That the value of `e` is a finite number. */
Formula isfinite(const Expression& e);
/** x'Mx >= 0 for all x. `m` is n x n and built alike on both sides of its
diagonal. It is not evaluated. @throws std::runtime_error if it is not so. */
Formula positive_semidefinite(const Eigen::Ref<const MatrixX<Expression>>& m);
/** x'Mx >= 0 for all x, where M is the symmetric matrix whose lower or upper
triangle `m` has. @throws std::runtime_error if `m` is not square,
std::logic_error if `triangle` is neither Eigen::Lower nor Eigen::Upper. */
Formula positive_semidefinite(const Eigen::Ref<const MatrixX<Expression>>& m,
                              Eigen::UpLoType triangle);
template <typename Derived, unsigned int triangle>
Formula positive_semidefinite(
    const Eigen::TriangularView<Derived, triangle>& m) {
  static_assert(triangle == Eigen::Lower || triangle == Eigen::Upper);
  return positive_semidefinite(MatrixX<Expression>(m.nestedExpression()),
                               static_cast<Eigen::UpLoType>(triangle));
}

/** Writes to_string(). */
std::ostream& operator<<(std::ostream& out, const Formula& f);

/** The number that an expression is. @throws std::runtime_error if it has
variables. */
double ToDouble(const Expression& e);
/** The number that an expression is, NaN of NaN(), `unknown` if it has
variables: for the checks of arguments. */
double KnownNumberOr(const Expression& e, double unknown);
/** Whether a formula is true or has variables: for the same checks. */
bool MayHold(const Formula& f);

/** @name Kind of a formula
Each returns true for formulas of its kind. is_relational() holds for all
comparisons, is_nary() for conjunctions and disjunctions.
@{ */
bool is_false(const Formula& f);
bool is_true(const Formula& f);
bool is_variable(const Formula& f);
bool is_equal_to(const Formula& f);
bool is_not_equal_to(const Formula& f);
bool is_greater_than(const Formula& f);
bool is_greater_than_or_equal_to(const Formula& f);
bool is_less_than(const Formula& f);
bool is_less_than_or_equal_to(const Formula& f);
bool is_relational(const Formula& f);
bool is_conjunction(const Formula& f);
bool is_disjunction(const Formula& f);
bool is_nary(const Formula& f);
bool is_negation(const Formula& f);
bool is_forall(const Formula& f);
bool is_isnan(const Formula& f);
bool is_positive_semidefinite(const Formula& f);
/** @} */

/** @name Parts of a formula
@throws std::logic_error if a formula of this kind has no such part.
@{ */
Variable get_variable(const Formula& f);
Expression get_lhs_expression(const Formula& f);
Expression get_rhs_expression(const Formula& f);
Expression get_unary_expression(const Formula& f);
std::set<Formula> get_operands(const Formula& f);
Formula get_operand(const Formula& f);
Variables get_quantified_variables(const Formula& f);
Formula get_quantified_formula(const Formula& f);
MatrixX<Expression> get_matrix_in_positive_semidefinite(const Formula& f);
/** @} */

}  // namespace wyvern::symbolic

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::symbolic::Formula> : wyvern::StreamFormatter {};
/// @endcond

namespace wyvern {
using symbolic::ToDouble;
}  // namespace wyvern

/// @cond
// For matrix.cast<double>(): throws as ToDouble().
template <>
struct Eigen::internal::cast_impl<wyvern::symbolic::Expression, double> {
  static double run(const wyvern::symbolic::Expression& e) {
    return wyvern::symbolic::ToDouble(e);
  }
};
/// @endcond

template <>
struct std::hash<wyvern::symbolic::Formula> {
  std::size_t operator()(const wyvern::symbolic::Formula& f) const {
    return f.get_hash();
  }
};
template <>
struct std::less<wyvern::symbolic::Formula> {
  bool operator()(const wyvern::symbolic::Formula& a,
                  const wyvern::symbolic::Formula& b) const {
    return a.Less(b);
  }
};
template <>
struct std::equal_to<wyvern::symbolic::Formula> {
  bool operator()(const wyvern::symbolic::Formula& a,
                  const wyvern::symbolic::Formula& b) const {
    return a.EqualTo(b);
  }
};

namespace Eigen {
template <>
struct NumTraits<wyvern::symbolic::Formula>
    : GenericNumTraits<wyvern::symbolic::Formula> {
  using Real = wyvern::symbolic::Formula;
  using Nested = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 0,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 20,
    MulCost = 20
  };
};
}  // namespace Eigen
