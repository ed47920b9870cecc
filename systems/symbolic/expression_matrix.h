#pragma once

/** @file
What is done to the entries of a matrix together. Parts that entries share are
gone over once. */

#include <type_traits>
#include <vector>

#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::symbolic {

namespace internal {
template <typename T>
constexpr bool IsSymbolOrNumber() {
  return std::is_same_v<T, Variable> || std::is_same_v<T, Expression> ||
         std::is_same_v<T, double>;
}
/** True for the products that Eigen does not define: two different scalars
among double, Variable and Expression, or two Variables. */
template <typename T, typename U>
constexpr bool IsMixedProduct() {
  if (std::is_same_v<T, U>) return std::is_same_v<T, Variable>;
  return IsSymbolOrNumber<T>() && IsSymbolOrNumber<U>();
}
template <typename Left, typename Right>
concept HasMixedProduct = is_eigen_type<Left>::value &&
    is_eigen_type<Right>::value &&
    IsMixedProduct<typename Left::Scalar, typename Right::Scalar>();
}  // namespace internal

/** A product of matrices of numbers, variables and expressions. */
template <typename Left, typename Right>
requires internal::HasMixedProduct<Left, Right>
    Eigen::Matrix<Expression, Left::RowsAtCompileTime, Right::ColsAtCompileTime>
operator*(const Left& a, const Right& b) {
  return a.template cast<Expression>() * b.template cast<Expression>();
}

/** The values of a whole matrix: a random variable that occurs in several
entries has the same value in all. Throws as Expression::Evaluate(). */
Eigen::MatrixXd Evaluate(const Eigen::Ref<const MatrixX<Expression>>& m,
                         const Environment& environment = {},
                         RandomGenerator* generator = nullptr);

/** Returns the matrix with variables replaced, all at once. */
MatrixX<Expression> Substitute(const Eigen::Ref<const MatrixX<Expression>>& m,
                               const Substitution& substitution);
MatrixX<Expression> Substitute(const Eigen::Ref<const MatrixX<Expression>>& m,
                               const Variable& variable, const Expression& e);

/** ∂f(i)/∂variables(j). @throws as Expression::Differentiate() */
MatrixX<Expression> Jacobian(
    const Eigen::Ref<const VectorX<Expression>>& f,
    const Eigen::Ref<const VectorX<Variable>>& variables);
MatrixX<Expression> Jacobian(const Eigen::Ref<const VectorX<Expression>>& f,
                             const std::vector<Variable>& variables);

/** The variables of all entries. */
Variables GetDistinctVariables(const Eigen::Ref<const MatrixX<Expression>>& m);
/** Returns those variables in the order of their ids. */
VectorX<Variable> GetVariableVector(
    const Eigen::Ref<const VectorX<Expression>>& expressions);

/** Whether two matrices have one shape, and entries that are built alike. */
bool CheckStructuralEquality(const Eigen::Ref<const MatrixX<Expression>>& a,
                             const Eigen::Ref<const MatrixX<Expression>>& b);

}  // namespace wyvern::symbolic
