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

inline bool is_constant(const Expression& e) {
  return e.get_kind() == ExpressionKind::Constant;
}
bool is_constant(const Expression& e, double value);
inline bool is_zero(const Expression& e) { return is_constant(e, 0); }
inline bool is_one(const Expression& e) { return is_constant(e, 1); }
inline bool is_neg_one(const Expression& e) { return is_constant(e, -1); }
inline bool is_two(const Expression& e) { return is_constant(e, 2); }

#define WYVERN_IS_KIND(name, Kind)               \
  inline bool name(const Expression& e) {        \
    return e.get_kind() == ExpressionKind::Kind; \
  }
WYVERN_IS_KIND(is_nan, NaN)
WYVERN_IS_KIND(is_variable, Var)
WYVERN_IS_KIND(is_addition, Add)
WYVERN_IS_KIND(is_multiplication, Mul)
WYVERN_IS_KIND(is_division, Div)
WYVERN_IS_KIND(is_log, Log)
WYVERN_IS_KIND(is_abs, Abs)
WYVERN_IS_KIND(is_exp, Exp)
WYVERN_IS_KIND(is_sqrt, Sqrt)
WYVERN_IS_KIND(is_pow, Pow)
WYVERN_IS_KIND(is_sin, Sin)
WYVERN_IS_KIND(is_cos, Cos)
WYVERN_IS_KIND(is_tan, Tan)
WYVERN_IS_KIND(is_asin, Asin)
WYVERN_IS_KIND(is_acos, Acos)
WYVERN_IS_KIND(is_atan, Atan)
WYVERN_IS_KIND(is_atan2, Atan2)
WYVERN_IS_KIND(is_sinh, Sinh)
WYVERN_IS_KIND(is_cosh, Cosh)
WYVERN_IS_KIND(is_tanh, Tanh)
WYVERN_IS_KIND(is_min, Min)
WYVERN_IS_KIND(is_max, Max)
WYVERN_IS_KIND(is_ceil, Ceil)
WYVERN_IS_KIND(is_floor, Floor)
WYVERN_IS_KIND(is_if_then_else, IfThenElse)
WYVERN_IS_KIND(is_uninterpreted_function, UninterpretedFunction)
#undef WYVERN_IS_KIND

/* Parts. Each throws std::logic_error of an expression of another kind. */

double get_constant_value(const Expression& e);
Variable get_variable(const Expression& e);
/** Of a function of one argument. */
Expression get_argument(const Expression& e);
/** Of a quotient, a power, atan2, min and max: numerator, base, y. */
Expression get_first_argument(const Expression& e);
Expression get_second_argument(const Expression& e);
double get_constant_in_addition(const Expression& e);
/** The terms of a sum without its constant: what each is times its number. */
std::map<Expression, double> get_expr_to_coeff_map_in_addition(
    const Expression& e);
double get_constant_in_multiplication(const Expression& e);
/** The factors of a product without its constant: bases and exponents. A
base to a power that is no integer is a base itself, of exponent 1. */
std::map<Expression, Expression> get_base_to_exponent_map_in_multiplication(
    const Expression& e);
Formula get_conditional_formula(const Expression& e);
Expression get_then_expression(const Expression& e);
Expression get_else_expression(const Expression& e);
std::string get_uninterpreted_function_name(const Expression& e);
std::vector<Expression> get_uninterpreted_function_arguments(
    const Expression& e);

/** Calls the one of the visitor's functions that is of the kind of `e`, such as
visitor->VisitAddition(e, args...), and returns what it returns.
@throws std::runtime_error of NaN. */
template <typename Result, typename Visitor, typename... Args>
Result VisitExpression(Visitor* visitor, const Expression& e, Args&&... args) {
  switch (e.get_kind()) {
#define WYVERN_VISIT(Kind, Name) \
  case ExpressionKind::Kind:     \
    return visitor->Visit##Name(e, std::forward<Args>(args)...);
    WYVERN_VISIT(Constant, Constant)
    WYVERN_VISIT(Var, Variable)
    WYVERN_VISIT(Add, Addition)
    WYVERN_VISIT(Mul, Multiplication)
    WYVERN_VISIT(Div, Division)
    WYVERN_VISIT(Log, Log)
    WYVERN_VISIT(Abs, Abs)
    WYVERN_VISIT(Exp, Exp)
    WYVERN_VISIT(Sqrt, Sqrt)
    WYVERN_VISIT(Pow, Pow)
    WYVERN_VISIT(Sin, Sin)
    WYVERN_VISIT(Cos, Cos)
    WYVERN_VISIT(Tan, Tan)
    WYVERN_VISIT(Asin, Asin)
    WYVERN_VISIT(Acos, Acos)
    WYVERN_VISIT(Atan, Atan)
    WYVERN_VISIT(Atan2, Atan2)
    WYVERN_VISIT(Sinh, Sinh)
    WYVERN_VISIT(Cosh, Cosh)
    WYVERN_VISIT(Tanh, Tanh)
    WYVERN_VISIT(Min, Min)
    WYVERN_VISIT(Max, Max)
    WYVERN_VISIT(Ceil, Ceil)
    WYVERN_VISIT(Floor, Floor)
    WYVERN_VISIT(IfThenElse, IfThenElse)
    WYVERN_VISIT(UninterpretedFunction, UninterpretedFunction)
#undef WYVERN_VISIT
    case ExpressionKind::NaN:
      break;
  }
  throw std::runtime_error(
      "symbolic::VisitExpression(): the expression is NaN, which has no visit; "
      "test is_nan() before.");
}

/** The same of a polynomial, whose kinds are the first five and powers.
@throws std::runtime_error of what is no polynomial. */
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

/** The same of a formula. */
template <typename Result, typename Visitor, typename... Args>
Result VisitFormula(Visitor* visitor, const Formula& f, Args&&... args) {
  switch (f.get_kind()) {
#define WYVERN_VISIT(Kind, Name) \
  case FormulaKind::Kind:        \
    return visitor->Visit##Name(f, std::forward<Args>(args)...);
    WYVERN_VISIT(False, False)
    WYVERN_VISIT(True, True)
    WYVERN_VISIT(Var, Variable)
    WYVERN_VISIT(Eq, EqualTo)
    WYVERN_VISIT(Neq, NotEqualTo)
    WYVERN_VISIT(Gt, GreaterThan)
    WYVERN_VISIT(Geq, GreaterThanOrEqualTo)
    WYVERN_VISIT(Lt, LessThan)
    WYVERN_VISIT(Leq, LessThanOrEqualTo)
    WYVERN_VISIT(And, Conjunction)
    WYVERN_VISIT(Or, Disjunction)
    WYVERN_VISIT(Not, Negation)
    WYVERN_VISIT(Forall, Forall)
    WYVERN_VISIT(Isnan, Isnan)
    WYVERN_VISIT(PositiveSemidefinite, PositiveSemidefinite)
#undef WYVERN_VISIT
  }
  throw std::logic_error("symbolic::VisitFormula(): of no kind.");
}

}  // namespace wyvern::symbolic
