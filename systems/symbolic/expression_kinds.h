#pragma once

/** @file
What an expression is made of: its kind, its parts, and a visit by kind. */

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic {

/** @name Kind of an expression
Each returns true for expressions of its kind. is_two() and the like compare
with the number.
@{ */
inline bool is_constant(const Expression& e) {
  return e.get_kind() == ExpressionKind::Constant;
}
bool is_constant(const Expression& e, double value);
inline bool is_zero(const Expression& e) { return is_constant(e, 0); }
inline bool is_one(const Expression& e) { return is_constant(e, 1); }
inline bool is_neg_one(const Expression& e) { return is_constant(e, -1); }
inline bool is_two(const Expression& e) { return is_constant(e, 2); }

#define WYVERN_IS_KIND(name, Kind) \
  inline bool name(const Expression& e) { return e.get_kind() == Kind; }
WYVERN_IS_KIND(is_nan, ExpressionKind::NaN)
WYVERN_IS_KIND(is_variable, ExpressionKind::Var)
WYVERN_IS_KIND(is_addition, ExpressionKind::Add)
WYVERN_IS_KIND(is_multiplication, ExpressionKind::Mul)
WYVERN_IS_KIND(is_division, ExpressionKind::Div)
WYVERN_IS_KIND(is_log, ExpressionKind::Log)
WYVERN_IS_KIND(is_abs, ExpressionKind::Abs)
WYVERN_IS_KIND(is_exp, ExpressionKind::Exp)
WYVERN_IS_KIND(is_sqrt, ExpressionKind::Sqrt)
WYVERN_IS_KIND(is_pow, ExpressionKind::Pow)
WYVERN_IS_KIND(is_sin, ExpressionKind::Sin)
WYVERN_IS_KIND(is_cos, ExpressionKind::Cos)
WYVERN_IS_KIND(is_tan, ExpressionKind::Tan)
WYVERN_IS_KIND(is_asin, ExpressionKind::Asin)
WYVERN_IS_KIND(is_acos, ExpressionKind::Acos)
WYVERN_IS_KIND(is_atan, ExpressionKind::Atan)
WYVERN_IS_KIND(is_atan2, ExpressionKind::Atan2)
WYVERN_IS_KIND(is_sinh, ExpressionKind::Sinh)
WYVERN_IS_KIND(is_cosh, ExpressionKind::Cosh)
WYVERN_IS_KIND(is_tanh, ExpressionKind::Tanh)
WYVERN_IS_KIND(is_min, ExpressionKind::Min)
WYVERN_IS_KIND(is_max, ExpressionKind::Max)
WYVERN_IS_KIND(is_ceil, ExpressionKind::Ceil)
WYVERN_IS_KIND(is_floor, ExpressionKind::Floor)
WYVERN_IS_KIND(is_if_then_else, ExpressionKind::IfThenElse)
WYVERN_IS_KIND(is_uninterpreted_function, ExpressionKind::UninterpretedFunction)
#undef WYVERN_IS_KIND
/** @} */

/** @name Parts of an expression
@throws std::logic_error if the expression is of another kind.
@{ */
/** Returns the number of a constant. */
double get_constant_value(const Expression& e);
/** Returns the variable. */
Variable get_variable(const Expression& e);
/** Returns the argument of a function of one argument. */
Expression get_argument(const Expression& e);
/** Returns the first argument of a quotient, a power, atan2, min or max:
numerator, base, y. */
Expression get_first_argument(const Expression& e);
/** Returns the second argument: denominator, exponent, x. */
Expression get_second_argument(const Expression& e);
/** Returns the constant of a sum; 0 if there is none. */
double get_constant_in_addition(const Expression& e);
/** The terms of a sum without its constant: what each is times its number. */
std::map<Expression, double> get_expr_to_coeff_map_in_addition(
    const Expression& e);
/** Returns the constant of a product; 1 if there is none. */
double get_constant_in_multiplication(const Expression& e);
/** The factors of a product without its constant: bases and exponents. A
base to a power that is no integer is a base itself, of exponent 1. */
std::map<Expression, Expression> get_base_to_exponent_map_in_multiplication(
    const Expression& e);
/** Returns the condition of if_then_else(). */
Formula get_conditional_formula(const Expression& e);
/** Returns the value where the condition holds. */
Expression get_then_expression(const Expression& e);
/** Returns the value where the condition does not hold. */
Expression get_else_expression(const Expression& e);
/** Returns the name of the function. */
std::string get_uninterpreted_function_name(const Expression& e);
/** Returns the arguments of the function. */
std::vector<Expression> get_uninterpreted_function_arguments(
    const Expression& e);
/** @} */

/** Calls the one of the visitor's functions that is of the kind of `e`, such as
visitor->VisitAddition(e, args...), and returns what it returns.
@throws std::runtime_error of NaN. */
template <typename Result, typename Visitor, typename... Args>
Result VisitExpression(Visitor* visitor, const Expression& e, Args&&... args) {
  switch (e.get_kind()) {
#define WYVERN_VISIT(kind, Visit) \
  case kind:                      \
    return visitor->Visit(e, std::forward<Args>(args)...);
    WYVERN_VISIT(ExpressionKind::Constant, VisitConstant)
    WYVERN_VISIT(ExpressionKind::Var, VisitVariable)
    WYVERN_VISIT(ExpressionKind::Add, VisitAddition)
    WYVERN_VISIT(ExpressionKind::Mul, VisitMultiplication)
    WYVERN_VISIT(ExpressionKind::Div, VisitDivision)
    WYVERN_VISIT(ExpressionKind::Log, VisitLog)
    WYVERN_VISIT(ExpressionKind::Abs, VisitAbs)
    WYVERN_VISIT(ExpressionKind::Exp, VisitExp)
    WYVERN_VISIT(ExpressionKind::Sqrt, VisitSqrt)
    WYVERN_VISIT(ExpressionKind::Pow, VisitPow)
    WYVERN_VISIT(ExpressionKind::Sin, VisitSin)
    WYVERN_VISIT(ExpressionKind::Cos, VisitCos)
    WYVERN_VISIT(ExpressionKind::Tan, VisitTan)
    WYVERN_VISIT(ExpressionKind::Asin, VisitAsin)
    WYVERN_VISIT(ExpressionKind::Acos, VisitAcos)
    WYVERN_VISIT(ExpressionKind::Atan, VisitAtan)
    WYVERN_VISIT(ExpressionKind::Atan2, VisitAtan2)
    WYVERN_VISIT(ExpressionKind::Sinh, VisitSinh)
    WYVERN_VISIT(ExpressionKind::Cosh, VisitCosh)
    WYVERN_VISIT(ExpressionKind::Tanh, VisitTanh)
    WYVERN_VISIT(ExpressionKind::Min, VisitMin)
    WYVERN_VISIT(ExpressionKind::Max, VisitMax)
    WYVERN_VISIT(ExpressionKind::Ceil, VisitCeil)
    WYVERN_VISIT(ExpressionKind::Floor, VisitFloor)
    WYVERN_VISIT(ExpressionKind::IfThenElse, VisitIfThenElse)
    WYVERN_VISIT(ExpressionKind::UninterpretedFunction,
                 VisitUninterpretedFunction)
#undef WYVERN_VISIT
    case ExpressionKind::NaN:
      break;
  }
  throw std::runtime_error(
      "symbolic::VisitExpression(): the expression is NaN, which has no visit; "
      "test is_nan() before.");
}

/** Overload for a polynomial, whose kinds are the first five and powers.
@throws std::runtime_error if the expression is no polynomial. */
template <typename Result, typename Visitor, typename... Args>
Result VisitPolynomial(Visitor* visitor, const Expression& e, Args&&... args) {
  switch (e.is_polynomial() ? e.get_kind() : ExpressionKind::NaN) {
    case ExpressionKind::Constant:
      return visitor->VisitConstant(e, std::forward<Args>(args)...);
    case ExpressionKind::Var:
      return visitor->VisitVariable(e, std::forward<Args>(args)...);
    case ExpressionKind::Add:
      return visitor->VisitAddition(e, std::forward<Args>(args)...);
    case ExpressionKind::Mul:
      return visitor->VisitMultiplication(e, std::forward<Args>(args)...);
    case ExpressionKind::Div:
      return visitor->VisitDivision(e, std::forward<Args>(args)...);
    case ExpressionKind::Pow:
      return visitor->VisitPow(e, std::forward<Args>(args)...);
    default:
      throw std::runtime_error("symbolic::VisitPolynomial(): " + e.to_string() +
                               " is no polynomial.");
  }
}

/** Overload for a formula. */
template <typename Result, typename Visitor, typename... Args>
Result VisitFormula(Visitor* visitor, const Formula& f, Args&&... args) {
  switch (f.get_kind()) {
#define WYVERN_VISIT(kind, Visit) \
  case kind:                      \
    return visitor->Visit(f, std::forward<Args>(args)...);
    WYVERN_VISIT(FormulaKind::False, VisitFalse)
    WYVERN_VISIT(FormulaKind::True, VisitTrue)
    WYVERN_VISIT(FormulaKind::Var, VisitVariable)
    WYVERN_VISIT(FormulaKind::Eq, VisitEqualTo)
    WYVERN_VISIT(FormulaKind::Neq, VisitNotEqualTo)
    WYVERN_VISIT(FormulaKind::Gt, VisitGreaterThan)
    WYVERN_VISIT(FormulaKind::Geq, VisitGreaterThanOrEqualTo)
    WYVERN_VISIT(FormulaKind::Lt, VisitLessThan)
    WYVERN_VISIT(FormulaKind::Leq, VisitLessThanOrEqualTo)
    WYVERN_VISIT(FormulaKind::And, VisitConjunction)
    WYVERN_VISIT(FormulaKind::Or, VisitDisjunction)
    WYVERN_VISIT(FormulaKind::Not, VisitNegation)
    WYVERN_VISIT(FormulaKind::Forall, VisitForall)
    WYVERN_VISIT(FormulaKind::Isnan, VisitIsnan)
    WYVERN_VISIT(FormulaKind::PositiveSemidefinite, VisitPositiveSemidefinite)
#undef WYVERN_VISIT
  }
  throw std::logic_error("symbolic::VisitFormula(): of no kind.");
}

}  // namespace wyvern::symbolic
