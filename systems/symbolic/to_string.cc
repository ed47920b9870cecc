#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/part_writer_private.h"

/* Texts, in Drake's words. A sum's constant comes first, then its terms with
their signs; a product's number comes first; what has two operands is
enclosed in parentheses. */

namespace wyvern::symbolic::internal {
namespace {

std::string NumberText(double number) { return fmt::format("{:.17g}", number); }

class Writer : public PartWriter<Writer> {
 public:
  void Write(const Ref& ref, bool is_unscaled) {
    if (ref.is_number()) {
      Add(NumberText(ref.factor()));
    } else if (ref.cell()->Is(ExpressionKind::Mul)) {
      WriteProduct(AsProduct(*ref.cell()), is_unscaled ? 1 : ref.factor());
    } else if (!is_unscaled && ref.factor() != 1) {
      Add(fmt::format("({} * ", NumberText(ref.factor())), ref, true);
      Add(")");
    } else if (ref.cell()->is_formula()) {
      WriteFormula(*ref.cell());
    } else {
      WriteExpression(*ref.cell());
    }
  }

 private:
  void WriteProduct(const ProductCell& product, double coefficient) {
    std::string before = "(";
    if (coefficient != 1) before += NumberText(coefficient) + " * ";
    for (const auto& [base, exponent] : product.factors) {
      if (exponent == 1) {
        Add(before, base);
        before = " * ";
      } else {
        Add(before + "pow(", base);
        before = fmt::format(", {}) * ", NumberText(exponent));
      }
    }
    before.erase(before.size() - 3);
    Add(before + ")");
  }

  void WriteSum(const SumCell& sum) {
    std::string before = "(";
    if (sum.constant != 0) before += NumberText(sum.constant);
    for (const Ref& term : sum.terms) {
      const double coefficient = std::abs(term.factor());
      if (term.factor() < 0) {
        before += " - ";
      } else if (before != "(") {
        before += " + ";
      }
      if (coefficient != 1) before += NumberText(coefficient) + " * ";
      Add(before, term, true);
      before.clear();
    }
    Add(")");
  }

  void WriteExpression(const Cell& cell) {
    switch (cell.expression_kind()) {
      case ExpressionKind::Var:
        Add(AsVariable(cell).name);
        return;
      case ExpressionKind::Add:
        WriteSum(AsSum(cell));
        return;
      case ExpressionKind::Div:
        Add("(", AsOperation(cell).a);
        Add(" / ", AsOperation(cell).b);
        Add(")");
        return;
      case ExpressionKind::Pow:
      case ExpressionKind::Atan2:
      case ExpressionKind::Min:
      case ExpressionKind::Max:
        Add(fmt::format("{}(", NameOf(cell.expression_kind())),
            AsOperation(cell).a);
        Add(", ", AsOperation(cell).b);
        Add(")");
        return;
      case ExpressionKind::IfThenElse:
        Add("(if ", AsList(cell).items[0]);
        Add(" then ", AsList(cell).items[1]);
        Add(" else ", AsList(cell).items[2]);
        Add(")");
        return;
      case ExpressionKind::NaN:
        Add("NaN");
        return;
      case ExpressionKind::UninterpretedFunction:
        AddList(AsList(cell).name + "(", ", ", AsList(cell).items, ")");
        return;
      default:
        Add(fmt::format("{}(", NameOf(cell.expression_kind())),
            AsOperation(cell).a);
        Add(")");
    }
  }

  void WriteFormula(const Cell& cell) {
    const std::string name = NameOf(cell.formula_kind());
    switch (cell.formula_kind()) {
      case FormulaKind::False:
      case FormulaKind::True:
        Add(name);
        return;
      case FormulaKind::Var:
        Add("", AsOperation(cell).a);
        return;
      case FormulaKind::And:
      case FormulaKind::Or:
        AddList("(", " " + name + " ", AsList(cell).sorted_items(), ")");
        return;
      case FormulaKind::Not:
      case FormulaKind::Isnan:
        Add(name + "(", AsOperation(cell).a);
        Add(")");
        return;
      case FormulaKind::Forall:
        Add(fmt::format("forall({}. ", AsList(cell).quantified.to_string()),
            AsList(cell).items[0]);
        Add(")");
        return;
      case FormulaKind::PositiveSemidefinite:
        AddList(name + "(", ", ", AsList(cell).items, ")");
        return;
      default:
        Add("(", AsOperation(cell).a);
        Add(" " + name + " ", AsOperation(cell).b);
        Add(")");
    }
  }
};

}  // namespace

std::string ToText(const Ref& ref, std::size_t longest) {
  return Writer().Run(ref, longest);
}

std::string ToShortText(const Ref& ref) { return ToText(ref, 200); }

}  // namespace wyvern::symbolic::internal
