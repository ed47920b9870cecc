#include "wyvern/systems/symbolic/algebra/monomial.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/algebra/polynomial.h"
#include "wyvern/systems/symbolic/cell_private.h"

/* Monomials, and bases of them. A basis of n variables to degree d is made by
dealing each degree out to the variables, the first one's share growing last;
that is the order of MonomialOrder. It has (n + d over d) members, which is
what is bounded. */

namespace wyvern::symbolic {

Monomial::Monomial(const Variable& variable, int exponent)
    : Monomial(std::map<Variable, int>{{variable, exponent}}) {}

Monomial::Monomial(std::map<Variable, int> powers)
    : powers_(std::move(powers)) {
  for (auto power = powers_.begin(); power != powers_.end();) {
    const int exponent = power->second;
    wyvern::internal::RequireAtLeast("symbolic::Monomial", "exponent", exponent,
                                     0);
    total_degree_ += exponent;
    power = exponent == 0 ? powers_.erase(power) : std::next(power);
  }
}

Monomial::Monomial(const Eigen::Ref<const VectorX<Variable>>& variables,
                   const Eigen::Ref<const Eigen::VectorXi>& exponents) {
  wyvern::internal::RequireSize("symbolic::Monomial", "exponents",
                                exponents.size(), variables.size());
  for (int i = 0; i < variables.size(); ++i) {
    *this *= Monomial(variables[i], exponents[i]);
  }
}

Monomial::Monomial(const Expression& e) {
  const Polynomial p(e);
  const auto& terms = p.monomial_to_coefficient_map();
  if (terms.size() != 1 || !terms.begin()->second.EqualTo(1.0)) {
    throw std::runtime_error(
        fmt::format("symbolic::Monomial: {} is no product of powers of "
                    "variables; give a Polynomial of it.",
                    internal::ToShortText(e.ref())));
  }
  *this = terms.begin()->first;
}

int Monomial::degree(const Variable& variable) const {
  const auto found = powers_.find(variable);
  return found == powers_.end() ? 0 : found->second;
}

Variables Monomial::GetVariables() const {
  Variables result;
  for (const auto& [variable, exponent] : powers_) result.insert(variable);
  return result;
}

std::size_t Monomial::get_hash() const {
  std::size_t hash = 17;
  for (const auto& [variable, exponent] : powers_) {
    hash = (hash * 31 + variable.get_hash()) * 31 + exponent;
  }
  return hash;
}

double Monomial::Evaluate(const Environment& environment) const {
  double product = 1;
  for (const auto& [variable, exponent] : powers_) {
    product *= std::pow(environment[variable], exponent);
  }
  return product;
}

Eigen::VectorXd Monomial::Evaluate(
    const Eigen::Ref<const VectorX<Variable>>& variables,
    const Eigen::Ref<const Eigen::MatrixXd>& values) const {
  wyvern::internal::RequireSize("symbolic::Monomial::Evaluate",
                                "rows of values", values.rows(),
                                variables.size());
  Eigen::ArrayXd product = Eigen::ArrayXd::Ones(values.cols());
  for (const auto& [variable, exponent] : powers_) {
    int row = 0;
    while (row < variables.size() && !variables[row].equal_to(variable)) ++row;
    if (row == variables.size()) {
      throw std::runtime_error(
          fmt::format("symbolic::Monomial::Evaluate(): the variable '{}' has "
                      "no value; add it to the variables.",
                      variable.get_name()));
    }
    product *= values.row(row).transpose().array().pow(exponent);
  }
  return product;
}

std::pair<double, Monomial> Monomial::EvaluatePartial(
    const Environment& environment) const {
  std::pair<double, Monomial> result(1.0, Monomial());
  for (const auto& [variable, exponent] : powers_) {
    const auto found = environment.find(variable);
    if (found == environment.end()) {
      result.second *= Monomial(variable, exponent);
    } else {
      result.first *= std::pow(found->second, exponent);
    }
  }
  return result;
}

Expression Monomial::ToExpression() const {
  Expression product(1);
  for (const auto& [variable, exponent] : powers_) {
    product *= symbolic::pow(Expression(variable), exponent);
  }
  return product;
}

std::string Monomial::to_string() const {
  if (powers_.empty()) return "1";
  std::string text;
  for (const auto& [variable, exponent] : powers_) {
    if (!text.empty()) text += " * ";
    text += variable.get_name();
    if (exponent > 1) text += fmt::format("^{}", exponent);
  }
  return text;
}

Monomial& Monomial::operator*=(const Monomial& other) {
  const auto powers = other.powers_;
  for (const auto& [variable, exponent] : powers) {
    powers_[variable] += exponent;
    total_degree_ += exponent;
  }
  return *this;
}

Monomial& Monomial::pow_in_place(int p) {
  wyvern::internal::RequireAtLeast("symbolic::Monomial::pow_in_place", "p", p,
                                   0);
  if (p == 0) return *this = Monomial();
  for (auto& [variable, exponent] : powers_) exponent *= p;
  total_degree_ *= p;
  return *this;
}

bool operator==(const Monomial& a, const Monomial& b) {
  return a.total_degree_ == b.total_degree_ &&
         std::equal(a.powers_.begin(), a.powers_.end(), b.powers_.begin(),
                    b.powers_.end(), [](const auto& p, const auto& q) {
                      return p.first.equal_to(q.first) && p.second == q.second;
                    });
}

Monomial operator*(Monomial a, const Monomial& b) { return a *= b; }
Monomial pow(Monomial m, int p) { return m.pow_in_place(p); }
std::ostream& operator<<(std::ostream& out, const Monomial& m) {
  return out << m.to_string();
}

bool MonomialOrder::operator()(const Monomial& a, const Monomial& b) const {
  if (a.total_degree() != b.total_degree()) {
    return a.total_degree() < b.total_degree();
  }
  auto i = a.get_powers().begin();
  auto j = b.get_powers().begin();
  const auto end_i = a.get_powers().end(), end_j = b.get_powers().end();
  for (; i != end_i && j != end_j; ++i, ++j) {
    // The monomial that lacks a variable of the other has less of it.
    if (!i->first.equal_to(j->first)) return j->first.less(i->first);
    if (i->second != j->second) return i->second < j->second;
  }
  return i == end_i && j != end_j;
}

namespace {

// Appends start * each monomial of degree `left` of the variables from `at` on.
// Sorts them by their first variable, the last variable first. Recurses no
// deeper than the degree, however many variables there are.
void AppendMonomials(const std::vector<Variable>& variables, std::size_t at,
                     int left, const Monomial& start,
                     std::vector<Monomial>* result) {
  if (left == 0) {
    result->push_back(start);
    return;
  }
  for (std::size_t i = variables.size(); i-- > at;) {
    // The last variable takes the rest of the degree.
    const int least = i + 1 == variables.size() ? left : 1;
    for (int exponent = least; exponent <= left; ++exponent) {
      AppendMonomials(variables, i + 1, left - exponent,
                      start * Monomial(variables[i], exponent), result);
    }
  }
}

VectorX<Monomial> MakeBasis(const Variables& variables, int degree, int step) {
  wyvern::internal::RequireAtLeast("symbolic::MonomialBasis", "degree", degree,
                                   0);
  const std::vector<Variable> list(variables.begin(), variables.end());
  double count = 1;
  for (std::size_t i = 1; i <= list.size() && count <= 1e7; ++i) {
    count *= static_cast<double>(degree + i) / i;
  }
  if (count > 1e7) {
    throw std::logic_error(fmt::format(
        "symbolic::MonomialBasis(): {} variables to degree {} have some {:.0e} "
        "monomials; at most 1e7 are made.",
        list.size(), degree, count));
  }
  std::vector<Monomial> result;
  for (int d = degree; d >= 0; d -= step) {
    if (d == 0) {
      result.emplace_back();
    } else if (!list.empty()) {
      AppendMonomials(list, 0, d, Monomial(), &result);
    }
  }
  return Eigen::Map<VectorX<Monomial>>(
      result.data(), static_cast<Eigen::Index>(result.size()));
}

}  // namespace

VectorX<Monomial> MonomialBasis(const Variables& variables, int degree) {
  return MakeBasis(variables, degree, 1);
}
VectorX<Monomial> MonomialBasis(
    const Eigen::Ref<const VectorX<Variable>>& variables, int degree) {
  return MakeBasis(Variables(variables), degree, 1);
}
VectorX<Monomial> EvenDegreeMonomialBasis(const Variables& variables,
                                          int degree) {
  return MakeBasis(variables, degree - degree % 2, 2);
}
VectorX<Monomial> OddDegreeMonomialBasis(const Variables& variables,
                                         int degree) {
  if (degree == 0) return VectorX<Monomial>(0);
  return MakeBasis(variables, degree - 1 + degree % 2, 2);
}

VectorX<Monomial> CalcMonomialBasisOrderUpToOne(const Variables& variables,
                                                bool sort_monomial) {
  wyvern::internal::RequireAtLeast("symbolic::CalcMonomialBasisOrderUpToOne",
                                   "24 less the variables",
                                   24 - static_cast<int>(variables.size()), 0);
  std::vector<Monomial> result(1);
  for (auto v = variables.end(); v != variables.begin();) {
    --v;
    const std::size_t count = result.size();
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back(Monomial(*v) * result[i]);
    }
  }
  if (sort_monomial) {
    std::sort(result.begin(), result.end(),
              [](const Monomial& a, const Monomial& b) {
                return MonomialOrder{}(b, a);
              });
  }
  return Eigen::Map<VectorX<Monomial>>(
      result.data(), static_cast<Eigen::Index>(result.size()));
}

void internal::RequireNumVariables(const Variables& variables, int n) {
  if (variables.size() == static_cast<std::size_t>(n)) return;
  throw std::logic_error(
      fmt::format("MonomialBasis<{}, ...>(): {} variables were given; give {}.",
                  n, variables.size(), n));
}

}  // namespace wyvern::symbolic
