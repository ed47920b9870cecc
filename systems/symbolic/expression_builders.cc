#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/cell_private.h"

/* Makes and simplifies expressions: sums whose terms are sorted and all
different, products likewise with integer powers, functions of numbers as
numbers. A rule is here only if it keeps the value wherever the expression
has one; README.md lists them. A sum or product that nobody else holds is
changed in place, so that adding up n terms takes n steps. */

namespace wyvern::symbolic::internal {
namespace {

std::uint32_t CappedSize(std::uint64_t size) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(size, kLargestSize));
}

bool IsOne(const Ref& a) { return a.is_number() && a.factor() == 1; }
bool IsZero(const Ref& a) { return a.is_number() && a.factor() == 0; }

bool IsCell(const Ref& a, ExpressionKind kind) {
  return !a.is_number() && a.cell()->Is(kind);
}

// b to an integer power, in the form pow(b, n).
bool IsIntegerPower(const Ref& a) {
  if (!IsCell(a, ExpressionKind::Pow)) return false;
  const Ref& exponent = AsOperation(*a.cell()).b;
  return exponent.is_number() && IsInteger(exponent.factor());
}

// The hash and size of an operation, whose flags are the maker's.
OperationCell* NewOperation(Kind kind, const Ref& a, const Ref& b) {
  auto* cell = new OperationCell(kind, a, b);
  cell->hash = Mix(Mix(HashOf(a) + kind) + 3 * HashOf(b) + kind);
  cell->size = CappedSize(std::uint64_t{1} + SizeOf(a) +
                          (b.is_number() ? 0 : SizeOf(b)));
  cell->is_expanded = IsExpanded(a) && IsExpanded(b);
  cell->is_random = IsRandom(a) || IsRandom(b);
  return cell;
}

Ref MakeList(ListCell* cell) {
  std::uint64_t hash = cell->kind, size = 1;
  for (const char c : cell->name) hash = Mix(hash + static_cast<unsigned>(c));
  for (const Variable& v : cell->quantified) hash = Mix(hash + v.get_id());
  cell->is_expanded = true;
  for (const Ref& item : cell->sorted_items()) {
    hash = Mix(hash + HashOf(item));
    size += SizeOf(item);
    cell->is_expanded = cell->is_expanded && IsExpanded(item);
    cell->is_random = cell->is_random || IsRandom(item);
  }
  cell->hash = Mix(hash);
  cell->size = CappedSize(size);
  return Ref(cell);
}

std::uint64_t TermHash(const Ref& term) {
  return Mix(HashOf(term) + 0x9e3779b97f4a7c15u);
}

// Whether a term, as it stands in a sum, is expanded.
bool IsExpandedTerm(const Ref& term) {
  return term.cell()->is_expanded && !term.cell()->Is(ExpressionKind::Add);
}

void CountTerm(SumCell* sum, const Ref& term, int sign) {
  const std::uint64_t hash = TermHash(term);
  sum->hashes += sign > 0 ? hash : -hash;
  sum->others += sign * !term.cell()->is_polynomial;
  sum->unexpanded += sign * !IsExpandedTerm(term);
  sum->is_random = sum->is_random || term.cell()->is_random;
}

void AddTo(SumCell* sum, const Ref& term, double scale);

void AddTerm(SumCell* sum, const Ref& term, double coefficient) {
  auto at = sum->terms.end();
  // Mostly it comes last.
  int order = sum->terms.empty() ? 1 : CompareUnscaled(term, sum->terms.back());
  if (order <= 0) {
    at = order == 0 ? at - 1
                    : std::lower_bound(sum->terms.begin(), sum->terms.end(),
                                       term, [](const Ref& a, const Ref& b) {
                                         return CompareUnscaled(a, b) < 0;
                                       });
    order = order == 0 ? 0 : CompareUnscaled(*at, term);
  }
  if (order != 0) {
    CountTerm(sum, *sum->terms.insert(at, term.Times(coefficient)), 1);
    sum->size = CappedSize(std::uint64_t{sum->size} + SizeOf(term));
    return;
  }
  const double total = at->factor() + coefficient;
  if (std::isnan(total)) ThrowNoNumber("the coefficient of a sum");
  CountTerm(sum, *at, -1);
  const Ref found = std::move(*at);
  // A sum within a sum does not have the coefficients 1 and -1.
  const bool is_flattened =
      std::abs(total) == 1 && found.cell()->Is(ExpressionKind::Add);
  if (total != 0 && !is_flattened) {
    *at = found.Times(total);
    CountTerm(sum, *at, 1);
    return;
  }
  sum->terms.erase(at);
  std::uint64_t size = 1;
  for (const Ref& other : sum->terms) size += SizeOf(other);
  sum->size = CappedSize(size);
  if (is_flattened) AddTo(sum, found.Times(1), total);
}

// Adds scale * a.
void AddTo(SumCell* sum, const Ref& a, double scale) {
  if (a.is_number()) {
    sum->constant += scale * a.factor();
    if (std::isnan(sum->constant)) ThrowNoNumber("the constant of a sum");
  } else if (a.cell()->Is(ExpressionKind::Add) &&
             std::abs(a.factor() * scale) == 1) {
    const SumCell& other = AsSum(*a.cell());
    const double sign = a.factor() * scale;
    sum->constant += sign * other.constant;
    if (std::isnan(sum->constant)) ThrowNoNumber("the constant of a sum");
    for (const Ref& term : other.terms) {
      AddTerm(sum, term, sign * term.factor());
    }
  } else {
    AddTerm(sum, a, a.factor() * scale);
  }
}

// Returns the finished sum, once its terms are complete. `holder` holds it.
Ref FinishSum(Ref holder, SumCell* sum) {
  if (sum->terms.empty()) return Ref(sum->constant);
  if (sum->terms.size() == 1 && sum->constant == 0) {
    const Ref term = sum->terms[0];
    return Scale(term.Times(1), term.factor());
  }
  sum->hash = Mix(sum->hashes + HashOf(sum->constant) + sum->kind);
  sum->is_polynomial = sum->others == 0;
  sum->is_expanded = sum->unexpanded == 0;
  return holder;
}

// A sum or product that may be changed: the one given, if nobody else has it.
template <typename AnyCell>
AnyCell* Changeable(Ref* holder) {
  const auto* cell = static_cast<const AnyCell*>(holder->cell());
  if (holder->is_unique()) return const_cast<AnyCell*>(cell);
  auto* copy = new AnyCell(*cell);
  *holder = Ref(copy);
  return copy;
}

using Factor = ProductCell::Factor;

// x in pow(x, y); else the same.
const Ref& BaseOf(const Ref& a) {
  return a.factor() == 1 && a.cell()->Is(ExpressionKind::Pow)
             ? AsOperation(*a.cell()).a
             : a;
}

// Powers of x that are no integers stand after x, before y.
int CompareBases(const Ref& a, const Ref& b) {
  const int order = Compare(BaseOf(a), BaseOf(b));
  return order != 0 ? order : Compare(a, b);
}

void MultiplyBy(ProductCell* product, const Ref& a, double exponent,
                double* coefficient);

void AddFactor(ProductCell* product, const Ref& base, double exponent,
               double* coefficient) {
  const auto at =
      std::lower_bound(product->factors.begin(), product->factors.end(), base,
                       [](const Factor& a, const Ref& b) {
                         return CompareBases(a.base, b) < 0;
                       });
  if (at == product->factors.end() || Compare(at->base, base) != 0) {
    product->factors.insert(at, Factor{base, exponent});
    return;
  }
  at->exponent += exponent;
  const Factor found = *at;
  if (found.exponent == 0) {
    product->factors.erase(at);
  } else if (found.exponent == 1 &&
             (found.base.factor() != 1 ||
              found.base.cell()->Is(ExpressionKind::Mul))) {
    // 2 x and x y are bases of powers only.
    product->factors.erase(at);
    MultiplyBy(product, found.base, 1, coefficient);
  }
}

// Multiplies by a to the power 1 or, of a base alone, to another.
void MultiplyBy(ProductCell* product, const Ref& a, double exponent,
                double* coefficient) {
  if (exponent != 1) {
    AddFactor(product, a, exponent, coefficient);
    return;
  }
  *coefficient *= a.factor();
  if (a.is_number()) return;
  if (a.cell()->Is(ExpressionKind::Mul)) {
    for (const Factor& factor : AsProduct(*a.cell()).factors) {
      AddFactor(product, factor.base, factor.exponent, coefficient);
    }
  } else if (IsIntegerPower(a)) {
    const OperationCell& power = AsOperation(*a.cell());
    AddFactor(product, power.a, power.b.factor(), coefficient);
  } else {
    AddFactor(product, a.Times(1), 1, coefficient);
  }
}

Ref FinishProduct(const Ref& holder, ProductCell* product, double coefficient) {
  if (std::isnan(coefficient)) ThrowNoNumber("the constant of a product");
  if (product->factors.empty() || coefficient == 0) return Ref(coefficient);
  if (product->factors.size() == 1) {
    const Factor& only = product->factors[0];
    return Scale(MakePower(only.base, Ref(only.exponent)), coefficient);
  }
  std::uint64_t hash = product->kind, size = 1;
  product->is_polynomial = product->is_expanded = true;
  for (const auto& [base, exponent] : product->factors) {
    hash = Mix(hash + HashOf(base) + 3 * HashOf(exponent));
    size += SizeOf(base) + (exponent == 1 ? 0 : 1);
    product->is_polynomial =
        product->is_polynomial && IsPolynomial(base) && exponent > 0;
    product->is_random = product->is_random || IsRandom(base);
    const bool is_simple = base.factor() == 1 &&
                           !base.cell()->Is(ExpressionKind::Mul) &&
                           !base.cell()->Is(ExpressionKind::Add);
    product->is_expanded =
        product->is_expanded && IsExpanded(base) && (is_simple || exponent < 0);
  }
  product->hash = Mix(hash);
  product->size = CappedSize(size);
  return holder.Times(coefficient);
}

bool IsQuotient(const Ref& a, bool with_constant_numerator) {
  return IsCell(a, ExpressionKind::Div) && a.factor() == 1 &&
         (!with_constant_numerator || AsOperation(*a.cell()).a.is_number());
}

}  // namespace

Ref MakeVariable(Variable::Id id, std::string name) {
  const bool is_boolean =
      static_cast<Variable::Type>(id >> 56) == Variable::Type::BOOLEAN;
  auto* cell =
      new VariableCell(KindOf(ExpressionKind::Var), id, std::move(name));
  cell->hash = Mix(id + 0x9e3779b97f4a7c15u);
  cell->is_polynomial = !is_boolean;
  cell->is_random =
      static_cast<Variable::Type>(id >> 56) >= Variable::Type::RANDOM_UNIFORM;
  cell->is_expanded = true;
  return Ref(cell);
}

Ref MakeNumber(double number, const char* what) {
  if (std::isnan(number)) ThrowNoNumber(what);
  return Ref(number);
}

Ref Scale(const Ref& a, double factor) {
  if (factor == 1) return a;
  if (a.is_number()) return MakeNumber(a.factor() * factor, "a product");
  const double total = a.factor() * factor;
  if (std::isnan(total)) ThrowNoNumber("the constant of a product");
  if (total == 0) return Ref(0.0);
  if (total == -1 && a.cell()->Is(ExpressionKind::Add)) {
    auto* sum = new SumCell;
    Ref holder(sum);
    sum->terms.reserve(AsSum(*a.cell()).terms.size());
    AddTo(sum, a.Times(1), -1);
    return FinishSum(std::move(holder), sum);
  }
  if (a.cell()->Is(ExpressionKind::Div) && IsOne(AsOperation(*a.cell()).a)) {
    return MakeQuotient(Ref(total), AsOperation(*a.cell()).b);
  }
  return a.Times(total);
}

Ref MakeSum(Ref a, const Ref& b, double scale) {
  if (b.is_number()) {
    if (b.factor() == 0) return a;
    if (a.is_number()) {
      return MakeNumber(a.factor() + scale * b.factor(), "a sum");
    }
  }
  if (IsZero(a)) return Scale(b, scale);
  SumCell* sum;
  if (IsCell(a, ExpressionKind::Add) && a.factor() == 1) {
    sum = Changeable<SumCell>(&a);
  } else {
    const Ref first = std::move(a);
    sum = new SumCell;
    a = Ref(sum);
    AddTo(sum, first, 1);
  }
  AddTo(sum, b, scale);
  return FinishSum(std::move(a), sum);
}

Ref MakeSumOf(const std::vector<Ref>& terms) {
  auto* sum = new SumCell;
  Ref holder(sum);
  std::vector<Ref> flat;
  flat.reserve(terms.size());
  for (const Ref& term : terms) {
    if (term.is_number()) {
      AddTo(sum, term, 1);
    } else if (IsCell(term, ExpressionKind::Add) && term.factor() == 1) {
      AddTo(sum, Ref(AsSum(*term.cell()).constant), 1);
      const auto& inner = AsSum(*term.cell()).terms;
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(term);
    }
  }
  const auto is_less = [](const Ref& a, const Ref& b) {
    return CompareUnscaled(a, b) < 0;
  };
  // Terms of one sum times something mostly stay in order.
  if (!std::is_sorted(flat.begin(), flat.end(), is_less)) {
    std::stable_sort(flat.begin(), flat.end(), is_less);
  }
  // Sorted, each is added at the end, or to the last one.
  for (const Ref& term : flat) AddTo(sum, term, 1);
  return FinishSum(std::move(holder), sum);
}

Ref MakeProduct(Ref a, const Ref& b) {
  if (a.is_number()) return Scale(b, a.factor());
  if (b.is_number()) return Scale(a, b.factor());
  if (IsQuotient(a, true) || IsQuotient(b, true)) {
    const bool both = IsQuotient(a, false) && IsQuotient(b, false);
    if (both) {
      const OperationCell &x = AsOperation(*a.cell()),
                          &y = AsOperation(*b.cell());
      return MakeQuotient(MakeProduct(x.a, y.a), MakeProduct(x.b, y.b));
    }
    const OperationCell& quotient =
        AsOperation(IsQuotient(a, true) ? *a.cell() : *b.cell());
    return MakeQuotient(Scale(IsQuotient(a, true) ? b : a, quotient.a.factor()),
                        quotient.b);
  }
  // The factors of the shorter one are put among those of the longer one.
  const bool is_swapped = CountFactors(a) < CountFactors(b);
  const Ref less = is_swapped ? std::move(a) : b;
  if (is_swapped) a = b;
  double coefficient = a.factor();
  ProductCell* product;
  if (a.cell()->Is(ExpressionKind::Mul)) {
    product = Changeable<ProductCell>(&a);
  } else {
    const Ref first = std::move(a);
    product = new ProductCell;
    a = Ref(product);
    MultiplyBy(product, first.Times(1), 1, &coefficient);
  }
  MultiplyBy(product, less, 1, &coefficient);
  return FinishProduct(a, product, coefficient);
}

Ref MakeProductLessOne(const ProductCell& product, std::size_t i) {
  const Factor& factor = product.factors[i];
  const bool is_simple =
      factor.base.factor() == 1 && !factor.base.cell()->Is(ExpressionKind::Mul);
  if (factor.exponent == 2 && !is_simple) {
    return MakeProduct(Ref(&product), MakePower(factor.base, Ref(-1.0)));
  }
  auto* cell = new ProductCell;
  const Ref holder(cell);
  cell->factors.reserve(product.factors.size());
  for (std::size_t k = 0; k < product.factors.size(); ++k) {
    const double exponent = product.factors[k].exponent - (k == i ? 1 : 0);
    if (exponent != 0) {
      cell->factors.push_back({product.factors[k].base, exponent});
    }
  }
  return FinishProduct(holder, cell, 1);
}

Ref MakeQuotient(Ref a, const Ref& b) {
  if (IsOne(b)) return a;
  if (a.is_number() && b.is_number()) {
    if (b.factor() == 0) {
      ThrowDivisionByZero(fmt::format("{} / 0", a.factor()));
    }
    return MakeNumber(a.factor() / b.factor(), "a quotient");
  }
  if (AreEqual(a, b)) return Ref(1.0);
  OperationCell* cell = NewOperation(KindOf(ExpressionKind::Div), a, b);
  cell->is_polynomial = IsPolynomial(a) && b.is_number() && b.factor() != 0;
  cell->is_expanded = cell->is_expanded && (!b.is_number() || b.factor() == 0);
  return Ref(cell);
}

Ref MakePower(const Ref& base, const Ref& exponent) {
  if (exponent.is_number()) {
    const double e = exponent.factor();
    if (e == 0) return Ref(1.0);
    if (e == 1) return base;
    if (base.is_number()) {
      const double value = std::pow(base.factor(), e);
      if (std::isnan(value)) {
        ThrowNoNumber(fmt::format("pow({}, {})", base.factor(), e));
      }
      return Ref(value);
    }
    if (IsInteger(e) && base.factor() == 1 && IsIntegerPower(base)) {
      const OperationCell& inner = AsOperation(*base.cell());
      return MakePower(inner.a, Ref(inner.b.factor() * e));
    }
  }
  OperationCell* cell =
      NewOperation(KindOf(ExpressionKind::Pow), base, exponent);
  const bool is_integer = exponent.is_number() && IsInteger(exponent.factor());
  cell->is_polynomial =
      IsPolynomial(base) && is_integer && exponent.factor() > 0;
  if (is_integer && !base.is_number()) {
    const bool is_sum = base.cell()->Is(ExpressionKind::Add);
    const bool is_product =
        base.cell()->Is(ExpressionKind::Mul) || (base.factor() != 1 && !is_sum);
    cell->is_expanded =
        cell->is_expanded && !is_product && !(is_sum && exponent.factor() > 0);
  }
  return Ref(cell);
}

Ref MakeFunction(ExpressionKind kind, const Ref& a) {
  if (a.is_number()) {
    const double value = Compute(kind, a.factor());
    if (std::isnan(value)) {
      ThrowNoNumber(fmt::format("{}({})", NameOf(kind), a.factor()));
    }
    return Ref(value);
  }
  if (kind == ExpressionKind::Sqrt && IsIntegerPower(a) && a.factor() == 1 &&
      AsOperation(*a.cell()).b.factor() == 2) {
    return MakeFunction(ExpressionKind::Abs, AsOperation(*a.cell()).a);
  }
  return Ref(NewOperation(KindOf(kind), a, Ref(0.0)));
}

Ref MakeMinOrMax(ExpressionKind kind, const Ref& a, const Ref& b) {
  if (AreEqual(a, b)) return a;
  if (a.is_number() && b.is_number()) {
    return Ref(Compute(kind, a.factor(), b.factor()));
  }
  return Ref(NewOperation(KindOf(kind), a, b));
}

Ref MakeAtan2(const Ref& y, const Ref& x) {
  if (y.is_number() && x.is_number()) {
    return Ref(std::atan2(y.factor(), x.factor()));
  }
  return Ref(NewOperation(KindOf(ExpressionKind::Atan2), y, x));
}

Ref MakeIfThenElse(const Ref& condition, const Ref& a, const Ref& b) {
  if (condition.cell()->Is(FormulaKind::True)) return a;
  if (condition.cell()->Is(FormulaKind::False)) return b;
  return MakeList(
      new ListCell(KindOf(ExpressionKind::IfThenElse), {condition, a, b}));
}

Ref MakeUninterpreted(std::string name, std::vector<Ref> arguments) {
  auto* cell = new ListCell(KindOf(ExpressionKind::UninterpretedFunction),
                            std::move(arguments));
  cell->name = std::move(name);
  return MakeList(cell);
}

Ref MakeNaN() {
  static const Ref nan(NewOperation(KindOf(ExpressionKind::NaN), Ref(), Ref()));
  return nan;
}

Ref MakeTruth(bool value) {
  static const Ref truths[2] = {
      Ref(NewOperation(KindOf(FormulaKind::False), Ref(), Ref())),
      Ref(NewOperation(KindOf(FormulaKind::True), Ref(), Ref()))};
  return truths[value];
}

Ref MakeBooleanVariable(const Ref& variable) {
  return Ref(NewOperation(KindOf(FormulaKind::Var), variable, Ref()));
}

Ref MakeComparison(FormulaKind kind, const Ref& a, const Ref& b) {
  if (a.is_number() && b.is_number()) {
    return MakeTruth(Compute(kind, a.factor(), b.factor()));
  }
  // A number and what is no sum differ by no number.
  const bool may_cancel = !(a.is_number() && !IsCell(b, ExpressionKind::Add)) &&
                          !(b.is_number() && !IsCell(a, ExpressionKind::Add));
  if (may_cancel && !Is(a, ExpressionKind::NaN)) {
    const Ref difference = MakeSum(a, b, -1);
    if (difference.is_number()) {
      return MakeTruth(Compute(kind, difference.factor(), 0));
    }
  }
  return Ref(NewOperation(KindOf(kind), a, b));
}

namespace {

// Keeps the first of equal items.
void KeepFirst(const std::vector<Ref>& sorted, std::vector<Ref>* items) {
  std::vector<bool> is_seen(sorted.size(), false);
  std::erase_if(*items, [&](const Ref& item) {
    const auto at = std::lower_bound(
        sorted.begin(), sorted.end(), item,
        [](const Ref& a, const Ref& b) { return Compare(a, b) < 0; });
    const std::size_t place = at - sorted.begin();
    const bool is_double = is_seen[place];
    is_seen[place] = true;
    return is_double;
  });
}

}  // namespace

Ref MakeConnective(FormulaKind kind, const std::vector<Ref>& operands) {
  const FormulaKind neutral =
      kind == FormulaKind::And ? FormulaKind::True : FormulaKind::False;
  const FormulaKind decisive =
      kind == FormulaKind::And ? FormulaKind::False : FormulaKind::True;
  std::vector<Ref> items;
  for (const Ref& operand : operands) {
    if (operand.cell()->Is(decisive)) return operand;
    if (operand.cell()->Is(neutral)) continue;
    if (operand.cell()->Is(kind)) {
      const ListCell& list = AsList(*operand.cell());
      items.insert(items.end(), list.items.begin(), list.items.end());
    } else {
      items.push_back(operand);
    }
  }
  const auto is_less = [](const Ref& a, const Ref& b) {
    return Compare(a, b) < 0;
  };
  std::vector<Ref> sorted;
  if (!std::is_sorted(items.begin(), items.end(), is_less)) sorted = items;
  std::stable_sort(sorted.begin(), sorted.end(), is_less);
  std::vector<Ref>& unique = sorted.empty() ? items : sorted;
  const std::size_t count = items.size();
  unique.erase(std::unique(unique.begin(), unique.end(), AreEqual),
               unique.end());
  if (unique.size() < count && !sorted.empty()) KeepFirst(sorted, &items);
  if (items.empty()) return MakeTruth(kind == FormulaKind::And);
  if (items.size() == 1) return items[0];
  auto* cell = new ListCell(KindOf(kind), std::move(items));
  cell->sorted = std::move(sorted);
  return MakeList(cell);
}

Ref MakeNot(const Ref& a) {
  if (a.cell()->Is(FormulaKind::True)) return MakeTruth(false);
  if (a.cell()->Is(FormulaKind::False)) return MakeTruth(true);
  if (a.cell()->Is(FormulaKind::Not)) return AsOperation(*a.cell()).a;
  return Ref(NewOperation(KindOf(FormulaKind::Not), a, Ref()));
}

Ref MakeForall(const Variables& quantified, const Ref& a) {
  auto* cell = new ListCell(KindOf(FormulaKind::Forall), {a});
  const Ref holder(cell);
  cell->quantified = quantified;
  cell->free = VariablesIn({a}) - quantified;
  return MakeList(cell);
}

Ref MakeIsnan(const Ref& a) {
  if (a.is_number()) return MakeTruth(false);
  return Ref(NewOperation(KindOf(FormulaKind::Isnan), a, Ref()));
}

Ref MakePositiveSemidefinite(int rows, std::vector<Ref> entries) {
  auto* cell = new ListCell(KindOf(FormulaKind::PositiveSemidefinite),
                            std::move(entries));
  cell->rows = rows;
  return MakeList(cell);
}

}  // namespace wyvern::symbolic::internal
