#include "wyvern/simulator/analysis/simulator_config_functions.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator_print_stats.h"

namespace wyvern::systems {
namespace {

using test::Oscillator;

TEST(SimulatorConfig, DefaultsAreThoseOfASimulator) {
  const Oscillator<double> system;
  const Simulator<double> simulator(system);
  const SimulatorConfig config = ExtractSimulatorConfig(simulator);
  const SimulatorConfig expected;
  EXPECT_EQ(config.integration_scheme, expected.integration_scheme);
  EXPECT_EQ(config.max_step_size, expected.max_step_size);
  EXPECT_EQ(config.accuracy, expected.accuracy);
  EXPECT_EQ(config.use_error_control, expected.use_error_control);
  EXPECT_EQ(config.start_time, expected.start_time);
  EXPECT_EQ(config.target_realtime_rate, expected.target_realtime_rate);
}

TEST(SimulatorConfig, AppliesEveryFieldAndReadsItBack) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  const SimulatorConfig config{.integration_scheme = "runge_kutta5",
                               .max_step_size = 0.25,
                               .accuracy = 1e-7,
                               .use_error_control = false,
                               .start_time = 3,
                               .target_realtime_rate = 1e6,
                               .publish_at_initialization = true,
                               .publish_every_time_step = true};
  ApplySimulatorConfig(config, &simulator);
  const SimulatorConfig read = ExtractSimulatorConfig(simulator);
  EXPECT_EQ(read.integration_scheme, "runge_kutta5");
  EXPECT_EQ(read.max_step_size, 0.25);
  EXPECT_EQ(read.accuracy, 1e-7);
  EXPECT_FALSE(read.use_error_control);
  EXPECT_EQ(read.start_time, 3);
  EXPECT_EQ(read.target_realtime_rate, 1e6);
  EXPECT_TRUE(read.publish_at_initialization);
  EXPECT_TRUE(read.publish_every_time_step);
  simulator.AdvanceTo(5);
  EXPECT_EQ(simulator.get_num_steps_taken(), 8);
}

/** Reads or writes nothing but notes the names, and doubles what is a double.
 */
struct Doubler {
  template <typename Field>
  void Visit(const NameValue<Field>& field) {
    names.push_back(field.name());
    if constexpr (std::is_same_v<Field, double>) *field.value() *= 2;
  }
  std::vector<std::string> names;
};

TEST(SimulatorConfig, ShowsItsFieldsToAnArchive) {
  SimulatorConfig config;
  Doubler archive;
  config.Serialize(&archive);
  EXPECT_EQ(archive.names.size(), 11);
  EXPECT_EQ(archive.names.front(), "integration_scheme");
  EXPECT_EQ(config.max_step_size, 0.2);
  InitializeParams params;
  params.Serialize(&archive);
  EXPECT_EQ(archive.names.back(), "suppress_initialization_events");
}

TEST(SimulatorConfig, EverySchemeSolvesTheOscillator) {
  const auto& schemes = GetIntegrationSchemes();
  EXPECT_TRUE(std::is_sorted(schemes.begin(), schemes.end()));
  const Oscillator<double> system;
  for (const std::string& scheme : schemes) {
    Simulator<double> simulator(system);
    IntegratorBase<double>& integrator =
        ResetIntegratorFromFlags(&simulator, scheme, 0.001);
    EXPECT_EQ(&simulator.get_integrator(), &integrator);
    EXPECT_EQ(ExtractSimulatorConfig(simulator).integration_scheme, scheme);
    simulator.AdvanceTo(1);
    // First order methods err by half a step at most here.
    EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0],
                std::cos(1), 1e-3)
        << scheme;
  }
}

TEST(SimulatorConfig, EverySchemeWorksOnAutoDiff) {
  const Oscillator<AutoDiffXd> system;
  for (const std::string& scheme : GetIntegrationSchemes()) {
    Simulator<AutoDiffXd> simulator(system);
    ResetIntegratorFromFlags(&simulator, scheme, AutoDiffXd(0.01));
    simulator.get_mutable_context().get_mutable_continuous_state_vector()[0] =
        AutoDiffXd(1.0, Eigen::VectorXd::Ones(1));
    simulator.AdvanceTo(1);
    const AutoDiffXd q =
        simulator.get_context().get_continuous_state_vector()[0];
    // The solution is linear in the initial value, which is one.
    EXPECT_NEAR(q.derivatives()[0], q.value(), 1e-14) << scheme;
  }
}

TEST(SimulatorConfig, RefusesUnknownSchemesAndNull) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  EXPECT_THROWS_MESSAGE(ResetIntegratorFromFlags(&simulator, "magic", 0.1),
                        std::logic_error,
                        "no integration scheme 'magic'; choose from: "
                        "bogacki_shampine3, ");
  EXPECT_THROWS_MESSAGE(ApplySimulatorConfig<double>({}, nullptr),
                        std::logic_error, "simulator is null");
}

TEST(SimulatorStatistics, AreOneFigureALine) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  simulator.AdvanceTo(1);
  const std::string text = FormatSimulatorStatistics(simulator);
  for (const char* part :
       {"Time reached [s] ", " 1\n", "RungeKutta3Integrator",
        "Derivative evaluations", "Step shrinkages from error control"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  ResetIntegratorFromFlags(&simulator, "explicit_euler", 0.1);
  EXPECT_EQ(FormatSimulatorStatistics(simulator).find("error control"),
            std::string::npos);
  ::testing::internal::CaptureStdout();
  PrintSimulatorStatistics(simulator);
  std::fflush(stdout);
  EXPECT_NE(::testing::internal::GetCapturedStdout().find("Publishes"),
            std::string::npos);
}

TEST(SimulatorStatistics, FiguresThatThereAreNotYetAreNone) {
  const Oscillator<double> system;
  const Simulator<double> simulator(system);
  const std::string text = FormatSimulatorStatistics(simulator);
  EXPECT_NE(text.find("Initial step size taken [s] "), std::string::npos);
  EXPECT_NE(text.find(" none\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
}

TEST(SimulatorStatistics, SayIfThereIsNothingToIntegrate) {
  const test::Diary system;
  const Simulator<double> simulator(system);
  EXPECT_NE(FormatSimulatorStatistics(simulator).find("idle"),
            std::string::npos);
}

}  // namespace
}  // namespace wyvern::systems
