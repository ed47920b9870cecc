#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/graph_traversal_private.h"

/* Derivatives, by the chain rule: of each shared part once. What does not
depend on the variable has the derivative 0, and drops out of sums and
products as they are made. */

namespace wyvern::symbolic {
namespace internal {
namespace {

// Products are flat: that of functions nested n deep have n²/2 factors in all.
constexpr double kMostFactors = 1e7;

bool IsNone(const Ref& a) { return a.is_number() && a.factor() == 0; }

Ref Square(const Ref& a) { return MakePower(a, Ref(2.0)); }
Ref Negative(const Ref& a) { return Scale(a, -1); }
Ref OnePlus(const Ref& a, double scale) { return MakeSum(Ref(1.0), a, scale); }

// Returns where the two sides of a comparison are equal, for all comparisons of
// a condition. An operand of && and || that is not evaluated does not count. In
// long lists and large conditions each operand counts, whatever precedes it.
class Boundary {
 public:
  Ref Of(const Ref& condition) {
    std::vector<Ref> equalities;
    stack_ = {{condition, MakeTruth(true)}};
    while (!stack_.empty()) {
      const Part top = stack_.back();
      stack_.pop_back();
      const Cell& cell = *top.formula.cell();
      switch (cell.formula_kind()) {
        case FormulaKind::Eq:
        case FormulaKind::Neq:
        case FormulaKind::Gt:
        case FormulaKind::Geq:
        case FormulaKind::Lt:
        case FormulaKind::Leq:
          equalities.push_back(MakeConnective(
              FormulaKind::And,
              {top.guard, MakeComparison(FormulaKind::Eq, AsOperation(cell).a,
                                         AsOperation(cell).b)}));
          break;
        case FormulaKind::Not:
          stack_.push_back({AsOperation(cell).a, top.guard});
          break;
        case FormulaKind::And:
        case FormulaKind::Or:
          PushOperands(cell, top.guard);
          break;
        default:
          break;
      }
    }
    return MakeConnective(FormulaKind::Or, equalities);
  }

 private:
  // A part of the condition, and the condition under which it is evaluated.
  struct Part {
    Ref formula;
    Ref guard;
  };

  void PushOperands(const Cell& cell, Ref guard) {
    constexpr std::uint32_t kLargest = 500;
    const bool is_small = cell.size + guard.cell()->size < kLargest;
    const std::size_t first = stack_.size();
    for (const Ref& item : AsList(cell).items) {
      stack_.push_back({item, guard});
      if (!is_small) continue;
      const bool is_and = cell.Is(FormulaKind::And);
      guard = MakeConnective(FormulaKind::And,
                             {guard, is_and ? item : MakeNot(item)});
    }
    // The first operand must be visited first.
    std::reverse(stack_.begin() + first, stack_.end());
  }

  std::vector<Part> stack_;
};

struct Differentiation {
  using Result = Ref;
  static constexpr std::uint32_t kSmall = 1;

  const Variable& x;
  double num_factors{0};

  // A product that is made counts.
  Ref Counted(Ref made) {
    if (made.is_number() || !made.cell()->Is(ExpressionKind::Mul)) return made;
    num_factors += static_cast<double>(AsProduct(*made.cell()).factors.size());
    if (num_factors <= kMostFactors) return made;
    throw std::runtime_error(fmt::format(
        "symbolic::Expression::Differentiate(): above {:.0e} factors would be "
        "made, as products of slopes of functions in functions are written "
        "out. Put a variable for an inner part.",
        kMostFactors));
  }

  Ref OfNumber(double) const { return Ref(0.0); }
  Ref Scaled(const Ref& result, double factor) const {
    return Scale(result, factor);
  }

  template <typename Known, typename Push>
  void Needs(const Cell& cell, const Known&, const Push& push) {
    ForEachOperand(cell, [&push](const Ref& operand) {
      if (!operand.is_number() && operand.cell()->is_formula()) return;
      push(operand);
    });
  }

  template <typename Get>
  Ref OfSum(const SumCell& sum, const Get& get) {
    std::vector<Ref> terms;
    for (const Ref& term : sum.terms) {
      Ref d = get(term);
      if (!IsNone(d)) terms.push_back(std::move(d));
    }
    return MakeSumOf(terms);
  }

  template <typename Get>
  Ref OfProduct(const ProductCell& product, const Get& get) {
    std::vector<Ref> terms;
    for (std::size_t i = 0; i < product.factors.size(); ++i) {
      const auto& [base, exponent] = product.factors[i];
      const Ref d = get(base);
      if (IsNone(d)) continue;
      terms.push_back(Counted(
          MakeProduct(Scale(MakeProductLessOne(product, i), exponent), d)));
    }
    if (terms.size() == 1) return terms[0];
    return MakeSumOf(terms);
  }

  static Ref OfQuotient(const Ref& a, const Ref& b, const Ref& da,
                        const Ref& db) {
    if (IsNone(db)) return IsNone(da) ? da : MakeQuotient(da, b);
    return MakeQuotient(MakeSum(MakeProduct(da, b), MakeProduct(a, db), -1),
                        Square(b));
  }

  static Ref OfPower(const Ref& a, const Ref& b, const Ref& da, const Ref& db) {
    if (IsNone(da) && IsNone(db)) return da;
    const Ref whole = MakePower(a, b);
    const Ref by_exponent =
        IsNone(db)
            ? db
            : MakeProduct(
                  MakeProduct(whole, MakeFunction(ExpressionKind::Log, a)), db);
    if (IsNone(da)) return by_exponent;
    const Ref by_base =
        MakeProduct(MakeProduct(MakePower(a, MakeSum(b, Ref(-1.0))), b), da);
    return MakeSum(by_base, by_exponent);
  }

  // Returns the factor or divisor for a function of one argument. The
  // function's own value is the cell itself, f.
  static Ref OfFunction(const Cell& cell, const Ref& a, const Ref& da) {
    const Ref f(&cell);
    const auto make = [&a](ExpressionKind kind) {
      return MakeFunction(kind, a);
    };
    switch (cell.expression_kind()) {
      case ExpressionKind::Log:
        return MakeQuotient(da, a);
      case ExpressionKind::Exp:
        return MakeProduct(f, da);
      case ExpressionKind::Sqrt:
        return MakeQuotient(da, Scale(f, 2));
      case ExpressionKind::Sin:
        return MakeProduct(make(ExpressionKind::Cos), da);
      case ExpressionKind::Cos:
        return MakeProduct(Negative(make(ExpressionKind::Sin)), da);
      case ExpressionKind::Tan:
        return MakeQuotient(da, Square(make(ExpressionKind::Cos)));
      case ExpressionKind::Asin:
        return MakeQuotient(
            da, MakeFunction(ExpressionKind::Sqrt, OnePlus(Square(a), -1)));
      case ExpressionKind::Acos:
        return MakeQuotient(Negative(da), MakeFunction(ExpressionKind::Sqrt,
                                                       OnePlus(Square(a), -1)));
      case ExpressionKind::Atan:
        return MakeQuotient(da, OnePlus(Square(a), 1));
      case ExpressionKind::Sinh:
        return MakeProduct(make(ExpressionKind::Cosh), da);
      case ExpressionKind::Cosh:
        return MakeProduct(make(ExpressionKind::Sinh), da);
      case ExpressionKind::Tanh:
        return MakeQuotient(da, Square(make(ExpressionKind::Cosh)));
      case ExpressionKind::Abs: {
        const Ref zero(0.0);
        const Ref slope = MakeIfThenElse(
            MakeComparison(FormulaKind::Lt, a, zero), Ref(-1.0),
            MakeIfThenElse(MakeComparison(FormulaKind::Eq, a, zero), MakeNaN(),
                           Ref(1.0)));
        return MakeProduct(slope, da);
      }
      default:  // Ceil and Floor.
        return MakeIfThenElse(
            MakeComparison(FormulaKind::Eq, make(ExpressionKind::Ceil),
                           make(ExpressionKind::Floor)),
            MakeNaN(), Ref(0.0));
    }
  }

  template <typename Get>
  Ref Compute(const Cell& cell, const Get& get) {
    switch (cell.expression_kind()) {
      case ExpressionKind::Var:
        return Ref(AsVariable(cell).id == x.get_id() ? 1.0 : 0.0);
      case ExpressionKind::Add:
        return OfSum(AsSum(cell), get);
      case ExpressionKind::Mul:
        return OfProduct(AsProduct(cell), get);
      case ExpressionKind::NaN:
        return Ref(&cell);
      case ExpressionKind::UninterpretedFunction:
        if (VariablesIn({Ref(&cell)}).include(x)) {
          throw std::runtime_error(fmt::format(
              "symbolic::Expression::Differentiate(): nothing is known of the "
              "function in {}, which depends on '{}'; substitute it first.",
              ToShortText(Ref(&cell)), x.get_name()));
        }
        return Ref(0.0);
      case ExpressionKind::IfThenElse: {
        const auto& items = AsList(cell).items;
        const Ref da = get(items[1]), db = get(items[2]);
        if (AreEqual(items[1], items[2])) return da;
        return MakeIfThenElse(Boundary().Of(items[0]), MakeNaN(),
                              MakeIfThenElse(items[0], da, db));
      }
      default:
        break;
    }
    const Ref &a = AsOperation(cell).a, &b = AsOperation(cell).b;
    const Ref da = get(a), db = get(b);
    if (IsNone(da) && IsNone(db)) return da;
    switch (cell.expression_kind()) {
      case ExpressionKind::Div:
        return OfQuotient(a, b, da, db);
      case ExpressionKind::Pow:
        return Counted(OfPower(a, b, da, db));
      case ExpressionKind::Atan2:
        return MakeQuotient(MakeSum(MakeProduct(da, b), MakeProduct(a, db), -1),
                            MakeSum(Square(a), Square(b)));
      case ExpressionKind::Min:
      case ExpressionKind::Max:
        return MakeIfThenElse(
            MakeComparison(cell.Is(ExpressionKind::Min) ? FormulaKind::Lt
                                                        : FormulaKind::Gt,
                           a, b),
            da,
            MakeIfThenElse(MakeComparison(FormulaKind::Eq, a, b), MakeNaN(),
                           db));
      default:
        return Counted(OfFunction(cell, a, da));
    }
  }
};

}  // namespace

std::vector<Ref> DifferentiateRefs(const std::vector<Ref>& roots,
                                   const Variable& x) {
  if (x.is_dummy()) {
    throw std::logic_error(
        "symbolic::Expression::Differentiate(): the variable is a dummy, made "
        "without a name; give Variable(\"name\").");
  }
  Differentiation differentiation{x};
  Walk<Differentiation> walk(&differentiation);
  std::vector<Ref> result;
  result.reserve(roots.size());
  for (const Ref& root : roots) result.push_back(walk.Run(root));
  return result;
}

}  // namespace internal

Expression Expression::Differentiate(const Variable& x) const {
  return Expression(internal::DifferentiateRefs({ref_}, x)[0]);
}

RowVectorX<Expression> Expression::Jacobian(
    const Eigen::Ref<const VectorX<Variable>>& variables) const {
  RowVectorX<Expression> result(variables.size());
  for (int i = 0; i < variables.size(); ++i) {
    result[i] = Differentiate(variables[i]);
  }
  return result;
}

}  // namespace wyvern::symbolic
