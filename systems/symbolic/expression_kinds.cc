#include "wyvern/systems/symbolic/expression_kinds.h"

#include <fmt/format.h>

#include "wyvern/systems/symbolic/cell_private.h"

namespace wyvern::symbolic {
namespace {

using internal::AsList;
using internal::AsOperation;
using internal::Ref;

void RequireKind(const Expression& e, bool is_right, const char* function,
                 const char* wanted) {
  if (is_right) return;
  throw std::logic_error(fmt::format("symbolic::{}(): {} is no {}.", function,
                                     internal::ToShortText(e.ref()), wanted));
}

bool IsBinary(ExpressionKind kind) {
  return kind == ExpressionKind::Div || kind == ExpressionKind::Pow ||
         kind == ExpressionKind::Atan2 || kind == ExpressionKind::Min ||
         kind == ExpressionKind::Max;
}

bool IsUnary(ExpressionKind kind) {
  return kind >= ExpressionKind::Log && kind <= ExpressionKind::Floor &&
         !IsBinary(kind);
}

const internal::ListCell& IfThenElseOf(const Expression& e,
                                       const char* function) {
  RequireKind(e, is_if_then_else(e), function, "if_then_else");
  return AsList(*e.ref().cell());
}

}  // namespace

bool is_constant(const Expression& e, double value) {
  return is_constant(e) && e.ref().factor() == value;
}

double get_constant_value(const Expression& e) {
  RequireKind(e, is_constant(e), "get_constant_value", "constant");
  return e.ref().factor();
}
Variable get_variable(const Expression& e) {
  RequireKind(e, is_variable(e), "get_variable", "variable");
  return internal::VariableIn(*e.ref().cell());
}
Expression get_argument(const Expression& e) {
  RequireKind(e, IsUnary(e.get_kind()), "get_argument",
              "function of one argument");
  return Expression(AsOperation(*e.ref().cell()).a);
}
Expression get_first_argument(const Expression& e) {
  RequireKind(e, IsBinary(e.get_kind()), "get_first_argument",
              "operation on two arguments");
  return Expression(AsOperation(*e.ref().cell()).a);
}
Expression get_second_argument(const Expression& e) {
  RequireKind(e, IsBinary(e.get_kind()), "get_second_argument",
              "operation on two arguments");
  return Expression(AsOperation(*e.ref().cell()).b);
}

double get_constant_in_addition(const Expression& e) {
  RequireKind(e, is_addition(e), "get_constant_in_addition", "sum");
  return internal::AsSum(*e.ref().cell()).constant;
}
std::map<Expression, double> get_expr_to_coeff_map_in_addition(
    const Expression& e) {
  RequireKind(e, is_addition(e), "get_expr_to_coeff_map_in_addition", "sum");
  std::map<Expression, double> terms;
  for (const Ref& term : internal::AsSum(*e.ref().cell()).terms) {
    terms.emplace_hint(terms.end(), Expression(term.Times(1)), term.factor());
  }
  return terms;
}

double get_constant_in_multiplication(const Expression& e) {
  RequireKind(e, is_multiplication(e), "get_constant_in_multiplication",
              "product");
  return e.ref().factor();
}
std::map<Expression, Expression> get_base_to_exponent_map_in_multiplication(
    const Expression& e) {
  RequireKind(e, is_multiplication(e),
              "get_base_to_exponent_map_in_multiplication", "product");
  const internal::Cell& cell = *e.ref().cell();
  std::map<Expression, Expression> factors;
  if (cell.Is(ExpressionKind::Mul)) {
    for (const auto& [base, exponent] : internal::AsProduct(cell).factors) {
      factors.emplace_hint(factors.end(), Expression(base), exponent);
    }
  } else if (cell.Is(ExpressionKind::Pow)) {
    factors.emplace(AsOperation(cell).a, AsOperation(cell).b);
  } else {
    factors.emplace(e.ref().Times(1), 1.0);
  }
  return factors;
}

Formula get_conditional_formula(const Expression& e) {
  return Formula(IfThenElseOf(e, "get_conditional_formula").items[0]);
}
Expression get_then_expression(const Expression& e) {
  return Expression(IfThenElseOf(e, "get_then_expression").items[1]);
}
Expression get_else_expression(const Expression& e) {
  return Expression(IfThenElseOf(e, "get_else_expression").items[2]);
}

std::string get_uninterpreted_function_name(const Expression& e) {
  RequireKind(e, is_uninterpreted_function(e),
              "get_uninterpreted_function_name", "uninterpreted function");
  return AsList(*e.ref().cell()).name;
}
std::vector<Expression> get_uninterpreted_function_arguments(
    const Expression& e) {
  RequireKind(e, is_uninterpreted_function(e),
              "get_uninterpreted_function_arguments", "uninterpreted function");
  std::vector<Expression> arguments;
  for (const Ref& item : AsList(*e.ref().cell()).items) {
    arguments.emplace_back(item);
  }
  return arguments;
}

}  // namespace wyvern::symbolic
