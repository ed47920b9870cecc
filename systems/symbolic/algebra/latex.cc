#include "wyvern/systems/symbolic/algebra/latex.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/part_writer_private.h"

/* LaTeX: the same walk as that of to_string(), in other words. A negation is
written as the opposite comparison. */

namespace wyvern::symbolic {
namespace {

using namespace internal;  // NOLINT(build/namespaces): its cells throughout.

constexpr std::size_t kLongestLatex = std::size_t{1} << 26;

std::string LatexNumber(double number, int precision) {
  wyvern::internal::RequireInRange("symbolic::ToLatex", "precision", precision,
                                   0, 17);
  if (std::isinf(number)) return number > 0 ? "\\infty" : "-\\infty";
  if (std::isnan(number)) return "\\text{NaN}";
  if (number == std::trunc(number) && std::abs(number) < 1e15) {
    return fmt::format("{:.0f}", number + 0.0);
  }
  return fmt::format("{:.{}f}", number, precision);
}

const char* LatexSign(FormulaKind kind, bool is_negated) {
  switch (kind) {
    case FormulaKind::Eq:
      return is_negated ? "\\neq" : "=";
    case FormulaKind::Neq:
      return is_negated ? "=" : "\\neq";
    case FormulaKind::Gt:
      return is_negated ? "\\le" : ">";
    case FormulaKind::Geq:
      return is_negated ? "<" : "\\ge";
    case FormulaKind::Lt:
      return is_negated ? "\\ge" : "<";
    default:
      return is_negated ? ">" : "\\le";
  }
}

class LatexWriter : public PartWriter<LatexWriter> {
 public:
  explicit LatexWriter(int precision) : precision_(precision) {}

  void Write(const Ref& ref, bool is_unscaled) {
    if (ref.is_number()) {
      Add(LatexNumber(ref.factor(), precision_));
      return;
    }
    const Cell& cell = *ref.cell();
    const double factor = is_unscaled ? 1 : ref.factor();
    if (cell.Is(ExpressionKind::Mul)) {
      WriteProduct(AsProduct(cell), factor);
    } else if (factor != 1) {
      Add(LatexNumber(factor, precision_) + " ", ref, true);
    } else if (cell.is_formula()) {
      WriteFormula(cell, false);
    } else {
      WriteExpression(cell);
    }
  }

 private:
  void WriteProduct(const ProductCell& product, double coefficient) {
    std::string before =
        coefficient == 1 ? "" : LatexNumber(coefficient, precision_) + " ";
    for (const auto& [base, exponent] : product.factors) {
      if (exponent == 1) {
        Add(before, base);
        before = " ";
      } else {
        Add(before, base);
        before = fmt::format("^{{{}}} ", LatexNumber(exponent, precision_));
      }
    }
    if (before != " ") Add(before.substr(0, before.size() - 1));
  }

  void WriteSum(const SumCell& sum) {
    std::string before = "(";
    if (sum.constant != 0) before += LatexNumber(sum.constant, precision_);
    for (const Ref& term : sum.terms) {
      const double coefficient = std::abs(term.factor());
      if (term.factor() < 0) {
        before += before == "(" ? "-" : " - ";
      } else if (before != "(") {
        before += " + ";
      }
      if (coefficient != 1) before += LatexNumber(coefficient, precision_);
      Add(before, term, true);
      before.clear();
    }
    Add(")");
  }

  void AddIn(const std::string& before, const Ref& ref,
             const std::string& after) {
    Add(before, ref);
    Add(after);
  }

  void AddPair(const std::string& before, const std::string& between,
               const std::string& after, const OperationCell& cell) {
    Add(before, cell.a);
    AddIn(between, cell.b, after);
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
        AddPair("\\frac{", "}{", "}", AsOperation(cell));
        return;
      case ExpressionKind::Pow:
        AddPair("", "^{", "}", AsOperation(cell));
        return;
      case ExpressionKind::Atan2:
        AddPair("\\text{atan2}\\{", ", ", "\\}", AsOperation(cell));
        return;
      case ExpressionKind::Min:
        AddPair("\\min\\{", ", ", "\\}", AsOperation(cell));
        return;
      case ExpressionKind::Max:
        AddPair("\\max\\{", ", ", "\\}", AsOperation(cell));
        return;
      case ExpressionKind::Abs:
        AddIn("|", AsOperation(cell).a, "|");
        return;
      case ExpressionKind::Exp:
        AddIn("e^{", AsOperation(cell).a, "}");
        return;
      case ExpressionKind::Ceil:
        AddIn("\\lceil ", AsOperation(cell).a, " \\rceil");
        return;
      case ExpressionKind::Floor:
        AddIn("\\lfloor ", AsOperation(cell).a, " \\rfloor");
        return;
      case ExpressionKind::IfThenElse: {
        const auto& items = AsList(cell).items;
        Add("\\begin{cases} ", items[1]);
        Add(" & \\text{if } ", items[0]);
        AddIn(", \\\\ ", items[2], " & \\text{otherwise}.\\end{cases}");
        return;
      }
      case ExpressionKind::NaN:
        Add("\\text{NaN}");
        return;
      case ExpressionKind::UninterpretedFunction:
        throw std::runtime_error(fmt::format(
            "symbolic::ToLatex(): nothing is known of the function in {}; "
            "substitute it first.",
            ToShortText(Ref(&cell))));
      case ExpressionKind::Asin:
      case ExpressionKind::Acos:
      case ExpressionKind::Atan:
        AddIn(
            fmt::format("\\arc{}{{",
                        std::string(NameOf(cell.expression_kind())).substr(1)),
            AsOperation(cell).a, "}");
        return;
      default:
        AddIn(fmt::format("\\{}{{", NameOf(cell.expression_kind())),
              AsOperation(cell).a, "}");
    }
  }

  void WriteFormula(const Cell& cell, bool is_negated) {
    switch (cell.formula_kind()) {
      case FormulaKind::False:
      case FormulaKind::True:
        Add(cell.Is(FormulaKind::True) ? "\\text{true}" : "\\text{false}");
        return;
      case FormulaKind::Var:
        Add(is_negated ? "\\neg " : "", AsOperation(cell).a);
        return;
      case FormulaKind::And:
      case FormulaKind::Or:
        AddList(is_negated ? "\\neg (" : "",
                cell.Is(FormulaKind::And) ? " \\land " : " \\lor ",
                AsList(cell).sorted_items(), is_negated ? ")" : "");
        return;
      case FormulaKind::Not:
        WriteFormula(*AsOperation(cell).a.cell(), true);
        return;
      case FormulaKind::Isnan:
        AddIn(is_negated ? "\\neg \\text{isnan}(" : "\\text{isnan}(",
              AsOperation(cell).a, ")");
        return;
      case FormulaKind::Forall:
        Add(is_negated ? "\\neg \\forall " : "\\forall ");
        WriteQuantified(AsList(cell));
        return;
      case FormulaKind::PositiveSemidefinite:
        WriteMatrix(AsList(cell));
        Add(is_negated ? " \\not\\succeq 0" : " \\succeq 0");
        return;
      default:
        Add("", AsOperation(cell).a);
        Add(fmt::format(" {} ", LatexSign(cell.formula_kind(), is_negated)),
            AsOperation(cell).b);
    }
  }

  void WriteQuantified(const ListCell& cell) {
    std::string names;
    for (const Variable& v : cell.quantified) {
      names += (names.empty() ? "" : ", ") + v.get_name();
    }
    AddIn(names + ": (", cell.items[0], ")");
  }

  void WriteMatrix(const ListCell& cell) {
    std::string before = "\\begin{bmatrix} ";
    for (int i = 0; i < cell.rows; ++i) {
      for (int j = 0; j < cell.rows; ++j) {
        Add(before, cell.items[i + j * cell.rows]);
        before = j + 1 < cell.rows ? " & " : " \\\\ ";
      }
    }
    Add(" \\end{bmatrix}");
  }

  int precision_;
};

// entry(i, j) gives the text of one.
template <typename Matrix>
std::string LatexMatrix(const Matrix& M, int precision) {
  std::string text = "\\begin{bmatrix}";
  for (int i = 0; i < M.rows(); ++i) {
    for (int j = 0; j < M.cols(); ++j) {
      text += (j == 0 ? " " : " & ") + ToLatex(M(i, j), precision);
    }
    if (i + 1 < M.rows()) text += " \\\\";
  }
  return text + " \\end{bmatrix}";
}

}  // namespace

std::string ToLatex(const Expression& e, int precision) {
  return LatexWriter(precision).Run(e.ref(), kLongestLatex);
}
std::string ToLatex(const Formula& f, int precision) {
  return LatexWriter(precision).Run(f.ref(), kLongestLatex);
}
std::string ToLatex(const Eigen::Ref<const MatrixX<Expression>>& M,
                    int precision) {
  return LatexMatrix(M, precision);
}
std::string ToLatex(const Eigen::Ref<const Eigen::MatrixXd>& M, int precision) {
  return LatexMatrix(M, precision);
}
std::string ToLatex(double number, int precision) {
  return LatexNumber(number, precision);
}

}  // namespace wyvern::symbolic
