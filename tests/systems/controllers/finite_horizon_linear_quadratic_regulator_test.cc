#include "wyvern/systems/controllers/finite_horizon_linear_quadratic_regulator.h"

#include <cmath>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/controllers/linear_quadratic_regulator.h"
#include "wyvern/systems/controllers/riccati_flow.h"
#include "wyvern/systems/framework/vector_system.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/linear/trajectory_linear_system.h"
#include "wyvern/systems/trajectories/function_handle_trajectory.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::systems::controllers {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::RowVector2d;
using Eigen::Vector2d;
using Eigen::VectorXd;
using test::Near;
using trajectories::PiecewisePolynomial;
using Options = FiniteHorizonLinearQuadraticRegulatorOptions;
using Result = FiniteHorizonLinearQuadraticRegulatorResult;

const Matrix2d kQ{{2.0, 0.3}, {0.3, 1.0}};
const MatrixXd kR{{0.5}};

Options Exact() {
  Options options;
  options.simulator_config.accuracy = 1e-9;
  options.simulator_config.max_step_size = 0.01;
  return options;
}

LinearSystem<double> DoubleIntegrator() {
  return LinearSystem<double>(Matrix2d{{0, 1}, {0, 0}}, Vector2d(0, 1),
                              MatrixXd(0, 2), MatrixXd(0, 1));
}

std::unique_ptr<Context<double>> ContextOf(const System<double>& system) {
  auto context = system.CreateDefaultContext();
  system.get_input_port(0).FixValue(context.get(), 0.0);
  return context;
}

Result Solve(const System<double>& system, double tf, const Options& options) {
  return FiniteHorizonLinearQuadraticRegulator(system, *ContextOf(system), 0.0,
                                               tf, kQ, kR, options);
}

TEST(FiniteHorizonLqr, FeedbackThatIsNotFiniteIsAnError) {
  const auto plant = DoubleIntegrator();
  const internal::LinearizedDynamics dynamics(plant, *ContextOf(plant),
                                              plant.get_input_port(0));
  const PiecewisePolynomial<double> x(MatrixXd::Zero(2, 1));
  const PiecewisePolynomial<double> u(MatrixXd::Zero(1, 1));
  internal::FiniteHorizonProblem problem;
  problem.dynamics = &dynamics;
  problem.x0 = problem.xd = &x;
  problem.u0 = problem.ud = &u;
  problem.Q = kQ;
  problem.N = MatrixXd::Zero(2, 1);
  problem.R = kR;
  problem.R_inverse = MatrixXd{{2.0}};
  internal::CostToGo cost{kQ, Vector2d(0, 0.5), 0.0};
  const internal::Feedback law = internal::CalcFeedback(problem, 0.0, cost);
  EXPECT_TRUE(Near(law.K, MatrixXd(2 * kQ.row(1)), 1e-15));
  EXPECT_EQ(law.k0[0], 1.0);
  cost.sx[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROWS_MESSAGE(internal::CalcFeedback(problem, 0.0, cost),
                        std::runtime_error, "k0[0] is inf; it must be finite");
  cost.S(1, 0) = std::numeric_limits<double>::quiet_NaN();
  cost.S(0, 1) = cost.S(1, 0);
  EXPECT_THROWS_MESSAGE(internal::CalcFeedback(problem, 0.0, cost),
                        std::runtime_error, "is nan; it must be finite");
}

TEST(FiniteHorizonLqr, FarFromTheEndIsTheInfiniteHorizonRegulator) {
  const auto plant = DoubleIntegrator();
  const Result law = Solve(plant, 20.0, Exact());
  const auto limit = LinearQuadraticRegulator(plant.A(), plant.B(), kQ, kR);
  EXPECT_TRUE(Near(law.K->value(0.0), limit.K, 1e-7));
  EXPECT_TRUE(Near(law.S->value(0.0), limit.S, 1e-7));
  EXPECT_TRUE(Near(law.S->value(20.0), Matrix2d::Zero(), 1e-15));
  EXPECT_TRUE(Near(law.k0->value(0.0), VectorXd::Zero(1), 1e-15));
}

// x' = b(t) u with b = 1 + t and no running cost of x: d(1/S)/dt = -b^2 / R.
TEST(FiniteHorizonLqr, TimeVaryingInputGainHasAClosedForm) {
  const auto constant = [](const MatrixXd& M) {
    return PiecewisePolynomial<double>(M);
  };
  const auto b = PiecewisePolynomial<double>::FirstOrderHold(
      std::vector<double>{0.0, 2.0}, {MatrixXd{{1.0}}, MatrixXd{{3.0}}});
  const TrajectoryLinearSystem<double> plant(constant(MatrixXd{{0.0}}), b,
                                             constant(MatrixXd(0, 1)),
                                             constant(MatrixXd(0, 1)));
  Options options = Exact();
  options.Qf = MatrixXd{{4.0}};
  const Result law = FiniteHorizonLinearQuadraticRegulator(
      plant, *ContextOf(plant), 0.0, 2.0, MatrixXd{{0.0}}, kR, options);
  for (double t : {0.0, 0.31, 1.0, 1.77, 2.0}) {
    const double integral = (27 - std::pow(1 + t, 3)) / 3;
    const double S = 1 / (1 / 4.0 + integral / 0.5);
    EXPECT_NEAR(law.S->value(t)(0, 0), S, 1e-8);
    EXPECT_NEAR(law.K->value(t)(0, 0), (1 + t) * S / 0.5, 1e-7);
  }
}

// x1' = x2, x2' = -sin x1 - 0.2 x2 + u.
template <typename T>
class Pendulum final : public VectorSystem<T> {
 public:
  Pendulum() : VectorSystem<T>(SystemTypeTag<Pendulum>{}, 1, 0) {
    this->DeclareContinuousState(2);
  }
  template <typename U>
  explicit Pendulum(const Pendulum<U>&) : Pendulum() {}

 private:
  void DoCalcVectorTimeDerivatives(
      const Context<T>&, const Eigen::VectorBlock<const VectorX<T>>& u,
      const Eigen::VectorBlock<const VectorX<T>>& x,
      Eigen::VectorBlock<VectorX<T>>* dx) const final {
    using std::sin;
    *dx << x[1], -sin(x[0]) - 0.2 * x[1] + u[0];
  }
};

// A column that goes linearly from a to b in [0, 2].
PiecewisePolynomial<double> Line(const VectorXd& a, const VectorXd& b) {
  return PiecewisePolynomial<double>::FirstOrderHold(
      std::vector<double>{0.0, 2.0}, std::vector<MatrixXd>{a, b});
}

// The problem of tests/oracles/finite_horizon_lqr.py.
struct PendulumProblem {
  Pendulum<double> plant;
  PiecewisePolynomial<double> x0 =
      Line(Vector2d(0.5, 0.3), Vector2d(1.5, -0.3));
  PiecewisePolynomial<double> u0 = Line(VectorXd{{0.1}}, VectorXd{{0.5}});
  PiecewisePolynomial<double> xd = Line(Vector2d(1, 0), Vector2d(1, 0.5));
  PiecewisePolynomial<double> ud = Line(VectorXd{{0.2}}, VectorXd{{-0.2}});
  Options options = Exact();

  PendulumProblem() {
    options.Qf = Vector2d(5, 2).asDiagonal();
    options.N = Vector2d(0.1, -0.2);
    options.x0 = &x0;
    options.u0 = &u0;
    options.xd = &xd;
    options.ud = &ud;
  }
};

VectorXd FiguresAt(const Result& law, double t) {
  VectorXd figures(10);
  figures << law.K->value(t).transpose(), law.S->value(t).reshaped(),
      law.k0->value(t), law.sx->value(t), law.s0->value(t);
  return figures;
}

TEST(FiniteHorizonLqr, AgreesWithAnotherImplementation) {
  const PendulumProblem p;
  const Result law = Solve(p.plant, 2.0, p.options);
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/finite_horizon_lqr.txt");
  double t{};
  int lines = 0;
  while (file >> t) {
    VectorXd expected(10);
    for (double& figure : expected) file >> figure;
    // Both integrate to about 1e-9, and K and k0 are interpolated.
    EXPECT_TRUE(Near(FiguresAt(law, t), expected, 1e-7)) << t;
    ++lines;
  }
  EXPECT_EQ(lines, 4);
}

TEST(FiniteHorizonLqr, SquareRootMethodFindsTheSame) {
  PendulumProblem p;
  const Result law = Solve(p.plant, 2.0, p.options);
  p.options.use_square_root_method = true;
  const Result root = Solve(p.plant, 2.0, p.options);
  for (double t : {0.0, 0.9, 2.0}) {
    EXPECT_TRUE(Near(FiguresAt(root, t), FiguresAt(law, t), 1e-7));
  }
}

// On a linear plant the cost to go is the cost that the regulator runs up.
TEST(FiniteHorizonLqr, CostToGoIsTheCostOfTheClosedLoop) {
  const PendulumProblem p;
  const auto plant = DoubleIntegrator();
  const Result law = Solve(plant, 2.0, p.options);
  const auto rate = [&](double t, const Eigen::Vector3d& z) {
    const Vector2d x = z.head<2>();
    const VectorXd u = law.u0->value(t) - law.k0->value(t) -
                       law.K->value(t) * (x - law.x0->value(t));
    const Vector2d e = x - p.xd.value(t);
    const double w = u[0] - p.ud.value(t)(0, 0);
    return Eigen::Vector3d(
        x[1], u[0],
        e.dot(kQ * e) + 0.5 * w * w + 2 * w * e.dot(Vector2d(0.1, -0.2)));
  };
  Eigen::Vector3d z(-0.4, 0.9, 0.0);
  const Vector2d y = z.head<2>() - p.x0.value(0.0);
  const double predicted = y.dot(law.S->value(0.0) * y) +
                           2 * y.dot(law.sx->value(0.0).col(0)) +
                           law.s0->value(0.0)(0, 0);
  const double h = 1e-3;
  for (int k = 0; k < 2000; ++k) {
    const double t = k * h;
    const Eigen::Vector3d k1 = rate(t, z), k2 = rate(t + h / 2, z + h / 2 * k1),
                          k3 = rate(t + h / 2, z + h / 2 * k2),
                          k4 = rate(t + h, z + h * k3);
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const Vector2d e = z.head<2>() - p.xd.value(2.0);
  EXPECT_NEAR(predicted, z[2] + 5 * e[0] * e[0] + 2 * e[1] * e[1], 1e-7);
}

TEST(FiniteHorizonLqr, RegulatorBlockAppliesTheLaw) {
  const PendulumProblem p;
  const Result law = Solve(p.plant, 2.0, p.options);
  const auto block = MakeFiniteHorizonLinearQuadraticRegulator(
      p.plant, *ContextOf(p.plant), 0.0, 2.0, kQ, kR, p.options);
  EXPECT_EQ(block->get_input_port(0).get_name(), "plant_state");
  EXPECT_EQ(block->get_output_port(0).get_name(), "command");
  auto context = block->CreateDefaultContext();
  const Vector2d x(0.7, -0.1);
  block->get_input_port(0).FixValue(context.get(), x);
  for (double t : {0.0, 1.1, 2.0, 5.0}) {
    context->SetTime(t);
    const double s = std::min(t, 2.0);
    const VectorXd u = law.u0->value(s) - law.k0->value(s) -
                       law.K->value(s) * (x - law.x0->value(s));
    EXPECT_TRUE(Near(block->get_output_port(0).Eval(*context), u, 1e-14));
  }
}

TEST(FiniteHorizonLqr, NominalPointComesFromTheContext) {
  const Pendulum<double> plant;
  auto context = plant.CreateDefaultContext();
  context->SetContinuousState(Vector2d(0.4, 0.0));
  plant.get_input_port().FixValue(context.get(), std::sin(0.4));
  const Result law = FiniteHorizonLinearQuadraticRegulator(
      plant, *context, 0.0, 30.0, kQ, kR, Exact());
  EXPECT_TRUE(Near(law.x0->value(3.0), Vector2d(0.4, 0.0)));
  EXPECT_TRUE(Near(law.u0->value(3.0), VectorXd{{std::sin(0.4)}}));
  const auto limit = LinearQuadraticRegulator(
      Matrix2d{{0, 1}, {-std::cos(0.4), -0.2}}, Vector2d(0, 1), kQ, kR);
  EXPECT_TRUE(Near(law.K->value(0.0), limit.K, 1e-7));
}

TEST(FiniteHorizonLqr, RefusesWeightsThatDoNotFit) {
  const auto plant = DoubleIntegrator();
  const auto context = ContextOf(plant);
  const auto solve = [&](const MatrixXd& Q, const MatrixXd& R,
                         const Options& options = {}) {
    FiniteHorizonLinearQuadraticRegulator(plant, *context, 0.0, 1.0, Q, R,
                                          options);
  };
  EXPECT_THROWS_MESSAGE(solve(-kQ, kR), std::logic_error,
                        "Q has the eigenvalue -2.0");
  EXPECT_THROWS_MESSAGE(solve(MatrixXd::Zero(3, 3), kR), std::logic_error,
                        "Q is 3 x 3; it must be 2 x 2");
  EXPECT_THROWS_MESSAGE(solve(kQ, 0 * kR), std::logic_error,
                        "R must be positive definite");
  Options options;
  options.N = MatrixXd::Zero(1, 2);
  EXPECT_THROWS_MESSAGE(solve(kQ, kR, options), std::logic_error,
                        "N is 1 x 2; it must be 2 x 1");
  options = {};
  options.Qf = -kQ;
  EXPECT_THROWS_MESSAGE(solve(kQ, kR, options), std::logic_error, "Qf has");
  options = {};
  options.use_square_root_method = true;
  EXPECT_THROWS_MESSAGE(solve(kQ, kR, options), std::logic_error,
                        "for the square root method, must be positive");
}

TEST(FiniteHorizonLqr, RefusesTimesAndTrajectoriesThatDoNotFit) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  PendulumProblem p;
  EXPECT_THROWS_MESSAGE(Solve(p.plant, 0.0, {}), std::logic_error,
                        "from 0 to 0 s");
  EXPECT_THROWS_MESSAGE(Solve(p.plant, kInf, {}), std::logic_error,
                        "from 0 to inf s");
  EXPECT_THROWS_MESSAGE(Solve(p.plant, 3.0, p.options), std::logic_error,
                        "x0 is 2 x 1 over [0, 2] s; it must be 2 x 1 over all");
  p.options.xd = &p.u0;
  EXPECT_THROWS_MESSAGE(Solve(p.plant, 2.0, p.options), std::logic_error,
                        "xd is 1 x 1");
  const trajectories::FunctionHandleTrajectory<double> rough(
      [](double) { return MatrixXd(Vector2d(0, 0)); }, 2);
  p.options = {};
  p.options.x0 = &rough;
  EXPECT_THROWS_MESSAGE(Solve(p.plant, 2.0, p.options), std::logic_error,
                        "has no derivatives");
}

TEST(FiniteHorizonLqr, RefusesOtherKindsOfSystems) {
  const LinearSystem<double> discrete(MatrixXd{{1.0}}, MatrixXd{{1.0}},
                                      MatrixXd(0, 1), MatrixXd(0, 1), 0.1);
  EXPECT_THROWS_MESSAGE(Solve(discrete, 1.0, {}), std::logic_error,
                        "continuous state only");
  Options options;
  options.input_port_index = InputPortSelection::kNoInput;
  EXPECT_THROWS_MESSAGE(Solve(DoubleIntegrator(), 1.0, options),
                        std::logic_error, "no vector-valued input port");
}

}  // namespace
}  // namespace wyvern::systems::controllers
