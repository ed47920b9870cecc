#include "wyvern/systems/symbolic/algebra/expression_tape.h"

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/graph_traversal_private.h"

/* Each cell becomes steps, operands first, and a step that has been written is
not written again. Truths are the numbers 0 and 1; NaN, where a value is
missing, goes through everything but the branch that is not taken and the
operands of && and || that do not matter. */

namespace wyvern::symbolic {

using internal::AsList;
using internal::AsOperation;
using internal::AsProduct;
using internal::AsSum;
using internal::Cell;
using internal::Ref;

class ExpressionTape::Writer : public internal::NeedsAll {
 public:
  using Result = int;
  static constexpr std::uint32_t kSmall = 1;

  Writer(const VectorX<Variable>& variables, ExpressionTape* tape)
      : tape_(*tape) {
    for (int i = 0; i < variables.size(); ++i) {
      place_of_.emplace(variables[i].get_id(), i);
    }
    tape_.num_variables_ = static_cast<int>(variables.size());
    tape_.initial_.resize(variables.size());
  }

  int OfNumber(double number) {
    const auto [found, is_new] =
        constants_.emplace(number, static_cast<int>(tape_.initial_.size()));
    if (is_new) tape_.initial_.push_back(number);
    return found->second;
  }
  int Scaled(int at, double factor) {
    return Write(Op::kMultiply, 0, at, OfNumber(factor));
  }

  template <typename Get>
  int Compute(const Cell& cell, const Get& get) {
    if (cell.is_formula()) return ComputeTruth(cell, get);
    switch (cell.expression_kind()) {
      case ExpressionKind::Var:
        return PlaceOf(cell);
      case ExpressionKind::Add: {
        const double constant = AsSum(cell).constant;
        int sum = constant == 0 ? -1 : OfNumber(constant);
        for (const Ref& term : AsSum(cell).terms) {
          const int at = get(term);
          sum = sum < 0 ? at : Write(Op::kAdd, 0, sum, at);
        }
        return sum;
      }
      case ExpressionKind::Mul: {
        int product = -1;
        for (const auto& [base, exponent] : AsProduct(cell).factors) {
          int at = get(base);
          if (exponent != 1) at = Write(Op::kPower, 0, at, OfNumber(exponent));
          product = product < 0 ? at : Write(Op::kMultiply, 0, product, at);
        }
        return product;
      }
      case ExpressionKind::Div:
        return Write(Op::kDivide, 0, get(AsOperation(cell).a),
                     get(AsOperation(cell).b));
      case ExpressionKind::IfThenElse: {
        const auto& items = AsList(cell).items;
        const int condition = get(items[0]);
        const int taken = get(items[1]);
        return Write(Op::kSelect, 0, condition, taken, get(items[2]));
      }
      case ExpressionKind::NaN:
        // A number of its own: NaN is no key.
        tape_.initial_.push_back(std::numeric_limits<double>::quiet_NaN());
        return static_cast<int>(tape_.initial_.size()) - 1;
      case ExpressionKind::UninterpretedFunction:
        ThrowUnknown(cell);
      case ExpressionKind::Min:
      case ExpressionKind::Max:
      case ExpressionKind::Pow:
      case ExpressionKind::Atan2:
        return Write(Op::kFunctionOfTwo, cell.kind, get(AsOperation(cell).a),
                     get(AsOperation(cell).b));
      default:
        return Write(Op::kFunction, cell.kind, get(AsOperation(cell).a), 0);
    }
  }

 private:
  template <typename Get>
  int ComputeTruth(const Cell& cell, const Get& get) {
    switch (cell.formula_kind()) {
      case FormulaKind::False:
        return OfNumber(0);
      case FormulaKind::True:
        return OfNumber(1);
      case FormulaKind::Var:
        return Write(Op::kIsTrue, 0, get(AsOperation(cell).a), 0);
      case FormulaKind::And:
      case FormulaKind::Or: {
        const Op op = cell.Is(FormulaKind::Or) ? Op::kOr : Op::kAnd;
        int result = -1;
        for (const Ref& item : AsList(cell).items) {
          const int at = get(item);
          result = result < 0 ? at : Write(op, 0, result, at);
        }
        return result;
      }
      case FormulaKind::Not:
        return Write(Op::kNot, 0, get(AsOperation(cell).a), 0);
      case FormulaKind::Isnan:
        return Write(Op::kIsNan, 0, get(AsOperation(cell).a), 0);
      case FormulaKind::Forall:
      case FormulaKind::PositiveSemidefinite:
        ThrowUnknown(cell);
      default:
        return Write(Op::kCompare, cell.kind, get(AsOperation(cell).a),
                     get(AsOperation(cell).b));
    }
  }

  int PlaceOf(const Cell& cell) const {
    const auto found = place_of_.find(internal::AsVariable(cell).id);
    if (found != place_of_.end()) return found->second;
    throw std::logic_error(fmt::format(
        "symbolic::ExpressionTape: the variable '{}' is not among the {} that "
        "were given; give all that the expressions have.",
        internal::AsVariable(cell).name, tape_.num_variables_));
  }

  [[noreturn]] static void ThrowUnknown(const Cell& cell) {
    throw std::logic_error(fmt::format(
        "symbolic::ExpressionTape: nothing is known of the value of {}; "
        "substitute it first.",
        internal::ToShortText(Ref(&cell))));
  }

  int Write(Op op, internal::Kind kind, int a, int b, int c = 0) {
    const auto [found, is_new] = written_.emplace(
        std::tuple(op, kind, a, b, c), static_cast<int>(tape_.initial_.size()));
    if (is_new) {
      tape_.steps_.push_back({op, kind, a, b, c, found->second});
      tape_.initial_.push_back(0);
    }
    return found->second;
  }

  ExpressionTape& tape_;
  std::unordered_map<Variable::Id, int> place_of_;
  std::map<double, int> constants_;
  std::map<std::tuple<Op, internal::Kind, int, int, int>, int> written_;
};

ExpressionTape::ExpressionTape(const VectorX<Variable>& variables,
                               const VectorX<Expression>& expressions) {
  Writer writer(variables, this);
  internal::Walk<Writer> walk(&writer);
  for (const Expression& e : expressions) {
    results_.push_back(walk.Run(e.ref()));
  }
}

Eigen::VectorXd ExpressionTape::MakeRegisters() const {
  return Eigen::Map<const Eigen::VectorXd>(
      initial_.data(), static_cast<Eigen::Index>(initial_.size()));
}

void ExpressionTape::Run(Eigen::VectorXd* registers) const {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  double* const r = registers->data();
  for (const Step& step : steps_) {
    const double a = r[step.a];
    const double b = r[step.b];
    double& to = r[step.to];
    switch (step.op) {
      case Op::kAdd:
        to = a + b;
        break;
      case Op::kMultiply:
        to = a * b;
        break;
      case Op::kDivide:
        to = b == 0 ? kMissing : a / b;
        break;
      case Op::kPower:
        to = internal::Power(a, b);
        break;
      case Op::kFunction:
        to = internal::Compute(static_cast<ExpressionKind>(step.kind), a);
        break;
      case Op::kFunctionOfTwo:
        to = std::isnan(a) || std::isnan(b)
                 ? kMissing
                 : internal::Compute(static_cast<ExpressionKind>(step.kind), a,
                                     b);
        break;
      case Op::kCompare:
        to = std::isnan(a) || std::isnan(b)
                 ? kMissing
                 : internal::Compute(static_cast<FormulaKind>(step.kind - 64),
                                     a, b);
        break;
      case Op::kIsTrue:
        to = std::isnan(a) ? kMissing : a != 0;
        break;
      case Op::kIsNan:
        to = std::isnan(a) ? kMissing : 0;
        break;
      case Op::kNot:
        to = 1 - a;
        break;
      case Op::kAnd:
        to = a == 0 || std::isnan(a) ? a : b;
        break;
      case Op::kOr:
        to = a == 0 ? b : a;
        break;
      case Op::kSelect:
        to = std::isnan(a) ? kMissing : a != 0 ? b : r[step.c];
        break;
    }
  }
}

}  // namespace wyvern::symbolic
