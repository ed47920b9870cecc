#include "wyvern/systems/controllers/linear_model_predictive_controller.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/controllers/linear_quadratic_regulator.h"
#include "wyvern/systems/primitives/linear/discrete_time_approximation.h"

namespace wyvern::systems::controllers {
namespace linear_model_predictive_controller_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using ::wyvern::test::AllocationGuard;
using ::wyvern::test::Near;
using Controller = LinearModelPredictiveController<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Three states, one of them unstable, and two inputs.
LinearMpcSettings Settings() {
  return {.A = MatrixXd{{1.1, 0.3, 0}, {-0.1, 0.9, 0.2}, {0, 0.1, 0.7}},
          .B = MatrixXd{{0.1, 0}, {0.5, 0.1}, {0, 1}},
          .Q = MatrixXd{{2, 0.1, 0}, {0.1, 1, 0}, {0, 0, 0.5}},
          .R = MatrixXd{{0.3, 0.05}, {0.05, 0.2}},
          .P = {},
          .horizon = 8,
          .lower = {},
          .upper = {},
          .x0 = {},
          .u0 = {}};
}

std::unique_ptr<Context<double>> ContextAt(const Controller& controller,
                                           const VectorXd& x) {
  auto context = controller.CreateDefaultContext();
  controller.get_state_port().FixValue(context.get(), x);
  return context;
}

VectorXd ControlAt(const Controller& controller, const VectorXd& x) {
  return controller.get_control_port().Eval(*ContextAt(controller, x));
}

// The principle of optimality, for any horizon.
TEST(LinearMpc, IsTheRegulatorWithoutLimits) {
  LinearMpcSettings s = Settings();
  s.x0 = Vector3d(0.1, 0.2, 0.3);
  s.u0 = Vector2d(-1, 2);
  const MatrixXd K = DiscreteTimeLinearQuadraticRegulator(s.A, s.B, s.Q, s.R).K;
  const Vector3d x(3, -2, 5);
  for (const int horizon : {1, 2, 8, 30}) {
    s.horizon = horizon;
    EXPECT_TRUE(Near(ControlAt(Controller(s), x), s.u0 - K * (x - s.x0), 1e-9))
        << horizon;
  }
}

// Cost of the plan, written another way: by the recursion of the states.
double CostOf(const LinearMpcSettings& s, const VectorXd& x,
              const MatrixXd& plan) {
  VectorXd dx = x - s.x0;
  double cost = 0;
  for (int k = 0; k < plan.cols(); ++k) {
    const VectorXd du = plan.col(k) - s.u0;
    cost += dx.dot(s.Q * dx) + du.dot(s.R * du);
    dx = s.A * dx + s.B * du;
  }
  return cost + dx.dot(s.P * dx);
}

// Conditions of Karush, Kuhn and Tucker, with the gradient by differences of
// the cost, which are exact of a quadratic function.
TEST(LinearMpc, PlanFulfilsTheConditionsOfOptimality) {
  LinearMpcSettings s = Settings();
  s.lower = Vector2d(-0.4, -kInfinity);
  s.upper = Vector2d(0.5, 0.3);
  s.u0 = Vector2d(0.1, -0.2);
  const Controller controller(s);
  s = controller.settings();
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  int num_active = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3d x(uniform(generator), uniform(generator),
                     uniform(generator));
    const MatrixXd plan = controller.CalcPlan(*ContextAt(controller, x));
    for (int i = 0; i < plan.size(); ++i) {
      MatrixXd more = plan, less = plan;
      constexpr double kStep = 0.125;
      more(i) += kStep;
      less(i) -= kStep;
      const double gradient =
          (CostOf(s, x, more) - CostOf(s, x, less)) / (2 * kStep);
      const double lower = s.lower[i % 2], upper = s.upper[i % 2];
      ASSERT_GE(plan(i), lower);
      ASSERT_LE(plan(i), upper);
      num_active += plan(i) == lower || plan(i) == upper;
      // The way that leaves the box may go down.
      if (plan(i) < upper) {
        EXPECT_GE(gradient, -1e-9);
      }
      if (plan(i) > lower) {
        EXPECT_LE(gradient, 1e-9);
      }
    }
  }
  EXPECT_GT(num_active, 100);
}

TEST(BoxQuadraticProgram, FindsTheMinimizerOfProjectedGradients) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  constexpr int kSize = 12;
  for (int trial = 0; trial < 50; ++trial) {
    MatrixXd root(kSize, kSize);
    VectorXd g(kSize);
    for (double& one : root.reshaped()) one = normal(generator);
    for (double& one : g) one = 3 * normal(generator);
    const MatrixXd H = root * root.transpose() + MatrixXd::Identity(12, 12);
    VectorXd lower = -VectorXd::Ones(kSize), upper = VectorXd::Ones(kSize);
    upper[3] = lower[3];
    const internal::BoxQuadraticProgram program("Test", H, lower, upper);
    auto work = program.Allocate();
    // Any start leads to the minimizer.
    for (double& one : work.x) one = 2 * normal(generator);
    program.Solve(g, &work);
    VectorXd x = VectorXd::Zero(kSize);
    const double step = 1 / H.norm();
    for (int k = 0; k < 20000; ++k) {
      x = (x - step * (H * x + g)).cwiseMax(lower).cwiseMin(upper);
    }
    EXPECT_TRUE(Near(work.x, x, 1e-9));
    EXPECT_LE(work.num_steps, 3 * kSize);
  }
}

// Whatever their gradient, variables with equal limits are never freed.
TEST(BoxQuadraticProgram, SpendsNoStepOnVariablesWithEqualLimits) {
  const VectorXd fixed = Vector3d(1, -2, 0.5);
  const internal::BoxQuadraticProgram program("Test", MatrixXd::Identity(3, 3),
                                              fixed, fixed);
  for (const double slope : {-100.0, 100.0}) {
    auto work = program.Allocate();
    program.Solve(VectorXd::Constant(3, slope), &work);
    EXPECT_EQ(work.x, fixed);
    EXPECT_EQ(work.num_steps, 1);
  }
}

TEST(BoxQuadraticProgram, RefusesAnIndefiniteCostAndBadLimits) {
  const VectorXd one = VectorXd::Ones(1);
  using Program = internal::BoxQuadraticProgram;
  EXPECT_THROWS_MESSAGE(Program("Test", MatrixXd::Zero(1, 1), -one, one),
                        std::logic_error,
                        "the matrix of the cost is not positive definite");
  EXPECT_THROWS_MESSAGE(Program("Test", MatrixXd::Ones(1, 1), one, -one),
                        std::logic_error, "the limits of input 0 are 1 and -1");
  EXPECT_THROWS_MESSAGE(
      Program("Test", MatrixXd::Ones(1, 1), kInfinity * one, kInfinity * one),
      std::logic_error, "the limits of input 0 are inf");
}

// In the state's space between changes of active limits the control is affine.
TEST(LinearMpc, HasTheDerivativesOfItsControl) {
  LinearMpcSettings s = Settings();
  s.lower = Vector2d(-0.4, -0.5);
  s.upper = Vector2d(0.4, 0.5);
  const Controller controller(s);
  const auto converted = System<double>::ToAutoDiffXd(controller);
  const auto context = converted->CreateDefaultContext();
  for (const Vector3d& x : {Vector3d(0.1, 0.2, -0.1), Vector3d(0.6, 0.1, -0.3),
                            Vector3d(3, 1, 2)}) {
    VectorX<AutoDiffXd> variables(3);
    for (int i = 0; i < 3; ++i) variables[i] = AutoDiffXd(x[i], 3, i);
    converted->get_state_port().FixValue(context.get(), variables);
    const auto& u = converted->get_control_port().Eval(*context);
    EXPECT_TRUE(Near(ToDouble(u), ControlAt(controller, x), 1e-14));
    for (int i = 0; i < 3; ++i) {
      constexpr double kStep = 1e-5;
      const VectorXd slope =
          (ControlAt(controller, x + kStep * Vector3d::Unit(i)) -
           ControlAt(controller, x - kStep * Vector3d::Unit(i))) /
          (2 * kStep);
      for (int j = 0; j < 2; ++j) {
        const double derivative =
            u[j].derivatives().size() > 0 ? u[j].derivatives()[i] : 0;
        EXPECT_NEAR(derivative, slope[j], 1e-9);
      }
    }
  }
}

// dx = x - x0 moves by the sampled model; the end of the plan has the weight Q.
TEST(LinearMpc, LinearizesASystemAndSamplesIt) {
  const MatrixXd A{{0, 1}, {-1, -0.2}};
  const Vector2d B(0, 2), x0(0.5, 0);
  const MatrixXd Q = MatrixXd::Identity(2, 2), R = MatrixXd::Ones(1, 1);
  auto model = std::make_unique<LinearSystem<double>>(A, B);
  auto context = model->CreateDefaultContext();
  context->SetContinuousState(x0);
  model->get_input_port().FixValue(context.get(), VectorXd::Constant(1, 0.25));
  const auto sampled = DiscreteTimeApproximation(*model, 0.1);
  const Controller controller(std::move(model), std::move(context), Q, R, 0.1,
                              0.5);
  const LinearMpcSettings& s = controller.settings();
  EXPECT_TRUE(Near(s.A, sampled->A(), 1e-14));
  EXPECT_TRUE(Near(s.B, sampled->B(), 1e-14));
  EXPECT_EQ(s.P, Q);
  EXPECT_EQ(s.horizon, 5);
  EXPECT_EQ(s.x0, x0);
  EXPECT_EQ(s.u0[0], 0.25);
  EXPECT_NEAR(ControlAt(controller, x0)[0], 0.25, 1e-14);
}

TEST(LinearMpc, RefusesBadModels) {
  const auto refused = [](double period, double horizon, const char* message) {
    auto model = std::make_unique<LinearSystem<double>>(
        MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 1), MatrixXd(), MatrixXd(),
        0.1);
    auto context = model->CreateDefaultContext();
    model->get_input_port().FixValue(context.get(), VectorXd::Zero(1));
    const MatrixXd one = MatrixXd::Ones(1, 1);
    EXPECT_THROWS_MESSAGE(Controller(std::move(model), std::move(context), one,
                                     one, period, horizon),
                          std::logic_error, message);
  };
  refused(0.2, 1, "time_period is 0.2 s, but the model is updated every 0.1 s");
  refused(0, 1, "time_period is 0");
  refused(0.1, NAN, "time_horizon is nan");
  refused(0.1, 1e9, "time_horizon / time_period is");
  EXPECT_THROWS_MESSAGE(
      Controller(nullptr, nullptr, MatrixXd(), MatrixXd(), 1, 1),
      std::logic_error, "model is null");
}

TEST(LinearMpc, RefusesBadSettings) {
  const auto refused = [](auto change, const char* message) {
    LinearMpcSettings s = Settings();
    change(&s);
    EXPECT_THROWS_MESSAGE(Controller{s}, std::logic_error, message);
  };
  refused([](auto* s) { s->A(0, 0) = NAN; }, "A(0, 0) is nan");
  refused([](auto* s) { s->B = MatrixXd::Ones(2, 2); },
          "B is 2 x 2; it must be 3 x 2");
  refused([](auto* s) { s->Q(0, 0) = -1; }, "Q is not positive semidefinite");
  refused([](auto* s) { s->Q(0, 1) = 5; }, "Q is not symmetric");
  refused([](auto* s) { s->R.setZero(); }, "R is not positive definite");
  refused([](auto* s) { s->P = MatrixXd::Ones(2, 2); },
          "P is 2 x 2; it must be 3 x 3");
  refused([](auto* s) { s->horizon = 0; },
          "horizon is 0; it must be from 1 to 1000");
  refused([](auto* s) { s->lower = VectorXd::Ones(1); },
          "lower has size 1; it must have size 2");
  refused([](auto* s) { s->lower = Vector2d(0, NAN); }, "lower[1] is nan");
  refused([](auto* s) { s->lower = Vector2d(0, 1), s->upper = Vector2d(1, 0); },
          "the limits of input 1 are 1 and 0");
  refused([](auto* s) { s->x0 = Vector3d(0, INFINITY, 0); }, "x0[1] is inf");
  refused([](auto* s) { s->u0 = Vector3d::Zero(); },
          "u0 has size 3; it must have size 2");
  refused([](auto* s) { s->B.resize(3, 0), s->R.resize(0, 0); },
          "the number of inputs is 0");
  LinearMpcSettings unreachable = Settings();
  unreachable.A.setIdentity();
  unreachable.A *= 2;
  unreachable.B.col(1) = unreachable.B.col(0);
  EXPECT_THROW(Controller{unreachable}, std::runtime_error);
}

TEST(LinearMpc, AllocatesNothingAfterTheFirstControl) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  LinearMpcSettings s = Settings();
  s.lower = Vector2d(-0.4, -0.5);
  s.upper = Vector2d(0.4, 0.5);
  const Controller controller(s);
  const auto context = controller.CreateDefaultContext();
  auto& x = controller.get_state_port().FixValue(context.get(),
                                                 VectorXd(VectorXd::Zero(3)));
  const auto evaluate = [&](double scale) {
    for (int i = 0; i < 3; ++i) {
      x.GetMutableVectorData<double>()->SetAtIndex(
          i, scale * Vector3d(1, -2, 3)[i]);
    }
    controller.get_control_port().Eval(*context);
  };
  evaluate(1);
  const AllocationGuard guard;
  for (const double scale : {0.1, 1.0, -3.0, 0.0}) evaluate(scale);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace linear_model_predictive_controller_test
}  // namespace wyvern::systems::controllers
