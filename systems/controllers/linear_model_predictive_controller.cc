#include "wyvern/systems/controllers/linear_model_predictive_controller.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/math/matrix_checks.h"
#include "wyvern/systems/common/math/matrix_util.h"
#include "wyvern/systems/controllers/linear_quadratic_regulator.h"
#include "wyvern/systems/primitives/linear/discrete_time_approximation.h"

/* The states follow from the inputs, x[k] = A^k x + sum of A^(k-1-j) B u[j],
so that the cost is a quadratic form of the N m inputs alone: half of its
Hessian is R on the diagonal plus G'Q G, where block (k, j) of G is A^(k-1-j) B
and the last block row has P. (J. B. Rawlings, D. Q. Mayne, M. Diehl, "Model
predictive control", 2017, section 8.8.4.) Only the gradient depends on the
state. BoxQuadraticProgram finds the minimizer within the limits, from the
minimizer without limits moved into them. On AutoDiffXd the free inputs follow
the state by H_ff du_f = -(F dx)_f. */

namespace wyvern::systems::controllers {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr char kMpc[] = "LinearModelPredictiveController";

// Symmetric positive semidefinite, to rounding.
void RequireWeight(const char* name, const MatrixXd& M, Index size) {
  math::internal::RequireSymmetric(kMpc, name, M, size);
  const MatrixXd symmetric = math::internal::SymmetricPart(M);
  const double scale = symmetric.cwiseAbs().maxCoeff();
  constexpr double kRounding = 1e-10;
  if (math::IsPositiveDefinite(MatrixXd(
          symmetric + kRounding * scale * MatrixXd::Identity(size, size)))) {
    return;
  }
  throw std::logic_error(fmt::format(
      "{}(): {} is not positive semidefinite; give a weight with no negative "
      "eigenvalues.",
      kMpc, name));
}

void RequireVector(const char* name, const VectorXd& v, Index size) {
  wyvern::internal::RequireSize(kMpc, name, v.size(), size);
  wyvern::internal::RequireFinite(kMpc, name, v);
}

LinearMpcSettings CompleteAndCheckMpc(LinearMpcSettings s) {
  const Index n = s.A.rows();
  const Index m = s.B.cols();
  wyvern::internal::RequireAtLeast(kMpc, "the number of states", n, 1);
  wyvern::internal::RequireAtLeast(kMpc, "the number of inputs", m, 1);
  wyvern::internal::RequireShape(kMpc, "A", s.A, n, n);
  wyvern::internal::RequireShape(kMpc, "B", s.B, n, m);
  wyvern::internal::RequireFinite(kMpc, "A", s.A);
  wyvern::internal::RequireFinite(kMpc, "B", s.B);
  RequireWeight("Q", s.Q, n);
  math::internal::RequireSymmetric(kMpc, "R", s.R, m);
  if (s.R.llt().info() != Eigen::Success) {
    throw std::logic_error(fmt::format(
        "{}(): R is not positive definite; give a weight with positive "
        "eigenvalues.",
        kMpc));
  }
  if (s.P.size() == 0) {
    s.P = DiscreteTimeLinearQuadraticRegulator(s.A, s.B, s.Q, s.R).S;
  }
  RequireWeight("P", s.P, n);
  constexpr double kMostInputs = 2000;
  wyvern::internal::RequireInRange(kMpc, "horizon", s.horizon, 1,
                                   std::floor(kMostInputs / m));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (s.lower.size() == 0) s.lower.setConstant(m, -kInfinity);
  if (s.upper.size() == 0) s.upper.setConstant(m, kInfinity);
  if (s.x0.size() == 0) s.x0.setZero(n);
  if (s.u0.size() == 0) s.u0.setZero(m);
  wyvern::internal::RequireSize(kMpc, "lower", s.lower.size(), m);
  wyvern::internal::RequireSize(kMpc, "upper", s.upper.size(), m);
  RequireVector("x0", s.x0, n);
  RequireVector("u0", s.u0, m);
  return s;
}

LinearMpcSettings SettingsOf(const System<double>* model,
                             const Context<double>* context, const MatrixXd& Q,
                             const MatrixXd& R, double period, double horizon) {
  wyvern::internal::RequireNotNull(kMpc, "model", model);
  wyvern::internal::RequireNotNull(kMpc, "base_context", context);
  wyvern::internal::RequirePositive(kMpc, "time_period", period);
  wyvern::internal::RequirePositive(kMpc, "time_horizon", horizon);
  auto linear =
      Linearize(*model, *context, InputPortSelection::kUseFirstInputIfItExists,
                OutputPortSelection::kNoOutput);
  const bool is_discrete = linear->time_period() > 0;
  if (is_discrete && linear->time_period() != period) {
    throw std::logic_error(fmt::format(
        "{}(): time_period is {} s, but the model is updated every {} s; give "
        "the period of the model.",
        kMpc, period, linear->time_period()));
  }
  if (!is_discrete) linear = DiscreteTimeApproximation(*linear, period);
  LinearMpcSettings settings{.A = linear->A(),
                             .B = linear->B(),
                             .Q = Q,
                             .R = R,
                             .P = Q,
                             .lower = {},
                             .upper = {},
                             .x0 = {},
                             .u0 = {}};
  constexpr double kMostSteps = 2000;
  wyvern::internal::RequireInRange(kMpc, "time_horizon / time_period",
                                   std::round(horizon / period), 1, kMostSteps);
  settings.horizon = static_cast<int>(std::round(horizon / period));
  settings.x0 = is_discrete
                    ? context->get_discrete_state(0).value()
                    : context->get_continuous_state_vector().CopyToVector();
  if (model->num_input_ports() > 0) {
    settings.u0 = model->get_input_port(0).Eval(*context);
  }
  return settings;
}

}  // namespace

template <typename T>
LinearModelPredictiveController<T>::LinearModelPredictiveController(
    const LinearMpcSettings& settings)
    : LinearModelPredictiveController(CompleteAndCheckMpc(settings), true) {}

template <typename T>
LinearModelPredictiveController<T>::LinearModelPredictiveController(
    std::unique_ptr<System<double>> model,
    std::unique_ptr<Context<double>> base_context, const MatrixXd& Q,
    const MatrixXd& R, double time_period, double time_horizon)
    : LinearModelPredictiveController(SettingsOf(
          model.get(), base_context.get(), Q, R, time_period, time_horizon)) {}

template <typename T>
LinearModelPredictiveController<T>::LinearModelPredictiveController(
    const LinearMpcSettings& settings, bool)
    : LeafSystem<T>(
          SystemTypeTag<controllers::LinearModelPredictiveController>{}),
      settings_(settings) {
  const LinearMpcSettings& s = settings_;
  const Index n = s.A.rows();
  const Index m = s.B.cols();
  const Index N = s.horizon;
  // Rows of G for one k at a time, the weight of its state, and A^k.
  MatrixXd G = MatrixXd::Zero(n, N * m);
  MatrixXd power = MatrixXd::Identity(n, n);
  MatrixXd H = MatrixXd::Zero(N * m, N * m);
  F_.setZero(N * m, n);
  for (Index k = 1; k <= N; ++k) {
    G.leftCols(k * m) = (s.A * G.leftCols(k * m)).eval();
    G.middleCols((k - 1) * m, m) = s.B;
    power = (s.A * power).eval();
    const MatrixXd weighted = (k == N ? s.P : s.Q) * G;
    H.noalias() += G.transpose() * weighted;
    F_.noalias() += weighted.transpose() * power;
    H.block((k - 1) * m, (k - 1) * m, m, m) += s.R;
  }
  H = math::internal::SymmetricPart(H);
  wyvern::internal::RequireFinite(
      kMpc, "the matrix of the cost", H,
      "shorten the horizon, over which the model grows without bound");
  program_ = std::make_unique<internal::BoxQuadraticProgram>(
      kMpc, H, (s.lower - s.u0).replicate(N, 1),
      (s.upper - s.u0).replicate(N, 1));
  start_ = -H.llt().solve(F_);

  this->DeclareVectorInputPort("state", static_cast<int>(n));
  plan_ = &this->DeclareCacheEntry(
      "plan",
      ValueProducer(this, &LinearModelPredictiveController<T>::AllocatePlan,
                    static_cast<void (LinearModelPredictiveController<T>::*)(
                        const Context<T>&, Plan*) const>(
                        &LinearModelPredictiveController<T>::CalcPlan)),
      {this->all_input_ports_ticket()});
  this->DeclareVectorOutputPort(
      "control", static_cast<int>(m),
      &LinearModelPredictiveController<T>::CalcControl, {plan_->ticket()});
}

template <typename T>
auto LinearModelPredictiveController<T>::AllocatePlan() const
    -> std::unique_ptr<Plan> {
  auto plan = std::make_unique<Plan>();
  plan->solution = program_->Allocate();
  plan->dx.setZero(settings_.A.rows());
  plan->dx_value.setZero(settings_.A.rows());
  plan->g.setZero(program_->size());
  plan->residual.setZero(program_->size());
  return plan;
}

template <typename T>
void LinearModelPredictiveController<T>::CalcPlan(const Context<T>& context,
                                                  Plan* plan) const {
  plan->dx = get_state_port().Eval(context) - settings_.x0;
  for (Index i = 0; i < plan->dx.size(); ++i) {
    plan->dx_value[i] = wyvern::internal::NumberIn(plan->dx[i]);
  }
  plan->g.noalias() = F_ * plan->dx_value;
  Eigen::VectorXd& du = plan->solution.x;
  du.noalias() = start_ * plan->dx_value;
  program_->Solve(plan->g, &plan->solution);
  if constexpr (!std::is_same_v<T, double>) {
    for (const int i : plan->solution.free) {
      T sum(program_->H().row(i).dot(du));
      for (Index j = 0; j < plan->dx.size(); ++j) sum += F_(i, j) * plan->dx[j];
      plan->residual[i] = sum;
    }
    program_->SolveFree<T>(plan->solution, &plan->residual);
  }
}

template <typename T>
void LinearModelPredictiveController<T>::CalcControl(
    const Context<T>& context, BasicVector<T>* control) const {
  const Plan& plan = plan_->template Eval<Plan>(context);
  for (int i = 0; i < control->size(); ++i) {
    (*control)[i] = T(settings_.u0[i] + plan.solution.x[i]);
    if constexpr (!std::is_same_v<T, double>) {
      if (plan.solution.side[i] == 0) (*control)[i] -= plan.residual[i];
    }
  }
}

template <typename T>
Eigen::MatrixXd LinearModelPredictiveController<T>::CalcPlan(
    const Context<T>& context) const {
  this->ValidateContext(context);
  const Plan& plan = plan_->template Eval<Plan>(context);
  const Index m = settings_.B.cols();
  return Eigen::Map<const MatrixXd>(plan.solution.x.data(), m,
                                    settings_.horizon)
             .colwise() +
         settings_.u0;
}

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::LinearModelPredictiveController);
