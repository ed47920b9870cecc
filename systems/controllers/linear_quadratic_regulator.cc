#include "wyvern/systems/controllers/linear_quadratic_regulator.h"

#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/matrix_equations/continuous_algebraic_riccati_equation.h"
#include "wyvern/systems/matrix_equations/discrete_algebraic_riccati_equation.h"

/* Shapes and finite entries are checked here, definiteness by the Riccati
solvers of matrix_equations/, which find S; the gain K is then one solve.
Overloads that take a System linearize it, tell continuous from discrete by
its period, and return a block without state whose input is the plant's
state: y = -K u, or y = u0 - K (u - x0) around an equilibrium. An indefinite
discrete cost may have a solution S that is no minimum, which shows in R +
B'SB; the Cholesky factorization that gives K finds that out. */

/* Continuous: minimizes the integral of x'Qx + u'Ru + 2 x'Nu under dx/dt = A x
+ B u. u = -K x with K = R⁻¹ (B'S + N'), where S solves the algebraic Riccati
equation. Discrete: the same sum under x[n+1] = A x + B u, and K = (R + B'SB)⁻¹
(B'SA + N'). With a constraint F x = 0, x = P z with columns P that span the
null space of F, and the problem is that of z (Kalman, Bol. Soc. Mat. Mex. 5,
1960). Limit: R large, K goes to what only stabilizes. */

namespace wyvern::systems::controllers {

namespace {

using Eigen::MatrixXd;
using MatrixRef = Eigen::Ref<const MatrixXd>;

constexpr char kContinuous[] = "LinearQuadraticRegulator()";
constexpr char kDiscrete[] = "DiscreteTimeLinearQuadraticRegulator()";

MatrixXd ZeroIfEmpty(const MatrixRef& N, Eigen::Index rows, Eigen::Index cols) {
  if (N.size() > 0) return N;
  return MatrixXd::Zero(rows, cols);
}

void RequireDynamics(const char* who, const MatrixRef& A, const MatrixRef& B) {
  const int n = static_cast<int>(A.rows());
  wyvern::internal::RequireShape(who, "A", A, n, n);
  wyvern::internal::RequireShape(who, "B", B, n, B.cols());
  wyvern::internal::RequireFinite(who, "A", A);
  wyvern::internal::RequireFinite(who, "B", B);
}

// The equations of Riccati check the rest.
void RequireCost(const char* who, const MatrixRef& Q, const MatrixRef& R,
                 const MatrixXd& N, Eigen::Index n, Eigen::Index m) {
  wyvern::internal::RequireShape(who, "Q", Q, n, n);
  wyvern::internal::RequireShape(who, "R", R, m, m);
  wyvern::internal::RequireShape(who, "N", N, n, m);
  wyvern::internal::RequireFinite(who, "Q", Q);
  wyvern::internal::RequireFinite(who, "R", R);
  wyvern::internal::RequireFinite(who, "N", N);
}

LinearQuadraticRegulatorResult SolveContinuous(const MatrixRef& A,
                                               const MatrixRef& B,
                                               const MatrixRef& Q,
                                               const MatrixRef& R,
                                               const MatrixRef& N) {
  LinearQuadraticRegulatorResult result;
  result.S = math::ContinuousAlgebraicRiccatiEquation(A, B, Q, R, N);
  result.K = R.llt().solve(B.transpose() * result.S + N.transpose());
  return result;
}

// Columns: an orthonormal basis of {x : F x = 0}.
MatrixXd NullSpace(const MatrixRef& F, Eigen::Index n) {
  wyvern::internal::RequireShape(kContinuous, "F", F, F.rows(), n);
  wyvern::internal::RequireFinite(kContinuous, "F", F);
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(F.transpose());
  if (qr.rank() < F.rows()) {
    throw std::logic_error(
        fmt::format("{}: F has {} rows and rank {}; it must have full row "
                    "rank.",
                    kContinuous, F.rows(), qr.rank()));
  }
  const MatrixXd orthogonal = qr.householderQ() * MatrixXd::Identity(n, n);
  return orthogonal.rightCols(n - F.rows());
}

}  // namespace

LinearQuadraticRegulatorResult LinearQuadraticRegulator(
    const MatrixRef& A, const MatrixRef& B, const MatrixRef& Q,
    const MatrixRef& R, const MatrixRef& N, const MatrixRef& F) {
  const Eigen::Index n = A.rows();
  const MatrixXd mixed = ZeroIfEmpty(N, n, B.cols());
  RequireDynamics(kContinuous, A, B);
  RequireCost(kContinuous, Q, R, mixed, n, B.cols());
  if (F.size() == 0) return SolveContinuous(A, B, Q, R, mixed);
  // In coordinates z of the subspace, x = P z and z = P'x.
  const MatrixXd P = NullSpace(F, n);
  const LinearQuadraticRegulatorResult reduced =
      SolveContinuous(P.transpose() * A * P, P.transpose() * B,
                      P.transpose() * Q * P, R, P.transpose() * mixed);
  return {reduced.K * P.transpose(), P * reduced.S * P.transpose()};
}

LinearQuadraticRegulatorResult DiscreteTimeLinearQuadraticRegulator(
    const MatrixRef& A, const MatrixRef& B, const MatrixRef& Q,
    const MatrixRef& R, const MatrixRef& N) {
  const MatrixXd mixed = ZeroIfEmpty(N, A.rows(), B.cols());
  RequireDynamics(kDiscrete, A, B);
  RequireCost(kDiscrete, Q, R, mixed, A.rows(), B.cols());
  LinearQuadraticRegulatorResult result;
  result.S = math::DiscreteAlgebraicRiccatiEquation(A, B, Q, R, mixed);
  const MatrixXd BtS = B.transpose() * result.S;
  // With an indefinite cost S is negative for some x.
  const Eigen::LLT<MatrixXd> weight(R + BtS * B);
  if (weight.info() != Eigen::Success) {
    throw std::runtime_error(fmt::format(
        "{}: R + B'SB is not positive definite, so that inputs lower the cost "
        "without bound; raise Q or R.",
        kDiscrete));
  }
  result.K = weight.solve(BtS * A + mixed.transpose());
  return result;
}

namespace {

MatrixXd CalcGain(const LinearSystem<double>& system, const MatrixRef& Q,
                  const MatrixRef& R, const MatrixRef& N) {
  return (system.time_period() > 0
              ? DiscreteTimeLinearQuadraticRegulator(system.A(), system.B(), Q,
                                                     R, N)
              : LinearQuadraticRegulator(system.A(), system.B(), Q, R, N))
      .K;
}

}  // namespace

std::unique_ptr<LinearSystem<double>> LinearQuadraticRegulator(
    const LinearSystem<double>& system, const MatrixRef& Q, const MatrixRef& R,
    const MatrixRef& N) {
  const MatrixXd K = CalcGain(system, Q, R, N);
  return std::make_unique<LinearSystem<double>>(
      MatrixXd(), MatrixXd(0, K.cols()), MatrixXd(K.rows(), 0), -K,
      system.time_period());
}

std::unique_ptr<AffineSystem<double>> LinearQuadraticRegulator(
    const System<double>& system, const Context<double>& context,
    const MatrixRef& Q, const MatrixRef& R, const MatrixRef& N,
    int input_port_index) {
  const auto linear =
      Linearize(system, context, InputPortIndex(input_port_index),
                OutputPortSelection::kNoOutput);
  const MatrixXd K = CalcGain(*linear, Q, R, N);
  const Eigen::VectorXd x0 =
      linear->time_period() > 0
          ? context.get_discrete_state(0).value()
          : context.get_continuous_state_vector().CopyToVector();
  const Eigen::VectorXd& u0 =
      system.get_input_port(input_port_index).Eval(context);
  return std::make_unique<AffineSystem<double>>(
      MatrixXd(), MatrixXd(0, K.cols()), Eigen::VectorXd(),
      MatrixXd(K.rows(), 0), -K, u0 + K * x0, linear->time_period());
}

}  // namespace wyvern::systems::controllers
