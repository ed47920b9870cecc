#include "wyvern/systems/controllers/finite_horizon_linear_quadratic_regulator.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/common/math/matrix_checks.h"
#include "wyvern/systems/common/math/symmetric_eigen.h"
#include "wyvern/systems/controllers/riccati_flow.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

/* The Context supplies the values that the options leave out, and all values
are checked for shape, definiteness and times. A Simulator runs RiccatiFlow,
whose time is -t, from -tf to -t0; its dense output is turned round to be a
function of t. S, sx and s0 are parts of that trajectory as it is; K and k0
depend on the linearization too, and are interpolated. With the square root
method the trajectory is that of P, and S is the product P P'. The flow
refers to the trajectories in the result, which must be there before it. */

/* The cost to go is integrated backwards from the end of the horizon, together
with its linear and constant parts (riccati_flow.cc has the equations), by an
integrator with error control, whose dense output is the trajectory of S. Gains
are worked out from it at the breaks and twice in between, and cubics go through
these. Limit: as the horizon grows, S(t0) goes to the solution of the algebraic
equation. */

namespace wyvern::systems::controllers {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using internal::CostToGo;
using internal::FiniteHorizonProblem;
using internal::RiccatiFlow;
using math::internal::RequireMatrix;
using math::internal::RequireSymmetric;
using trajectories::PiecewisePolynomial;
using trajectories::Trajectory;
using Options = FiniteHorizonLinearQuadraticRegulatorOptions;
using Result = FiniteHorizonLinearQuadraticRegulatorResult;

constexpr char kWho[] = "FiniteHorizonLinearQuadraticRegulator";

void RequireSemidefinite(const char* name, const MatrixXd& M, Eigen::Index n) {
  RequireSymmetric(kWho, name, M, n);
  if (n == 0) return;
  const VectorXd eigenvalues = math::internal::CalcSymmetricEigenvalues(M);
  // Round-off may make a zero eigenvalue negative.
  if (eigenvalues[0] < -1e-12 * eigenvalues.cwiseAbs().maxCoeff()) {
    throw std::logic_error(
        fmt::format("{}(): {} has the eigenvalue {}; it must be positive "
                    "semidefinite.",
                    kWho, name, eigenvalues[0]));
  }
}

Eigen::LLT<MatrixXd> RequireDefinite(const char* name, const MatrixXd& M,
                                     Eigen::Index n) {
  RequireSymmetric(kWho, name, M, n);
  Eigen::LLT<MatrixXd> llt(M);
  if (n > 0 && llt.info() != Eigen::Success) {
    throw std::logic_error(
        fmt::format("{}(): {} must be positive definite.", kWho, name));
  }
  return llt;
}

const InputPort<double>& RequireInput(const System<double>& system,
                                      const Options& options) {
  const InputPort<double>* input =
      system.get_input_port_selection(options.input_port_index);
  if (input == nullptr || input->get_data_type() != kVectorValued) {
    throw std::logic_error(fmt::format(
        "{}(): '{}' has no vector-valued input port as asked for; choose one "
        "by input_port_index.",
        kWho, system.GetSystemPathname()));
  }
  return *input;
}

void RequireTimes(double t0, double tf) {
  if (!(std::isfinite(t0) && std::isfinite(tf) && tf > t0)) {
    throw std::logic_error(
        fmt::format("{}(): the horizon is from {} to {} s; give finite times, "
                    "the end after the start.",
                    kWho, t0, tf));
  }
}

void RequireTrajectory(const char* name, const Trajectory<double>& given,
                       Eigen::Index size, double t0, double tf) {
  if (given.rows() != size || given.cols() != 1 || given.start_time() > t0 ||
      given.end_time() < tf) {
    throw std::logic_error(fmt::format(
        "{}(): {} is {} x {} over [{}, {}] s; it must be {} x 1 over all of "
        "[{}, {}] s.",
        kWho, name, given.rows(), given.cols(), given.start_time(),
        given.end_time(), size, t0, tf));
  }
}

// A copy of a trajectory if there is one, or a constant.
std::unique_ptr<Trajectory<double>> CopyOrHold(const Trajectory<double>* given,
                                               const VectorXd& constant,
                                               double t0, double tf) {
  if (given != nullptr) return given->Clone();
  return PiecewisePolynomial<double>::ZeroOrderHold(
             std::vector<double>{t0, tf},
             std::vector<MatrixXd>{constant, constant})
      .Clone();
}

// The state of the flow over t; its own time is -t.
PiecewisePolynomial<double> Integrate(const RiccatiFlow& flow, double t0,
                                      double tf,
                                      const SimulatorConfig& config) {
  Simulator<double> simulator(flow);
  ApplySimulatorConfig(config, &simulator);
  auto& context = simulator.get_mutable_context();
  context.SetTime(-tf);
  context.SetContinuousState(flow.FinalState(tf));
  simulator.Initialize();
  auto& integrator = simulator.get_mutable_integrator();
  integrator.StartDenseIntegration();
  simulator.AdvanceTo(-t0);
  PiecewisePolynomial<double> states = *integrator.StopDenseIntegration();
  states.ReverseTime();
  return states;
}

// Cubics through a function's values at the breaks and two times in between
// each, which makes an error of fourth order.
template <typename Function>
PiecewisePolynomial<double> Interpolate(const std::vector<double>& breaks,
                                        const Function& f) {
  PiecewisePolynomial<double> result;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    const double a = breaks[k], b = breaks[k + 1];
    const std::vector<double> times{a, a + (b - a) / 3, b - (b - a) / 3, b};
    std::vector<MatrixXd> samples;
    for (const double t : times) samples.push_back(f(t));
    const auto piece =
        PiecewisePolynomial<double>::LagrangeInterpolatingPolynomial(times,
                                                                     samples);
    if (k == 0) {
      result = piece;
    } else {
      result.ConcatenateInTime(piece);
    }
  }
  return result;
}

FiniteHorizonProblem MakeProblem(const Eigen::Ref<const MatrixXd>& Q,
                                 const Eigen::Ref<const MatrixXd>& R,
                                 const Options& options, int n, int m) {
  FiniteHorizonProblem problem;
  problem.Q = Q;
  problem.R = R;
  problem.Qf = options.Qf.value_or(MatrixXd::Zero(n, n));
  problem.N = options.N.value_or(MatrixXd::Zero(n, m));
  problem.use_square_root = options.use_square_root_method;
  RequireSemidefinite("Q", problem.Q, n);
  problem.R_inverse =
      RequireDefinite("R", problem.R, m).solve(MatrixXd::Identity(m, m));
  RequireMatrix(kWho, "N", problem.N, n, m);
  if (problem.use_square_root) {
    RequireDefinite("Qf, for the square root method,", problem.Qf, n);
  } else {
    RequireSemidefinite("Qf", problem.Qf, n);
  }
  return problem;
}

void FillResult(const FiniteHorizonProblem& problem, const RiccatiFlow& flow,
                const PiecewisePolynomial<double>& states, Result* result) {
  const int n = static_cast<int>(problem.Q.rows());
  auto S = states.Block(0, 0, n * n, 1);
  S.Reshape(n, n);
  if (problem.use_square_root) S = S * S.Transpose();
  result->S = S.Clone();
  result->sx = states.Block(n * n, 0, n, 1).Clone();
  result->s0 = states.Block(n * n + n, 0, 1, 1).Clone();
  const auto feedback = [&](double t) {
    return internal::CalcFeedback(problem, t, flow.Unpack(states.value(t)));
  };
  const auto& breaks = states.get_segment_times();
  result->K =
      Interpolate(breaks, [&](double t) { return feedback(t).K; }).Clone();
  result->k0 = Interpolate(breaks, [&](double t) -> MatrixXd {
                 return feedback(t).k0;
               }).Clone();
}

// The regulator as a block.
class Regulator final : public LeafSystem<double> {
 public:
  explicit Regulator(Result law) : law_(std::move(law)) {
    DeclareVectorInputPort("plant_state", static_cast<int>(law_.K->cols()));
    DeclareVectorOutputPort("command", static_cast<int>(law_.K->rows()),
                            &Regulator::CalcCommand);
    DeclareBreakTimes();
  }

 private:
  void DoCalcNextBreakTime(const Context<double>&, const double& after,
                           double* time) const final {
    for (const auto* part : {&law_.K, &law_.k0, &law_.x0, &law_.u0}) {
      *time = std::min(*time, (*part)->CalcNextBreak(after));
    }
  }
  void CalcCommand(const Context<double>& context,
                   BasicVector<double>* command) const {
    const double t = std::clamp(context.get_time(), law_.K->start_time(),
                                law_.K->end_time());
    const VectorXd& x = get_input_port().Eval(context);
    command->SetFromVector(law_.u0->value(t) - law_.k0->value(t) -
                           law_.K->value(t) * (x - law_.x0->value(t)));
  }

  const Result law_;
};

}  // namespace

Result FiniteHorizonLinearQuadraticRegulator(
    const System<double>& system, const Context<double>& context, double t0,
    double tf, const Eigen::Ref<const MatrixXd>& Q,
    const Eigen::Ref<const MatrixXd>& R, const Options& options) {
  system.ValidateContext(context);
  RequireTimes(t0, tf);
  const InputPort<double>& input = RequireInput(system, options);
  const internal::LinearizedDynamics dynamics(system, context, input);
  const VectorXd x0 = context.get_continuous_state_vector().CopyToVector();
  VectorXd u0 = VectorXd::Zero(input.size());
  if (options.u0 == nullptr) u0 = input.Eval(context);

  FiniteHorizonProblem problem =
      MakeProblem(Q, R, options, static_cast<int>(x0.size()), input.size());
  Result result;
  result.x0 = CopyOrHold(options.x0, x0, t0, tf);
  result.u0 = CopyOrHold(options.u0, u0, t0, tf);
  problem.x0 = result.x0.get();
  problem.u0 = result.u0.get();
  problem.xd = options.xd == nullptr ? problem.x0 : options.xd;
  problem.ud = options.ud == nullptr ? problem.u0 : options.ud;
  RequireTrajectory("x0", *problem.x0, x0.size(), t0, tf);
  RequireTrajectory("u0", *problem.u0, u0.size(), t0, tf);
  RequireTrajectory("xd", *problem.xd, x0.size(), t0, tf);
  RequireTrajectory("ud", *problem.ud, u0.size(), t0, tf);
  problem.dynamics = &dynamics;

  const RiccatiFlow flow(&problem);
  const auto states = Integrate(flow, t0, tf, options.simulator_config);
  FillResult(problem, flow, states, &result);
  return result;
}

std::unique_ptr<System<double>> MakeFiniteHorizonLinearQuadraticRegulator(
    const System<double>& system, const Context<double>& context, double t0,
    double tf, const Eigen::Ref<const MatrixXd>& Q,
    const Eigen::Ref<const MatrixXd>& R, const Options& options) {
  return std::make_unique<Regulator>(FiniteHorizonLinearQuadraticRegulator(
      system, context, t0, tf, Q, R, options));
}

}  // namespace wyvern::systems::controllers
