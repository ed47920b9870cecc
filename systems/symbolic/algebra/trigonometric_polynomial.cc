#include "wyvern/systems/symbolic/algebra/trigonometric_polynomial.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/cell_private.h"
#include "wyvern/systems/symbolic/expression_kinds.h"

/* An argument Σ nᵢ qᵢ + r is taken apart, and exp(i argument) is the product of
exp(i r) and powers of c + i s. Its parts are cosine and sine. r is not
looked into: it may be a graph of all that was substituted before. */

namespace wyvern::symbolic {
namespace {

using internal::Cell;
using internal::Ref;
using internal::SplitArgument;

constexpr int kLargestMultiple = 1000;

// cos + i sin of an angle.
struct OnCircle {
  Expression cos, sin;
};

OnCircle operator*(const OnCircle& a, const OnCircle& b) {
  return {a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin};
}

OnCircle Power(const OnCircle& base, int n) {
  if (n < 0) {
    OnCircle result = Power(base, -n);
    return {result.cos, -result.sin};
  }
  OnCircle result{1, 0};
  for (int i = 0; i < n; ++i) {
    result = result * base;
    result = {result.cos.Expand(), result.sin.Expand()};
  }
  return result;
}

bool IsHalf(const SinCos& variables) {
  return variables.type != SinCosSubstitutionType::kAngle;
}

// Returns sine and cosine of `count` times the angle of the variables.
OnCircle Multiple(const SinCos& variables, int count) {
  const Expression s = variables.s, c = variables.c;
  if (!IsHalf(variables)) return Power({c, s}, count);
  const OnCircle whole{
      variables.type == SinCosSubstitutionType::kHalfAnglePreferSin
          ? 1 - 2 * pow(s, 2)
          : 2 * pow(c, 2) - 1,
      2 * s * c};
  const OnCircle even = Power(whole, count / 2);
  const int rest = count % 2;
  if (rest == 0) return even;
  return even * OnCircle{c, rest * s};
}

[[noreturn]] void ThrowNoMultiple(const Ref& argument, const Variable& q) {
  throw std::runtime_error(fmt::format(
      "symbolic::Substitute(): the argument {} of a trigonometric function "
      "must have an integer of at most {} times the angle {}, or half an "
      "integer where s and c are of half the angle.",
      internal::ToShortText(argument), kLargestMultiple, q.get_name()));
}

// Cosine and sine of an argument that has some of the angles.
OnCircle Expand(const SplitArgument& argument, const Variables& angles,
                const SinCosSubstitution& subs) {
  OnCircle result{1, 0};
  const Expression of_angles(argument.of_angles);
  // It is affine in the angles: at 0 it is what else it has.
  Substitution zeros;
  for (const Variable& q : intersect(of_angles.GetVariables(), angles)) {
    const Expression slope = of_angles.Differentiate(q).Expand();
    if (!is_constant(slope)) ThrowNoMultiple(argument.whole, q);
    const SinCos& variables = subs.at(q);
    const double count =
        get_constant_value(slope) * (IsHalf(variables) ? 2 : 1);
    if (count != std::round(count) || std::abs(count) > kLargestMultiple) {
      ThrowNoMultiple(argument.whole, q);
    }
    result = result * Multiple(variables, static_cast<int>(count));
    zeros.emplace(q, 0);
  }
  const Expression rest =
      of_angles.Substitute(zeros) + Expression(argument.rest);
  if (is_zero(rest)) return result;
  return result * OnCircle{cos(rest), sin(rest)};
}

std::vector<Ref> SubstituteAll(const std::vector<Ref>& roots,
                               const SinCosSubstitution& subs) {
  Variables angles;
  for (const auto& [q, variables] : subs) {
    if (variables.s.equal_to(variables.c)) {
      throw std::logic_error(fmt::format(
          "symbolic::Substitute(): sine and cosine of {} are both {}; give two "
          "variables.",
          q.get_name(), variables.s.get_name()));
    }
    angles.insert(q);
  }
  return internal::RemakeTrigonometricRefs(
      roots, angles, [&](const Cell& cell, const SplitArgument& a) -> Ref {
        const ExpressionKind kind = cell.expression_kind();
        const OnCircle at = Expand(a, angles, subs);
        if (kind == ExpressionKind::Sin) return at.sin.ref();
        if (kind == ExpressionKind::Cos) return at.cos.ref();
        return (at.sin / at.cos).ref();
      });
}

}  // namespace

Expression Substitute(const Expression& e, const SinCosSubstitution& subs) {
  return Expression(SubstituteAll({e.ref()}, subs)[0]);
}

MatrixX<Expression> Substitute(const Eigen::Ref<const MatrixX<Expression>>& m,
                               const SinCosSubstitution& subs) {
  return internal::MakeMatrix(SubstituteAll(internal::EntriesOf(m), subs),
                              m.rows(), m.cols());
}

RationalFunction SubstituteStereographicProjection(
    const Polynomial& e, const std::vector<SinCos>& sin_cos,
    const Eigen::Ref<const VectorX<Variable>>& t) {
  const int n = static_cast<int>(sin_cos.size());
  wyvern::internal::RequireSize("symbolic::SubstituteStereographicProjection",
                                "t", t.size(), n);
  Variables indeterminates = e.indeterminates();
  for (const SinCos& pair : sin_cos) {
    indeterminates += Variables{pair.s, pair.c};
  }
  Polynomial p(e);
  p.SetIndeterminates(indeterminates);
  // The power of 1 + t² that every term is brought to.
  std::vector<int> degrees(n, 0);
  for (const auto& [m, coefficient] : p.monomial_to_coefficient_map()) {
    for (int i = 0; i < n; ++i) {
      degrees[i] =
          std::max(degrees[i], m.degree(sin_cos[i].s) + m.degree(sin_cos[i].c));
    }
  }
  const Polynomial one(1.0);
  std::vector<Polynomial> plus, minus, twice;
  Polynomial denominator(1.0);
  for (int i = 0; i < n; ++i) {
    const Polynomial square(Monomial(t[i], 2));
    plus.push_back(one + square);
    minus.push_back(one - square);
    twice.push_back(2 * Polynomial(Monomial(t[i])));
    denominator *= pow(plus[i], degrees[i]);
  }
  Polynomial numerator;
  for (const auto& [m, coefficient] : p.monomial_to_coefficient_map()) {
    std::map<Variable, int> others = m.get_powers();
    Polynomial term(1.0);
    for (int i = 0; i < n; ++i) {
      const int a = m.degree(sin_cos[i].s), b = m.degree(sin_cos[i].c);
      others.erase(sin_cos[i].s);
      others.erase(sin_cos[i].c);
      term *= pow(twice[i], a) * pow(minus[i], b) *
              pow(plus[i], degrees[i] - a - b);
    }
    term *= Monomial(others);
    // A coefficient may also contain half-angles.
    const Variables half_angles =
        intersect(coefficient.GetVariables(), Variables(t));
    if (!half_angles.empty()) {
      numerator += term * Polynomial(coefficient, half_angles);
      continue;
    }
    for (const auto& [power, factor] : term.monomial_to_coefficient_map()) {
      numerator.AddProduct(factor * coefficient, power);
    }
  }
  return RationalFunction(numerator, denominator);
}

}  // namespace wyvern::symbolic
