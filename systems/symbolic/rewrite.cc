#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/graph_traversal_private.h"

/* Substitution and expansion: each part is made anew from its rewritten parts,
or stays the cell it is if they did. */

namespace wyvern::symbolic {
namespace internal {
namespace {

bool IsSame(const Ref& a, const Ref& b) {
  return a.cell() == b.cell() && a.factor() == b.factor();
}

// A cell of other operands: those that get() gives. Not of variables.
template <typename Get>
Ref Rebuild(const Cell& cell, const Get& get) {
  bool is_changed = false;
  std::vector<Ref> operands;
  ForEachOperand(cell, [&](const Ref& operand) {
    operands.push_back(get(operand));
    is_changed = is_changed || !IsSame(operands.back(), operand);
  });
  if (!is_changed) return Ref(&cell);
  if (cell.is_formula()) {
    switch (cell.formula_kind()) {
      case FormulaKind::And:
      case FormulaKind::Or:
        return MakeConnective(cell.formula_kind(), operands);
      case FormulaKind::Not:
        return MakeNot(operands[0]);
      case FormulaKind::Isnan:
        return MakeIsnan(operands[0]);
      case FormulaKind::PositiveSemidefinite:
        return MakePositiveSemidefinite(AsList(cell).rows, operands);
      default:
        return MakeComparison(cell.formula_kind(), operands[0], operands[1]);
    }
  }
  switch (cell.expression_kind()) {
    case ExpressionKind::Add:
      operands.push_back(Ref(AsSum(cell).constant));
      return MakeSumOf(operands);
    case ExpressionKind::Mul: {
      Ref product(1.0);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const double exponent = AsProduct(cell).factors[i].exponent;
        product = MakeProduct(std::move(product),
                              MakePower(operands[i], Ref(exponent)));
      }
      return product;
    }
    case ExpressionKind::Div:
      return MakeQuotient(operands[0], operands[1]);
    case ExpressionKind::Pow:
      return MakePower(operands[0], operands[1]);
    case ExpressionKind::Atan2:
      return MakeAtan2(operands[0], operands[1]);
    case ExpressionKind::Min:
    case ExpressionKind::Max:
      return MakeMinOrMax(cell.expression_kind(), operands[0], operands[1]);
    case ExpressionKind::IfThenElse:
      return MakeIfThenElse(operands[0], operands[1], operands[2]);
    case ExpressionKind::UninterpretedFunction:
      return MakeUninterpreted(AsList(cell).name, operands);
    default:
      return MakeFunction(cell.expression_kind(), operands[0]);
  }
}

struct Replacement {
  using Result = Ref;
  static constexpr std::uint32_t kSmall = 1;

  const Substitution& substitution;

  Ref OfNumber(double number) const { return Ref(number); }
  Ref Scaled(const Ref& result, double factor) const {
    return Scale(result, factor);
  }

  // A branch that is not taken is left out.
  template <typename Known, typename Push>
  void Needs(const Cell& cell, const Known& known, const Push& push) {
    if (cell.Is(ExpressionKind::IfThenElse)) {
      const auto& items = AsList(cell).items;
      const Ref* const condition = known(items[0]);
      if (condition == nullptr) {
        push(items[0]);
        return;
      }
      const Cell& answer = *condition->cell();
      if (!answer.Is(FormulaKind::False)) push(items[1]);
      if (!answer.Is(FormulaKind::True)) push(items[2]);
    } else if (cell.Is(FormulaKind::And) || cell.Is(FormulaKind::Or)) {
      for (const Ref& item : AsList(cell).items) {
        const Ref* const operand = known(item);
        if (operand == nullptr) {
          push(item);
          return;
        }
        if (operand->cell()->Is(DecisiveOf(cell))) return;
      }
    } else if (!cell.Is(FormulaKind::Forall) && !cell.Is(FormulaKind::Var)) {
      ForEachOperand(cell, push);
    }
  }

  template <typename Get>
  Ref Compute(const Cell& cell, const Get& get) {
    if (cell.Is(ExpressionKind::Var)) {
      const auto found = substitution.find(VariableIn(cell));
      return found == substitution.end() ? Ref(&cell) : found->second.ref();
    }
    if (cell.Is(ExpressionKind::IfThenElse)) {
      const auto& items = AsList(cell).items;
      const Ref condition = get(items[0]);
      if (condition.cell()->Is(FormulaKind::True)) return get(items[1]);
      if (condition.cell()->Is(FormulaKind::False)) return get(items[2]);
      // Not by Rebuild(): of a small graph, get() works it out anew.
      const Ref yes = get(items[1]), no = get(items[2]);
      if (IsSame(condition, items[0]) && IsSame(yes, items[1]) &&
          IsSame(no, items[2])) {
        return Ref(&cell);
      }
      return MakeIfThenElse(condition, yes, no);
    }
    if (cell.Is(FormulaKind::And) || cell.Is(FormulaKind::Or)) {
      return OfConnective(cell, get);
    }
    if (cell.Is(FormulaKind::Var)) return OfBoolean(cell);
    if (cell.Is(FormulaKind::Forall)) return OfForall(AsList(cell));
    return Rebuild(cell, get);
  }

  // The truth value of an operand that decides the result.
  static FormulaKind DecisiveOf(const Cell& cell) {
    return cell.Is(FormulaKind::And) ? FormulaKind::False : FormulaKind::True;
  }

  template <typename Get>
  Ref OfConnective(const Cell& cell, const Get& get) {
    bool is_changed = false;
    std::vector<Ref> operands;
    for (const Ref& item : AsList(cell).items) {
      operands.push_back(get(item));
      is_changed = is_changed || !IsSame(operands.back(), item);
      if (operands.back().cell()->Is(DecisiveOf(cell))) return operands.back();
    }
    if (!is_changed) return Ref(&cell);
    return MakeConnective(cell.formula_kind(), operands);
  }

  Ref OfBoolean(const Cell& cell) const {
    const Variable variable = VariableIn(*AsOperation(cell).a.cell());
    const auto found = substitution.find(variable);
    if (found == substitution.end()) return Ref(&cell);
    const Ref& value = found->second.ref();
    if (value.is_number()) return MakeTruth(value.factor() != 0);
    throw std::runtime_error(fmt::format(
        "symbolic::Formula::Substitute(): '{}' is BOOLEAN and cannot be {}; "
        "give 0 or 1.",
        variable.get_name(), ToShortText(value)));
  }

  Ref OfForall(const ListCell& cell) const {
    Substitution free;
    for (const Variable& v : cell.free) {
      const auto found = substitution.find(v);
      if (found == substitution.end()) continue;
      const Variables bound =
          intersect(found->second.GetVariables(), cell.quantified);
      if (!bound.empty()) {
        throw std::runtime_error(fmt::format(
            "symbolic::Formula::Substitute(): {} would be bound in {}; give "
            "other variables.",
            bound.to_string(), ToShortText(Ref(&cell))));
      }
      free.insert(*found);
    }
    if (free.empty()) return Ref(&cell);
    return MakeForall(cell.quantified, SubstituteRefs(cell.items, free)[0]);
  }
};

// The terms of what is expanded already: with its constant, if it is a sum.
std::vector<Ref> TermsOf(const Ref& a) {
  if (a.is_number() || !a.cell()->Is(ExpressionKind::Add)) return {a};
  const SumCell& sum = AsSum(*a.cell());
  std::vector<Ref> terms;
  for (const Ref& term : sum.terms) {
    terms.push_back(Scale(term.Times(1), term.factor() * a.factor()));
  }
  if (sum.constant != 0) terms.push_back(Ref(sum.constant * a.factor()));
  return terms;
}

void RequireFewTerms(double count) {
  if (count <= kMostTerms) return;
  throw std::runtime_error(fmt::format(
      "symbolic::Expression::Expand(): the result would have some {:.0e} "
      "terms; at most {:.0e} are made. Leave it as a product.",
      count, kMostTerms));
}

// The work is also bounded in many small steps: in x (1 + x (1 + ...)) each
// step visits all terms of the earlier ones.
constexpr double kMostTermsOnTheWay = 1e7;

void CountTerms(double count, double* made) {
  *made += count;
  if (*made <= kMostTermsOnTheWay) return;
  throw std::runtime_error(fmt::format(
      "symbolic::Expression::Expand(): above {:.0e} terms would be made on the "
      "way to the result. Leave it as it is, or expand parts of it.",
      kMostTermsOnTheWay));
}

Ref MultiplyOut(const Ref& a, const Ref& b, double* made) {
  const std::vector<Ref> x = TermsOf(a), y = TermsOf(b);
  const double count = static_cast<double>(x.size()) * y.size();
  RequireFewTerms(count);
  CountTerms(count, made);
  std::vector<Ref> terms;
  terms.reserve(x.size() * y.size());
  for (const Ref& p : x) {
    for (const Ref& q : y) {
      const Ref product = MakeProduct(p, q);
      terms.push_back(IsExpanded(product) ? product : ExpandRef(product));
    }
  }
  return MakeSumOf(terms);
}

struct Expansion : NeedsAll {
  using Result = Ref;
  static constexpr std::uint32_t kSmall = 1;

  double made{0};

  Ref OfNumber(double number) const { return Ref(number); }
  Ref Scaled(const Ref& result, double factor) {
    if (result.is_number() || !result.cell()->Is(ExpressionKind::Add)) {
      return Scale(result, factor);
    }
    const std::vector<Ref> terms = TermsOf(Ref(result.cell(), factor));
    CountTerms(static_cast<double>(terms.size()), &made);
    return MakeSumOf(terms);
  }
  template <typename Known, typename Push>
  void Needs(const Cell& cell, const Known& known, const Push& push) {
    if (!cell.is_expanded) NeedsAll::Needs(cell, known, push);
  }

  // An expanded base to an integer power.
  Ref OfPower(const Ref& base, double exponent) {
    if (base.is_number()) return MakePower(base, Ref(exponent));
    const double n = std::abs(exponent);
    if (base.cell()->Is(ExpressionKind::Add)) {
      if (exponent < 0) return MakePower(base, Ref(exponent));
      // A sum of k terms to the power n has (n + k - 1 over n) terms.
      const double k = static_cast<double>(TermsOf(base).size());
      double count = 1;
      for (double i = 1; i < k && count <= kMostTerms; ++i) {
        count *= (n + i) / i;
      }
      RequireFewTerms(std::max(count, count * k * n / 100));
      Ref power = base;
      for (int i = 1; i < n; ++i) power = MultiplyOut(power, base, &made);
      return power;
    }
    Ref power(std::pow(base.factor(), exponent));
    if (base.cell()->Is(ExpressionKind::Mul)) {
      for (const auto& factor : AsProduct(*base.cell()).factors) {
        power = MakeProduct(
            std::move(power),
            MakePower(factor.base, Ref(factor.exponent * exponent)));
      }
      return power;
    }
    return MakeProduct(power, MakePower(base.Times(1), Ref(exponent)));
  }

  template <typename Get>
  Ref Compute(const Cell& cell, const Get& get) {
    if (cell.is_expanded) return Ref(&cell);
    if (cell.Is(ExpressionKind::Mul)) {
      Ref product(1.0);
      for (const auto& [base, exponent] : AsProduct(cell).factors) {
        product = MultiplyOut(product, OfPower(get(base), exponent), &made);
      }
      return product;
    }
    if (cell.Is(ExpressionKind::Pow)) {
      const Ref& exponent = AsOperation(cell).b;
      if (exponent.is_number() && IsInteger(exponent.factor())) {
        return OfPower(get(AsOperation(cell).a), exponent.factor());
      }
    }
    if (cell.Is(ExpressionKind::Div)) {
      const Ref &a = AsOperation(cell).a, &b = AsOperation(cell).b;
      const Ref numerator = get(a), denominator = get(b);
      if (denominator.is_number() && denominator.factor() != 0) {
        std::vector<Ref> terms = TermsOf(numerator);
        CountTerms(static_cast<double>(terms.size()), &made);
        for (Ref& term : terms) {
          const double factor = term.factor() / denominator.factor();
          term = term.is_number() ? Ref(factor) : Scale(term.Times(1), factor);
        }
        return MakeSumOf(terms);
      }
      if (IsSame(numerator, a) && IsSame(denominator, b)) return Ref(&cell);
      return MakeQuotient(numerator, denominator);
    }
    return Rebuild(cell, get);
  }
};

// A rewritten part, and whether it has angles; if some of its terms have and
// others have not, both. Who looks for the angles of an argument then need not
// go over what has none, which may be all that was made before.
struct Remade {
  Ref ref;
  bool has_angles{false};
  bool is_split{false};
  Ref of_angles{};
  Ref rest{};

  SplitArgument Split() const {
    if (is_split) return {ref, of_angles, rest};
    return has_angles ? SplitArgument{ref, ref, Ref(0.0)}
                      : SplitArgument{ref, Ref(0.0), ref};
  }
  Remade Divided(const Ref& made, const Ref& divisor) const {
    if (!is_split) return {made, has_angles};
    return {made, true, true, MakeQuotient(of_angles, divisor),
            MakeQuotient(rest, divisor)};
  }
};

struct Remaking : NeedsAll {
  using Result = Remade;
  static constexpr std::uint32_t kSmall = 1;

  const Variables& angles;
  const RemakeFunction& remake;

  Remaking(const Variables& those, const RemakeFunction& function)
      : angles(those), remake(function) {}
  Remade OfNumber(double number) const { return {Ref(number)}; }
  Remade Scaled(const Remade& a, double factor) const {
    const Ref made = Scale(a.ref, factor);
    if (!a.is_split) return {made, a.has_angles};
    return {made, true, true, Scale(a.of_angles, factor),
            Scale(a.rest, factor)};
  }
  template <typename Get>
  Remade Compute(const Cell& cell, const Get& get) {
    if (cell.Is(ExpressionKind::Var)) {
      return {Ref(&cell), angles.include(VariableIn(cell))};
    }
    if (cell.Is(FormulaKind::Var) || cell.Is(FormulaKind::Forall)) {
      return {Ref(&cell)};
    }
    // Each once: of a small graph, get() works it out anew.
    bool has_angles = false;
    std::vector<Remade> parts;
    ForEachOperand(cell, [&](const Ref& operand) {
      parts.push_back(get(operand));
      has_angles = has_angles || parts.back().has_angles;
    });
    const bool is_trigonometric = cell.Is(ExpressionKind::Sin) ||
                                  cell.Is(ExpressionKind::Cos) ||
                                  cell.Is(ExpressionKind::Tan);
    if (is_trigonometric && has_angles) return {remake(cell, parts[0].Split())};
    std::size_t i = 0;
    const Ref made = Rebuild(cell, [&](const Ref&) { return parts[i++].ref; });
    if (!has_angles) return {made};
    if (cell.Is(ExpressionKind::Div) && parts[1].ref.is_number()) {
      return parts[0].Divided(made, parts[1].ref);
    }
    if (!cell.Is(ExpressionKind::Add)) return {made, true};
    std::vector<Ref> of_angles, rest;
    for (const Remade& part : parts) {
      const SplitArgument split = part.Split();
      of_angles.push_back(split.of_angles);
      rest.push_back(split.rest);
    }
    rest.push_back(Ref(AsSum(cell).constant));
    return {made, true, true, MakeSumOf(of_angles), MakeSumOf(rest)};
  }
};

}  // namespace

std::vector<Ref> RemakeTrigonometricRefs(const std::vector<Ref>& roots,
                                         const Variables& angles,
                                         const RemakeFunction& remake) {
  Remaking remaking(angles, remake);
  Walk<Remaking> walk(&remaking);
  std::vector<Ref> result;
  result.reserve(roots.size());
  for (const Ref& root : roots) result.push_back(walk.Run(root).ref);
  return result;
}

std::vector<Ref> SubstituteRefs(const std::vector<Ref>& roots,
                                const Substitution& substitution) {
  Replacement replacement{substitution};
  Walk<Replacement> walk(&replacement);
  std::vector<Ref> result;
  result.reserve(roots.size());
  for (const Ref& root : roots) result.push_back(walk.Run(root));
  return result;
}

Ref ExpandRef(const Ref& a) {
  if (IsExpanded(a)) return a;
  Expansion expansion;
  return Walk<Expansion>(&expansion).Run(a);
}

}  // namespace internal

Expression Expression::Substitute(const Substitution& substitution) const {
  return Expression(internal::SubstituteRefs({ref_}, substitution)[0]);
}

Expression Expression::Substitute(const Variable& variable,
                                  const Expression& e) const {
  return Substitute({{variable, e}});
}

Expression Expression::EvaluatePartial(const Environment& environment) const {
  Substitution values;
  for (const auto& [v, value] : environment) values.emplace(v, value);
  return Substitute(values);
}

}  // namespace wyvern::symbolic
