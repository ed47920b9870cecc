#include "wyvern/systems/symbolic/formula.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/cell_private.h"

/* Formulas: makers that users call, which check what they are given, and parts
of a formula by its kind. How a formula is stored and simplified is in
expression_builders.cc, its truth in evaluate.cc. */

namespace wyvern::symbolic {

using internal::AsList;
using internal::AsOperation;
using internal::Cell;
using internal::Ref;

namespace {

Ref BooleanVariable(const Variable& variable) {
  if (variable.is_dummy()) {
    throw std::logic_error(
        "symbolic::Formula: the variable is a dummy, made without a name; give "
        "Variable(\"name\", Variable::Type::BOOLEAN).");
  }
  if (variable.get_type() != Variable::Type::BOOLEAN) {
    throw std::runtime_error(fmt::format(
        "symbolic::Formula: the variable '{}' is a number, neither true nor "
        "false; compare it, or make it BOOLEAN.",
        variable.get_name()));
  }
  return internal::MakeBooleanVariable(variable.ref());
}

std::vector<Ref> RefsOf(const std::set<Formula>& formulas) {
  std::vector<Ref> refs;
  for (const Formula& f : formulas) refs.push_back(f.ref());
  return refs;
}

// The cell of a formula, if it is of a kind.
const Cell& Part(const Formula& f, bool is_right, const char* function,
                 const char* wanted) {
  if (is_right) return *f.ref().cell();
  throw std::logic_error(fmt::format("symbolic::{}(): {} is no {}.", function,
                                     internal::ToShortText(f.ref()), wanted));
}

}  // namespace

Formula::Formula(bool value) : ref_(internal::MakeTruth(value)) {}
Formula::Formula(const Variable& variable) : ref_(BooleanVariable(variable)) {}

FormulaKind Formula::get_kind() const { return ref_.cell()->formula_kind(); }
std::size_t Formula::get_hash() const { return internal::HashOf(ref_); }
Variables Formula::GetFreeVariables() const {
  return internal::VariablesIn({ref_});
}
bool Formula::EqualTo(const Formula& other) const {
  return internal::AreEqual(ref_, other.ref_);
}
bool Formula::Less(const Formula& other) const {
  return internal::Compare(ref_, other.ref_) < 0;
}

bool Formula::Evaluate(const Environment& environment,
                       RandomGenerator* generator) const {
  if (!internal::IsRandom(ref_)) {
    return internal::EvaluateRef(ref_, environment) != 0;
  }
  return internal::EvaluateRef(
             ref_, PopulateRandomVariables(environment, GetFreeVariables(),
                                           generator)) != 0;
}

Formula Formula::EvaluatePartial(const Environment& environment) const {
  Substitution values;
  for (const auto& [v, value] : environment) values.emplace(v, value);
  return Substitute(values);
}
Formula Formula::Substitute(const Substitution& substitution) const {
  return Formula(internal::SubstituteRefs({ref_}, substitution)[0]);
}
Formula Formula::Substitute(const Variable& variable,
                            const Expression& e) const {
  return Substitute({{variable, e}});
}
std::string Formula::to_string() const {
  return internal::ToText(ref_, std::size_t{1} << 26);
}
std::ostream& operator<<(std::ostream& out, const Formula& f) {
  return out << f.to_string();
}

Formula operator&&(const Formula& a, const Formula& b) {
  return Formula(
      internal::MakeConnective(FormulaKind::And, {a.ref(), b.ref()}));
}
Formula operator&&(const Variable& a, const Formula& b) {
  return Formula(a) && b;
}
Formula operator&&(const Formula& a, const Variable& b) {
  return a && Formula(b);
}
Formula operator&&(const Variable& a, const Variable& b) {
  return Formula(a) && Formula(b);
}
Formula operator||(const Formula& a, const Formula& b) {
  return Formula(internal::MakeConnective(FormulaKind::Or, {a.ref(), b.ref()}));
}
Formula operator||(const Variable& a, const Formula& b) {
  return Formula(a) || b;
}
Formula operator||(const Formula& a, const Variable& b) {
  return a || Formula(b);
}
Formula operator||(const Variable& a, const Variable& b) {
  return Formula(a) || Formula(b);
}
Formula operator!(const Formula& a) {
  return Formula(internal::MakeNot(a.ref()));
}
Formula operator!(const Variable& a) { return !Formula(a); }

#define WYVERN_COMPARISON(sign, Kind)                                   \
  Formula operator sign(const Expression& a, const Expression& b) {     \
    return Formula(                                                     \
        internal::MakeComparison(FormulaKind::Kind, a.ref(), b.ref())); \
  }
WYVERN_COMPARISON(==, Eq)
WYVERN_COMPARISON(!=, Neq)
WYVERN_COMPARISON(<, Lt)
WYVERN_COMPARISON(<=, Leq)
WYVERN_COMPARISON(>, Gt)
WYVERN_COMPARISON(>=, Geq)
#undef WYVERN_COMPARISON

double ToDouble(const Expression& e) {
  if (e.get_kind() == ExpressionKind::Constant) return e.ref().factor();
  throw std::runtime_error(
      fmt::format("symbolic::ToDouble(): {} has variables and is no "
                  "number; evaluate it.",
                  internal::ToShortText(e.ref())));
}

double KnownNumberOr(const Expression& e, double unknown) {
  if (e.get_kind() == ExpressionKind::Constant) return e.ref().factor();
  if (e.get_kind() != ExpressionKind::NaN) return unknown;
  return std::numeric_limits<double>::quiet_NaN();
}

bool MayHold(const Formula& f) {
  return !f.GetFreeVariables().empty() || f.Evaluate();
}

Formula forall(const Variables& variables, const Formula& f) {
  return Formula(internal::MakeForall(variables, f.ref()));
}
Formula make_conjunction(const std::set<Formula>& formulas) {
  return Formula(internal::MakeConnective(FormulaKind::And, RefsOf(formulas)));
}
Formula make_disjunction(const std::set<Formula>& formulas) {
  return Formula(internal::MakeConnective(FormulaKind::Or, RefsOf(formulas)));
}
Formula isnan(const Expression& e) {
  return Formula(internal::MakeIsnan(e.ref()));
}
Formula isinf(const Expression& e) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return -kInfinity == e || e == kInfinity;
}
Formula isfinite(const Expression& e) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return -kInfinity < e && e < kInfinity;
}

Formula positive_semidefinite(const Eigen::Ref<const MatrixX<Expression>>& m) {
  const auto who =
      wyvern::internal::Caller("symbolic::positive_semidefinite").OfResults();
  wyvern::internal::RequireShape(who, "m", m, m.rows(), m.rows());
  std::vector<Ref> entries;
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) {
      if (!m(i, j).EqualTo(m(j, i))) {
        throw std::runtime_error(fmt::format(
            "symbolic::positive_semidefinite(): m({}, {}) is {} and m({}, {}) "
            "is {}; m must be symmetric.",
            i, j, internal::ToShortText(m(i, j).ref()), j, i,
            internal::ToShortText(m(j, i).ref())));
      }
      entries.push_back(m(i, j).ref());
    }
  }
  return Formula(internal::MakePositiveSemidefinite(static_cast<int>(m.rows()),
                                                    std::move(entries)));
}

Formula positive_semidefinite(const Eigen::Ref<const MatrixX<Expression>>& m,
                              Eigen::UpLoType triangle) {
  if (triangle != Eigen::Lower && triangle != Eigen::Upper) {
    throw std::logic_error(fmt::format(
        "symbolic::positive_semidefinite(): the triangle is {}; it must be "
        "Eigen::Lower or Eigen::Upper.",
        static_cast<int>(triangle)));
  }
  MatrixX<Expression> symmetric = m;
  for (Eigen::Index j = 0; j < std::min(m.rows(), m.cols()); ++j) {
    for (Eigen::Index i = 0; i < j; ++i) {
      if (triangle == Eigen::Lower) symmetric(i, j) = m(j, i);
      if (triangle == Eigen::Upper) symmetric(j, i) = m(i, j);
    }
  }
  return positive_semidefinite(symmetric);
}

bool is_false(const Formula& f) { return f.get_kind() == FormulaKind::False; }
bool is_true(const Formula& f) { return f.get_kind() == FormulaKind::True; }
bool is_variable(const Formula& f) { return f.get_kind() == FormulaKind::Var; }
bool is_equal_to(const Formula& f) { return f.get_kind() == FormulaKind::Eq; }
bool is_not_equal_to(const Formula& f) {
  return f.get_kind() == FormulaKind::Neq;
}
bool is_greater_than(const Formula& f) {
  return f.get_kind() == FormulaKind::Gt;
}
bool is_greater_than_or_equal_to(const Formula& f) {
  return f.get_kind() == FormulaKind::Geq;
}
bool is_less_than(const Formula& f) { return f.get_kind() == FormulaKind::Lt; }
bool is_less_than_or_equal_to(const Formula& f) {
  return f.get_kind() == FormulaKind::Leq;
}
bool is_relational(const Formula& f) {
  return f.get_kind() >= FormulaKind::Eq && f.get_kind() <= FormulaKind::Leq;
}
bool is_conjunction(const Formula& f) {
  return f.get_kind() == FormulaKind::And;
}
bool is_disjunction(const Formula& f) {
  return f.get_kind() == FormulaKind::Or;
}
bool is_nary(const Formula& f) {
  return is_conjunction(f) || is_disjunction(f);
}
bool is_negation(const Formula& f) { return f.get_kind() == FormulaKind::Not; }
bool is_forall(const Formula& f) { return f.get_kind() == FormulaKind::Forall; }
bool is_isnan(const Formula& f) { return f.get_kind() == FormulaKind::Isnan; }
bool is_positive_semidefinite(const Formula& f) {
  return f.get_kind() == FormulaKind::PositiveSemidefinite;
}

Variable get_variable(const Formula& f) {
  const Cell& cell = Part(f, is_variable(f), "get_variable", "variable");
  return internal::VariableIn(*AsOperation(cell).a.cell());
}
Expression get_lhs_expression(const Formula& f) {
  return Expression(
      AsOperation(Part(f, is_relational(f), "get_lhs_expression", "comparison"))
          .a);
}
Expression get_rhs_expression(const Formula& f) {
  return Expression(
      AsOperation(Part(f, is_relational(f), "get_rhs_expression", "comparison"))
          .b);
}
Expression get_unary_expression(const Formula& f) {
  return Expression(
      AsOperation(Part(f, is_isnan(f), "get_unary_expression", "isnan")).a);
}
std::set<Formula> get_operands(const Formula& f) {
  const Cell& cell =
      Part(f, is_nary(f), "get_operands", "conjunction or disjunction");
  std::set<Formula> operands;
  for (const Ref& item : AsList(cell).items) operands.insert(Formula(item));
  return operands;
}
Formula get_operand(const Formula& f) {
  return Formula(
      AsOperation(Part(f, is_negation(f), "get_operand", "negation")).a);
}
Variables get_quantified_variables(const Formula& f) {
  return AsList(Part(f, is_forall(f), "get_quantified_variables", "forall"))
      .quantified;
}
Formula get_quantified_formula(const Formula& f) {
  return Formula(
      AsList(Part(f, is_forall(f), "get_quantified_formula", "forall"))
          .items[0]);
}
MatrixX<Expression> get_matrix_in_positive_semidefinite(const Formula& f) {
  const auto& cell = AsList(Part(f, is_positive_semidefinite(f),
                                 "get_matrix_in_positive_semidefinite",
                                 "positive_semidefinite"));
  MatrixX<Expression> m(cell.rows, cell.rows);
  for (int i = 0; i < m.size(); ++i) m.data()[i] = Expression(cell.items[i]);
  return m;
}

}  // namespace wyvern::symbolic
