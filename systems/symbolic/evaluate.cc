#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/graph_traversal_private.h"

/* Values. A condition is looked at before its branches, and a branch that is
not taken need not have a value. A number that is not a number is refused
where it would be lost: in comparisons, min and max; at functions that are
not defined everywhere, so that the message names them; and at the end. */

namespace wyvern::symbolic {
namespace internal {
namespace {

struct Evaluation {
  using Result = double;
  static constexpr std::uint32_t kSmall = 6;

  const Environment& environment;

  double OfNumber(double number) const { return number; }
  double Scaled(double value, double factor) const { return value * factor; }

  template <typename Find, typename Push>
  void Needs(const Cell& cell, const Find& known, const Push& push) {
    if (cell.Is(ExpressionKind::IfThenElse)) {
      const auto& items = AsList(cell).items;
      const double* const condition = known(items[0]);
      push(condition == nullptr ? items[0] : items[*condition != 0 ? 1 : 2]);
      return;
    }
    if (cell.Is(FormulaKind::And) || cell.Is(FormulaKind::Or)) {
      for (const Ref& item : AsList(cell).items) {
        const double* const value = known(item);
        if (value == nullptr) {
          push(item);
          return;
        }
        if ((*value != 0) == cell.Is(FormulaKind::Or)) return;
      }
      return;
    }
    ForEachOperand(cell, push);
  }

  // The last values looked up, by their variables' hashes.
  struct Known {
    const Cell* cell{nullptr};
    double value{};
  };
  std::array<Known, 16> last{};

  double ValueOf(const Cell& cell) {
    Known& known = last[cell.hash % last.size()];
    if (known.cell == &cell) return known.value;
    const auto found = environment.find(VariableIn(cell));
    if (found != environment.end()) {
      known = {&cell, found->second};
      return found->second;
    }
    throw std::runtime_error(fmt::format(
        "symbolic::Expression::Evaluate(): the variable '{}' has no value; "
        "give one in the environment.",
        AsVariable(cell).name));
  }

  [[noreturn]] static void ThrowNaN(const Cell& cell) {
    throw std::runtime_error(fmt::format(
        "symbolic::Expression::Evaluate(): the value of {} is not a number "
        "(NaN).",
        ToShortText(Ref(&cell))));
  }

  static double RequireNumber(double value, const Cell& cell) {
    if (std::isnan(value)) ThrowNaN(cell);
    return value;
  }

  template <typename Get>
  double Compute(const Cell& cell, const Get& get) {
    if (cell.is_formula()) return ComputeFormula(cell, get);
    switch (cell.expression_kind()) {
      case ExpressionKind::Var:
        return ValueOf(cell);
      case ExpressionKind::Add: {
        double sum = AsSum(cell).constant;
        for (const Ref& term : AsSum(cell).terms) sum += get(term);
        return sum;
      }
      case ExpressionKind::Mul: {
        double product = 1;
        for (const auto& [base, exponent] : AsProduct(cell).factors) {
          const double value = get(base);
          product *= exponent == 1 ? value : Power(value, exponent);
        }
        return product;
      }
      case ExpressionKind::Div: {
        const double denominator = get(AsOperation(cell).b);
        if (denominator == 0) ThrowDivisionByZero(ToShortText(Ref(&cell)));
        return get(AsOperation(cell).a) / denominator;
      }
      case ExpressionKind::IfThenElse: {
        const auto& items = AsList(cell).items;
        return get(items[get(items[0]) != 0 ? 1 : 2]);
      }
      case ExpressionKind::NaN:
        ThrowNaN(cell);
      case ExpressionKind::UninterpretedFunction:
        throw std::logic_error(fmt::format(
            "symbolic::Expression::Evaluate(): nothing is known of the "
            "function in {}; substitute it first.",
            ToShortText(Ref(&cell))));
      case ExpressionKind::Min:
      case ExpressionKind::Max:
        return internal::Compute(cell.expression_kind(),
                                 RequireNumber(get(AsOperation(cell).a), cell),
                                 RequireNumber(get(AsOperation(cell).b), cell));
      case ExpressionKind::Pow:
      case ExpressionKind::Atan2:
        return RequireNumber(
            internal::Compute(cell.expression_kind(), get(AsOperation(cell).a),
                              get(AsOperation(cell).b)),
            cell);
      default:
        return RequireNumber(
            internal::Compute(cell.expression_kind(), get(AsOperation(cell).a)),
            cell);
    }
  }

  template <typename Get>
  double ComputeFormula(const Cell& cell, const Get& get) {
    switch (cell.formula_kind()) {
      case FormulaKind::False:
        return 0;
      case FormulaKind::True:
        return 1;
      case FormulaKind::Var:
        return get(AsOperation(cell).a) != 0;
      case FormulaKind::And:
      case FormulaKind::Or: {
        const bool decisive = cell.Is(FormulaKind::Or);
        for (const Ref& item : AsList(cell).items) {
          if ((get(item) != 0) == decisive) return decisive;
        }
        return !decisive;
      }
      case FormulaKind::Not:
        return get(AsOperation(cell).a) == 0;
      case FormulaKind::Forall:
      case FormulaKind::PositiveSemidefinite:
        throw std::logic_error(fmt::format(
            "symbolic::Formula::Evaluate(): {} is not evaluated; it is for "
            "solvers to hold.",
            ToShortText(Ref(&cell))));
      case FormulaKind::Isnan:
        // A value that is not a number has been refused.
        get(AsOperation(cell).a);
        return 0;
      default:
        return internal::Compute(cell.formula_kind(),
                                 RequireNumber(get(AsOperation(cell).a), cell),
                                 RequireNumber(get(AsOperation(cell).b), cell));
    }
  }
};

struct VariableSearch : NeedsAll {
  using Result = bool;
  static constexpr std::uint32_t kSmall = 1;

  Variables found;

  bool OfNumber(double) const { return true; }
  bool Scaled(bool result, double) const { return result; }
  template <typename Known, typename Push>
  void Needs(const Cell& cell, const Known& known, const Push& push) {
    if (!cell.Is(FormulaKind::Forall)) NeedsAll::Needs(cell, known, push);
  }
  template <typename Get>
  bool Compute(const Cell& cell, const Get& get) {
    if (cell.Is(ExpressionKind::Var)) {
      found.insert(VariableIn(cell));
    } else if (cell.Is(FormulaKind::Forall)) {
      found.insert(AsList(cell).free);
    } else {
      ForEachOperand(cell, get);
    }
    return true;
  }
};

double RequireFinalNumber(double value, const Ref& ref) {
  if (!std::isnan(value)) return value;
  throw std::runtime_error(fmt::format(
      "symbolic::Expression::Evaluate(): the value of {} is not a number "
      "(NaN).",
      ToShortText(ref)));
}

}  // namespace

double EvaluateRef(const Ref& root, const Environment& environment) {
  Evaluation evaluation{environment};
  return RequireFinalNumber(Walk<Evaluation>(&evaluation).Run(root), root);
}

void EvaluateRefs(const std::vector<Ref>& roots, const Environment& environment,
                  double* values) {
  Evaluation evaluation{environment};
  Walk<Evaluation> walk(&evaluation);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    values[i] = RequireFinalNumber(walk.Run(roots[i]), roots[i]);
  }
}

Variables VariablesIn(const std::vector<Ref>& roots) {
  VariableSearch search;
  Walk<VariableSearch> walk(&search);
  for (const Ref& root : roots) walk.Run(root);
  return search.found;
}

}  // namespace internal

double Expression::Evaluate(const Environment& environment,
                            RandomGenerator* generator) const {
  if (!internal::IsRandom(ref_)) {
    return internal::EvaluateRef(ref_, environment);
  }
  return internal::EvaluateRef(
      ref_, PopulateRandomVariables(environment, GetVariables(), generator));
}

void Expression::Draw(RandomGenerator* generator,
                      Environment* environment) const {
  wyvern::internal::RequireNotNull("symbolic::Expression::Draw", "environment",
                                   environment);
  *environment = PopulateRandomVariables(std::move(*environment),
                                         GetVariables(), generator);
}

}  // namespace wyvern::symbolic
