#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace wyvern::math {

/** The symmetric X with

    A'X + XA - X B R^-1 B' X + Q = 0

that makes A - B R^-1 B' X stable (all eigenvalues left of the imaginary axis):
x'Xx is the least cost, integral of x'Qx + u'Ru, of bringing the system x' = A x
+ B u from x to rest, and u = -R^-1 B' X x does it. It exists if (A, B) can be
stabilized and no uncontrolled motion without cost stays bounded without
decaying.

A and Q are n x n, B is n x m, R is m x m; Q is symmetric, R symmetric positive
definite. Order of cost: 1000 n^3.
@throws std::logic_error if shapes do not fit, an entry is not finite, Q or R is
not symmetric, or R not positive definite.
@throws std::runtime_error if there is no such X, to round-off. */
Eigen::MatrixXd ContinuousAlgebraicRiccatiEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R);

/** Overload that takes the Cholesky factor of R. */
Eigen::MatrixXd ContinuousAlgebraicRiccatiEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::LLT<Eigen::MatrixXd>& R_cholesky);

/** Overload with the cost x'Qx + u'Ru + 2 x'Nu, N n x m:

    A'X + XA - (XB + N) R^-1 (B'X + N') + Q = 0,  u = -R^-1 (B'X + N') x. */
Eigen::MatrixXd ContinuousAlgebraicRiccatiEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const Eigen::Ref<const Eigen::MatrixXd>& N);

/** Overload for the system E x' = A x + B u, E n x n and invertible:

    A'XE + E'XA - (E'XB + N) R^-1 (B'XE + N') + Q = 0,
    u = -R^-1 (B'XE + N') x.

@throws std::logic_error also if E is singular, to round-off. */
Eigen::MatrixXd ContinuousAlgebraicRiccatiEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const Eigen::Ref<const Eigen::MatrixXd>& N,
    const Eigen::Ref<const Eigen::MatrixXd>& E);

}  // namespace wyvern::math
