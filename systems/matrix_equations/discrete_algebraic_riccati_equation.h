#pragma once

#include <Eigen/Core>

namespace wyvern::math {

/** The symmetric X with

    A'XA - X - A'XB (B'XB + R)^-1 B'XA + Q = 0

that makes A - B (B'XB + R)^-1 B'XA stable (all eigenvalues in the unit circle):
x'Xx is the least cost, sum of x'Qx + u'Ru, of bringing the system
x[k+1] = A x[k] + B u[k] from x to rest, and u = -(B'XB + R)^-1 B'XA x does it.
It exists if (A, B) can be stabilized and no uncontrolled motion without cost
stays bounded without decaying. A may be singular.

A and Q are n x n, B is n x m, R is m x m; Q is symmetric positive semidefinite,
R symmetric positive definite. Order of cost: 100 n^3.
@throws std::logic_error if shapes do not fit, an entry is not finite, Q or R is
not symmetric, or R not positive definite.
@throws std::runtime_error if there is no such X, to round-off. */
Eigen::MatrixXd DiscreteAlgebraicRiccatiEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R);

/** Overload with the cost x'Qx + u'Ru + 2 x'Nu, N n x m, and Q - N R^-1 N'
positive semidefinite:

    A'XA - X - (A'XB + N) (B'XB + R)^-1 (B'XA + N') + Q = 0. */
Eigen::MatrixXd DiscreteAlgebraicRiccatiEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const Eigen::Ref<const Eigen::MatrixXd>& N);

}  // namespace wyvern::math
