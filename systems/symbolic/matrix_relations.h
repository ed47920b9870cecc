#pragma once

/** @file
Relations between Eigen matrices and arrays of numbers, variables and
expressions, where at least one side has symbols.

Two matrices give one Formula: a == b, a < b, a <= b, a > b and a >= b hold if
they hold for each pair of entries, and a != b if it holds for one pair. Two
arrays, or an array and a scalar, give an array of Formulas, one for each entry.
@throws std::logic_error if the sizes of the two sides differ. */

#include <set>

#include "wyvern/systems/symbolic/expression_matrix.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic {

namespace internal {

template <typename Left, typename Right>
constexpr bool HasSymbols() {
  return IsSymbolOrNumber<Left>() && IsSymbolOrNumber<Right>() &&
         !(std::is_same_v<Left, double> && std::is_same_v<Right, double>);
}
template <typename Derived>
concept IsEigenMatrix = std::is_base_of_v<Eigen::MatrixBase<Derived>, Derived>;
template <typename Derived>
concept IsEigenArray = std::is_base_of_v<Eigen::ArrayBase<Derived>, Derived>;
template <typename Left, typename Right>
concept AreSymbolicMatrices = IsEigenMatrix<Left> && IsEigenMatrix<Right> &&
    HasSymbols<typename Left::Scalar, typename Right::Scalar>();
template <typename Left, typename Right>
concept AreSymbolicArrays = IsEigenArray<Left> && IsEigenArray<Right> &&
    HasSymbols<typename Left::Scalar, typename Right::Scalar>();
template <typename Array, typename Scalar>
concept IsSymbolicArrayWith = IsEigenArray<Array> &&
    HasSymbols<typename Array::Scalar, Scalar>();

/** Throws std::logic_error unless the sizes are equal. */
void RequireSameSize(Eigen::Index rows_a, Eigen::Index cols_a,
                     Eigen::Index rows_b, Eigen::Index cols_b);

template <typename Left, typename Right, typename Relation>
std::set<Formula> RelateEntries(const Left& a, const Right& b,
                                const Relation& relation) {
  RequireSameSize(a.rows(), a.cols(), b.rows(), b.cols());
  std::set<Formula> formulas;
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      formulas.insert(relation(Expression(a(i, j)), Expression(b(i, j))));
    }
  }
  return formulas;
}

template <typename Derived>
using FormulasOf = Eigen::Array<Formula, Derived::RowsAtCompileTime,
                                Derived::ColsAtCompileTime>;

/** Returns the relations; `entry(i, j)` is the right side of entry (i, j) of
the left. */
template <typename Left, typename Entry, typename Relation>
FormulasOf<Left> RelateArray(const Left& a, const Entry& entry,
                             const Relation& relation) {
  FormulasOf<Left> result(a.rows(), a.cols());
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      result(i, j) = relation(Expression(a(i, j)), Expression(entry(i, j)));
    }
  }
  return result;
}

}  // namespace internal

// COMBINE makes one formula of the formulas of all pairs of entries of two
// matrices; MIRRORED is the relation with its sides exchanged.
#define WYVERN_SYMBOLIC_RELATION(OP, MIRRORED, COMBINE)                        \
  template <typename Left, typename Right>                                     \
  requires internal::AreSymbolicMatrices<Left, Right> Formula operator OP(     \
      const Left& a, const Right& b) {                                         \
    return COMBINE(internal::RelateEntries(                                    \
        a, b,                                                                  \
        [](const Expression& x, const Expression& y) { return x OP y; }));     \
  }                                                                            \
  template <typename Left, typename Right>                                     \
  requires internal::AreSymbolicArrays<Left, Right> internal::FormulasOf<Left> \
  operator OP(const Left& a, const Right& b) {                                 \
    internal::RequireSameSize(a.rows(), a.cols(), b.rows(), b.cols());         \
    return internal::RelateArray(                                              \
        a, [&b](Eigen::Index i, Eigen::Index j) { return b(i, j); },           \
        [](const Expression& x, const Expression& y) { return x OP y; });      \
  }                                                                            \
  template <typename Array, typename Scalar>                                   \
  requires internal::IsSymbolicArrayWith<Array, Scalar>                        \
      internal::FormulasOf<Array>                                              \
  operator OP(const Array& a, const Scalar& s) {                               \
    return internal::RelateArray(                                              \
        a, [&s](Eigen::Index, Eigen::Index) { return s; },                     \
        [](const Expression& x, const Expression& y) { return x OP y; });      \
  }                                                                            \
  template <typename Array, typename Scalar>                                   \
  requires internal::IsSymbolicArrayWith<Array, Scalar>                        \
      internal::FormulasOf<Array>                                              \
  operator OP(const Scalar& s, const Array& a) { return a MIRRORED s; }

WYVERN_SYMBOLIC_RELATION(==, ==, make_conjunction)
WYVERN_SYMBOLIC_RELATION(!=, !=, make_disjunction)
WYVERN_SYMBOLIC_RELATION(<, >, make_conjunction)
WYVERN_SYMBOLIC_RELATION(<=, >=, make_conjunction)
WYVERN_SYMBOLIC_RELATION(>, <, make_conjunction)
WYVERN_SYMBOLIC_RELATION(>=, <=, make_conjunction)

#undef WYVERN_SYMBOLIC_RELATION

}  // namespace wyvern::symbolic
