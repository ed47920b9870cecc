#include <cmath>
#include <functional>
#include <memory>
#include <ostream>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/near.h"
#include "wyvern/simulator/integrators/bogacki_shampine3_integrator.h"
#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta2_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta5_integrator.h"
#include "wyvern/simulator/integrators/semi_explicit_euler_integrator.h"
#include "wyvern/simulator/odeint/bulirsch_stoer_integrator.h"
#include "wyvern/simulator/odeint/cash_karp5_integrator.h"
#include "wyvern/simulator/odeint/dormand_prince5_integrator.h"
#include "wyvern/simulator/odeint/fehlberg78_integrator.h"
#include "wyvern/simulator/stiff/convex_integrator.h"
#include "wyvern/simulator/stiff/implicit_euler_integrator.h"
#include "wyvern/simulator/stiff/radau_integrator.h"
#include "wyvern/simulator/stiff/rosenbrock4_integrator.h"
#include "wyvern/simulator/stiff/velocity_implicit_euler_integrator.h"

// Every integrator against closed forms: how its error falls with the step.

namespace wyvern::systems {
namespace {

using test::Ode;
using test::Oscillator;

using Make = std::function<std::unique_ptr<IntegratorBase<double>>(
    const System<double>&, double h, Context<double>*)>;

template <template <typename> class Integrator>
Make Fixed() {
  return [](const System<double>& system, double h, Context<double>* context) {
    return std::make_unique<Integrator<double>>(system, h, context);
  };
}

template <template <typename> class Integrator>
Make Controlled() {
  return [](const System<double>& system, double h, Context<double>* context) {
    auto result = std::make_unique<Integrator<double>>(system, context);
    result->set_maximum_step_size(h);
    result->set_fixed_step_mode(true);
    return result;
  };
}

template <typename T>
using Radau1 = RadauIntegrator<T, 1>;
template <typename T>
using Radau3 = RadauIntegrator<T, 2>;
template <typename T>
using Radau5 = RadauIntegrator<T, 3>;

struct Case {
  const char* name;
  Make make;
  int order;
  double coarse_step{1.0 / 32};
};

// With Jacobians that are good enough for errors of 1e-12 to show.
Make ControlledRosenbrock() {
  return [](const System<double>& system, double h, Context<double>* context) {
    auto result =
        std::make_unique<Rosenbrock4Integrator<double>>(system, context);
    result->set_maximum_step_size(h);
    result->set_fixed_step_mode(true);
    result->set_jacobian_computation_scheme(
        ImplicitIntegrator<
            double>::JacobianComputationScheme::kCentralDifference);
    return result;
  };
}

// Text of a case for GoogleTest, which otherwise prints bytes with padding.
void PrintTo(const Case& c, std::ostream* stream) { *stream << c.name; }

class IntegratorOrder : public ::testing::TestWithParam<Case> {
 protected:
  // The error at time 1 of xdot = -2 t x^2, x(0) = 1: a
  // nonlinear, time-dependent problem, solved by x = 1 / (1 + t^2).
  double ErrorOf(double h) const {
    const Ode<double> system(
        Eigen::VectorXd::Ones(1),
        [](double t, const Eigen::VectorXd& x) -> Eigen::VectorXd {
          return Eigen::VectorXd::Constant(1, -2 * t * x[0] * x[0]);
        });
    auto context = system.CreateDefaultContext();
    auto integrator = GetParam().make(system, h, context.get());
    integrator->Initialize();
    integrator->IntegrateWithMultipleStepsToTime(1.0);
    EXPECT_EQ(context->get_time(), 1.0);
    EXPECT_EQ(integrator->get_num_steps_taken(), std::lround(1 / h));
    return std::abs(context->get_continuous_state_vector()[0] - 0.5);
  }
};

TEST_P(IntegratorOrder, HalvingTheStepDividesTheErrorByTwoToTheOrder) {
  const double h = GetParam().coarse_step;
  const double coarse = ErrorOf(h);
  const double fine = ErrorOf(h / 2);
  // Next order terms shift the figure by O(h).
  EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.2 + 4 * h);
}

TEST_P(IntegratorOrder, SolvesTheOscillatorToItsOrder) {
  const Oscillator<double> system;
  auto context = system.CreateDefaultContext();
  const double h = 0.1;
  auto integrator = GetParam().make(system, h, context.get());
  integrator->Initialize();
  integrator->IntegrateWithMultipleStepsToTime(2.0);
  const double error =
      std::abs(context->get_continuous_state_vector()[0] - std::cos(2.0));
  // The global error is below t h^p with constants below one here.
  EXPECT_LT(error, 2.0 * std::pow(h, GetParam().order));
}

TEST_P(IntegratorOrder, EstimateFallsWithItsOrder) {
  const Oscillator<double> system;
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    auto context = system.CreateDefaultContext();
    const double h = GetParam().coarse_step / (i + 1);
    auto integrator = GetParam().make(system, h, context.get());
    integrator->Initialize();
    if (!integrator->supports_error_estimation()) {
      EXPECT_EQ(integrator->get_error_estimate(), nullptr);
      return;
    }
    ASSERT_TRUE(integrator->IntegrateWithSingleFixedStepToTime(h));
    errors[i] = integrator->get_error_estimate()->CopyToVector().norm();
  }
  auto context = system.CreateDefaultContext();
  const int order =
      GetParam().make(system, 1, context.get())->get_error_estimate_order();
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.2);
}

INSTANTIATE_TEST_SUITE_P(
    All, IntegratorOrder,
    ::testing::Values(
        Case{"ExplicitEuler", Fixed<ExplicitEulerIntegrator>(), 1},
        Case{"SemiExplicitEuler", Fixed<SemiExplicitEulerIntegrator>(), 1},
        Case{"RungeKutta2", Fixed<RungeKutta2Integrator>(), 2},
        Case{"RungeKutta3", Controlled<RungeKutta3Integrator>(), 3},
        Case{"BogackiShampine3", Controlled<BogackiShampine3Integrator>(), 3},
        Case{"RungeKutta5", Controlled<RungeKutta5Integrator>(), 5},
        Case{"DormandPrince5", Controlled<DormandPrince5Integrator>(), 5},
        Case{"CashKarp5", Controlled<CashKarp5Integrator>(), 5},
        Case{"Fehlberg78", Controlled<Fehlberg78Integrator>(), 8, 1.0 / 8},
        Case{"BulirschStoer", Controlled<BulirschStoerIntegrator>(), 8,
             1.0 / 4},
        Case{"ImplicitEuler", Controlled<ImplicitEulerIntegrator>(), 1},
        Case{"Convex", Controlled<ConvexIntegrator>(), 2},
        Case{"VelocityImplicitEuler",
             Controlled<VelocityImplicitEulerIntegrator>(), 1},
        Case{"Radau1", Controlled<Radau1>(), 1},
        Case{"Radau3", Controlled<Radau3>(), 3},
        Case{"Radau5", Controlled<Radau5>(), 5, 1.0 / 8},
        Case{"Rosenbrock4", ControlledRosenbrock(), 4}),
    [](const auto& suite) { return std::string(suite.param.name); });

template <typename Integrator>
class ErrorControl : public ::testing::Test {};
using Controlled3 = ::testing::Types<
    RungeKutta3Integrator<double>, BogackiShampine3Integrator<double>,
    RungeKutta5Integrator<double>, DormandPrince5Integrator<double>,
    CashKarp5Integrator<double>, Fehlberg78Integrator<double>,
    BulirschStoerIntegrator<double>>;
TYPED_TEST_SUITE(ErrorControl, Controlled3);

TYPED_TEST(ErrorControl, TighterAccuracyGivesSmallerErrorForMoreWork) {
  const Oscillator<double> system;
  double last_error = 1;
  int64_t last_work = 0;
  for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
    auto context = system.CreateDefaultContext();
    TypeParam integrator(system, context.get());
    integrator.set_maximum_step_size(10);
    integrator.set_target_accuracy(accuracy);
    integrator.Initialize();
    integrator.IntegrateWithMultipleStepsToTime(10);
    const double error =
        std::abs(context->get_continuous_state_vector()[0] - std::cos(10));
    // A local error per step of the accuracy, over some hundred steps at most.
    EXPECT_LT(error, 100 * accuracy);
    EXPECT_LT(error, last_error);
    EXPECT_GT(integrator.get_num_derivative_evaluations(), last_work);
    last_error = error;
    last_work = integrator.get_num_derivative_evaluations();
  }
}

TYPED_TEST(ErrorControl, SharesTheFirstDerivativeIfTheLastStageIsTheResult) {
  const Oscillator<double> system;
  auto context = system.CreateDefaultContext();
  TypeParam integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.set_fixed_step_mode(true);
  integrator.Initialize();
  integrator.IntegrateWithMultipleStepsToTime(1);
  const int64_t evaluations = integrator.get_num_derivative_evaluations();
  const int order = integrator.get_error_estimate_order();
  // By the order of the estimate.
  const int stages = order == 8 ? 13 : order == 7 ? 20 : order == 5 ? 6 : 3;
  EXPECT_GE(evaluations, 10 * stages);
  // Without, there is one more a step: Bulirsch and Stoer's.
  EXPECT_LE(evaluations, 10 * stages + (order == 7 ? 10 : 1));
}

TEST(DormandPrince5, AgreesWithOursToRounding) {
  const Oscillator<double> system;
  Eigen::Vector2d x[2];
  for (int i = 0; i < 2; ++i) {
    auto context = system.CreateDefaultContext();
    std::unique_ptr<IntegratorBase<double>> integrator;
    if (i == 0) {
      integrator = std::make_unique<RungeKutta5Integrator<double>>(
          system, context.get());
    } else {
      integrator = std::make_unique<DormandPrince5Integrator<double>>(
          system, context.get());
    }
    integrator->set_maximum_step_size(1);
    integrator->set_target_accuracy(1e-6);
    integrator->Initialize();
    integrator->IntegrateWithMultipleStepsToTime(10);
    x[i] = context->get_continuous_state_vector().CopyToVector();
  }
  EXPECT_TRUE(wyvern::test::Near(x[0], x[1], 1e-12));
}

TEST(SemiExplicitEuler, KeepsTheEnergyOfAnOscillatorWithinABound) {
  const Oscillator<double> system;
  auto context = system.CreateDefaultContext();
  const double h = 0.01;
  SemiExplicitEulerIntegrator<double> integrator(system, h, context.get());
  integrator.Initialize();
  double worst = 0;
  for (int i = 1; i <= 1000; ++i) {
    integrator.IntegrateWithMultipleStepsToTime(i);
    const Eigen::VectorXd x =
        context->get_continuous_state_vector().CopyToVector();
    worst = std::max(worst, std::abs(x.squaredNorm() - 1));
  }
  // It conserves q^2 + v^2 - h q v exactly.
  EXPECT_LT(worst, 1.1 * h);
}

}  // namespace
}  // namespace wyvern::systems
