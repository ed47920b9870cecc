#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/simulator.h"

// No integrator accepts a step whose error it knows to be too large.

namespace wyvern::systems {
namespace error_control_test {

using test::Ode;

// x' = x^2 from x = 1: x = 1 / (1 - t), which has no value at t = 1.
Ode<double> MakePole() {
  return Ode<double>(Eigen::VectorXd::Ones(1),
                     [](double, const Eigen::VectorXd& x) -> Eigen::VectorXd {
                       return x.cwiseAbs2();
                     });
}

std::vector<std::string> SchemesWithErrorControl() {
  const Ode<double> system = MakePole();
  std::vector<std::string> result;
  for (const std::string& scheme : GetIntegrationSchemes()) {
    Simulator<double> simulator(system);
    if (ResetIntegratorFromFlags(&simulator, scheme, 0.1)
            .supports_error_estimation()) {
      result.push_back(scheme);
    }
  }
  return result;
}

class ErrorControl : public ::testing::TestWithParam<std::string> {
 protected:
  // Advances to t = 2, noting the largest error estimate of all steps.
  void Advance(double minimum_step, bool throws = true) {
    SimulatorConfig config;
    config.integration_scheme = GetParam();
    ApplySimulatorConfig(config, &simulator_);
    auto& integrator = simulator_.get_mutable_integrator();
    integrator.set_requested_minimum_step_size(minimum_step);
    integrator.set_throw_on_minimum_step_size_violation(throws);
    simulator_.Initialize();
    simulator_.set_monitor([this](const Context<double>&) {
      const double e =
          simulator_.get_integrator().get_error_estimate()->get_vector()[0];
      if (!(std::abs(e) <= largest_error_)) largest_error_ = std::abs(e);
      return EventStatus::DidNothing();
    });
    simulator_.AdvanceTo(2);
  }

  const Ode<double> system_{MakePole()};
  Simulator<double> simulator_{system_};
  double largest_error_{0};
};

TEST_P(ErrorControl, StopsBeforeAPole) {
  // With small steps to spare, and with none but the smallest of all.
  for (const double minimum : {1e-9, 1e-7}) {
    simulator_.reset_context(system_.CreateDefaultContext());
    EXPECT_THROWS_MESSAGE(Advance(minimum), std::runtime_error,
                          "as small as allowed (minimum 1e-0");
    const Context<double>& context = simulator_.get_context();
    // The pole of the numerical solution: implicit Euler's accumulates 0.7 %.
    EXPECT_NEAR(context.get_time(), 1, 0.01);
    EXPECT_GT(context.get_continuous_state_vector()[0], 100);
    EXPECT_LE(largest_error_,
              simulator_.get_integrator().get_accuracy_in_use());
    // It goes no farther when called again.
    const double t = context.get_time();
    EXPECT_THROWS_MESSAGE(simulator_.AdvanceTo(2), std::runtime_error,
                          "Integrator: the");
    EXPECT_EQ(context.get_time(), t);
  }
}

TEST_P(ErrorControl, NamesAnErrorThatIsTooLarge) {
  EXPECT_THROWS_MESSAGE(Advance(1e-7), std::runtime_error,
                        "exceeds the accuracy");
}

TEST_P(ErrorControl, HoldsInAStepThatItsTargetMakesTiny) {
  // The way to the boundary is below the minimum step, and the error is large.
  const Ode<double> steep(
      Eigen::VectorXd::Ones(1),
      [](double, const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return 1e8 * x.cwiseAbs2();
      });
  Simulator<double> simulator(steep);
  SimulatorConfig config;
  config.integration_scheme = GetParam();
  ApplySimulatorConfig(config, &simulator);
  simulator.get_mutable_integrator().set_requested_minimum_step_size(1e-3);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(0.9e-8), std::runtime_error,
                        "as small as allowed");
  EXPECT_EQ(simulator.get_context().get_time(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, ErrorControl,
                         ::testing::ValuesIn(SchemesWithErrorControl()),
                         [](const auto& suite) { return suite.param; });

TEST(ErrorControlByDefault, StopsBeforeAPoleAndReportsIt) {
  const Ode<double> system = MakePole();
  Simulator<double> simulator(system);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(2), std::runtime_error,
                        "a solution that ends here");
  // An accuracy of 1e-4 per step moves the pole by some 1e-5.
  EXPECT_NEAR(simulator.get_context().get_time(), 1, 1e-4);
}

/** Makes any step, and reports the error it is told to. */
class Reporter final : public IntegratorBase<double> {
 public:
  Reporter(const System<double>& system, Context<double>* context)
      : IntegratorBase<double>(system, context) {}
  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 1; }
  double error{0};

 private:
  bool DoStep(const double&) final {
    get_mutable_context()->SetTime(step_end_time());
    get_mutable_error_estimate()->get_mutable_vector()[0] = error;
    return true;
  }
};

TEST(ErrorControlOfAnEstimate, RefusesNanAndInfinityInAnyMode) {
  const Ode<double> system = MakePole();
  for (const double error :
       {std::nan(""), -std::nan(""), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    for (const bool throws : {true, false}) {
      auto context = system.CreateDefaultContext();
      Reporter integrator(system, context.get());
      integrator.set_maximum_step_size(0.1);
      integrator.set_throw_on_minimum_step_size_violation(throws);
      integrator.Initialize();
      integrator.error = error;
      EXPECT_THROWS_MESSAGE(
          integrator.IntegrateWithMultipleStepsToTime(1), std::runtime_error,
          std::isnan(error) ? "its error nan" : "its error inf");
      EXPECT_EQ(context->get_time(), 0);
    }
  }
}

TEST(ErrorControlOfAnEstimate, StartsWithZero) {
  const Ode<double> system = MakePole();
  auto context = system.CreateDefaultContext();
  RungeKutta3Integrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.Initialize();
  EXPECT_EQ(integrator.get_error_estimate()->get_vector()[0], 0);
}

TEST(ErrorControlOfAnEstimate, IgnoresWhatHasNoWeight) {
  const Ode<double> system = MakePole();
  auto context = system.CreateDefaultContext();
  Reporter integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.Initialize();
  integrator.get_mutable_misc_state_weight_vector()[0] = 0;
  integrator.error = std::numeric_limits<double>::infinity();
  integrator.IntegrateWithMultipleStepsToTime(1);
  EXPECT_EQ(context->get_time(), 1);
}

TEST(IntegratorAtWork, CannotBeTouchedByTheSystemThatItSteps) {
  IntegratorBase<double>* integrator = nullptr;
  std::function<void()> touch;
  const Ode<double> system(
      Eigen::VectorXd::Ones(1),
      [&](double t, const Eigen::VectorXd& x) -> Eigen::VectorXd {
        if (t > 0 && touch) touch();
        return -x;
      });
  auto context = system.CreateDefaultContext();
  RungeKutta3Integrator<double> rk3(system, context.get());
  integrator = &rk3;
  rk3.set_maximum_step_size(0.1);
  const std::vector<std::function<void()>> calls{
      [&] { integrator->Initialize(); }, [&] { integrator->Reset(); },
      [&] { integrator->reset_context(nullptr); },
      [&] { integrator->IntegrateWithMultipleStepsToTime(3); }};
  for (const auto& call : calls) {
    rk3.Initialize();
    touch = call;
    EXPECT_THROWS_MESSAGE(rk3.IntegrateWithMultipleStepsToTime(1),
                          std::logic_error, "is evaluated for a step");
    touch = nullptr;
    EXPECT_EQ(context->get_time(), 0);
  }
  rk3.IntegrateWithMultipleStepsToTime(1);
  EXPECT_NEAR(context->get_continuous_state_vector()[0], std::exp(-1), 1e-3);
}

}  // namespace error_control_test
}  // namespace wyvern::systems
