// Scenarios as runs: those of app/scenarios by what physics says of them, and
// what is wrong with others.
#include "wyvern/app/scenario_simulation.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/app/scenario_io.h"

namespace wyvern::app {
namespace scenario_simulation_test {

namespace fs = std::filesystem;
using test::Near;

const fs::path kScenarios = fs::path(WYVERN_SOURCE_DIR) / "app/scenarios";

std::unique_ptr<ScenarioSimulation> Load(
    const std::string& name, const std::vector<std::string>& settings = {}) {
  return std::make_unique<ScenarioSimulation>(
      LoadScenario((kScenarios / name).string(), settings), kScenarios, false);
}

VectorX<double> FinalState(const std::string& name,
                           const std::vector<std::string>& settings = {}) {
  const auto simulation = Load(name, settings);
  simulation->Run();
  return simulation->plant().GetPositionsAndVelocities(
      simulation->plant_context());
}

TEST(Scenarios, TheArmComesToRestAtItsLastWaypoint) {
  VectorX<double> wanted = VectorX<double>::Zero(14);
  wanted.head(7) << -0.4, 0.7, 0.0, -1.2, 0.0, 0.5, 0.5;
  // A second after the end, e^(-10 s^-1 * 1 s) of the error is left.
  EXPECT_TRUE(Near(FinalState("arm_pd.yaml"), wanted, 5e-4));
}

TEST(Scenarios, ATunableGainIsAParameterThatChangesNothingByItself) {
  const std::string tunable =
      "tunables=[{model: arm, gain: kp, min: 0, max: 500}]";
  EXPECT_EQ(FinalState("arm_pd.yaml", {"simulation_duration=0.5", tunable}),
            FinalState("arm_pd.yaml", {"simulation_duration=0.5"}));
  const auto simulation =
      Load("arm_pd.yaml", {"simulation_duration=0.5", tunable});
  ASSERT_EQ(simulation->tunables().size(), 1u);
  const TunableGain& kp = simulation->tunables()[0];
  auto& context = simulation->diagram().GetMutableSubsystemContext(
      *kp.block, &simulation->simulator().get_mutable_context());
  auto& parameter = context.get_mutable_numeric_parameter(kp.parameter);
  ASSERT_EQ(parameter.size(), 7);
  parameter.SetFromVector(VectorX<double>::Zero(7));
  simulation->Run();
  // Without springs it does not go where it was to.
  const VectorX<double> moved =
      FinalState("arm_pd.yaml", {"simulation_duration=0.5"});
  const VectorX<double> end = simulation->plant().GetPositionsAndVelocities(
      simulation->plant_context());
  EXPECT_GT((moved - end).norm(), 1e-2);
}

TEST(ScenarioErrors, ATunableThatIsNoneIsSaid) {
  for (const char* const tunable :
       {"{model: leg}", "{model: arm, gain: kq}", "{model: arm, gain: ''}",
        "{model: arm, gain: stiffness}"}) {
    EXPECT_THROWS_MESSAGE(
        Load("arm_pd.yaml", {fmt::format("tunables=[{}]", tunable)}),
        std::logic_error, "Scenario (tunables[0]): the driver of");
  }
  EXPECT_THROWS_MESSAGE(
      Load("arm_pd.yaml", {"tunables=[{model: arm, min: 5, max: 5}]"}),
      std::logic_error, "max - min is 0");
  EXPECT_THROWS_MESSAGE(
      Load("arm_pd.yaml", {"tunables=[{model: arm, min: .nan}]"}),
      std::logic_error, "min is nan");
  EXPECT_EQ(Load("arm_push.yaml", {"tunables=[{model: arm, gain: damping}]"})
                ->tunables()[0]
                .parameter,
            2);
}

TEST(Scenarios, ThePushedArmGivesWayAndComesBack) {
  VectorX<double> rest = VectorX<double>::Zero(14);
  rest.head(7) << 0, 0.5, 0, -1, 0, 0, 0;
  const VectorX<double> pushed =
      FinalState("arm_push.yaml", {"simulation_duration=1.4"});
  // 20 N at about 0.9 m on 200 N m/rad at the shoulder.
  EXPECT_NEAR(pushed[0], 20 * 0.9 / 200, 0.03);
  EXPECT_TRUE(Near(FinalState("arm_push.yaml"), rest, 2e-3));
}

TEST(Scenarios, TheSwayingArmIsWhereItsReferenceIs) {
  VectorX<double> wanted(7);
  wanted << 0, 0.3, 0, -0.8, 0, 0, 0;  // A sine of 0.5 Hz after 3 s.
  // The error of a first-order step of 0.5 ms at these speeds.
  const VectorX<double> q = FinalState("arm_sway.yaml").head(7);
  EXPECT_TRUE(Near(q, wanted, 2e-3));
}

TEST(Scenarios, ThePoleIsBalancedInBothModes) {
  for (const char* time_step : {"0", "0.01"}) {
    const VectorX<double> x =
        FinalState("cart_pole_lqr.yaml",
                   {fmt::format("plant_config.time_step={}", time_step),
                    "simulation_duration=12"});
    EXPECT_TRUE(Near(x, VectorX<double>::Zero(4), 1e-3)) << time_step;
  }
  // Without the regulator it falls.
  EXPECT_GT(std::abs(FinalState("cart_pole_lqr.yaml",
                                {"model_drivers.cart_pole=!ZeroForceDriver {}",
                                 "simulation_duration=1"})[1]),
            1);
}

TEST(Scenarios, TheGripperLiftsTheCrateIfFrictionBearsIt) {
  const auto find_position = [](double stiffness) -> VectorX<double> {
    return FinalState(
        "gripper_crate.yaml",
        {fmt::format("model_drivers.gripper.kp=[4000, {0}, {0}]", stiffness)});
  };
  // Two fingers with 0.01 m k each, at a coefficient of 1, bear 0.3 kg from
  // k = 147 N/m on; lifted at 0.6 m/s^2, from 156 N/m on.
  const VectorX<double> lifted = find_position(170);
  // The lift's spring does not account for the crate's weight.
  EXPECT_NEAR(lifted[0], 0.1 - 0.3 * 9.81 / 4000, 1e-5);
  EXPECT_NEAR(lifted[1], 0.03, 1e-4);
  EXPECT_NEAR(lifted[9], 0.03 + lifted[0], 2e-3);
  const VectorX<double> slipped = find_position(140);
  EXPECT_NEAR(slipped[0], 0.1, 1e-3);
  EXPECT_NEAR(slipped[9], 0.03, 2e-3);
}

TEST(Scenarios, TheFourBarKeepsItsLoopAndItsEnergy) {
  const VectorX<double> x =
      FinalState("four_bar.yaml", {"simulation_duration=0.7"});
  EXPECT_NEAR(x[1], -x[0], 1e-8);
  EXPECT_NEAR(x[2], x[0], 1e-8);
  // A pendulum: two bars of 1/3 kg m^2 about their pins (as rounded in the
  // file), and 2 kg at 1 m.
  const double inertia = 2 * (0.0834 + 0.25) + 2;
  const double torque = 3 * 9.81;
  const double rate2 = 2 * torque * (std::cos(2.2) - std::cos(x[0])) / inertia;
  EXPECT_GT(rate2, 1);
  EXPECT_NEAR(x[3] * x[3], rate2, 1e-4 * rate2);
}

TEST(Scenarios, TheQuadrupedFallsAndStands) {
  const auto simulation = Load("quadruped_drop.yaml");
  simulation->Run();
  const auto& plant = simulation->plant();
  const auto& context = simulation->plant_context();
  const VectorX<double> q = plant.GetPositions(context);
  EXPECT_LE(plant.GetVelocities(context).norm(), 1e-3);
  // Level, and as high as its legs are long: two bars and a foot's radius.
  const double hip = q[7];
  const double knee = q[8];
  const double height = 0.2 * std::cos(hip) + 0.2 * std::cos(hip + knee) + 0.02;
  EXPECT_NEAR(q[6], height, 2e-3);
  EXPECT_NEAR(std::abs(q[0]), 1, 1e-3);
  // 112 N bend knees of 200 N m/rad, each by 0.2 m sin(0.6) of 27 N.
  EXPECT_NEAR(knee, -1.2 - 27.5 * 0.2 * std::sin(0.6) / 200, 0.01);
  const auto& results = plant.get_contact_results_output_port()
                            .Eval<multibody::ContactResults<double>>(context);
  EXPECT_EQ(results.num_point_pair_contacts(), 4);
  double weight = 0;
  for (int i = 0; i < results.num_point_pair_contacts(); ++i) {
    weight += std::abs(results.point_pair_contact_info(i).contact_force()[2]);
  }
  EXPECT_NEAR(weight, (8 + 4 * 0.8) * 9.81, 0.05);
}

TEST(Scenarios, ASampledOutputIsALiveOneAStepLate) {
  const auto follow = [](const char* sampled) {
    const auto simulation = Load(
        "sampled_outputs.yaml",
        {fmt::format("plant_config.use_sampled_output_ports={}", sampled)});
    simulation->simulator().Initialize();
    std::vector<double> torques;
    for (int k = 1; k <= 50; ++k) {
      simulation->simulator().AdvanceTo(0.02 * k);
      torques.push_back(
          simulation->plant().get_net_actuation_output_port().Eval(
              simulation->plant_context())[0]);
    }
    return torques;
  };
  const std::vector<double> sampled = follow("true");
  const std::vector<double> live = follow("false");
  EXPECT_EQ(sampled.front(), 60) << "of the first step: 60 N m/rad, 1 rad";
  EXPECT_NE(live[5], live[6]);
  for (int k = 0; k + 1 < 50; ++k) EXPECT_EQ(sampled[k + 1], live[k]) << k;
}

fs::path MassFile() {
  const fs::path file = fs::path(testing::TempDir()) / "wyvern_mass.urdf";
  std::ofstream(file) << "<robot name='m'><link name='m'><inertial><mass "
                         "value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
                         "ixz='0' iyz='0'/></inertial></link></robot>";
  return file;
}

Scenario PushedMass(double time_step) {
  return LoadScenarioFromString(fmt::format(
      "simulation_duration: 1\n"
      "simulator_config: {{accuracy: 1.0e-3}}\n"
      "plant_config: {{time_step: {}}}\n"
      "directives: [{{add_model: {{file: '{}', name: m}}}}]\n"
      "disturbances:\n"
      "- {{body: 'm::m', start: 0.3, duration: 0.1, force: [4, 0, 0]}}\n"
      "- {{body: 'm::m', start: 0.4, duration: 0.2, torque: [0, 0, 3]}}\n",
      time_step, MassFile().string()));
}

TEST(Disturbances, GiveTheirImpulseExactlyInBothModes) {
  for (const double time_step : {0.0, 0.001, 0.1}) {
    ScenarioSimulation simulation(PushedMass(time_step));
    simulation.Run();
    const auto& plant = simulation.plant();
    const auto v = plant.GetVelocities(simulation.plant_context());
    // Free bodies: angular, then translational velocity. Rounding alone.
    EXPECT_NEAR(v[3], 4 * 0.1 / 2, 1e-12) << time_step;
    EXPECT_NEAR(v[2], 3 * 0.2 / 1, 1e-12) << time_step;
  }
}

TEST(Logs, AreWholeWhateverEndsTheRun) {
  const fs::path file = fs::path(testing::TempDir()) / "wyvern_log.csv";
  fs::remove(file);
  Scenario scenario = PushedMass(0.001);
  scenario.logs.push_back({.file = file.string(), .period = 0.25});
  int steps = 0;
  ScenarioSimulation stopped(scenario);
  const RunSummary summary = stopped.Run([&steps] { return ++steps > 600; });
  EXPECT_EQ(summary.reason, "it was told to stop");
  EXPECT_NEAR(summary.end_time, 0.6, 1e-2);
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line.substr(0, 5), "time,");
  int rows = 0;
  while (std::getline(stream, line)) ++rows;
  EXPECT_EQ(rows, 3);  // At 0, 0.25 and 0.5 s.
}

TEST(Logs, OfARunThatFailsHaveTheirNamesAndRows) {
  const fs::path file = fs::path(testing::TempDir()) / "wyvern_failed.csv";
  fs::remove(file);
  Scenario scenario = LoadScenario(
      (kScenarios / "arm_pd.yaml").string(),
      {"model_drivers.arm.kp=[1e12]", "model_drivers.arm.kd=[1e12]"});
  scenario.logs = {{.file = file.string(), .period = 0.001}};
  ScenarioSimulation simulation(scenario, kScenarios);
  EXPECT_THROW(simulation.Run(), std::runtime_error);
  EXPECT_TRUE(fs::exists(file));
  EXPECT_FALSE(fs::exists(file.string() + ".partial"));
}

TEST(Logs, HaveSeveralPortsInOneFileByItsEnding) {
  const fs::path folder = testing::TempDir();
  for (const std::string name : {"wyvern_log.mcap", "wyvern_log.csv"}) {
    const fs::path file = folder / name;
    fs::remove(file);
    Scenario scenario = PushedMass(0.001);
    scenario.simulation_duration = 0.1;
    scenario.logs = {{.file = file.string(),
                      .ports = {"plant/state", "plant/body_poses"},
                      .period = 0.05}};
    ScenarioSimulation(scenario).Run();
    std::ifstream stream(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    EXPECT_NE(text.find("plant/state"), std::string::npos);
    EXPECT_NE(text.find("plant/body_poses"), std::string::npos);
    // The run is in its log: all of the scenario, and how it ended.
    const bool is_mcap = file.extension() == ".mcap";
    EXPECT_EQ(text.find(SaveScenario(scenario)) != text.npos, is_mcap);
    EXPECT_EQ(text.find("the duration is over") != text.npos, is_mcap);
  }
}

TEST(Logs, NameTheColumnsOfAPortAlikeAloneAndWithOthers) {
  const fs::path file = fs::path(testing::TempDir()) / "wyvern_columns.csv";
  const auto read_columns = [&file](const std::vector<std::string>& ports) {
    fs::remove(file);
    Scenario scenario = PushedMass(0.001);
    scenario.simulation_duration = 0.01;
    scenario.logs = {{.file = file.string(), .ports = ports}};
    ScenarioSimulation(scenario).Run();
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
  };
  const std::string alone = read_columns({"plant/state"});
  EXPECT_TRUE(alone.starts_with("time,plant/state/")) << alone;
  EXPECT_TRUE(
      read_columns({"plant/state", "plant/body_poses"}).starts_with(alone))
      << alone;
}

TEST(Logs, OfAnUnknownKindAreRefused) {
  Scenario scenario = PushedMass(0.001);
  scenario.logs = {{.file = "x.bag"}};
  EXPECT_THROWS_MESSAGE(
      ScenarioSimulation(scenario, {}, true), std::logic_error,
      "(logs[0]): OpenRecordingSink(): 'x.bag' has the ending "
      "'.bag'; give a name that ends in .csv, .h5");
  scenario.logs = {{.file = "x.csv", .ports = {"plant/nothing"}}};
  EXPECT_THROWS_MESSAGE(ScenarioSimulation(scenario, {}, true),
                        std::logic_error, "has no port for logs 'nothing'");
  EXPECT_FALSE(fs::exists("x.csv.partial"));
}

TEST(StopConditions, EndARunAndSayWhy) {
  Scenario scenario = PushedMass(0.001);
  // q: a quaternion and a position; then v.
  scenario.stop_conditions.push_back({.index = 10, .above = 0.099});
  ScenarioSimulation simulation(scenario);
  const RunSummary summary = simulation.Run();
  EXPECT_NEAR(summary.end_time, 0.35, 2e-3);
  EXPECT_NE(summary.reason.find("plant/state[10] is 0.1,"), std::string::npos)
      << summary.reason;
  EXPECT_NE(summary.reason.find("above 0.099"), std::string::npos);
}

TEST(ScenarioErrors, SayWhatIsWrong) {
  const std::string arm = (kScenarios / "arm_pd.yaml").string();
  const std::vector<std::pair<std::string, std::string>> cases{
      {"simulation_duration=-1", "simulation_duration is -1"},
      {"simulation_duration=.nan", "simulation_duration is nan"},
      {"directives[0].add_model.file=x.urdf", "x.urdf', does not exist"},
      {"model_drivers={leg: {}}", "no model instance named 'leg'"},
      {"model_drivers.arm.kp=[1, 2]", "(model_drivers['arm']): kp has size 2"},
      {"model_drivers.arm.kd=[-1]", "kd"},
      {"model_drivers.arm.reference=!Constant {q: [.nan]}", "finite"},
      {"initial_position={arm: {knee: [1]}}", "knee"},
      {"initial_position={arm: {elbow: [1, 2]}}", "elbow"},
      {"plant_config.time_step=-1", "the time step given is -1"},
      {"plant_config.contact_model=sticky", "sticky"},
      {"disturbances=[{body: 'arm::nose'}]", "no frame 'arm::nose'"},
      {"disturbances=[{body: 'arm::tool', duration: 0}]", "duration is 0"},
      {"stop_conditions=[{index: 14, above: 1}]", "index is 14"},
      {"stop_conditions=[{index: 1}]", "neither 'above' nor 'below'"},
      {"stop_conditions=[{port: plant, above: 1}]", "no port 'plant'"},
      {"simulator_config.integration_scheme=magic", "magic"}};
  for (const auto& [setting, message] : cases) {
    std::string said = "nothing was thrown";
    try {
      ScenarioSimulation(LoadScenario(arm, {setting}), kScenarios, false);
    } catch (const std::exception& error) {
      said = error.what();
    }
    EXPECT_NE(said.find(message), std::string::npos) << setting << ": " << said;
  }
  Scenario scenario = PushedMass(0);
  scenario.logs = {{.file = "a.csv", .port = "plant/stat"}};
  EXPECT_THROWS_MESSAGE(ScenarioSimulation{scenario}, std::logic_error,
                        "no port for logs 'stat'; those are state,");
  scenario.logs = {{.file = "a.csv", .period = 0}};
  EXPECT_THROWS_MESSAGE(ScenarioSimulation{scenario}, std::logic_error,
                        "(logs[0]): period is 0");
  scenario.logs = {{.file = ""}};
  EXPECT_THROW(ScenarioSimulation{scenario}, std::logic_error);
}

TEST(ScenarioErrors, ARandomlyChangedTextIsRunOrRefused) {
  std::ifstream stream(kScenarios / "cart_pole_lqr.yaml");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::mt19937 random(5);
  const std::string letters = "{}[]:,-!&*'\"# \n01.ea%|>";
  int num_refused = 0;
  for (int i = 0; i < 200; ++i) {
    std::string changed = text;
    for (int k = 0; k < 1 + i % 3; ++k) {
      const std::size_t at = random() % changed.size();
      changed[at] = letters[random() % letters.size()];
    }
    try {
      Scenario scenario = LoadScenarioFromString(changed);
      scenario.simulation_duration =
          std::min(scenario.simulation_duration, 0.01);
      ScenarioSimulation(scenario, kScenarios, false).Run();
    } catch (const std::exception&) {
      ++num_refused;
    }
  }
  EXPECT_GT(num_refused, 50);
}

}  // namespace scenario_simulation_test
}  // namespace wyvern::app
