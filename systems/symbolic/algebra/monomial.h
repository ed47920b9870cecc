#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::symbolic {

/** A product of variables to powers of 1 or more, such as x² y; or 1. */
class Monomial {
 public:
  /** 1 */
  Monomial() = default;
  /** Constructs 1; Eigen fills matrices this way. */
  explicit Monomial(std::nullptr_t) {}
  /** The variable to the power of 1. */
  explicit Monomial(const Variable& variable) : Monomial(variable, 1) {}
  /** The variable to the power `exponent`.
  @throws std::logic_error if an exponent is negative. */
  Monomial(const Variable& variable, int exponent);
  /** Takes the map over. @throws as above. */
  explicit Monomial(std::map<Variable, int> powers);
  /** The product of the variables, each to its exponent.
  @throws std::logic_error if the sizes differ, too. */
  Monomial(const Eigen::Ref<const VectorX<Variable>>& variables,
           const Eigen::Ref<const Eigen::VectorXi>& exponents);
  /** Converts an expression that is a monomial without a coefficient.
  @throws std::runtime_error if it is none. */
  explicit Monomial(const Expression& e);

  /** The exponent of a variable; 0 if it is not there. */
  int degree(const Variable& variable) const;
  /** Returns the sum of the exponents; 0 for 1. */
  int total_degree() const { return total_degree_; }
  /** Returns the variables that are in it. */
  Variables GetVariables() const;
  /** Returns the exponents, each above 0. */
  const std::map<Variable, int>& get_powers() const { return powers_; }
  /** Returns a number that equal monomials share. */
  std::size_t get_hash() const;

  /** Returns the value of the product.
  @throws std::runtime_error if a variable has no value. */
  double Evaluate(const Environment& environment) const;
  /** For each column of values, of `variables`. @throws std::runtime_error if a
  variable of it is not there, std::logic_error if the sizes differ. */
  Eigen::VectorXd Evaluate(
      const Eigen::Ref<const VectorX<Variable>>& variables,
      const Eigen::Ref<const Eigen::MatrixXd>& values) const;
  /** The product of what has a value, and the rest. */
  std::pair<double, Monomial> EvaluatePartial(
      const Environment& environment) const;
  /** Returns the product as an Expression. */
  Expression ToExpression() const;
  /** Returns a text, such as "x^2 * y". */
  std::string to_string() const;

  /** Multiplies by a monomial; exponents add up. */
  Monomial& operator*=(const Monomial& other);
  /** To the power p. @throws std::logic_error if p is negative. */
  Monomial& pow_in_place(int p);

  /** Returns true if both have the same variables to the same powers. */
  bool EqualTo(const Monomial& other) const { return *this == other; }
  friend bool operator==(const Monomial& a, const Monomial& b);

 private:
  int total_degree_{0};
  std::map<Variable, int> powers_;
};

/** Returns the product; exponents add up. */
Monomial operator*(Monomial a, const Monomial& b);
/** Returns the power.
@throws std::logic_error if p is negative. */
Monomial pow(Monomial m, int p);
/** Writes to_string(). */
std::ostream& operator<<(std::ostream& out, const Monomial& m);

/** Orders lower degrees first. Within a degree, the monomial with less of the
first differing variable comes first: 1, y, x, y², x y, x². */
struct MonomialOrder {
  /** Returns true if `a` comes before `b`. */
  bool operator()(const Monomial& a, const Monomial& b) const;
};

/** All monomials of `variables` up to `degree`, those of the highest degree
first: y², x y, x², y, x, 1. @throws std::logic_error if it is negative. */
VectorX<Monomial> MonomialBasis(const Variables& variables, int degree);
VectorX<Monomial> MonomialBasis(
    const Eigen::Ref<const VectorX<Variable>>& variables, int degree);
namespace internal {
/** Returns the number of ways to choose k of n things. */
constexpr int CountChoices(int n, int k) {
  return k == 0 ? 1 : CountChoices(n - 1, k - 1) * n / k;
}
/** @throws std::logic_error unless there are `n` variables. */
void RequireNumVariables(const Variables& variables, int n);
}  // namespace internal

/** Returns the basis with a size known at compile time.
@throws std::logic_error unless there are `n` variables. */
template <int n, int degree>
Eigen::Matrix<Monomial, internal::CountChoices(n + degree, degree), 1>
MonomialBasis(const Variables& variables) {
  static_assert(n > 0 && degree >= 0);
  internal::RequireNumVariables(variables, n);
  return MonomialBasis(variables, degree);
}
/** Returns only the monomials of even degree. */
VectorX<Monomial> EvenDegreeMonomialBasis(const Variables& variables,
                                          int degree);
/** Returns only the monomials of odd degree. */
VectorX<Monomial> OddDegreeMonomialBasis(const Variables& variables,
                                         int degree);
/** Returns the monomials in which no variable has a power above 1: 1, y, x, x
y. */
VectorX<Monomial> CalcMonomialBasisOrderUpToOne(const Variables& variables,
                                                bool sort_monomial = false);

}  // namespace wyvern::symbolic

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::symbolic::Monomial> : wyvern::StreamFormatter {};
/// @endcond

template <>
struct std::hash<wyvern::symbolic::Monomial> {
  std::size_t operator()(const wyvern::symbolic::Monomial& m) const {
    return m.get_hash();
  }
};

namespace Eigen {
template <>
struct NumTraits<wyvern::symbolic::Monomial>
    : GenericNumTraits<wyvern::symbolic::Monomial> {
  using Real = wyvern::symbolic::Monomial;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 20,
    MulCost = 20
  };
};
}  // namespace Eigen
