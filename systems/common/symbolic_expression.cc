// A formula is a graph of cells that never change: a constant, a variable, or a
// function of one or two cells. Functions of constants are computed when the
// formula is built, so that one that is not a number fails there. An evaluation
// goes over the graph twice: first Draw() gives every random variable that has
// no value one, and then the cells are computed. That is why a variable has the
// same value wherever it occurs, also in two entries of a matrix. Formulas
// share cells, but a walk computes a shared cell each time it comes by.

#include "wyvern/systems/common/symbolic_expression.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace wyvern::symbolic {

namespace internal {

// One operation of a formula. A constant has no name, function or variable.
struct Cell {
  double constant{};
  std::optional<Variable> variable;
  std::string name;
  double (*unary)(double){};
  double (*binary)(double, double){};
  std::shared_ptr<const Cell> a;
  std::shared_ptr<const Cell> b;

  bool is_constant() const { return !variable && !unary && !binary; }

  double Evaluate(const Environment& environment) const {
    if (unary != nullptr) return unary(a->Evaluate(environment));
    if (binary != nullptr) {
      return binary(a->Evaluate(environment), b->Evaluate(environment));
    }
    if (!variable) return constant;
    const auto found = environment.find(*variable);
    if (found != environment.end()) return found->second;
    throw std::runtime_error(fmt::format(
        "symbolic::Expression::Evaluate(): the variable '{}' has no value; "
        "give one in the environment.",
        variable->get_name()));
  }

  void Draw(RandomGenerator* generator, Environment* environment) const {
    if (a) a->Draw(generator, environment);
    if (b) b->Draw(generator, environment);
    if (!variable || !variable->is_random()) return;
    if (environment->contains(*variable)) return;
    environment->emplace(*variable, variable->Draw(generator));
  }

  std::string ToString() const {
    if (variable) return variable->get_name();
    if (is_constant()) return fmt::format("{}", constant);
    if (unary != nullptr) return fmt::format("{}({})", name, a->ToString());
    if (name.size() == 1) {
      return fmt::format("({} {} {})", a->ToString(), name, b->ToString());
    }
    return fmt::format("{}({}, {})", name, a->ToString(), b->ToString());
  }

  static Expression Make(const char* name, double (*f)(double),
                         const Expression& a) {
    if (a.cell_->is_constant()) return f(a.cell_->constant);
    return Expression(std::make_shared<Cell>(
        Cell{0, std::nullopt, name, f, nullptr, a.cell_, nullptr}));
  }

  static Expression Make(const char* name, double (*f)(double, double),
                         const Expression& a, const Expression& b) {
    if (a.cell_->is_constant() && b.cell_->is_constant()) {
      return f(a.cell_->constant, b.cell_->constant);
    }
    return Expression(std::make_shared<Cell>(
        Cell{0, std::nullopt, name, nullptr, f, a.cell_, b.cell_}));
  }
};

namespace {

std::shared_ptr<const Cell> MakeConstant(double value) {
  if (std::isnan(value)) {
    throw std::runtime_error(
        "symbolic::Expression: a constant is not a number (NaN); check what it "
        "was computed from.");
  }
  return std::make_shared<Cell>(Cell{value, {}, {}, {}, {}, {}, {}});
}

}  // namespace
}  // namespace internal

using internal::Cell;

Expression::Expression() {
  static const std::shared_ptr<const Cell> zero = internal::MakeConstant(0);
  cell_ = zero;
}

Expression::Expression(double value) : cell_(internal::MakeConstant(value)) {}

Expression::Expression(const Variable& variable)
    : cell_(std::make_shared<Cell>(Cell{0, variable, {}, {}, {}, {}, {}})) {}

Expression::Expression(std::shared_ptr<const Cell> cell)
    : cell_(std::move(cell)) {}

void Expression::Draw(RandomGenerator* generator,
                      Environment* environment) const {
  cell_->Draw(generator, environment);
}

double Expression::Evaluate(const Environment& environment,
                            RandomGenerator* generator) const {
  Environment values = environment;
  Draw(generator, &values);
  const double value = cell_->Evaluate(values);
  if (std::isnan(value)) {
    throw std::runtime_error(fmt::format(
        "symbolic::Expression::Evaluate(): the value of {} is not a number "
        "(NaN).",
        to_string()));
  }
  return value;
}

std::string Expression::to_string() const { return cell_->ToString(); }

Expression& Expression::operator+=(const Expression& b) {
  return *this = *this + b;
}
Expression& Expression::operator-=(const Expression& b) {
  return *this = *this - b;
}
Expression& Expression::operator*=(const Expression& b) {
  return *this = *this * b;
}
Expression& Expression::operator/=(const Expression& b) {
  return *this = *this / b;
}

Expression operator+(const Expression& a, const Expression& b) {
  return Cell::Make(
      "+", [](double x, double y) { return x + y; }, a, b);
}
Expression operator-(const Expression& a, const Expression& b) {
  return Cell::Make(
      "-", [](double x, double y) { return x - y; }, a, b);
}
Expression operator*(const Expression& a, const Expression& b) {
  return Cell::Make(
      "*", [](double x, double y) { return x * y; }, a, b);
}
Expression operator/(const Expression& a, const Expression& b) {
  return Cell::Make(
      "/", [](double x, double y) { return x / y; }, a, b);
}
Expression operator-(const Expression& a) {
  return Cell::Make(
      "-", [](double x) { return -x; }, a);
}

#define WYVERN_UNARY(f)                             \
  Expression f(const Expression& a) {               \
    return Cell::Make(                              \
        #f, [](double x) { return std::f(x); }, a); \
  }
WYVERN_UNARY(sin)
WYVERN_UNARY(cos)
WYVERN_UNARY(tan)
WYVERN_UNARY(asin)
WYVERN_UNARY(acos)
WYVERN_UNARY(atan)
WYVERN_UNARY(sinh)
WYVERN_UNARY(cosh)
WYVERN_UNARY(tanh)
WYVERN_UNARY(exp)
WYVERN_UNARY(log)
WYVERN_UNARY(sqrt)
WYVERN_UNARY(abs)
WYVERN_UNARY(floor)
WYVERN_UNARY(ceil)
#undef WYVERN_UNARY

#define WYVERN_BINARY(f)                                                      \
  Expression f(const Expression& a, const Expression& b) {                    \
    return Cell::Make(                                                        \
        #f, [](double x, double y) -> double { return std::f(x, y); }, a, b); \
  }
WYVERN_BINARY(atan2)
WYVERN_BINARY(pow)
WYVERN_BINARY(min)
WYVERN_BINARY(max)
#undef WYVERN_BINARY

std::ostream& operator<<(std::ostream& out, const Expression& a) {
  return out << a.to_string();
}
std::ostream& operator<<(std::ostream& out, const Variable& a) {
  return out << a.get_name();
}

Eigen::MatrixXd Evaluate(const Eigen::Ref<const MatrixX<Expression>>& m,
                         Environment environment, RandomGenerator* generator) {
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) m(i, j).Draw(generator, &environment);
  }
  Eigen::MatrixXd result(m.rows(), m.cols());
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) {
      result(i, j) = m(i, j).Evaluate(environment);
    }
  }
  return result;
}

}  // namespace wyvern::symbolic
