#include "wyvern/systems/symbolic/algebra/polynomial.h"

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/algebra/decompose.h"
#include "wyvern/systems/symbolic/cell_private.h"
#include "wyvern/systems/symbolic/expression_kinds.h"
#include "wyvern/systems/symbolic/graph_traversal_private.h"

/* Polynomials. From an expression one is made by expanding it, which is where
the limits on its size are, and sorting its terms by monomials; a quotient
whose denominator has no indeterminate scales the coefficients. */

namespace wyvern::symbolic {
namespace {

using MapType = Polynomial::MapType;

void AddToMap(const Expression& coefficient, Monomial m, MapType* map) {
  if (is_zero(coefficient)) return;
  const auto [at, is_new] = map->try_emplace(std::move(m), coefficient);
  if (is_new) return;
  at->second += coefficient;
  if (is_zero(at->second)) map->erase(at);
}

constexpr double kMostProducts = 1e7;

MapType Multiply(const MapType& a, const MapType& b) {
  if (static_cast<double>(a.size()) * b.size() > kMostProducts) {
    throw std::runtime_error(fmt::format(
        "symbolic::Polynomial: a product of {} terms and {} is too large; at "
        "most {:.0e} products are made.",
        a.size(), b.size(), kMostProducts));
  }
  MapType result;
  for (const auto& [m, c] : a) {
    for (const auto& [n, d] : b) AddToMap(c * d, m * n, &result);
  }
  return result;
}

// Whether a part has some of the variables wanted. Asking each quotient in
// quotients for its variables would go over a deep graph once for each.
struct VariableQuery : internal::NeedsAll {
  using Result = bool;
  static constexpr std::uint32_t kSmall = 1;

  const Variables& wanted;

  explicit VariableQuery(const Variables& those) : wanted(those) {}
  bool OfNumber(double) const { return false; }
  bool Scaled(bool result, double) const { return result; }
  template <typename Get>
  bool Compute(const internal::Cell& cell, const Get& get) const {
    if (cell.Is(ExpressionKind::Var)) {
      return wanted.include(internal::VariableIn(cell));
    }
    if (cell.Is(FormulaKind::Forall)) {
      return !intersect(internal::AsList(cell).free, wanted).empty();
    }
    bool has_some = false;
    internal::ForEachOperand(cell, [&](const internal::Ref& operand) {
      has_some = has_some || get(operand);
    });
    return has_some;
  }
};

// Quotients in quotients, by recursion.
constexpr int kDeepest = 1000;

class Decomposition {
 public:
  explicit Decomposition(const Variables& indeterminates)
      : indeterminates_(indeterminates) {}

  // Adds c times a product of powers of variables, as nearly all terms are;
  // false of another.
  bool AddSimpleTerm(const internal::Ref& term, double c, MapType* map) const {
    using internal::AsOperation;
    using internal::Ref;
    if (term.is_number()) {
      AddToMap(c * term.factor(), Monomial(), map);
      return true;
    }
    const internal::Cell& cell = *term.cell();
    std::map<Variable, int> powers;
    Expression coefficient = c * term.factor();
    const auto add = [&](const Ref& base, double exponent) {
      if (exponent < 0 || base.factor() != 1 ||
          !base.cell()->Is(ExpressionKind::Var)) {
        return false;
      }
      const Variable v = internal::VariableIn(*base.cell());
      if (indeterminates_.include(v)) {
        powers.emplace_hint(powers.end(), v, static_cast<int>(exponent));
      } else {
        coefficient *= symbolic::pow(v, exponent);
      }
      return true;
    };
    if (cell.Is(ExpressionKind::Mul)) {
      for (const auto& [base, exponent] : internal::AsProduct(cell).factors) {
        if (!add(base, exponent)) return false;
      }
    } else if (cell.Is(ExpressionKind::Pow)) {
      const Ref &base = AsOperation(cell).a, &exponent = AsOperation(cell).b;
      if (base.is_number() || !exponent.is_number() ||
          !internal::IsInteger(exponent.factor()) ||
          !add(base, exponent.factor())) {
        return false;
      }
    } else if (!add(term.Times(1), 1)) {
      return false;
    }
    AddToMap(coefficient, Monomial(std::move(powers)), map);
    return true;
  }

  // Requires an expanded expression.
  MapType Run(const Expression& e, int depth) const {
    if (e.get_kind() == ExpressionKind::Mul) {
      MapType result;
      if (AddSimpleTerm(e.ref(), 1, &result)) return result;
    }
    if (depth > kDeepest) {
      throw std::runtime_error(
          "symbolic::Polynomial: the expression has above 1000 quotients in "
          "one another; take them apart before.");
    }
    if (IsFree(e)) {
      MapType result;
      AddToMap(e, Monomial(), &result);
      return result;
    }
    switch (e.get_kind()) {
      case ExpressionKind::Var:
        return {{Monomial(get_variable(e)), 1}};
      case ExpressionKind::Add:
        return OfSum(e, depth);
      case ExpressionKind::Mul:
        return OfProduct(e, depth);
      case ExpressionKind::Div:
        return OfQuotient(e, depth);
      case ExpressionKind::Pow:
        return OfPower(get_first_argument(e), get_second_argument(e), e, depth);
      default:
        ThrowNonPolynomial(e);
    }
  }

 private:
  bool IsFree(const Expression& e) const {
    if (is_constant(e)) return true;
    if (is_variable(e)) return !indeterminates_.include(get_variable(e));
    return !walk_.Run(e.ref());
  }

  [[noreturn]] void ThrowNonPolynomial(const Expression& e) const {
    throw std::runtime_error(fmt::format(
        "symbolic::Polynomial: the term {} is no polynomial; it must be free "
        "of the indeterminates {}.",
        internal::ToShortText(e.ref()), indeterminates_.to_string()));
  }

  MapType OfSum(const Expression& e, int depth) const {
    MapType result;
    AddToMap(get_constant_in_addition(e), Monomial(), &result);
    for (const internal::Ref& term : internal::AsSum(*e.ref().cell()).terms) {
      if (AddSimpleTerm(term, 1, &result)) continue;
      for (const auto& [m, d] : Run(Expression(term.Times(1)), depth + 1)) {
        AddToMap(term.factor() * d, m, &result);
      }
    }
    return result;
  }

  MapType OfProduct(const Expression& e, int depth) const {
    Expression coefficient = get_constant_in_multiplication(e);
    Monomial m;
    MapType others{{Monomial(), 1}};
    for (const auto& [base, exponent] :
         get_base_to_exponent_map_in_multiplication(e)) {
      if (is_variable(base) && indeterminates_.include(get_variable(base)) &&
          IsNatural(exponent)) {
        m *= Monomial(get_variable(base),
                      static_cast<int>(get_constant_value(exponent)));
      } else if (IsFree(base) && IsFree(exponent)) {
        coefficient *= symbolic::pow(base, exponent);
      } else {
        others = Multiply(others, OfPower(base, exponent, e, depth));
      }
    }
    return Multiply({{m, coefficient}}, others);
  }

  static bool IsNatural(const Expression& exponent) {
    if (!is_constant(exponent)) return false;
    const double n = get_constant_value(exponent);
    return n >= 0 && n == std::floor(n) && n < 1e9;
  }

  MapType OfPower(const Expression& base, const Expression& exponent,
                  const Expression& whole, int depth) const {
    if (!IsNatural(exponent)) ThrowNonPolynomial(whole);
    const double n = get_constant_value(exponent);
    if (is_variable(base)) {
      return {{Monomial(get_variable(base), static_cast<int>(n)), 1}};
    }
    const MapType once = Run(base, depth + 1);
    MapType result{{Monomial(), 1}};
    for (int i = 0; i < n; ++i) result = Multiply(result, once);
    return result;
  }

  MapType OfQuotient(const Expression& e, int depth) const {
    const Expression denominator = get_second_argument(e);
    if (!IsFree(denominator)) {
      throw std::runtime_error(fmt::format(
          "symbolic::Polynomial: in {} the denominator {} must be free of the "
          "indeterminates {}.",
          internal::ToShortText(e.ref()),
          internal::ToShortText(denominator.ref()),
          indeterminates_.to_string()));
    }
    MapType result = Run(get_first_argument(e), depth + 1);
    for (auto& [m, c] : result) c /= denominator;
    return result;
  }

  const Variables& indeterminates_;
  mutable VariableQuery query_{indeterminates_};
  mutable internal::Walk<VariableQuery> walk_{&query_};
};

}  // namespace

Polynomial::Polynomial(MapType map) : map_(std::move(map)) {
  std::erase_if(map_, [](const auto& term) { return is_zero(term.second); });
  CollectVariables();
  RequireApart();
}

Polynomial::Polynomial(const Monomial& m)
    : map_{{m, 1}}, indeterminates_(m.GetVariables()) {}

Polynomial::Polynomial(double constant) {
  AddToMap(constant, Monomial(), &map_);
}

Polynomial::Polynomial(const Expression& e) : Polynomial(e, e.GetVariables()) {}

Polynomial::Polynomial(const Expression& e, const Variables& indeterminates)
    : map_(Decomposition(indeterminates).Run(e.Expand(), 0)),
      indeterminates_(indeterminates) {
  decision_variables_ = e.GetVariables() - indeterminates;
}

void Polynomial::CollectVariables() {
  indeterminates_ = decision_variables_ = Variables();
  for (const auto& [m, c] : map_) {
    for (const auto& [v, exponent] : m.get_powers()) indeterminates_.insert(v);
    decision_variables_.insert(c.GetVariables());
  }
}

void Polynomial::RequireApart() const {
  const Variables both = intersect(indeterminates_, decision_variables_);
  if (both.empty()) return;
  throw std::runtime_error(fmt::format(
      "symbolic::Polynomial: {} are indeterminates and in coefficients; a "
      "variable must be one of these.",
      both.to_string()));
}

void Polynomial::SetIndeterminates(const Variables& indeterminates) {
  *this = Polynomial(ToExpression(), indeterminates);
}

std::size_t Polynomial::get_hash() const {
  std::size_t hash = map_.size();
  for (const auto& [m, c] : map_) {
    hash = (hash * 31 + m.get_hash()) * 31 + c.get_hash();
  }
  return hash;
}

int Polynomial::Degree(const Variable& v) const {
  int degree = 0;
  for (const auto& [m, c] : map_) degree = std::max(degree, m.degree(v));
  return degree;
}

int Polynomial::TotalDegree() const {
  return map_.empty() ? 0 : map_.rbegin()->first.total_degree();
}

Expression Polynomial::ToExpression() const {
  Expression sum;
  for (const auto& [m, c] : map_) sum += c * m.ToExpression();
  return sum;
}

std::string Polynomial::to_string() const {
  if (map_.empty()) return "0";
  std::string text;
  for (const auto& [m, c] : map_) {
    if (!text.empty()) text += " + ";
    text += fmt::format("{}*{}", c.to_string(), m.to_string());
  }
  return text;
}

Polynomial Polynomial::Differentiate(const Variable& x) const {
  Polynomial result;
  if (decision_variables_.include(x)) {
    for (const auto& [m, c] : map_) {
      AddToMap(c.Differentiate(x), m, &result.map_);
    }
  } else {
    for (const auto& [m, c] : map_) {
      const int n = m.degree(x);
      if (n == 0) continue;
      auto powers = m.get_powers();
      powers[x] = n - 1;
      AddToMap(n * c, Monomial(std::move(powers)), &result.map_);
    }
  }
  result.indeterminates_ = indeterminates_;
  result.decision_variables_ = decision_variables_;
  return result;
}

RowVectorX<Polynomial> Polynomial::Jacobian(
    const Eigen::Ref<const VectorX<Variable>>& variables) const {
  RowVectorX<Polynomial> result(variables.size());
  for (int i = 0; i < variables.size(); ++i) {
    result[i] = Differentiate(variables[i]);
  }
  return result;
}

Polynomial Polynomial::Integrate(const Variable& x) const {
  if (decision_variables_.include(x)) {
    throw std::runtime_error(fmt::format(
        "symbolic::Polynomial::Integrate(): '{}' is in the coefficients; make "
        "it an indeterminate by SetIndeterminates().",
        x.get_name()));
  }
  Polynomial result;
  for (const auto& [m, c] : map_) {
    AddToMap(c / (m.degree(x) + 1.0), m * Monomial(x), &result.map_);
  }
  // Constants stay numbers.
  result = result.Expand();
  result.indeterminates_ = indeterminates_ + x;
  result.decision_variables_ = decision_variables_;
  return result;
}

Polynomial Polynomial::Integrate(const Variable& x, double a, double b) const {
  const Polynomial p = Integrate(x);
  return p.EvaluatePartial(x, b) - p.EvaluatePartial(x, a);
}

double Polynomial::Evaluate(const Environment& environment) const {
  double sum = 0;
  for (const auto& [m, c] : map_) {
    sum += c.Evaluate(environment) * m.Evaluate(environment);
  }
  return sum;
}

Polynomial Polynomial::EvaluatePartial(const Environment& environment) const {
  Polynomial result;
  for (const auto& [m, c] : map_) {
    const auto [value, rest] = m.EvaluatePartial(environment);
    AddToMap(value * c.EvaluatePartial(environment), rest, &result.map_);
  }
  const Variables domain = environment.domain();
  result.indeterminates_ = indeterminates_ - domain;
  result.decision_variables_ = decision_variables_ - domain;
  return result;
}

Polynomial Polynomial::EvaluatePartial(const Variable& v, double value) const {
  return EvaluatePartial({{v, value}});
}

Eigen::VectorXd Polynomial::EvaluateIndeterminates(
    const Eigen::Ref<const VectorX<Variable>>& indeterminates,
    const Eigen::Ref<const Eigen::MatrixXd>& values) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(values.cols());
  for (const auto& [m, c] : map_) {
    if (!is_constant(c)) {
      throw std::runtime_error(fmt::format(
          "symbolic::Polynomial::EvaluateIndeterminates(): the coefficient {} "
          "of {} is no constant; give the decision variables values before.",
          c.to_string(), m.to_string()));
    }
    sum += get_constant_value(c) * m.Evaluate(indeterminates, values);
  }
  return sum;
}

void Polynomial::EvaluateWithAffineCoefficients(
    const Eigen::Ref<const VectorX<Variable>>& indeterminates,
    const Eigen::Ref<const Eigen::MatrixXd>& values, Eigen::MatrixXd* A,
    VectorX<Variable>* decision_variables, Eigen::VectorXd* b) const {
  const wyvern::internal::Caller who(
      "symbolic::Polynomial::EvaluateWithAffineCoefficients");
  wyvern::internal::RequireNotNull(who, "A", A);
  wyvern::internal::RequireNotNull(who, "decision_variables",
                                   decision_variables);
  wyvern::internal::RequireNotNull(who, "b", b);
  VectorX<Expression> coefficients(static_cast<Eigen::Index>(map_.size()));
  Eigen::MatrixXd monomials(values.cols(), coefficients.size());
  int i = 0;
  for (const auto& [m, c] : map_) {
    coefficients[i] = c;
    monomials.col(i++) = m.Evaluate(indeterminates, values);
  }
  Eigen::MatrixXd slopes;
  Eigen::VectorXd constants;
  DecomposeAffineExpressions(coefficients, &slopes, &constants,
                             decision_variables);
  *A = monomials * slopes;
  *b = monomials * constants;
}

Polynomial& Polynomial::AddProduct(const Expression& coefficient,
                                   const Monomial& m) {
  AddToMap(coefficient, m, &map_);
  indeterminates_.insert(m.GetVariables());
  decision_variables_.insert(coefficient.GetVariables());
  RequireApart();
  return *this;
}

Polynomial Polynomial::SubstituteAndExpand(
    const std::map<Variable, Polynomial>& substitution) const {
  Polynomial sum;
  for (const auto& [m, c] : map_) {
    Polynomial product;
    product.AddProduct(c, Monomial());
    for (const auto& [v, exponent] : m.get_powers()) {
      const auto found = substitution.find(v);
      if (found == substitution.end()) {
        throw std::runtime_error(fmt::format(
            "symbolic::Polynomial::SubstituteAndExpand(): the indeterminate "
            "'{}' has no polynomial; give Polynomial({}) to keep it.",
            v.get_name(), v.get_name()));
      }
      product *= symbolic::pow(found->second, exponent);
    }
    sum += product;
  }
  return sum.Expand();
}

Polynomial Polynomial::Expand() const {
  Polynomial result;
  for (const auto& [m, c] : map_) AddToMap(c.Expand(), m, &result.map_);
  result.CollectVariables();
  return result;
}

Polynomial Polynomial::RemoveTermsWithSmallCoefficients(
    double tolerance) const {
  wyvern::internal::RequireNonNegative(
      "symbolic::Polynomial::RemoveTermsWithSmallCoefficients", "tolerance",
      tolerance);
  MapType rest = map_;
  std::erase_if(rest, [tolerance](const auto& term) {
    return is_constant(term.second) &&
           std::abs(get_constant_value(term.second)) <= tolerance;
  });
  return Polynomial(std::move(rest));
}

bool Polynomial::IsEven() const {
  for (const auto& [m, c] : map_) {
    if (m.total_degree() % 2 == 1) return false;
  }
  return true;
}

bool Polynomial::IsOdd() const {
  for (const auto& [m, c] : map_) {
    if (m.total_degree() % 2 == 0) return false;
  }
  return true;
}

// The eigenvalues of the companion matrix.
Eigen::VectorXcd Polynomial::Roots() const {
  Variables used;
  for (const auto& [m, c] : map_) used.insert(m.GetVariables());
  const int n = TotalDegree();
  if (used.size() != 1) {
    throw std::runtime_error(fmt::format(
        "symbolic::Polynomial::Roots(): {} is of {} indeterminates; it must be "
        "of one.",
        to_string(), used.size()));
  }
  Eigen::VectorXd coefficients = Eigen::VectorXd::Zero(n + 1);
  for (const auto& [m, c] : map_) {
    if (!is_constant(c)) {
      throw std::runtime_error(fmt::format(
          "symbolic::Polynomial::Roots(): the coefficient {} is no constant; "
          "give the decision variables values before.",
          c.to_string()));
    }
    coefficients[m.total_degree()] = get_constant_value(c);
  }
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(n, n);
  companion.bottomLeftCorner(n - 1, n - 1).setIdentity();
  companion.col(n - 1) = -coefficients.head(n) / coefficients[n];
  return companion.eigenvalues();
}

Polynomial& Polynomial::operator+=(const Polynomial& p) {
  const MapType terms = p.map_;
  for (const auto& [m, c] : terms) AddToMap(c, m, &map_);
  indeterminates_.insert(p.indeterminates_);
  decision_variables_.insert(p.decision_variables_);
  RequireApart();
  return *this;
}
Polynomial& Polynomial::operator-=(const Polynomial& p) { return *this += -p; }
Polynomial& Polynomial::operator*=(const Polynomial& p) {
  map_ = Multiply(map_, p.map_);
  indeterminates_.insert(p.indeterminates_);
  decision_variables_.insert(p.decision_variables_);
  RequireApart();
  return *this;
}
Polynomial& Polynomial::operator*=(const Monomial& m) {
  return *this *= Polynomial(m);
}
Polynomial& Polynomial::operator*=(double c) { return *this *= Polynomial(c); }

Polynomial& Polynomial::operator+=(const Variable& v) {
  if (indeterminates_.include(v)) return AddProduct(1, Monomial(v));
  return AddProduct(v, Monomial());
}
Polynomial& Polynomial::operator-=(const Variable& v) {
  if (indeterminates_.include(v)) return AddProduct(-1, Monomial(v));
  return AddProduct(-v, Monomial());
}
Polynomial& Polynomial::operator*=(const Variable& v) {
  if (indeterminates_.include(v)) return *this *= Monomial(v);
  return *this *= Polynomial(v, Variables());
}

bool Polynomial::EqualTo(const Polynomial& p) const {
  return map_.size() == p.map_.size() &&
         std::equal(map_.begin(), map_.end(), p.map_.begin(),
                    [](const auto& a, const auto& b) {
                      return a.first == b.first && a.second.EqualTo(b.second);
                    });
}

bool Polynomial::CoefficientsAlmostEqual(const Polynomial& p,
                                         double tolerance) const {
  return (*this - p)
      .Expand()
      .RemoveTermsWithSmallCoefficients(tolerance)
      .map_.empty();
}

Polynomial& Polynomial::operator/=(double c) {
  if (c == 0) {
    throw std::runtime_error(
        "symbolic::Polynomial: a polynomial is divided by zero; the number "
        "must not be 0.");
  }
  MapType map = std::move(map_);
  for (auto& [m, coefficient] : map) {
    coefficient =
        is_constant(coefficient) ? coefficient / c : coefficient * (1 / c);
  }
  return *this = Polynomial(std::move(map));
}

Polynomial operator-(const Polynomial& p) { return -1.0 * p; }
Polynomial operator+(const Monomial& a, const Monomial& b) {
  return Polynomial(a) += b;
}
Polynomial operator-(const Monomial& a, const Monomial& b) {
  return Polynomial(a) -= b;
}

#define WYVERN_POLYNOMIAL(op)                                           \
  Polynomial operator op(Polynomial a, const Polynomial& b) {           \
    return a op## = b;                                                  \
  }                                                                     \
  Polynomial operator op(Polynomial a, const Monomial& b) {             \
    return a op## = b;                                                  \
  }                                                                     \
  Polynomial operator op(const Monomial& a, Polynomial b) {             \
    return Polynomial(a) op b;                                          \
  }                                                                     \
  Polynomial operator op(Polynomial a, double b) { return a op## = b; } \
  Polynomial operator op(double a, Polynomial b) {                      \
    return Polynomial(a) op b;                                          \
  }                                                                     \
  Polynomial operator op(Polynomial a, const Variable& b) {             \
    return a op## = b;                                                  \
  }                                                                     \
  Expression operator op(const Polynomial& a, const Expression& b) {    \
    return a.ToExpression() op b;                                       \
  }                                                                     \
  Expression operator op(const Expression& a, const Polynomial& b) {    \
    return a op b.ToExpression();                                       \
  }
WYVERN_POLYNOMIAL(+)
WYVERN_POLYNOMIAL(-)
WYVERN_POLYNOMIAL(*)
#undef WYVERN_POLYNOMIAL
Polynomial operator+(const Variable& a, Polynomial b) { return b += a; }
Polynomial operator-(const Variable& a, Polynomial b) {
  return (b *= -1.0) += a;
}
Polynomial operator*(const Variable& a, Polynomial b) { return b *= a; }

Polynomial operator/(Polynomial p, double c) { return p /= c; }
Expression operator/(const Polynomial& a, const Expression& b) {
  return a.ToExpression() / b;
}
Expression operator/(const Expression& a, const Polynomial& b) {
  return a / b.ToExpression();
}

Polynomial pow(const Polynomial& p, int n) {
  wyvern::internal::RequireAtLeast("symbolic::pow", "n", n, 0);
  Polynomial result(1.0);
  for (int i = 0; i < n; ++i) {
    result *= p;
    if (result.monomial_to_coefficient_map().size() <= 1000000) continue;
    throw std::runtime_error(
        "symbolic::pow(): the power of the polynomial has above 1e6 terms.");
  }
  return result;
}

namespace internal {

void RequireProductSizes(Eigen::Index rows_a, Eigen::Index cols_a,
                         Eigen::Index rows_b, Eigen::Index cols_b) {
  if (cols_a == rows_b) return;
  throw std::logic_error(fmt::format(
      "symbolic: a {} x {} matrix times a {} x {} matrix; the first must have "
      "as many columns as the second has rows.",
      rows_a, cols_a, rows_b, cols_b));
}

}  // namespace internal

std::ostream& operator<<(std::ostream& out, const Polynomial& p) {
  return out << p.to_string();
}

Formula operator==(const Polynomial& a, const Polynomial& b) {
  Formula result = Formula::True();
  const Polynomial difference = a - b;
  for (const auto& [m, c] : difference.monomial_to_coefficient_map()) {
    result = result && c == 0;
  }
  return result;
}
Formula operator!=(const Polynomial& a, const Polynomial& b) {
  return !(a == b);
}

}  // namespace wyvern::symbolic
