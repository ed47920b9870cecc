#include "wyvern/systems/symbolic/cell_private.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

/* Cells: how they go, what they are called, and which is less. Deleting and
comparing keep lists of what is to be done in place of recursion, so that a
graph may be as deep as memory lasts; a comparison that goes on for long
remembers the pairs it has seen, so that shared parts are compared once. */

namespace wyvern::symbolic::internal {
namespace {

void DeleteByStorage(const Cell* cell) {
  switch (StorageOf(*cell)) {
    case Storage::kVariable:
      delete static_cast<const VariableCell*>(cell);
      return;
    case Storage::kOperation:
      delete static_cast<const OperationCell*>(cell);
      return;
    case Storage::kSum:
      delete static_cast<const SumCell*>(cell);
      return;
    case Storage::kProduct:
      delete static_cast<const ProductCell*>(cell);
      return;
    case Storage::kList:
      delete static_cast<const ListCell*>(cell);
      return;
  }
}

Kind RawKind(const Ref& ref) {
  if (ref.is_number()) return KindOf(ExpressionKind::Constant);
  if (ref.factor() != 1) return KindOf(ExpressionKind::Mul);
  return ref.cell()->kind;
}

template <typename Number>
int Order(Number a, Number b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

// Among large operands the smaller one is less, whatever its contents. So
// comparing parts of one long chain, as of sin(sin(...)), does not go to its
// end. Expressions small enough to be read are ordered as in Drake.
constexpr std::uint32_t kLarge = 256;
int OrderOfSizes(const Cell& a, const Cell& b) {
  return Order(std::max(a.size, kLarge), std::max(b.size, kLarge));
}

// Pending comparison: two operands, or an answer that is already known.
struct Pending {
  const Ref* a;
  const Ref* b;
  bool is_unscaled;
  int verdict;
};

// Puts what two cells of one kind are made of on the stack, the first on top.
class Comparison {
 public:
  int Run(const Ref& a, const Ref& b, bool is_unscaled) {
    stack_.push_back({&a, &b, is_unscaled, 0});
    int steps = 0;
    while (!stack_.empty()) {
      const Pending top = stack_.back();
      stack_.pop_back();
      if (top.verdict != 0) return top.verdict;
      if (top.a == nullptr) continue;
      const bool is_long = ++steps > 64;
      const int order = Step(top, is_long);
      if (order != 0) return order;
    }
    return 0;
  }

 private:
  struct PairHash {
    std::size_t operator()(const std::pair<const Cell*, const Cell*>& p) const {
      return Mix(reinterpret_cast<std::uintptr_t>(p.first)) ^
             reinterpret_cast<std::uintptr_t>(p.second);
    }
  };

  int Step(const Pending& top, bool is_long) {
    const Ref &a = *top.a, &b = *top.b;
    if (a.cell() == b.cell()) {
      return top.is_unscaled ? 0 : Order(a.factor(), b.factor());
    }
    const Kind kind_a = top.is_unscaled ? a.cell()->kind : RawKind(a);
    const Kind kind_b = top.is_unscaled ? b.cell()->kind : RawKind(b);
    if (kind_a != kind_b) return Order(kind_a, kind_b);
    if (!top.is_unscaled && a.factor() != b.factor()) {
      return Order(a.factor(), b.factor());
    }
    if (kind_a == KindOf(ExpressionKind::Constant)) return 0;
    // Two that have one holder each are not met again unless these are.
    if (is_long && !(a.is_unique() && b.is_unique()) &&
        !seen_.insert({a.cell(), b.cell()}).second) {
      return 0;
    }
    const std::size_t first = stack_.size();
    const int order = kind_a == KindOf(ExpressionKind::Mul)
                          ? PushProducts(a, b)
                          : PushParts(*a.cell(), *b.cell());
    std::reverse(stack_.begin() + first, stack_.end());
    return order;
  }

  void Push(const Ref& a, const Ref& b) {
    stack_.push_back({&a, &b, false, 0});
  }
  void Push(int verdict) {
    stack_.push_back({nullptr, nullptr, false, verdict});
  }

  int PushProducts(const Ref& a, const Ref& b) {
    const bool is_product_a = a.cell()->Is(ExpressionKind::Mul);
    const bool is_product_b = b.cell()->Is(ExpressionKind::Mul);
    if (!is_product_a && !is_product_b) {
      stack_.push_back({&a, &b, true, 0});
      return 0;
    }
    const int count = std::min(CountFactors(a), CountFactors(b));
    for (int i = 0; i < count; ++i) {
      if (is_product_a && is_product_b) {
        const auto &x = AsProduct(*a.cell()).factors[i],
                   &y = AsProduct(*b.cell()).factors[i];
        Push(x.base, y.base);
        Push(Order(x.exponent, y.exponent));
      } else if (is_product_a) {
        const auto& x = AsProduct(*a.cell()).factors[i];
        // A scaled base is greater than any of another kind than Mul.
        if (x.base.factor() != 1)
          return RawKind(x.base) < b.cell()->kind ? -1 : 1;
        stack_.push_back({&x.base, &b, true, 0});
        Push(Order(x.exponent, 1.0));
      } else {
        const auto& y = AsProduct(*b.cell()).factors[i];
        if (y.base.factor() != 1)
          return a.cell()->kind < RawKind(y.base) ? -1 : 1;
        stack_.push_back({&a, &y.base, true, 0});
        Push(Order(1.0, y.exponent));
      }
    }
    Push(Order(CountFactors(a), CountFactors(b)));
    return 0;
  }

  int PushParts(const Cell& a, const Cell& b) {
    if (const int order = OrderOfSizes(a, b); order != 0) return order;
    switch (StorageOf(a)) {
      case Storage::kVariable:
        return Order(AsVariable(a).id, AsVariable(b).id);
      case Storage::kOperation:
        Push(AsOperation(a).a, AsOperation(b).a);
        Push(AsOperation(a).b, AsOperation(b).b);
        return 0;
      case Storage::kSum:
        return PushSums(AsSum(a), AsSum(b));
      case Storage::kProduct:
        return 0;  // PushProducts() does.
      case Storage::kList:
        return PushLists(AsList(a), AsList(b));
    }
    return 0;
  }

  int PushSums(const SumCell& a, const SumCell& b) {
    if (a.constant != b.constant) return Order(a.constant, b.constant);
    const std::size_t count = std::min(a.terms.size(), b.terms.size());
    for (std::size_t i = 0; i < count; ++i) {
      stack_.push_back({&a.terms[i], &b.terms[i], true, 0});
      Push(Order(a.terms[i].factor(), b.terms[i].factor()));
    }
    Push(Order(a.terms.size(), b.terms.size()));
    return 0;
  }

  int PushLists(const ListCell& a, const ListCell& b) {
    if (a.name != b.name) return a.name < b.name ? -1 : 1;
    if (a.quantified < b.quantified) return -1;
    if (b.quantified < a.quantified) return 1;
    const std::vector<Ref>&x = a.sorted_items(), &y = b.sorted_items();
    const std::size_t count = std::min(x.size(), y.size());
    for (std::size_t i = 0; i < count; ++i) Push(x[i], y[i]);
    Push(Order(x.size(), y.size()));
    return 0;
  }

  std::vector<Pending> stack_;
  std::unordered_set<std::pair<const Cell*, const Cell*>, PairHash> seen_;
};

// Compares by recursion, without memory of its own, in the same order. Returns
// false if that takes too long or goes too deep, or if only Comparison knows
// the answer.
class ShortComparison {
 public:
  bool Run(const Ref& a, const Ref& b, bool is_unscaled, int depth) {
    if (a.cell() == b.cell()) {
      order = is_unscaled ? 0 : Order(a.factor(), b.factor());
      return true;
    }
    const Kind kind_a = is_unscaled ? a.cell()->kind : RawKind(a);
    const Kind kind_b = is_unscaled ? b.cell()->kind : RawKind(b);
    order = Order(kind_a, kind_b);
    if (order == 0 && !is_unscaled) order = Order(a.factor(), b.factor());
    if (order != 0) return true;
    if (a.is_number()) return true;
    if (depth == 0 || --budget_ == 0) return false;
    const Cell &x = *a.cell(), &y = *b.cell();
    if (kind_a == KindOf(ExpressionKind::Mul)) {
      if (!x.Is(ExpressionKind::Mul) && !y.Is(ExpressionKind::Mul)) {
        return Run(a, b, true, depth - 1);
      }
      return x.kind == y.kind && RunProducts(AsProduct(x), AsProduct(y), depth);
    }
    order = OrderOfSizes(x, y);
    if (order != 0) return true;
    switch (StorageOf(x)) {
      case Storage::kVariable:
        order = Order(AsVariable(x).id, AsVariable(y).id);
        return true;
      case Storage::kOperation:
        if (!Run(AsOperation(x).a, AsOperation(y).a, false, depth - 1)) {
          return false;
        }
        return order != 0 ||
               Run(AsOperation(x).b, AsOperation(y).b, false, depth - 1);
      default:
        return false;
    }
  }

  int order{0};

 private:
  bool RunProducts(const ProductCell& a, const ProductCell& b, int depth) {
    const std::size_t count = std::min(a.factors.size(), b.factors.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (!Run(a.factors[i].base, b.factors[i].base, false, depth - 1)) {
        return false;
      }
      if (order == 0) {
        order = Order(a.factors[i].exponent, b.factors[i].exponent);
      }
      if (order != 0) return true;
    }
    order = Order(a.factors.size(), b.factors.size());
    return true;
  }

  int budget_{64};
};

int CompareAny(const Ref& a, const Ref& b, bool is_unscaled) {
  ShortComparison comparison;
  if (comparison.Run(a, b, is_unscaled, 8)) return comparison.order;
  return Comparison().Run(a, b, is_unscaled);
}

}  // namespace

void DeleteCell(const CountedCell* counted) noexcept {
  // A cell is taken apart by the call that is already at it, if there is one.
  thread_local std::vector<const Cell*>* waiting = nullptr;
  const Cell* const cell = static_cast<const Cell*>(counted);
  if (waiting != nullptr) {
    waiting->push_back(cell);
    return;
  }
  if (StorageOf(*cell) == Storage::kVariable) {
    DeleteByStorage(cell);
    return;
  }
  std::vector<const Cell*> list;
  waiting = &list;
  DeleteByStorage(cell);
  while (!list.empty()) {
    const Cell* const next = list.back();
    list.pop_back();
    DeleteByStorage(next);
  }
  waiting = nullptr;
}

Storage StorageOf(const Cell& cell) {
  if (cell.is_formula()) {
    switch (cell.formula_kind()) {
      case FormulaKind::And:
      case FormulaKind::Or:
      case FormulaKind::Forall:
      case FormulaKind::PositiveSemidefinite:
        return Storage::kList;
      default:
        return Storage::kOperation;
    }
  }
  switch (cell.expression_kind()) {
    case ExpressionKind::Var:
      return Storage::kVariable;
    case ExpressionKind::Add:
      return Storage::kSum;
    case ExpressionKind::Mul:
      return Storage::kProduct;
    case ExpressionKind::IfThenElse:
    case ExpressionKind::UninterpretedFunction:
      return Storage::kList;
    default:
      return Storage::kOperation;
  }
}

ExpressionKind KindOf(const Ref& ref) {
  return static_cast<ExpressionKind>(RawKind(ref));
}

std::uint64_t HashOf(const Ref& ref) {
  if (ref.is_number()) return HashOf(ref.factor());
  if (ref.factor() == 1) return ref.cell()->hash;
  return Mix(ref.cell()->hash ^ HashOf(ref.factor()));
}

bool IsPolynomial(const Ref& ref) {
  return ref.is_number() || ref.cell()->is_polynomial;
}

bool IsExpanded(const Ref& ref) {
  if (ref.is_number()) return true;
  return ref.cell()->is_expanded &&
         (ref.factor() == 1 || !ref.cell()->Is(ExpressionKind::Add));
}

int Compare(const Ref& a, const Ref& b) {
  if (a.cell() == b.cell()) return Order(a.factor(), b.factor());
  const Kind kind_a = RawKind(a), kind_b = RawKind(b);
  if (kind_a != kind_b) return Order(kind_a, kind_b);
  if (kind_a == KindOf(ExpressionKind::Var)) {
    return Order(AsVariable(*a.cell()).id, AsVariable(*b.cell()).id);
  }
  return CompareAny(a, b, false);
}

int CompareUnscaled(const Ref& a, const Ref& b) {
  const Cell &cell_a = *a.cell(), &cell_b = *b.cell();
  if (&cell_a == &cell_b) return 0;
  if (cell_a.kind != cell_b.kind) return Order(cell_a.kind, cell_b.kind);
  if (cell_a.Is(ExpressionKind::Var)) {
    return Order(AsVariable(cell_a).id, AsVariable(cell_b).id);
  }
  return CompareAny(a, b, true);
}

bool AreEqual(const Ref& a, const Ref& b) {
  if (a.cell() == b.cell()) return a.factor() == b.factor();
  if (a.factor() != b.factor() || a.is_number() || b.is_number()) return false;
  if (a.cell()->hash != b.cell()->hash) return false;
  return CompareUnscaled(a, b) == 0;
}

void ThrowNoNumber(const std::string& what) {
  throw std::runtime_error(fmt::format(
      "symbolic::Expression: {} is not a number (NaN); check what it was "
      "computed from.",
      what));
}

void ThrowDivisionByZero(const std::string& what) {
  throw std::runtime_error(fmt::format(
      "symbolic::Expression: {} divides by zero; the denominator must not be "
      "0.",
      what));
}

}  // namespace wyvern::symbolic::internal
