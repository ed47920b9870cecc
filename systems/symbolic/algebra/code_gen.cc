#include "wyvern/systems/symbolic/algebra/code_gen.h"

#include <cctype>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/graph_traversal_private.h"

/* Code from expressions, in two steps.

Numbering: cells are gone over operands first, and each gets a number by what
it is made of: its kind, the numbers and factors of its operands. Cells that
were built apart but alike get one number, so that a repeated part is found
without comparing graphs. What the outputs need is counted per number.

A divisor of several quotients is divided by once: they are products with its
reciprocal.

Writing: each number becomes a text. One that is needed twice, or whose text
grows long, becomes a constant of its own, t0, t1, ..., in the order in which
they are computed; so no line is long, however deep the graph is. */

namespace wyvern::symbolic {
namespace internal {
namespace {

// The longest text of a part that is needed once.
constexpr std::size_t kLongestPart = 400;
// Largest text of an expression that is written in one piece.
constexpr std::size_t kLongestPiece = 16'000'000;

std::string CodeNumber(double x) {
  if (std::isinf(x)) return x > 0 ? "INFINITY" : "-INFINITY";
  std::string text = fmt::format("{:.17g}", x);
  // The shortest one that is the same number.
  if (std::string brief = fmt::format("{}", x); std::stod(brief) == x) {
    text = std::move(brief);
  }
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// "(-2.0)" stands after any sign.
std::string Enclosed(double x) {
  return x < 0 ? "(" + CodeNumber(x) + ")" : CodeNumber(x);
}

void RequireIdentifier(const std::string& name) {
  static const std::set<std::string_view> kKeywords{
      "auto",     "break",    "case",     "char",   "const",   "continue",
      "default",  "do",       "double",   "else",   "enum",    "extern",
      "float",    "for",      "goto",     "if",     "inline",  "int",
      "long",     "register", "restrict", "return", "short",   "signed",
      "sizeof",   "static",   "struct",   "switch", "typedef", "union",
      "unsigned", "void",     "volatile", "while",  "class",   "namespace",
      "template", "new",      "delete",   "this",   "operator"};
  bool is_right =
      !name.empty() && !std::isdigit(name[0]) && !kKeywords.contains(name);
  for (const unsigned char c : name) {
    is_right = is_right && (std::isalnum(c) || c == '_');
  }
  if (is_right) return;
  throw std::logic_error(fmt::format(
      "symbolic::CodeGen(): the name '{}' is no identifier of C; give letters, "
      "digits and underscores.",
      name));
}

class CodeWriter {
 public:
  explicit CodeWriter(const GeneratedFunction& function,
                      bool is_in_one_piece = false)
      : is_in_one_piece_(is_in_one_piece) {
    RequireIdentifier(function.name);
    std::set<std::string> arrays;
    for (const auto& input : function.inputs) {
      RequireArray(input.name, &arrays);
      for (std::size_t i = 0; i < input.variables.size(); ++i) {
        const Variable& v = input.variables[i];
        if (parameters_
                .emplace(v.get_id(), fmt::format("{}[{}]", input.name, i))
                .second) {
          continue;
        }
        throw std::logic_error(fmt::format(
            "symbolic::CodeGen(): the parameter '{}' is there twice; give each "
            "once.",
            v.get_name()));
      }
    }
    for (const auto& output : function.outputs) {
      RequireArray(output.name, &arrays);
      for (const Expression& e : output.entries) Number(e.ref());
    }
  }

  // Lines that make the constants that an output needs, if they are not there,
  // and its text.
  std::string Write(const Ref& ref, std::string* lines) {
    if (!ref.is_number()) MakeTexts(numbers_.Find(ref.cell())->value, lines);
    return TextOf(ref);
  }

 private:
  struct Index {
    int value{-1};
  };
  struct Part {
    const Cell* cell{nullptr};
    int count{0};
    bool is_done{false};
    bool is_atom{false};  // A parameter or a constant t0.
    std::string text;
    int num_quotients{0};    // Those that have this for a divisor.
    std::string reciprocal;  // The constant that has it, once there is one.
  };

  static void RequireArray(const std::string& name,
                           std::set<std::string>* arrays) {
    RequireIdentifier(name);
    if (arrays->insert(name).second) return;
    throw std::logic_error(fmt::format(
        "symbolic::CodeGen(): the array '{}' is there twice; give each a name "
        "of its own.",
        name));
  }

  int NumberOf(const Ref& ref) const {
    return ref.is_number() ? -1 : numbers_.Find(ref.cell())->value;
  }

  // Returns the key of a cell, made from the numbers of its operands.
  std::string KeyOf(const Cell& cell) const {
    std::string key(1, static_cast<char>(cell.kind));
    const auto add = [&key](const void* data, std::size_t size) {
      key.append(static_cast<const char*>(data), size);
    };
    const auto add_number = [&add](double x) { add(&x, sizeof x); };
    switch (StorageOf(cell)) {
      case Storage::kVariable:
        add(&AsVariable(cell).id, sizeof(Variable::Id));
        return key;
      case Storage::kSum:
        add_number(AsSum(cell).constant);
        break;
      case Storage::kProduct:
        for (const auto& factor : AsProduct(cell).factors) {
          add_number(factor.exponent);
        }
        break;
      default:
        break;
    }
    ForEachOperand(cell, [&](const Ref& operand) {
      const int number = NumberOf(operand);
      add(&number, sizeof number);
      add_number(operand.factor());
    });
    return key;
  }

  void RequireWritable(const Cell& cell) const {
    if (cell.Is(ExpressionKind::Var) &&
        !parameters_.contains(AsVariable(cell).id)) {
      throw std::runtime_error(fmt::format(
          "symbolic::CodeGen(): the variable '{}' is no parameter; add it to "
          "them.",
          AsVariable(cell).name));
    }
    if (cell.Is(ExpressionKind::UninterpretedFunction) ||
        cell.Is(FormulaKind::Forall) ||
        cell.Is(FormulaKind::PositiveSemidefinite)) {
      throw std::runtime_error(
          fmt::format("symbolic::CodeGen(): there is no code for {}.",
                      ToShortText(Ref(&cell))));
    }
  }

  // Numbers a graph, and counts what each part is needed by.
  void Number(const Ref& root) {
    if (root.is_number()) return;
    std::vector<const Cell*> stack{root.cell()};
    while (!stack.empty()) {
      const Cell* const top = stack.back();
      if (numbers_.Find(top) != nullptr) {
        stack.pop_back();
        continue;
      }
      const std::size_t size = stack.size();
      ForEachOperand(*top, [&](const Ref& operand) {
        if (!operand.is_number() && numbers_.Find(operand.cell()) == nullptr) {
          stack.push_back(operand.cell());
        }
      });
      if (stack.size() > size) continue;
      stack.pop_back();
      RequireWritable(*top);
      const auto [at, is_new] =
          number_of_key_.emplace(KeyOf(*top), static_cast<int>(parts_.size()));
      numbers_.Insert(top, Index{at->second});
      if (!is_new) continue;
      parts_.emplace_back();
      parts_.back().cell = top;
      ForEachOperand(*top, [&](const Ref& operand) {
        if (!operand.is_number()) ++parts_[NumberOf(operand)].count;
      });
      NeedAgain(*top);
      if (Part* const divisor = FindDivisor(*top)) ++divisor->num_quotients;
    }
    ++parts_[NumberOf(root)].count;
  }

  // A base that is written more than once is needed more than once.
  void NeedAgain(const Cell& cell) {
    const auto need = [this](const Ref& base, double exponent) {
      if (!base.is_number() && (exponent == 2 || exponent == 3)) {
        ++parts_[NumberOf(base)].count;
      }
    };
    if (cell.Is(ExpressionKind::Pow) && AsOperation(cell).b.is_number()) {
      need(AsOperation(cell).a, AsOperation(cell).b.factor());
    } else if (cell.Is(ExpressionKind::Mul)) {
      for (const auto& [base, exponent] : AsProduct(cell).factors) {
        need(base, exponent);
      }
    }
  }

  // Returns the divisor of a quotient or reciprocal if it is no number.
  Part* FindDivisor(const Cell& cell) {
    if (cell.is_formula()) return nullptr;
    const Ref* divisor = nullptr;
    if (cell.Is(ExpressionKind::Div)) {
      divisor = &AsOperation(cell).b;
    } else if (cell.Is(ExpressionKind::Pow) &&
               AsOperation(cell).b.is_number() &&
               AsOperation(cell).b.factor() == -1) {
      divisor = &AsOperation(cell).a;
    }
    // With a factor it is another number.
    if (divisor == nullptr || divisor->is_number() || divisor->factor() != 1) {
      return nullptr;
    }
    return &parts_[NumberOf(*divisor)];
  }

  // A quotient whose divisor has others, too: one division serves all.
  std::string QuotientText(const Cell& cell, Part* divisor,
                           std::string* lines) {
    if (divisor->reciprocal.empty()) {
      divisor->reciprocal = fmt::format("t{}", num_constants_++);
      *lines += fmt::format("  const double {} = 1.0 / {};\n",
                            divisor->reciprocal, divisor->text);
    }
    const bool is_product =
        cell.Is(ExpressionKind::Div) &&
        !(AsOperation(cell).a.is_number() && AsOperation(cell).a.factor() == 1);
    return is_product ? fmt::format("({} * {})", Quoted(AsOperation(cell).a),
                                    divisor->reciprocal)
                      : divisor->reciprocal;
  }

  void MakeTexts(int root, std::string* lines) {
    std::vector<int> stack{root};
    while (!stack.empty()) {
      const int top = stack.back();
      if (parts_[top].is_done) {
        stack.pop_back();
        continue;
      }
      const std::size_t size = stack.size();
      ForEachOperand(*parts_[top].cell, [&](const Ref& operand) {
        const int number = NumberOf(operand);
        if (number >= 0 && !parts_[number].is_done) stack.push_back(number);
      });
      if (stack.size() > size) continue;
      stack.pop_back();
      Finish(&parts_[top], lines);
    }
  }

  void Finish(Part* part, std::string* lines) {
    const Cell& cell = *part->cell;
    part->is_done = true;
    if (cell.Is(ExpressionKind::Var)) {
      part->text = parameters_.at(AsVariable(cell).id);
      part->is_atom = true;
      return;
    }
    if (is_in_one_piece_) {
      part->text = cell.is_formula() ? FormulaText(cell) : ExpressionText(cell);
      RequireShort(part->text.size());
      return;
    }
    Part* const divisor = FindDivisor(cell);
    if (divisor != nullptr && divisor->num_quotients > 1) {
      part->text = QuotientText(cell, divisor, lines);
      part->is_atom = part->text == divisor->reciprocal;
      if (part->is_atom) return;
    } else {
      part->text = cell.is_formula() ? FormulaText(cell) : ExpressionText(cell);
    }
    if (part->count < 2 && part->text.size() <= kLongestPart) return;
    const std::string name = fmt::format("t{}", num_constants_++);
    *lines +=
        fmt::format("  const {} {} = {};\n",
                    cell.is_formula() ? "int" : "double", name, part->text);
    part->text = name;
    part->is_atom = true;
  }

  void RequireShort(std::size_t size) {
    num_characters_ += size;
    if (num_characters_ <= kLongestPiece) return;
    throw std::runtime_error(
        "symbolic::CodeGenVisitor::CodeGen(): the expression is too long in "
        "one piece; use symbolic::CodeGen(), which writes repeated parts "
        "once.");
  }

  std::string TextOf(const Ref& ref, bool is_unscaled = false) const {
    if (ref.is_number()) return CodeNumber(ref.factor());
    const std::string& text = parts_[NumberOf(ref)].text;
    if (is_unscaled || ref.factor() == 1) return text;
    if (ref.factor() == -1) return fmt::format("(-{})", text);
    return fmt::format("({} * {})", CodeNumber(ref.factor()), text);
  }

  std::string PowerText(const Ref& base, double exponent) const {
    const std::string text = TextOf(base);
    if (exponent == 1) return text;
    if (exponent == 2) return fmt::format("{0} * {0}", text);
    if (exponent == 3) return fmt::format("{0} * {0} * {0}", text);
    return fmt::format("pow({}, {})", text, CodeNumber(exponent));
  }

  std::string ExpressionText(const Cell& cell) const {
    const auto call = [](std::string_view name, const std::string& arguments) {
      return fmt::format("{}({})", name, arguments);
    };
    switch (cell.expression_kind()) {
      case ExpressionKind::Add: {
        const SumCell& sum = AsSum(cell);
        std::string text =
            "(" + (sum.constant == 0 ? "" : CodeNumber(sum.constant));
        for (const Ref& term : sum.terms) {
          const double size = std::abs(term.factor());
          if (text.size() > 1) {
            text += term.factor() < 0 ? " - " : " + ";
          } else if (term.factor() < 0) {
            text += "-";
          }
          if (size != 1) text += CodeNumber(size) + " * ";
          text += TextOf(term, true);
        }
        return text + ")";
      }
      case ExpressionKind::Mul: {
        std::string text = "(";
        for (const auto& [base, exponent] : AsProduct(cell).factors) {
          if (text.size() > 1) text += " * ";
          text += PowerText(base, exponent);
        }
        return text + ")";
      }
      case ExpressionKind::Div:
        return fmt::format("({} / {})", Quoted(AsOperation(cell).a),
                           Quoted(AsOperation(cell).b));
      case ExpressionKind::Pow:
        if (AsOperation(cell).b.is_number()) {
          const double exponent = AsOperation(cell).b.factor();
          if (exponent == -1) {
            return fmt::format("(1.0 / {})", Quoted(AsOperation(cell).a));
          }
          return fmt::format("({})", PowerText(AsOperation(cell).a, exponent));
        }
        return call("pow", TextOf(AsOperation(cell).a) + ", " +
                               TextOf(AsOperation(cell).b));
      case ExpressionKind::Atan2:
        return call("atan2", TextOf(AsOperation(cell).a) + ", " +
                                 TextOf(AsOperation(cell).b));
      case ExpressionKind::Min:
        return call("fmin", TextOf(AsOperation(cell).a) + ", " +
                                TextOf(AsOperation(cell).b));
      case ExpressionKind::Max:
        return call("fmax", TextOf(AsOperation(cell).a) + ", " +
                                TextOf(AsOperation(cell).b));
      case ExpressionKind::Abs:
        return call("fabs", TextOf(AsOperation(cell).a));
      case ExpressionKind::NaN:
        return "NAN";
      case ExpressionKind::IfThenElse: {
        const auto& items = AsList(cell).items;
        return fmt::format("({} ? {} : {})", TextOf(items[0]), TextOf(items[1]),
                           TextOf(items[2]));
      }
      default:
        return call(NameOf(cell.expression_kind()),
                    TextOf(AsOperation(cell).a));
    }
  }

  // A negative number in parentheses.
  std::string Quoted(const Ref& ref) const {
    return ref.is_number() ? Enclosed(ref.factor()) : TextOf(ref);
  }

  std::string FormulaText(const Cell& cell) const {
    switch (cell.formula_kind()) {
      case FormulaKind::False:
        return "0";
      case FormulaKind::True:
        return "1";
      case FormulaKind::Var:
        return fmt::format("({} != 0)", TextOf(AsOperation(cell).a));
      case FormulaKind::And:
      case FormulaKind::Or: {
        std::string text = "(";
        for (const Ref& item : AsList(cell).items) {
          if (text.size() > 1) {
            text += cell.Is(FormulaKind::And) ? " && " : " || ";
          }
          text += TextOf(item);
        }
        return text + ")";
      }
      case FormulaKind::Not:
        return fmt::format("(!{})", TextOf(AsOperation(cell).a));
      case FormulaKind::Isnan:
        return fmt::format("({0} != {0})", TextOf(AsOperation(cell).a));
      default:
        return fmt::format("({} {} {})", TextOf(AsOperation(cell).a),
                           NameOf(cell.formula_kind()),
                           TextOf(AsOperation(cell).b));
    }
  }

  const bool is_in_one_piece_;
  std::size_t num_characters_{0};
  std::unordered_map<Variable::Id, std::string> parameters_;
  CellMap<Index> numbers_;
  std::unordered_map<std::string, int> number_of_key_;
  std::vector<Part> parts_;
  int num_constants_{0};
};

// "p" of a function's one array of parameters.
GeneratedFunction OfOneArray(const std::string& name,
                             const std::vector<Variable>& parameters) {
  return {name, {{"p", parameters}}, {}};
}

std::string MetaData(const std::string& name, const std::string& fields,
                     const std::string& values) {
  return fmt::format(
      "typedef struct {{\n  struct {{\n    int size;\n  }} p;\n{2}}} "
      "{0}_meta_t;\n{0}_meta_t {0}_meta() {{\n  {0}_meta_t meta = {{{1}}};\n"
      "  return meta;\n}}\n",
      name, values, fields);
}

// Returns code that keeps a compiler from warning of arrays that are not read.
std::string UnusedInputs(const GeneratedFunction& function,
                         const std::string& code) {
  std::string lines;
  for (const auto& input : function.inputs) {
    if (code.find(input.name + "[") == std::string::npos) {
      lines += fmt::format("  (void){};\n", input.name);
    }
  }
  return lines;
}

std::vector<Expression> EntriesOfMatrix(
    const Eigen::Ref<const MatrixX<Expression>>& M) {
  std::vector<Expression> entries;
  for (int j = 0; j < M.cols(); ++j) {
    for (int i = 0; i < M.rows(); ++i) entries.push_back(M(i, j));
  }
  return entries;
}

}  // namespace

std::string DeclareFunction(const GeneratedFunction& function) {
  std::string arguments;
  for (const auto& input : function.inputs) {
    arguments += (arguments.empty() ? "const double* " : ", const double* ") +
                 input.name;
  }
  for (const auto& output : function.outputs) {
    arguments += (arguments.empty() ? "double* " : ", double* ") + output.name;
  }
  return fmt::format("void {}({})", function.name, arguments);
}

std::string DefineFunction(const GeneratedFunction& function) {
  CodeWriter writer(function);
  std::string lines;
  std::string results;
  for (const auto& output : function.outputs) {
    for (std::size_t i = 0; i < output.entries.size(); ++i) {
      const std::string text = writer.Write(output.entries[i].ref(), &lines);
      results += fmt::format("  {}[{}] = {};\n", output.name, i, text);
    }
  }
  // The results come last, so that an array may be input and output.
  return DeclareFunction(function) + " {\n" +
         UnusedInputs(function, lines + results) + lines + results + "}\n";
}

}  // namespace internal

std::string CodeGenVisitor::CodeGen(const Expression& e) const {
  internal::GeneratedFunction function = internal::OfOneArray("f", parameters_);
  function.outputs.push_back({"m", {e}});
  std::string none;
  return internal::CodeWriter(function, true).Write(e.ref(), &none);
}

std::string CodeGen(const std::string& function_name,
                    const std::vector<Variable>& parameters,
                    const Expression& e) {
  internal::GeneratedFunction function =
      internal::OfOneArray(function_name, parameters);
  function.outputs.push_back({"m", {e}});
  internal::CodeWriter writer(function);
  std::string lines;
  const std::string text = writer.Write(e.ref(), &lines);
  return fmt::format(
      "#include <math.h>\n\ndouble {}(const double* p) {{\n{}{}  return {};\n"
      "}}\n{}",
      function_name, internal::UnusedInputs(function, lines + text), lines,
      text,
      internal::MetaData(function_name, "",
                         fmt::format("{{{}}}", parameters.size())));
}

std::string CodeGen(const std::string& function_name,
                    const std::vector<Variable>& parameters,
                    const Eigen::Ref<const MatrixX<Expression>>& M) {
  internal::GeneratedFunction function =
      internal::OfOneArray(function_name, parameters);
  function.outputs.push_back({"m", internal::EntriesOfMatrix(M)});
  return "#include <math.h>\n\n" + internal::DefineFunction(function) +
         internal::MetaData(
             function_name,
             "  struct {\n    int rows;\n    int cols;\n  } m;\n",
             fmt::format("{{{}}}, {{{}, {}}}", parameters.size(), M.rows(),
                         M.cols()));
}

std::string CodeGen(
    const std::string& function_name, const std::vector<Variable>& parameters,
    const Eigen::Ref<const Eigen::SparseMatrix<Expression, Eigen::ColMajor>>&
        M) {
  internal::GeneratedFunction function =
      internal::OfOneArray(function_name, parameters);
  function.outputs.push_back({"values", {}});
  std::string indices, inner;
  int count = 0;
  for (int j = 0; j < M.outerSize(); ++j) {
    indices += fmt::format("  outer_indices[{}] = {};\n", j, count);
    for (Eigen::Ref<const Eigen::SparseMatrix<Expression>>::InnerIterator it(M,
                                                                             j);
         it; ++it) {
      inner += fmt::format("  inner_indices[{}] = {};\n", count++, it.row());
      function.outputs[0].entries.push_back(it.value());
    }
  }
  indices += fmt::format("  outer_indices[{}] = {};\n", M.cols(), count);
  std::string text = internal::DefineFunction(function);
  const std::string head = internal::DeclareFunction(function) + " {\n";
  text = fmt::format(
             "void {}(const double* p, int* outer_indices, int* "
             "inner_indices, double* values) {{\n",
             function_name) +
         indices + inner + text.substr(head.size());
  return "#include <math.h>\n\n" + text +
         internal::MetaData(
             function_name,
             "  struct {\n    int rows;\n    int cols;\n    int non_zeros;\n"
             "    int outer_indices;\n    int inner_indices;\n  } m;\n",
             fmt::format("{{{}}}, {{{}, {}, {}, {}, {}}}", parameters.size(),
                         M.rows(), M.cols(), count, M.cols() + 1, count));
}

}  // namespace wyvern::symbolic
