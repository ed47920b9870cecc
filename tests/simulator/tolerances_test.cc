#include <cmath>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/simulator_serialization.h"
#include "wyvern/simulator/stiff/radau_integrator.h"
#include "wyvern/systems/framework/diagram_builder.h"

// Accuracy of small states, and tolerances of elements.

namespace wyvern::systems {
namespace tolerances_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Ode;

// x = amplitude cos(w t) in units of which the accuracy knows nothing.
Ode<double> MakeSwing(double amplitude, double w) {
  return Ode<double>(Vector2d(amplitude, 0),
                     [w](double, const VectorXd& x) -> VectorXd {
                       return Vector2d(x[1], -w * w * x[0]);
                     });
}

std::vector<std::string> Schemes() {
  const Ode<double> system = MakeSwing(1, 1);
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

class SmallStates : public ::testing::TestWithParam<std::string> {
 protected:
  // The relative error of x after one period.
  double CalcError(double amplitude) {
    const Ode<double> system = MakeSwing(amplitude, 2 * M_PI);
    Simulator<double> simulator(system);
    SimulatorConfig config;
    config.integration_scheme = GetParam();
    config.accuracy = 1e-5;
    ApplySimulatorConfig(config, &simulator);
    simulator.AdvanceTo(1);
    const double x = simulator.get_context().get_continuous_state_vector()[0];
    return std::abs(x / amplitude - 1);
  }
};

TEST_P(SmallStates, HaveAsManyDigitsInAnySmallUnit) {
  // First order methods take steps of error 1e-6, some thousands of them.
  const double error = CalcError(1e-7);
  EXPECT_LT(error, 1e-2);
  EXPECT_NEAR(CalcError(1e-5), error, 0.1 * error + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(All, SmallStates, ::testing::ValuesIn(Schemes()),
                         [](const auto& suite) { return suite.param; });

TEST(SmallStatesByDefault, GrowFromZeroWithFewSteps) {
  // Cascaded integration of 1e-3: x0 = 1e-3 t^3 / 6, from nothing.
  const Ode<double> system(Vector3d::Zero(),
                           [](double, const VectorXd& x) -> VectorXd {
                             return Vector3d(x[1], x[2], 1e-3);
                           });
  Simulator<double> simulator(system);
  simulator.AdvanceTo(1);
  EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0],
              1e-3 / 6, 1e-12);
  EXPECT_LT(simulator.get_num_steps_taken(), 120);
}

// Saves at times within steps, and compares with a run without a pause.
TEST(SmallStatesByDefault, GoOnWithTheSameBitsAfterASave) {
  const Ode<double> system = MakeSwing(1e-9, 2 * M_PI * 1000);
  for (const std::string& scheme : Schemes()) {
    SimulatorConfig config;
    config.integration_scheme = scheme;
    config.accuracy = 1e-2;
    Simulator<double> whole(system);
    Simulator<double> first(system);
    Simulator<double> second(system);
    for (auto* simulator : {&whole, &first, &second}) {
      ApplySimulatorConfig(config, simulator);
    }
    whole.AdvanceTo(3e-3);
    first.AdvanceTo(1.3e-3);
    // The scale survives, although the state itself is smaller by now.
    std::stringstream stream;
    SaveSimulation(first, &stream);
    second.get_mutable_context().SetContinuousState(Vector2d::Zero());
    LoadSimulation(&stream, &second);
    second.AdvanceTo(3e-3);
    EXPECT_EQ(second.get_context().get_continuous_state_vector().CopyToVector(),
              whole.get_context().get_continuous_state_vector().CopyToVector())
        << scheme;
  }
}

// x' = -x from 1 to 1e-7, where the largest magnitude is no measure any more.
double CalcDecay(double relative, std::optional<double> absolute) {
  const Ode<double> system(
      VectorXd::Ones(1),
      [](double, const VectorXd& x) -> VectorXd { return -x; });
  Simulator<double> simulator(system);
  auto& integrator = simulator.get_mutable_integrator();
  integrator.set_relative_tolerance(relative);
  if (absolute) integrator.set_absolute_tolerance(*absolute);
  integrator.set_maximum_step_size(4);
  simulator.AdvanceTo(16);
  return simulator.get_context().get_continuous_state_vector()[0] /
             std::exp(-16) -
         1;
}

TEST(Tolerances, OfRelativeErrorHoldWhereAStateDecays) {
  EXPECT_LT(std::abs(CalcDecay(1e-6, 1e-20)), 2e-4);
  // An absolute tolerance of a thousandth of 1, times r.
  EXPECT_GT(std::abs(CalcDecay(1e-6, std::nullopt)), 1e-4);
  EXPECT_GT(std::abs(CalcDecay(1e-6, 1e-4)), 1e-2);
}

TEST(Tolerances, ActAtOnce) {
  const Ode<double> system = MakeSwing(1, 1);
  auto context = system.CreateDefaultContext();
  RungeKutta3Integrator<double> rk3(system, context.get());
  rk3.set_maximum_step_size(10);
  rk3.request_initial_step_size_target(1);
  rk3.Initialize();
  EXPECT_TRUE(rk3.get_relative_tolerances().array().isNaN().all());
  rk3.set_absolute_tolerance(1e30);
  rk3.IntegrateNoFurtherThanTime(9, 9, 1);
  EXPECT_EQ(context->get_time(), 1);
  rk3.set_absolute_tolerance(Vector2d(1e30, 1e-9));
  rk3.IntegrateNoFurtherThanTime(9, 9, 9);
  EXPECT_LT(context->get_time(), 1.1);
  EXPECT_EQ(rk3.get_absolute_tolerances(), Vector2d(1e30, 1e-9));
  rk3.ClearTolerances();
  EXPECT_TRUE(rk3.get_absolute_tolerances().array().isNaN().all());
}

TEST(Tolerances, AreRefusedAtOnceWithWordsIfTheyAreWrong) {
  const Ode<double> system = MakeSwing(1, 1);
  const Ode<double> stranger = MakeSwing(1, 1);
  auto context = system.CreateDefaultContext();
  ExplicitEulerIntegrator<double> euler(system, 0.1, context.get());
  EXPECT_THROWS_MESSAGE(euler.set_relative_tolerance(1e-3), std::logic_error,
                        "does not estimate errors");
  RungeKutta3Integrator<double> rk3(system, context.get());
  rk3.set_maximum_step_size(0.1);
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROWS_MESSAGE(
        rk3.set_relative_tolerance(bad), std::logic_error,
        "IntegratorBase::set_relative_tolerance(): tolerance");
    EXPECT_THROWS_MESSAGE(rk3.set_absolute_tolerance(Vector2d(1, bad)),
                          std::logic_error, "tolerance[1]");
  }
  EXPECT_THROWS_MESSAGE(rk3.set_absolute_tolerance(Vector3d::Ones()),
                        std::logic_error, "tolerances");
  rk3.Initialize();
  EXPECT_THROWS_MESSAGE(rk3.set_relative_tolerance(0), std::logic_error,
                        "allow no error");
  EXPECT_THROWS_MESSAGE(rk3.set_relative_tolerance(stranger, 1),
                        std::logic_error, "");
  EXPECT_THROWS_MESSAGE(rk3.set_relative_tolerance(system, Vector3d::Ones()),
                        std::logic_error, "give one number, or one for each");
  // A refused setting leaves nothing.
  rk3.Initialize();
  EXPECT_TRUE(rk3.get_tolerance_settings().empty());
}

TEST(Tolerances, MustBeTheSameWhereASaveIsLoaded) {
  const Ode<double> system = MakeSwing(1, 1);
  Simulator<double> saved(system);
  saved.get_mutable_integrator().set_relative_tolerance(1e-7);
  saved.AdvanceTo(1);
  std::stringstream stream;
  SaveSimulation(saved, &stream);
  Simulator<double> loaded(system);
  EXPECT_THROWS_MESSAGE(LoadSimulation(&stream, &loaded), std::runtime_error,
                        "relative tolerances [1e-07, 1e-07]");
}

TEST(Tolerances, OfSystemsAreSetByTheirNamesInAConfig) {
  using List = std::vector<StateTolerance>;
  using Values = std::vector<double>;
  DiagramBuilder<double> builder;
  DiagramBuilder<double> inner;
  const auto swing = [](const char* name) {
    auto result = std::make_unique<Ode<double>>(
        Vector2d(1, 0), [](double, const VectorXd& x) -> VectorXd {
          return Vector2d(x[1], -x[0]);
        });
    result->set_name(name);
    return result;
  };
  builder.AddSystem(swing("a"));
  inner.AddSystem(swing("b"));
  inner.AddSystem(swing("c"));
  builder.AddNamedSystem("inner", inner.Build());
  const auto diagram = builder.Build();
  diagram->set_name("root");
  SimulatorConfig config;
  config.relative_tolerance = 1e-3;
  config.tolerances = List{{"inner::c", Values{1e-5}, Values{1e-8, 1e-9}},
                           {"inner", std::nullopt, Values{1e-6}}};
  Simulator<double> simulator(*diagram);
  ApplySimulatorConfig(config, &simulator);
  // Another config sets the same tolerances.
  const SimulatorConfig read = ExtractSimulatorConfig(simulator);
  Simulator<double> other(*diagram);
  ApplySimulatorConfig(read, &other);
  for (auto* one : {&simulator, &other}) {
    one->Initialize();
    const auto& integrator = one->get_integrator();
    const VectorXd relative = integrator.get_relative_tolerances();
    const VectorXd absolute = integrator.get_absolute_tolerances();
    EXPECT_EQ(relative,
              (VectorXd(6) << 1e-3, 1e-3, 1e-3, 1e-3, 1e-5, 1e-5).finished());
    EXPECT_TRUE(absolute.head(2).array().isNaN().all());
    EXPECT_EQ(absolute.tail(4), VectorXd::Constant(4, 1e-6));
  }
  config.tolerances = List{{"inner::d", Values{1e-5}, std::nullopt}};
  EXPECT_THROWS_MESSAGE(ApplySimulatorConfig(config, &simulator),
                        std::logic_error, "no subsystem named 'd'");
  config.tolerances = List{{"a::x", Values{1e-5}, std::nullopt}};
  EXPECT_THROWS_MESSAGE(ApplySimulatorConfig(config, &simulator),
                        std::logic_error, "has no subsystems");
}

}  // namespace tolerances_test
}  // namespace wyvern::systems
