#include "wyvern/systems/controllers/riccati_flow.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/LU>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* The equations below, integrated backwards: the flow's time is -t, and so what
it computes is -d/dt of S, sx and s0. Its state is one vector, S or P column
by column, then sx, then s0; FinalState() packs it and Unpack() takes it
apart. At each time the System is seen to first order around x0(t), u0(t), in
an AutoDiffXd copy of it. That copy has one Context, which each Calc()
overwrites: it is not for two threads at once. The flow and the regulator
take their K and k0 from the same function.

With y = x - x0, v = u - u0 the problem is
    dy/dt = A y + B v + c,  c = f(t, x0, u0) - dx0/dt,
    cost rate y'Qy + v'Rv + 2 y'Nv + 2 y'qx + 2 v'ru + q0,
with  e = xd - x0, w = ud - u0,  qx = -(Q e + N w), ru = -(R w + N'e),
    q0 = e'Qe + w'Rw + 2 e'Nw.
The cost to go J = y'Sy + 2 y'sx + s0 satisfies the Hamilton-Jacobi-Bellman
equation -dJ/dt = min over v of (cost rate + dJ/dy' dy/dt). The minimum is at
v = -K y - k0, K = R^-1 (N + S B)', k0 = R^-1 (ru + B'sx), and powers of y
give
    -dS/dt  = Q + S A + A'S - K'R K
    -dsx/dt = qx + A'sx + S c - K'R k0
    -ds0/dt = q0 + 2 sx'c - k0'R k0.
For S = P P':  -dP/dt = (A' - K'B'/2) P + (Q - K'N')/2 P'^-1. */

namespace wyvern::systems::controllers::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearizedDynamics::LinearizedDynamics(const System<double>& system,
                                       const Context<double>& context,
                                       const InputPort<double>& input)
    : input_(input.get_index()) {
  if (!context.has_only_continuous_state()) {
    throw std::logic_error(fmt::format(
        "FiniteHorizonLinearQuadraticRegulator(): '{}' has {} continuous "
        "states, {} discrete groups and {} abstract states; give a System with "
        "continuous state only.",
        system.GetSystemPathname(), context.num_continuous_states(),
        context.num_discrete_state_groups(), context.num_abstract_states()));
  }
  system_ = system.ToAutoDiffXd();
  // Without AutoDiffXd in the library that has thrown.
  if constexpr (kHasScalar<AutoDiffXd>) {
    context_ = system_->CreateDefaultContext();
    context_->SetTimeStateAndParametersFrom(context);
    system_->FixInputPortsFrom(system, context, context_.get());
  }
}

LinearizedDynamics::~LinearizedDynamics() = default;

FirstOrderDynamics LinearizedDynamics::Calc(double t, const VectorXd& x,
                                            const VectorXd& u) const {
  const int n = static_cast<int>(x.size());
  const int m = static_cast<int>(u.size());
  VectorX<AutoDiffXd> x_ad(n), u_ad(m);
  for (int i = 0; i < n; ++i) x_ad[i] = AutoDiffXd(x[i], n + m, i);
  for (int i = 0; i < m; ++i) u_ad[i] = AutoDiffXd(u[i], n + m, n + i);
  VectorX<AutoDiffXd> f(n);
  if constexpr (kHasScalar<AutoDiffXd>) {
    context_->SetTime(t);
    context_->SetContinuousState(x_ad);
    system_->get_input_port(input_).FixValue(context_.get(), u_ad);
    f = system_->EvalTimeDerivatives(*context_).CopyToVector();
  }
  MatrixXd gradient = MatrixXd::Zero(n, n + m);
  for (int i = 0; i < n; ++i) {
    if (f[i].derivatives().size() > 0) gradient.row(i) = f[i].derivatives();
  }
  return {gradient.leftCols(n), gradient.rightCols(m), ToDouble(f)};
}

namespace {

// K and k0, for a given B.
Feedback FeedbackFor(const FiniteHorizonProblem& problem, double t,
                     const MatrixXd& B, const CostToGo& J) {
  const VectorXd e = problem.xd->value(t) - problem.x0->value(t);
  const VectorXd w = problem.ud->value(t) - problem.u0->value(t);
  const VectorXd ru = -(problem.R * w + problem.N.transpose() * e);
  return {problem.R_inverse * (problem.N + J.S * B).transpose(),
          problem.R_inverse * (ru + B.transpose() * J.sx)};
}

}  // namespace

Feedback CalcFeedback(const FiniteHorizonProblem& problem, double t,
                      const CostToGo& cost_to_go) {
  const MatrixXd B =
      problem.dynamics->Calc(t, problem.x0->value(t), problem.u0->value(t)).B;
  Feedback feedback = FeedbackFor(problem, t, B, cost_to_go);
  const auto who =
      wyvern::internal::Caller("FiniteHorizonLinearQuadraticRegulator")
          .OfResults();
  wyvern::internal::RequireFinite(who, "K", feedback.K);
  wyvern::internal::RequireFinite(who, "k0", feedback.k0);
  return feedback;
}

RiccatiFlow::RiccatiFlow(const FiniteHorizonProblem* problem)
    : problem_(*problem), n_(static_cast<int>(problem->Q.rows())) {
  DeclareContinuousState(n_ * n_ + n_ + 1);
  DeclareBreakTimes();
}

RiccatiFlow::~RiccatiFlow() = default;

// Time runs backward, so the next break is the previous one of a trajectory.
void RiccatiFlow::DoCalcNextBreakTime(const Context<double>&,
                                      const double& after, double* time) const {
  for (const auto* trajectory :
       {problem_.x0, problem_.u0, problem_.xd, problem_.ud}) {
    *time = std::min(*time, -trajectory->CalcPreviousBreak(-after));
  }
}

VectorXd RiccatiFlow::FinalState(double tf) const {
  const VectorXd e = problem_.xd->value(tf) - problem_.x0->value(tf);
  const MatrixXd& Qf = problem_.Qf;
  VectorXd state(n_ * n_ + n_ + 1);
  if (problem_.use_square_root) {
    const MatrixXd P = Qf.llt().matrixL();
    state.head(n_ * n_) = P.reshaped();
  } else {
    state.head(n_ * n_) = Qf.reshaped();
  }
  state.segment(n_ * n_, n_) = -Qf * e;
  state[n_ * n_ + n_] = e.dot(Qf * e);
  return state;
}

CostToGo RiccatiFlow::Unpack(const VectorXd& state) const {
  CostToGo J;
  J.S = state.head(n_ * n_).reshaped(n_, n_);
  if (problem_.use_square_root) J.S = MatrixXd(J.S * J.S.transpose());
  J.sx = state.segment(n_ * n_, n_);
  J.s0 = state[n_ * n_ + n_];
  return J;
}

void RiccatiFlow::DoCalcTimeDerivatives(
    const Context<double>& context,
    ContinuousState<double>* derivatives) const {
  const FiniteHorizonProblem& p = problem_;
  const double t = -context.get_time();
  const VectorXd state = context.get_continuous_state_vector().CopyToVector();
  const CostToGo J = Unpack(state);
  const VectorXd x0 = p.x0->value(t);
  const VectorXd u0 = p.u0->value(t);
  const auto [A, B, f] = p.dynamics->Calc(t, x0, u0);
  const auto [K, k0] = FeedbackFor(p, t, B, J);
  const VectorXd c = f - p.x0->EvalDerivative(t);
  const VectorXd e = p.xd->value(t) - x0;
  const VectorXd w = p.ud->value(t) - u0;
  const VectorXd qx = -(p.Q * e + p.N * w);
  const double q0 = e.dot(p.Q * e) + w.dot(p.R * w) + 2 * e.dot(p.N * w);

  MatrixXd rate;
  if (p.use_square_root) {
    const MatrixXd P = state.head(n_ * n_).reshaped(n_, n_);
    const MatrixXd half_remainder =
        0.5 * (p.Q - K.transpose() * p.N.transpose());
    rate = (A.transpose() - 0.5 * K.transpose() * B.transpose()) * P +
           P.partialPivLu()
               .solve(MatrixXd(half_remainder.transpose()))
               .transpose();
  } else {
    const MatrixXd SA = J.S * A;
    rate = p.Q + SA + SA.transpose() - K.transpose() * p.R * K;
  }
  VectorXd result(state.size());
  result.head(n_ * n_) = rate.reshaped();
  result.segment(n_ * n_, n_) =
      qx + A.transpose() * J.sx + J.S * c - K.transpose() * (p.R * k0);
  result[n_ * n_ + n_] = q0 + 2 * J.sx.dot(c) - k0.dot(p.R * k0);
  derivatives->SetFromVector(result);
}

}  // namespace wyvern::systems::controllers::internal
