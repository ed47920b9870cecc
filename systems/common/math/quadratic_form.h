#pragma once

#include <utility>

#include <Eigen/Core>

namespace wyvern::math {

/** An X with X'X = Y for a symmetric Y >= 0, with a row for each eigenvalue of
Y above `zero_tol`; the others count as zero. Only the symmetric part of Y is
looked at.
@throws std::logic_error if Y is not square and finite, or zero_tol < 0.
@throws std::runtime_error if an eigenvalue is below -zero_tol; with
`return_empty_if_not_psd` the result is then a 0 x 0 matrix instead. */
Eigen::MatrixXd DecomposePSDmatrixIntoXtransposeTimesX(
    const Eigen::Ref<const Eigen::MatrixXd>& Y, double zero_tol,
    bool return_empty_if_not_psd = false);

/** (R, d) with |R x + d|^2 = x'Qx + b'x + c for all x, for a quadratic form
that is nowhere negative. Q symmetric, n x n.
@throws std::logic_error if shapes do not fit or tol < 0.
@throws std::runtime_error if the form is negative somewhere, by more than
`tol`. */
std::pair<Eigen::MatrixXd, Eigen::MatrixXd> DecomposePositiveQuadraticForm(
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::VectorXd>& b, double c, double tol = 0);

/** The change of variables x = T y that makes both forms diagonal and one the
inverse of the other: T'ST = D and |T'PT| = D^-1. S must be symmetric positive
definite, P symmetric and invertible. The recipe: S = LL', L^-1 P L^-T = U K U',
T = L^-T U |K|^(-1/4) (after B. Moore, "Principal component analysis in linear
systems", IEEE Trans. Automat. Contr. 26(1), 1981).
@throws std::logic_error if shapes do not fit or a matrix is not symmetric.
@throws std::runtime_error if S is not positive definite or P is singular. */
Eigen::MatrixXd BalanceQuadraticForms(
    const Eigen::Ref<const Eigen::MatrixXd>& S,
    const Eigen::Ref<const Eigen::MatrixXd>& P);

}  // namespace wyvern::math
