#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/cell_private.h"

/* Functions of one number and of two: their names, their values, and the
expressions that they make. */

namespace wyvern::symbolic {
namespace internal {

const char* NameOf(ExpressionKind kind) {
  static constexpr const char* kNames[] = {
      "constant", "variable", "add",   "mul",  "div",  "log",          "abs",
      "exp",      "sqrt",     "pow",   "sin",  "cos",  "tan",          "asin",
      "acos",     "atan",     "atan2", "sinh", "cosh", "tanh",         "min",
      "max",      "ceil",     "floor", "if",   "NaN",  "uninterpreted"};
  return kNames[static_cast<int>(kind)];
}

const char* NameOf(FormulaKind kind) {
  static constexpr const char* kNames[] = {
      "False", "True", "variable", "==",    "!=",
      ">",     ">=",   "<",        "<=",    "and",
      "or",    "!",    "forall",   "isnan", "positive_semidefinite"};
  return kNames[static_cast<int>(kind)];
}

double Compute(ExpressionKind kind, double a) {
  switch (kind) {
    case ExpressionKind::Log:
      return std::log(a);
    case ExpressionKind::Abs:
      return std::abs(a);
    case ExpressionKind::Exp:
      return std::exp(a);
    case ExpressionKind::Sqrt:
      return std::sqrt(a);
    case ExpressionKind::Sin:
      return std::sin(a);
    case ExpressionKind::Cos:
      return std::cos(a);
    case ExpressionKind::Tan:
      return std::tan(a);
    case ExpressionKind::Asin:
      return std::asin(a);
    case ExpressionKind::Acos:
      return std::acos(a);
    case ExpressionKind::Atan:
      return std::atan(a);
    case ExpressionKind::Sinh:
      return std::sinh(a);
    case ExpressionKind::Cosh:
      return std::cosh(a);
    case ExpressionKind::Tanh:
      return std::tanh(a);
    case ExpressionKind::Ceil:
      return std::ceil(a);
    case ExpressionKind::Floor:
      return std::floor(a);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

double Power(double x, double exponent) {
  if (!(exponent > 0 && exponent <= 16 && exponent == std::floor(exponent))) {
    return std::pow(x, exponent);
  }
  double power = 1;
  for (int n = static_cast<int>(exponent);; x *= x) {
    if (n % 2 == 1) power *= x;
    n /= 2;
    if (n == 0) return power;
  }
}

double Compute(ExpressionKind kind, double a, double b) {
  switch (kind) {
    case ExpressionKind::Div:
      return a / b;
    case ExpressionKind::Pow:
      return Power(a, b);
    case ExpressionKind::Atan2:
      return std::atan2(a, b);
    case ExpressionKind::Min:
      return std::min(a, b);
    case ExpressionKind::Max:
      return std::max(a, b);
    default:
      return Compute(kind, a);
  }
}

bool Compute(FormulaKind kind, double a, double b) {
  switch (kind) {
    case FormulaKind::Eq:
      return a == b;
    case FormulaKind::Neq:
      return a != b;
    case FormulaKind::Gt:
      return a > b;
    case FormulaKind::Geq:
      return a >= b;
    case FormulaKind::Lt:
      return a < b;
    default:
      return a <= b;
  }
}

}  // namespace internal

#define WYVERN_FUNCTION(name, Kind)                                           \
  Expression name(const Expression& a) {                                      \
    return Expression(internal::MakeFunction(ExpressionKind::Kind, a.ref())); \
  }
WYVERN_FUNCTION(sin, Sin)
WYVERN_FUNCTION(cos, Cos)
WYVERN_FUNCTION(tan, Tan)
WYVERN_FUNCTION(asin, Asin)
WYVERN_FUNCTION(acos, Acos)
WYVERN_FUNCTION(atan, Atan)
WYVERN_FUNCTION(sinh, Sinh)
WYVERN_FUNCTION(cosh, Cosh)
WYVERN_FUNCTION(tanh, Tanh)
WYVERN_FUNCTION(exp, Exp)
WYVERN_FUNCTION(log, Log)
WYVERN_FUNCTION(sqrt, Sqrt)
WYVERN_FUNCTION(abs, Abs)
WYVERN_FUNCTION(floor, Floor)
WYVERN_FUNCTION(ceil, Ceil)
#undef WYVERN_FUNCTION

Expression atan2(const Expression& y, const Expression& x) {
  return Expression(internal::MakeAtan2(y.ref(), x.ref()));
}
Expression pow(const Expression& base, const Expression& exponent) {
  return Expression(internal::MakePower(base.ref(), exponent.ref()));
}
Expression min(const Expression& a, const Expression& b) {
  return Expression(
      internal::MakeMinOrMax(ExpressionKind::Min, a.ref(), b.ref()));
}
Expression max(const Expression& a, const Expression& b) {
  return Expression(
      internal::MakeMinOrMax(ExpressionKind::Max, a.ref(), b.ref()));
}
Expression if_then_else(const Formula& condition, const Expression& e_then,
                        const Expression& e_else) {
  return Expression(
      internal::MakeIfThenElse(condition.ref(), e_then.ref(), e_else.ref()));
}
Expression uninterpreted_function(std::string name,
                                  std::vector<Expression> arguments) {
  wyvern::internal::RequireNotEmpty("uninterpreted_function", "name",
                                    name.empty());
  std::vector<internal::Ref> refs;
  for (const Expression& argument : arguments) refs.push_back(argument.ref());
  return Expression(
      internal::MakeUninterpreted(std::move(name), std::move(refs)));
}

}  // namespace wyvern::symbolic
