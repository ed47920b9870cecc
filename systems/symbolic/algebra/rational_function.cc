#include "wyvern/systems/symbolic/algebra/rational_function.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace wyvern::symbolic {

RationalFunction::RationalFunction(Polynomial numerator, Polynomial denominator)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
  if (denominator_.monomial_to_coefficient_map().empty()) {
    throw std::logic_error(fmt::format(
        "symbolic::RationalFunction: the denominator of ({}) / (0) must not be "
        "0.",
        numerator_.to_string()));
  }
  const Variables mixed =
      intersect(numerator_.indeterminates(),
                denominator_.decision_variables()) +
      intersect(denominator_.indeterminates(), numerator_.decision_variables());
  if (mixed.empty()) return;
  throw std::runtime_error(fmt::format(
      "symbolic::RationalFunction: {} are indeterminates and in coefficients; "
      "a variable must be one of these.",
      mixed.to_string()));
}

void RationalFunction::SetIndeterminates(const Variables& indeterminates) {
  numerator_.SetIndeterminates(indeterminates);
  denominator_.SetIndeterminates(indeterminates);
}

double RationalFunction::Evaluate(const Environment& environment) const {
  const double below = denominator_.Evaluate(environment);
  if (below == 0) {
    throw std::runtime_error(
        fmt::format("symbolic::RationalFunction::Evaluate(): the denominator "
                    "{} is 0 there; the function has no value.",
                    denominator_.to_string()));
  }
  return numerator_.Evaluate(environment) / below;
}

Expression RationalFunction::ToExpression() const {
  return numerator_.ToExpression() / denominator_.ToExpression();
}

std::string RationalFunction::to_string() const {
  return fmt::format("({}) / ({})", numerator_.to_string(),
                     denominator_.to_string());
}

RationalFunction& RationalFunction::operator+=(const RationalFunction& f) {
  if (denominator_.EqualTo(f.denominator_)) {
    return *this = RationalFunction(numerator_ + f.numerator_, denominator_);
  }
  return *this = RationalFunction(
             numerator_ * f.denominator_ + f.numerator_ * denominator_,
             denominator_ * f.denominator_);
}
RationalFunction& RationalFunction::operator-=(const RationalFunction& f) {
  return *this += -f;
}
RationalFunction& RationalFunction::operator*=(const RationalFunction& f) {
  return *this = RationalFunction(numerator_ * f.numerator_,
                                  denominator_ * f.denominator_);
}
RationalFunction& RationalFunction::operator/=(const RationalFunction& f) {
  return *this = RationalFunction(numerator_ * f.denominator_,
                                  denominator_ * f.numerator_);
}

RationalFunction operator-(const RationalFunction& f) {
  return RationalFunction(-f.numerator(), f.denominator());
}

#define WYVERN_RATIONAL(op)                                               \
  RationalFunction operator op(RationalFunction a,                        \
                               const RationalFunction& b) {               \
    return a op## = b;                                                    \
  }                                                                       \
  RationalFunction operator op(RationalFunction a, const Polynomial& b) { \
    return a op## = RationalFunction(b);                                  \
  }                                                                       \
  RationalFunction operator op(const Polynomial& a,                       \
                               const RationalFunction& b) {               \
    return RationalFunction(a) op b;                                      \
  }                                                                       \
  RationalFunction operator op(RationalFunction a, double b) {            \
    return a op## = RationalFunction(b);                                  \
  }                                                                       \
  RationalFunction operator op(double a, const RationalFunction& b) {     \
    return RationalFunction(a) op b;                                      \
  }
WYVERN_RATIONAL(+)
WYVERN_RATIONAL(-)
WYVERN_RATIONAL(*)
WYVERN_RATIONAL(/)
#undef WYVERN_RATIONAL

RationalFunction pow(const RationalFunction& f, int n) {
  if (n < 0) return pow(1.0 / f, -n);
  return RationalFunction(pow(f.numerator(), n), pow(f.denominator(), n));
}

std::ostream& operator<<(std::ostream& out, const RationalFunction& f) {
  return out << f.to_string();
}

Formula operator==(const RationalFunction& a, const RationalFunction& b) {
  return a.numerator() * b.denominator() == b.numerator() * a.denominator();
}
Formula operator!=(const RationalFunction& a, const RationalFunction& b) {
  return !(a == b);
}

}  // namespace wyvern::symbolic
