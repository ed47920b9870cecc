#pragma once

#include <memory>

#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems::controllers {

/** u = -K x and the cost from x on, x'Sx. */
struct LinearQuadraticRegulatorResult {
  /** Gain, m x n. */
  Eigen::MatrixXd K;
  /** Matrix of the cost, n x n. */
  Eigen::MatrixXd S;
};

/** The feedback that minimises, for dx/dt = A x + B u,

    integral from 0 to infinity of x'Qx + u'Ru + 2 x'Nu

over all that bring x to zero: K = R^-1 (B'S + N'), where S solves the algebraic
Riccati equation. A is n x n, B is n x m, Q is n x n, R is m x m and N is n x m
(zero if empty).

With F (r x n, of full row rank), only x with F x = 0 are considered, a subspace
in which the system is to stay for any feedback: as in a model with redundant
coordinates. S is then the cost within that subspace, and zero outside.
[Q N; N' R] is usually positive semidefinite. Where it is not, the cost may have
a least value all the same, and then this finds it.
@throws std::logic_error if shapes do not fit, an entry is not finite, Q is not
symmetric or R not symmetric positive definite.
@throws std::runtime_error if the problem has no stabilising solution: (A, B)
must be stabilisable; with a semidefinite cost, (Q, A) detectable; with another,
no motion may lower the cost without bound. */
LinearQuadraticRegulatorResult LinearQuadraticRegulator(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const Eigen::Ref<const Eigen::MatrixXd>& N = Eigen::MatrixXd(),
    const Eigen::Ref<const Eigen::MatrixXd>& F = Eigen::MatrixXd());

/** The feedback that minimises, for x[k+1] = A x[k] + B u[k],

    sum from k = 0 to infinity of x'Qx + u'Ru + 2 x'Nu,

K = (R + B'SB)^-1 (B'SA + N'). Otherwise as above. */
LinearQuadraticRegulatorResult DiscreteTimeLinearQuadraticRegulator(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const Eigen::Ref<const Eigen::MatrixXd>& N = Eigen::MatrixXd());

/** The regulator of `system`, continuous or discrete, as a block with the state
as its input: y = -K u. @throws as above. */
std::unique_ptr<LinearSystem<double>> LinearQuadraticRegulator(
    const LinearSystem<double>& system,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const Eigen::Ref<const Eigen::MatrixXd>& N = Eigen::MatrixXd());

/** The regulator of `system` linearised around the equilibrium x0, u0 in
`context`: y = u0 - K (u - x0). @throws as above and as Linearize(). */
std::unique_ptr<AffineSystem<double>> LinearQuadraticRegulator(
    const System<double>& system, const Context<double>& context,
    const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const Eigen::Ref<const Eigen::MatrixXd>& N = Eigen::MatrixXd(),
    int input_port_index = 0);

}  // namespace wyvern::systems::controllers
