#pragma once

/** @file
Expressions taken apart into matrices: linear, affine and quadratic ones, and
what is linear in parameters. */

#include <tuple>
#include <unordered_map>
#include <utility>

#include "wyvern/systems/symbolic/algebra/polynomial.h"

namespace wyvern::symbolic {

/** Whether every entry is affine in `variables`, the other variables taken as
constants. Of the second, in all of its variables. */
bool IsAffine(const Eigen::Ref<const MatrixX<Expression>>& m,
              const Variables& variables);
bool IsAffine(const Eigen::Ref<const MatrixX<Expression>>& m);

/** expressions = M variables. M is resized if it is a matrix of its own.
@throws std::runtime_error if an expression is not linear in `variables` with
constant coefficients. */
void DecomposeLinearExpressions(
    const Eigen::Ref<const VectorX<Expression>>& expressions,
    const Eigen::Ref<const VectorX<Variable>>& variables,
    EigenPtr<Eigen::MatrixXd> M);
/** expressions = M variables + v. Sizes are those of the result.
@throws std::runtime_error if one is not affine with constant coefficients. */
void DecomposeAffineExpressions(
    const Eigen::Ref<const VectorX<Expression>>& expressions,
    const Eigen::Ref<const VectorX<Variable>>& variables,
    EigenPtr<Eigen::MatrixXd> M, EigenPtr<Eigen::VectorXd> v);
/** expressions = A variables + b, of all variables in them, by their ids. */
void DecomposeAffineExpressions(
    const Eigen::Ref<const VectorX<Expression>>& expressions,
    Eigen::MatrixXd* A, Eigen::VectorXd* b, VectorX<Variable>* variables);
/** e = coefficients * x + constant_term, x numbered by `map_var_to_index`.
@returns how many coefficients are not 0.
@throws std::runtime_error if it is not affine, or has a variable that is not
there. */
int DecomposeAffineExpression(
    const Expression& e,
    const std::unordered_map<Variable::Id, int>& map_var_to_index,
    EigenPtr<Eigen::RowVectorXd> coefficients, double* constant_term);

/** poly = ½ x'Qx + b'x + c, with Q symmetric and x numbered by the map.
@throws std::runtime_error if its degree is above 2, a coefficient is no
constant, or an indeterminate is not there. */
void DecomposeQuadraticPolynomial(
    const Polynomial& poly,
    const std::unordered_map<Variable::Id, int>& map_var_to_index,
    EigenPtr<Eigen::MatrixXd> Q, EigenPtr<Eigen::VectorXd> b, double* c);

/** e = |A x + b|₂, where e is the square root of a polynomial of degree 2.
Rows whose part of the square is at most `psd_tol` are left out; what the square
has beyond those of A is a last row of zeros, with its entry of b.
@returns whether it is so, within `coefficient_tol` for each coefficient, A, b
and x, the variables of e by their ids; these are empty if it is not.
@throws std::logic_error if a tolerance is negative or not finite. */
std::tuple<bool, Eigen::MatrixXd, Eigen::VectorXd, VectorX<Variable>>
DecomposeL2NormExpression(const Expression& e, double psd_tol = 1e-8,
                          double coefficient_tol = 1e-8);

/** f = W alpha + w0, where alpha are products of `parameters`, and W and w0
have none of them: what a robot's masses and lengths are identified by.
@returns W, alpha, w0.
@throws std::runtime_error if f is no polynomial of the parameters but for
functions of them alone. */
std::tuple<MatrixX<Expression>, VectorX<Expression>, VectorX<Expression>>
DecomposeLumpedParameters(
    const Eigen::Ref<const VectorX<Expression>>& f,
    const Eigen::Ref<const VectorX<Variable>>& parameters);

/** The variables in them by their ids, and the place of each. */
std::pair<VectorX<Variable>, std::unordered_map<Variable::Id, int>>
ExtractVariablesFromExpression(const Expression& e);
std::pair<VectorX<Variable>, std::unordered_map<Variable::Id, int>>
ExtractVariablesFromExpression(
    const Eigen::Ref<const VectorX<Expression>>& expressions);
/** Adds those of `e` that are not there yet. */
void ExtractAndAppendVariablesFromExpression(
    const Expression& e, VectorX<Variable>* variables,
    std::unordered_map<Variable::Id, int>* map_var_to_index);

/** `e` with W(i, j) for each product of x(i) and y(j): what a product that is
no variable is relaxed to. `x` and `y` may have variables in common.
@throws std::logic_error if W is not as large as x yᵀ.
@throws std::runtime_error if `e` is no polynomial of x and y, or has another
term of their second or a higher degree. */
Expression ReplaceBilinearTerms(const Expression& e,
                                const Eigen::Ref<const VectorX<Variable>>& x,
                                const Eigen::Ref<const VectorX<Variable>>& y,
                                const Eigen::Ref<const MatrixX<Expression>>& W);

/** Σ Q(i, j) m(i) m(j) of monomials m, for a symmetric Q of which the lower
triangle is given, column by column.
@throws std::logic_error unless that has n (n + 1) / 2 entries. */
Polynomial CalcPolynomialWLowerTriangularPart(
    const Eigen::Ref<const VectorX<Monomial>>& monomial_basis,
    const Eigen::Ref<const VectorX<Expression>>& gram_lower);

/** Σ of the derivatives of f at `a`, up to `order`, times powers of x - a.
@param a where: the variables that it gives values.
@throws std::logic_error if the order is negative; as
Expression::Differentiate(). */
Expression TaylorExpand(const Expression& f, const Environment& a, int order);

}  // namespace wyvern::symbolic
