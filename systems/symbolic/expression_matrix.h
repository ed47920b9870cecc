#pragma once

/** @file
What is done to the entries of a matrix together. Parts that entries share are
gone over once. */

#include <vector>

#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::symbolic {

/** The values of a whole matrix: a random variable that occurs in several
entries has the same value in all. Throws as Expression::Evaluate(). */
Eigen::MatrixXd Evaluate(const Eigen::Ref<const MatrixX<Expression>>& m,
                         const Environment& environment = {},
                         RandomGenerator* generator = nullptr);

/** The same matrix with variables replaced, all at once. */
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
/** The same, in the order of their ids. */
VectorX<Variable> GetVariableVector(
    const Eigen::Ref<const VectorX<Expression>>& expressions);

/** Whether two matrices have one shape, and entries that are built alike. */
bool CheckStructuralEquality(const Eigen::Ref<const MatrixX<Expression>>& a,
                             const Eigen::Ref<const MatrixX<Expression>>& b);

}  // namespace wyvern::symbolic
