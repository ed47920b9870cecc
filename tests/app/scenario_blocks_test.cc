// Blocks and connections of scenarios: what they do to a plant, and what they
// must not be.
#include <cmath>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/app/command.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"

namespace wyvern::app {
namespace scenario_blocks_test {

namespace fs = std::filesystem;

const fs::path kScenarios = fs::path(WYVERN_SOURCE_DIR) / "app/scenarios";

VectorX<double> FinalState(const Scenario& scenario) {
  ScenarioSimulation simulation(scenario, kScenarios, false);
  simulation.Run();
  return simulation.plant().GetPositionsAndVelocities(
      simulation.plant_context());
}

const std::string kCart = R"(simulation_duration: 1
directives:
- add_model: {file: cart_pole.urdf, name: cart_pole}
)";
const std::string kPid = R"(blocks:
  wanted: !ConstantVectorSource {value: [0.2, 0]}
  pid: !PidController
    kp: [50]
    ki: [3]
    kd: [5]
    state_projection: [[1, 0, 0, 0], [0, 0, 1, 0]]
connections:
- {from: plant/state, to: pid/estimated_state}
- {from: wanted/y0, to: pid/desired_state}
- {from: pid/control, to: plant/cart_pole_actuation}
)";
const std::string kDriver = R"(model_drivers:
  cart_pole: !PdDriver
    kp: [50]
    ki: [3]
    kd: [5]
    gravity_compensation: false
    reference: {q: [0.2]}
)";

// From 2 s on the cart is told to go to 1 m; of the error e^(-1.2 * 8) is left.
TEST(ScenarioBlocks, StateFeedbackTakesTheCartWhereItShallGo) {
  const Scenario scenario =
      LoadScenario((kScenarios / "cart_pole_blocks.yaml").string());
  EXPECT_TRUE(
      test::Near(FinalState(scenario), Eigen::Vector4d(1, 0, 0, 0), 2e-3));
}

// Released at 0.8 rad, the bob passes the vertical to the front after 3/4 of a
// period T, and then each T: T = T0 / agm(1, cos(0.4)), the period for small
// swings over the arithmetic-geometric mean.
TEST(ScenarioBlocks, ATriggerCountsSwingsUntilABrakeEndsThem) {
  Scenario scenario =
      LoadScenario((kScenarios / "pendulum_brake.yaml").string());
  double a = 1, b = std::cos(0.4);
  for (int i = 0; i < 5; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  const double inertia = 1.2 * 0.25 + 0.001;
  const double period = 2 * M_PI * std::sqrt(inertia / (1.2 * 9.81 * 0.5)) / a;
  const auto run = [&](double duration) {
    scenario.simulation_duration = duration;
    ScenarioSimulation simulation(scenario, kScenarios, false);
    simulation.Run();
    const auto output = [&](const char* name) {
      const auto& block = simulation.diagram().GetSubsystemByName(name);
      return block.get_output_port(0).Eval(
          block.GetMyContextFromRoot(simulation.simulator().get_context()))[0];
    };
    return Eigen::Vector3d(output("count"), output("passage"), output("brake"));
  };
  EXPECT_TRUE(test::Near(run(3.9), Eigen::Vector3d(2, 1.75 * period, 0), 1e-5));
  EXPECT_NE(run(4.5)[2], 0);
  EXPECT_EQ(run(7.5)[2], 0);
}

// The pole is hit at 4 s, and comes back with at most 8 N; its slowest pole
// decays as e^(-1.2 t).
TEST(ScenarioBlocks, AFilterAndAPredictiveControllerBalanceThePole) {
  const Scenario scenario =
      LoadScenario((kScenarios / "cart_pole_mpc.yaml").string());
  EXPECT_TRUE(test::Near(FinalState(scenario), Eigen::Vector4d::Zero(), 2e-2));
}

// With exact feed-forward, the error e of a cascade that starts at rest solves
// (s + 3) (s + 12) (s + 18) e = s e'(0), where e'(0) is 1 rad/s.
TEST(ScenarioBlocks, TheErrorOfACascadeDecaysAsItsPolesSay) {
  Scenario scenario =
      LoadScenario((kScenarios / "pendulum_cascade.yaml").string());
  for (const double t : {0.05, 0.3, 5.0}) {
    scenario.simulation_duration = t;
    const double e = -std::exp(-3 * t) / 45 + 2 * std::exp(-12 * t) / 9 -
                     std::exp(-18 * t) / 5;
    const double rate = std::exp(-3 * t) / 15 - 8 * std::exp(-12 * t) / 3 +
                        18 * std::exp(-18 * t) / 5;
    EXPECT_TRUE(test::Near(
        FinalState(scenario),
        Eigen::Vector2d(0.5 * std::sin(2 * t) - e, std::cos(2 * t) - rate),
        1e-7))
        << t;
  }
}

TEST(ScenarioBlocks, APidControllerDoesWhatTheDriverDoes) {
  EXPECT_EQ(FinalState(LoadScenarioFromString(kCart + kPid)),
            FinalState(LoadScenarioFromString(kCart + kDriver)));
}

TEST(ScenarioBlocks, AreSavedAndReadBack) {
  const std::string saved = SaveScenario(LoadScenarioFromString(kCart + kPid));
  const Scenario again = LoadScenarioFromString(saved);
  EXPECT_EQ(SaveScenario(again), saved);
  EXPECT_EQ(FinalState(again),
            FinalState(LoadScenarioFromString(kCart + kPid)));
}

TEST(ScenarioBlocks, SettingsReachTheirParameters) {
  const VectorX<double> soft = FinalState(LoadScenarioFromString(
      kCart + kPid, {"blocks.pid.kp=[20]", "blocks.wanted.value[0]=0.1"}));
  EXPECT_NE(soft, FinalState(LoadScenarioFromString(kCart + kPid)));
  EXPECT_THROWS_MESSAGE(
      LoadScenarioFromString(kCart + kPid, {"blocks.pid.kpp=[20]"}),
      std::runtime_error, "'blocks.pid' has the key 'kpp'");
}

TEST(ScenarioBlocks, SayWhatIsWrongWithItsPlace) {
  const auto simulate = [](const std::string& text) {
    ScenarioSimulation simulation(
        LoadScenarioFromString(kCart + text, {}, "s.yaml"), kScenarios, false);
  };
  EXPECT_THROWS_MESSAGE(simulate(kPid + kDriver), std::logic_error,
                        "the driver and a connection both feed "
                        "'plant/cart_pole_actuation'");
  EXPECT_THROWS_MESSAGE(
      simulate("blocks: {a: !Gain}\nconnections:\n- {from: a/y0, to: "
               "plant/cart_pole_actuator}\n"),
      std::runtime_error,
      "s.yaml:6:20: 'connections[0].to': the block 'plant' has no input port "
      "'cart_pole_actuator'");
  EXPECT_THROWS_MESSAGE(simulate("blocks: {plant: !Gain}\n"),
                        std::runtime_error,
                        "s.yaml:4:17: 'blocks.plant': there is a block 'plant' "
                        "already");
  EXPECT_THROWS_MESSAGE(
      simulate("blocks: {a: !Gain {k: [1, 2]}}\nconnections:\n- {from: a/y0, "
               "to: plant/cart_pole_actuation}\n"),
      std::runtime_error, "a vector of 2 elements");
}

TEST(ScenarioBlocks, TheProgramKnowsThem) {
  std::ostringstream out, err;
  EXPECT_EQ(RunCommand({"schema"}, out, err), 0) << err.str();
  EXPECT_NE(out.str().find("\"title\": \"!PidController\""), std::string::npos);
  EXPECT_NE(out.str().find("Wires from output ports"), std::string::npos);
  EXPECT_EQ(RunCommand({"schema", "--plugin", "no.so"}, out, err), 1);
  EXPECT_NE(err.str().find("no.so' does not exist"), std::string::npos)
      << err.str();
}

}  // namespace scenario_blocks_test
}  // namespace wyvern::app
