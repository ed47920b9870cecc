#include "wyvern/systems/symbolic/algebra/decompose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/cell_private.h"
#include "wyvern/systems/symbolic/expression_kinds.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

/* Expressions taken apart. Linear, affine and quadratic ones go through a
Polynomial, whose monomials say which entry a coefficient is. What is affine
in some variables alone has slopes that are free of them. A Taylor series is
made degree by degree: each derivative once, by variables in order. */

namespace wyvern::symbolic {
namespace {

using IndexMap = std::unordered_map<Variable::Id, int>;

IndexMap NumberVariables(const Eigen::Ref<const VectorX<Variable>>& variables) {
  IndexMap map;
  for (int i = 0; i < variables.size(); ++i) {
    map.emplace(variables[i].get_id(), i);
  }
  return map;
}

int RequireKnown(const IndexMap& map, const Variable& v, const char* who) {
  const auto found = map.find(v.get_id());
  if (found != map.end()) return found->second;
  throw std::runtime_error(
      fmt::format("symbolic::{}(): the variable '{}' is not among those given; "
                  "add it.",
                  who, v.get_name()));
}

double RequireConstant(const Expression& c, const char* who,
                       const Monomial& m) {
  if (is_constant(c)) return get_constant_value(c);
  throw std::runtime_error(fmt::format(
      "symbolic::{}(): the coefficient {} of {} must be a constant.", who,
      internal::ToShortText(c.ref()), m.to_string()));
}

[[noreturn]] void ThrowNotAffine(const char* who, const Expression& e) {
  throw std::runtime_error(fmt::format(
      "symbolic::{}(): {} must be affine: numbers times variables, and a "
      "number.",
      who, internal::ToShortText(e.ref())));
}

// Row and constant of an affine expression of variables with these numbers.
int FillAffineRow(const Expression& e, const IndexMap& map, const char* who,
                  Eigen::Ref<Eigen::RowVectorXd> row, double* constant) {
  row.setZero();
  *constant = 0;
  if (!e.is_polynomial()) ThrowNotAffine(who, e);
  const Polynomial p(e);
  for (const auto& [m, c] : p.monomial_to_coefficient_map()) {
    const double value = RequireConstant(c, who, m);
    if (m.total_degree() > 1) ThrowNotAffine(who, e);
    if (m.total_degree() == 0) {
      *constant = value;
    } else {
      row[RequireKnown(map, m.get_powers().begin()->first, who)] = value;
    }
  }
  return static_cast<int>((row.array() != 0).count());
}

}  // namespace

bool IsAffine(const Eigen::Ref<const MatrixX<Expression>>& m,
              const Variables& variables) {
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) {
      // Affine: the derivatives are free of the variables, expanded.
      const Expression e = m(i, j).Expand();
      const Variables own = intersect(e.GetVariables(), variables);
      for (const Variable& v : own) {
        const Expression slope = e.Differentiate(v).Expand();
        if (!intersect(slope.GetVariables(), variables).empty()) return false;
        if (is_nan(slope)) return false;
      }
    }
  }
  return true;
}

bool IsAffine(const Eigen::Ref<const MatrixX<Expression>>& m) {
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) {
      if (!m(i, j).is_polynomial()) return false;
      if (Polynomial(m(i, j)).TotalDegree() > 1) return false;
    }
  }
  return true;
}

void DecomposeAffineExpressions(
    const Eigen::Ref<const VectorX<Expression>>& expressions,
    const Eigen::Ref<const VectorX<Variable>>& variables,
    EigenPtr<Eigen::MatrixXd> M, EigenPtr<Eigen::VectorXd> v) {
  constexpr char kWho[] = "DecomposeAffineExpressions";
  const wyvern::internal::Caller who("symbolic::DecomposeAffineExpressions");
  wyvern::internal::RequireNotNull(who, "M", M);
  wyvern::internal::RequireNotNull(who, "v", v);
  wyvern::internal::RequireShape(who, "M", M->rows(), M->cols(),
                                 expressions.size(), variables.size());
  wyvern::internal::RequireSize(who, "v", v->size(), expressions.size());
  const IndexMap map = NumberVariables(variables);
  Eigen::RowVectorXd row(variables.size());
  for (int i = 0; i < expressions.size(); ++i) {
    FillAffineRow(expressions[i], map, kWho, row, &(*v)[i]);
    M->row(i) = row;
  }
}

void DecomposeLinearExpressions(
    const Eigen::Ref<const VectorX<Expression>>& expressions,
    const Eigen::Ref<const VectorX<Variable>>& variables,
    EigenPtr<Eigen::MatrixXd> M) {
  wyvern::internal::RequireNotNull("symbolic::DecomposeLinearExpressions", "M",
                                   M);
  Eigen::VectorXd constants(expressions.size());
  DecomposeAffineExpressions(expressions, variables, M, &constants);
  for (int i = 0; i < constants.size(); ++i) {
    if (constants[i] == 0) continue;
    throw std::runtime_error(fmt::format(
        "symbolic::DecomposeLinearExpressions(): {} has the constant {}; a "
        "linear expression has none. DecomposeAffineExpressions() takes it.",
        internal::ToShortText(expressions[i].ref()), constants[i]));
  }
}

void DecomposeAffineExpressions(
    const Eigen::Ref<const VectorX<Expression>>& expressions,
    Eigen::MatrixXd* A, Eigen::VectorXd* b, VectorX<Variable>* variables) {
  const wyvern::internal::Caller who("symbolic::DecomposeAffineExpressions");
  wyvern::internal::RequireNotNull(who, "A", A);
  wyvern::internal::RequireNotNull(who, "b", b);
  wyvern::internal::RequireNotNull(who, "variables", variables);
  *variables = GetVariableVector(expressions);
  A->resize(expressions.size(), variables->size());
  b->resize(expressions.size());
  DecomposeAffineExpressions(expressions, *variables, A, b);
}

int DecomposeAffineExpression(const Expression& e,
                              const IndexMap& map_var_to_index,
                              EigenPtr<Eigen::RowVectorXd> coefficients,
                              double* constant_term) {
  const wyvern::internal::Caller who("symbolic::DecomposeAffineExpression");
  wyvern::internal::RequireNotNull(who, "coefficients", coefficients);
  wyvern::internal::RequireNotNull(who, "constant_term", constant_term);
  wyvern::internal::RequireSize(who, "coefficients", coefficients->size(),
                                static_cast<int>(map_var_to_index.size()));
  return FillAffineRow(e, map_var_to_index, "DecomposeAffineExpression",
                       *coefficients, constant_term);
}

void DecomposeQuadraticPolynomial(const Polynomial& poly,
                                  const IndexMap& map_var_to_index,
                                  EigenPtr<Eigen::MatrixXd> Q,
                                  EigenPtr<Eigen::VectorXd> b, double* c) {
  constexpr char kWho[] = "DecomposeQuadraticPolynomial";
  const wyvern::internal::Caller who("symbolic::DecomposeQuadraticPolynomial");
  wyvern::internal::RequireNotNull(who, "Q", Q);
  wyvern::internal::RequireNotNull(who, "b", b);
  wyvern::internal::RequireNotNull(who, "c", c);
  const int n = static_cast<int>(map_var_to_index.size());
  wyvern::internal::RequireShape(who, "Q", Q->rows(), Q->cols(), n, n);
  wyvern::internal::RequireSize(who, "b", b->size(), n);
  Q->setZero();
  b->setZero();
  *c = 0;
  for (const auto& [m, coefficient] : poly.monomial_to_coefficient_map()) {
    const double value = RequireConstant(coefficient, kWho, m);
    const auto& powers = m.get_powers();
    if (m.total_degree() > 2) {
      throw std::runtime_error(fmt::format(
          "symbolic::DecomposeQuadraticPolynomial(): the term {} is of degree "
          "{}; it must be at most 2.",
          m.to_string(), m.total_degree()));
    }
    if (m.total_degree() == 0) {
      *c = value;
      continue;
    }
    const int i = RequireKnown(map_var_to_index, powers.begin()->first, kWho);
    const int j = RequireKnown(map_var_to_index, powers.rbegin()->first, kWho);
    if (m.total_degree() == 1) {
      (*b)[i] = value;
    } else if (i == j) {
      (*Q)(i, i) = 2 * value;
    } else {
      (*Q)(i, j) = (*Q)(j, i) = value;
    }
  }
}

std::tuple<bool, Eigen::MatrixXd, Eigen::VectorXd, VectorX<Variable>>
DecomposeL2NormExpression(const Expression& e, double psd_tol,
                          double coefficient_tol) {
  const wyvern::internal::Caller who("symbolic::DecomposeL2NormExpression");
  wyvern::internal::RequireNonNegative(who, "psd_tol", psd_tol);
  wyvern::internal::RequireNonNegative(who, "coefficient_tol", coefficient_tol);
  const std::tuple<bool, Eigen::MatrixXd, Eigen::VectorXd, VectorX<Variable>>
      none{false, {}, {}, {}};
  if (!is_sqrt(e) || !get_argument(e).is_polynomial()) return none;
  const Polynomial square(get_argument(e));
  if (square.TotalDegree() != 2) return none;
  const auto [x, map] = ExtractVariablesFromExpression(get_argument(e));
  const int n = static_cast<int>(x.size());
  Eigen::MatrixXd Q(n, n);
  Eigen::VectorXd slope(n);
  double constant;
  DecomposeQuadraticPolynomial(square, map, &Q, &slope, &constant);
  Q /= 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      Q, Eigen::EigenvaluesOnly);
  if (eigen.eigenvalues()[0] < -psd_tol) return none;
  // Q = A'A by L D L', and then the slope is 2 A'b.
  const Eigen::LDLT<Eigen::MatrixXd> factor(Q);
  const Eigen::MatrixXd permuted =
      Eigen::MatrixXd(factor.matrixU()) * factor.transpositionsP();
  Eigen::MatrixXd A(n + 1, n);
  int rows = 0;
  for (int i = 0; i < n; ++i) {
    const double d = factor.vectorD()[i];
    if (d > psd_tol) A.row(rows++) = std::sqrt(d) * permuted.row(i);
  }
  A.conservativeResize(rows, n);
  Eigen::VectorXd b(rows);
  if (rows > 0) b = A.transpose().colPivHouseholderQr().solve(0.5 * slope);
  const double rest = constant - b.squaredNorm();
  const double apart =
      std::max((A.transpose() * A - Q).cwiseAbs().maxCoeff(),
               (2 * A.transpose() * b - slope).cwiseAbs().maxCoeff());
  if (!(apart <= coefficient_tol) || rest < -coefficient_tol) return none;
  if (rest > coefficient_tol) {
    A.conservativeResize(rows + 1, n);
    A.row(rows).setZero();
    b.conservativeResize(rows + 1);
    b[rows] = std::sqrt(rest);
  }
  return {true, A, b, x};
}

namespace {

// Splits a product into the factors with parameters and the others. Quotients
// may be nested arbitrarily deep, so it keeps a list instead of recursing.
std::pair<Expression, Expression> SplitProduct(const Expression& product,
                                               const Variables& parameters) {
  // Index 0 is the numerator, 1 the denominator.
  std::array<Expression, 2> lumped{1, 1}, rest{1, 1};
  const auto add = [&](const Expression& factor, bool is_below) {
    const Variables variables = factor.GetVariables();
    const bool has_some = !intersect(variables, parameters).empty();
    if (has_some && !variables.IsSubsetOf(parameters)) {
      throw std::runtime_error(
          fmt::format("symbolic::DecomposeLumpedParameters(): {} mixes "
                      "parameters with other variables and is no product.",
                      internal::ToShortText(factor.ref())));
    }
    (has_some ? lumped : rest)[is_below] *= factor;
  };
  std::vector<std::pair<Expression, bool>> to_do{{product, false}};
  while (!to_do.empty()) {
    const auto [e, is_below] = std::move(to_do.back());
    to_do.pop_back();
    if (is_multiplication(e)) {
      rest[is_below] *= get_constant_in_multiplication(e);
      for (const auto& [base, exponent] :
           get_base_to_exponent_map_in_multiplication(e)) {
        add(pow(base, exponent), is_below);
      }
    } else if (is_division(e)) {
      to_do.emplace_back(get_second_argument(e), !is_below);
      to_do.emplace_back(get_first_argument(e), is_below);
    } else {
      add(e, is_below);
    }
  }
  return {lumped[0] / lumped[1], rest[0] / rest[1]};
}

}  // namespace

std::tuple<MatrixX<Expression>, VectorX<Expression>, VectorX<Expression>>
DecomposeLumpedParameters(
    const Eigen::Ref<const VectorX<Expression>>& f,
    const Eigen::Ref<const VectorX<Variable>>& parameters) {
  const Variables set(parameters);
  std::map<Expression, VectorX<Expression>> columns;
  VectorX<Expression> w0(f.size());
  const auto add = [&](int i, const Expression& term, double c) {
    const auto [lumped, rest] = SplitProduct(term, set);
    if (is_one(lumped)) {
      w0[i] += c * rest;
    } else {
      const auto [at, is_new] =
          columns.try_emplace(lumped, VectorX<Expression>(f.size()));
      at->second[i] += c * rest;
    }
  };
  for (int i = 0; i < f.size(); ++i) {
    const Expression e = f[i].Expand();
    if (is_addition(e)) {
      w0[i] += get_constant_in_addition(e);
      for (const auto& [term, c] : get_expr_to_coeff_map_in_addition(e)) {
        add(i, term, c);
      }
    } else {
      add(i, e, 1);
    }
  }
  MatrixX<Expression> W(f.size(), static_cast<Eigen::Index>(columns.size()));
  VectorX<Expression> alpha(W.cols());
  int j = 0;
  for (const auto& [lumped, column] : columns) {
    alpha[j] = lumped;
    W.col(j++) = column;
  }
  return {W, alpha, w0};
}

void ExtractAndAppendVariablesFromExpression(const Expression& e,
                                             VectorX<Variable>* variables,
                                             IndexMap* map_var_to_index) {
  const wyvern::internal::Caller who(
      "symbolic::ExtractAndAppendVariablesFromExpression");
  wyvern::internal::RequireNotNull(who, "variables", variables);
  wyvern::internal::RequireNotNull(who, "map_var_to_index", map_var_to_index);
  for (const Variable& v : e.GetVariables()) {
    const int n = static_cast<int>(variables->size());
    if (!map_var_to_index->emplace(v.get_id(), n).second) continue;
    variables->conservativeResize(n + 1);
    (*variables)[n] = v;
  }
}

std::pair<VectorX<Variable>, IndexMap> ExtractVariablesFromExpression(
    const Expression& e) {
  return ExtractVariablesFromExpression(Vector1<Expression>(e));
}

std::pair<VectorX<Variable>, IndexMap> ExtractVariablesFromExpression(
    const Eigen::Ref<const VectorX<Expression>>& expressions) {
  const VectorX<Variable> variables = GetVariableVector(expressions);
  return {variables, NumberVariables(variables)};
}

Expression TaylorExpand(const Expression& f, const Environment& a, int order) {
  wyvern::internal::RequireAtLeast("symbolic::TaylorExpand", "order", order, 0);
  struct Term {
    Expression derivative;
    Expression powers;  // (x - a)^α / α!
    int last;           // The last variable differentiated by,
    int count;          // and how often.
  };
  std::vector<Variable> variables;
  for (const Variable& v : a.domain()) variables.push_back(v);
  std::vector<Term> level{{f, 1, 0, 0}};
  Expression sum;
  for (int degree = 0;; ++degree) {
    for (const Term& term : level) {
      sum += term.derivative.EvaluatePartial(a) * term.powers;
    }
    if (degree == order) return sum;
    // Each derivative is reached once: by variables in order.
    std::vector<Term> next;
    for (const Term& term : level) {
      for (int i = term.last; i < static_cast<int>(variables.size()); ++i) {
        const Expression d = term.derivative.Differentiate(variables[i]);
        if (is_zero(d)) continue;
        const int count = i == term.last ? term.count + 1 : 1;
        next.push_back(
            {d, (1.0 / count) * term.powers * (variables[i] - a[variables[i]]),
             i, count});
      }
    }
    level = std::move(next);
  }
}

namespace {

int IndexOf(const Variable& v, const Eigen::Ref<const VectorX<Variable>>& in) {
  for (int i = 0; i < in.size(); ++i) {
    if (in[i].equal_to(v)) return i;
  }
  return -1;
}

}  // namespace

Expression ReplaceBilinearTerms(
    const Expression& e, const Eigen::Ref<const VectorX<Variable>>& x,
    const Eigen::Ref<const VectorX<Variable>>& y,
    const Eigen::Ref<const MatrixX<Expression>>& W) {
  wyvern::internal::RequireShape("symbolic::ReplaceBilinearTerms", "W",
                                 W.rows(), W.cols(), x.size(), y.size());
  const Polynomial p(e, Variables(x) + Variables(y));
  Expression result;
  for (const auto& [m, coefficient] : p.monomial_to_coefficient_map()) {
    if (m.total_degree() < 2) {
      result += coefficient * m.ToExpression();
      continue;
    }
    const auto& [a, power] = *m.get_powers().begin();
    const auto& [b, last] = *m.get_powers().rbegin();
    int i = IndexOf(a, x), j = IndexOf(b, y);
    if (i < 0 || j < 0) i = IndexOf(b, x), j = IndexOf(a, y);
    if (m.total_degree() > 2 || i < 0 || j < 0) {
      throw std::runtime_error(fmt::format(
          "symbolic::ReplaceBilinearTerms(): the term {} is no product of one "
          "of x and one of y; give an expression that is bilinear in them.",
          m.to_string()));
    }
    result += coefficient * W(i, j);
  }
  return result;
}

Polynomial CalcPolynomialWLowerTriangularPart(
    const Eigen::Ref<const VectorX<Monomial>>& monomial_basis,
    const Eigen::Ref<const VectorX<Expression>>& gram_lower) {
  const int n = static_cast<int>(monomial_basis.size());
  wyvern::internal::RequireSize("symbolic::CalcPolynomialWLowerTriangularPart",
                                "gram_lower", gram_lower.size(),
                                n * (n + 1) / 2);
  Polynomial p;
  int k = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      p.AddProduct((i == j ? 1 : 2) * gram_lower[k++],
                   monomial_basis[i] * monomial_basis[j]);
    }
  }
  return p;
}

}  // namespace wyvern::symbolic
