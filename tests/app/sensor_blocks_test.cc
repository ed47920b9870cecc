// Sensors of scenarios: what they show of a pendulum by its closed forms, and
// what is wrong with others. The laws of errors are tests of systems/sensors.
#include "wyvern/app/sensor_blocks.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"

namespace wyvern::app {
namespace sensor_blocks_test {

namespace fs = std::filesystem;
using test::Near;

const fs::path kScenarios = fs::path(WYVERN_SOURCE_DIR) / "app/scenarios";
constexpr double kMass = 1.2, kLength = 0.5, kGravity = 9.81;

std::unique_ptr<ScenarioSimulation> Swing(
    const std::vector<std::string>& settings) {
  auto simulation = std::make_unique<ScenarioSimulation>(
      LoadScenario((kScenarios / "pendulum_sensors.yaml").string(), settings),
      kScenarios, false);
  simulation->Run();
  return simulation;
}

VectorX<double> See(ScenarioSimulation* simulation, const std::string& port) {
  const auto& found = simulation->GetVectorPort(port);
  return found.Eval(found.get_system().GetMyContextFromRoot(
      simulation->simulator().get_context()));
}

TEST(SensorBlocks, ShowWhatASwingingPendulumFeels) {
  // In continuous time, so that all is of one moment.
  const auto simulation =
      Swing({"plant_config.time_step=0", "simulation_duration=0.43",
             "simulator_config.accuracy=1e-8",
             "sensors.accelerometer.errors={}", "sensors.gyroscope.errors={}",
             "sensors.gyroscope.rotation=!Rpy {deg: [0, 0, 90]}"});
  const VectorX<double> x = See(simulation.get(), "plant/state");
  const double angle = x[0], rate = x[1];
  EXPECT_GT(std::abs(rate), 1);
  const double inertia = 0.001 + kMass * kLength * kLength;
  const double acceleration =
      -kMass * kGravity * kLength * std::sin(angle) / inertia;
  // Acceleration of the bob, in its axes: z is up the rod, the turn is about y.
  const Eigen::Vector3d felt(
      -kLength * acceleration - kGravity * std::sin(angle), 0,
      kLength * rate * rate + kGravity * std::cos(angle));
  EXPECT_TRUE(Near(See(simulation.get(), "accelerometer/y"), felt, 1e-9));
  EXPECT_TRUE(Near(See(simulation.get(), "gyroscope/y"),
                   Eigen::Vector3d(rate, 0, 0), 1e-12))
      << "Its x axis is the pin's";
  VectorX<double> held = VectorX<double>::Zero(6);
  held.tail(3) = kMass * felt;
  EXPECT_TRUE(Near(See(simulation.get(), "pin_force/y"), held, 1e-9));
}

TEST(SensorBlocks, EncodersCountTicksOfTheirJoint) {
  const auto simulation =
      Swing({"simulation_duration=0.2", "sensors.encoder.errors={}",
             "sensors.encoder.ticks_per_revolution=[64]"});
  const double tick = 2 * M_PI / 64;
  const double angle = See(simulation.get(), "plant/state")[0];
  EXPECT_EQ(See(simulation.get(), "encoder/y")[0],
            std::floor(angle / tick) * tick);
}

TEST(SensorBlocks, HaveTheErrorsThatAreGiven) {
  const auto simulation = Swing({"simulation_duration=0.105",
                                 "sensors.encoder.errors={period: 0.01, "
                                 "delay: 0.02, bias: [0.5]}",
                                 "sensors.encoder.ticks_per_revolution=[]"});
  const auto before = Swing({"simulation_duration=0.08"});
  // At 0.1 s the sample of 0.08 s is shown.
  EXPECT_NEAR(See(simulation.get(), "encoder/y")[0],
              See(before.get(), "plant/state")[0] + 0.5, 1e-12);
}

TEST(SensorBlocks, NoiseIsTheSameOfOneSeedAndOtherOfAnother) {
  const auto see = [](const char* seed) {
    return See(Swing({"simulation_duration=0.05", seed}).get(),
               "accelerometer/y");
  };
  EXPECT_EQ(see("random_seed=1"), see("random_seed=1"));
  EXPECT_NE(see("random_seed=1"), see("random_seed=2"));
  const char* const fixed = "sensors.accelerometer.errors.seed=5";
  EXPECT_EQ(see(fixed), see(fixed));
}

TEST(SensorBlocks, ContactIsFeltAndIsOneOrNone) {
  const auto rest = std::make_unique<ScenarioSimulation>(
      LoadScenario((kScenarios / "quadruped_drop.yaml").string(),
                   {"sensors={floor: !ContactSensor {body: 'floor::floor', "
                    "threshold: 1}}"}),
      kScenarios, false);
  rest->simulator().AdvanceTo(0.01);
  EXPECT_EQ(See(rest.get(), "floor_ideal/in_contact")[0], 0);
  rest->Run();
  EXPECT_EQ(See(rest.get(), "floor_ideal/in_contact")[0], 1);
  // The robot's weight, downwards.
  EXPECT_NEAR(See(rest.get(), "floor/y")[5], -(8 + 4 * 0.8) * 9.81, 0.05);
}

TEST(SensorBlocks, AreLoggedByTheNamesOfWhatTheyMeasure) {
  const fs::path file = fs::path(testing::TempDir()) / "wyvern_sensors.csv";
  fs::remove(file);
  Scenario scenario =
      LoadScenario((kScenarios / "pendulum_sensors.yaml").string());
  scenario.simulation_duration = 0.02;
  scenario.logs[0].file = file.string();
  ScenarioSimulation(scenario, kScenarios).Run();
  std::ifstream stream(file);
  std::string header;
  std::getline(stream, header);
  for (const char* name :
       {"accelerometer/y/accelerometer_z", "encoder/y/encoder_pendulum::pin",
        "pin_force/y/pin_force_fz"}) {
    EXPECT_NE(header.find(name), std::string::npos) << name << ": " << header;
  }
}

TEST(SensorBlocks, WhatIsWrongIsSaidWithTheSensorsName) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"sensors={a: {frame: 'pendulum::nose'}}", "no frame 'pendulum::nose'"},
      {"sensors={a: {frame: world, translation: [.inf, 0, 0]}}", "finite"},
      {"sensors={a: !ForceTorqueSensor {joint: 'pendulum::knee'}}", "knee"},
      {"sensors={a: !ForceTorqueSensor {joint: 'leg::pin'}}", "leg"},
      {"sensors={a: !RotaryEncoders {}}", "RotaryEncoders"},
      {"sensors={a: !RotaryEncoders {joints: ['pendulum::pin'], "
       "ticks_per_revolution: [0]}}",
       "tick"},
      {"sensors={a: !Gyroscope {frame: world, errors: {noise: [1]}}}",
       "period"},
      {"sensors={a: !Gyroscope {frame: world, errors: {bias: [1, 2]}}}",
       "bias"},
      {"sensors={a: !ContactSensor {body: world, threshold: -1}}",
       "threshold"}};
  for (const auto& [setting, message] : cases) {
    std::string said = "nothing was thrown";
    try {
      Swing({setting});
    } catch (const std::logic_error& error) {
      said = error.what();
    }
    EXPECT_NE(said.find("sensors['a']"), said.npos) << setting << ": " << said;
    EXPECT_NE(said.find(message), said.npos) << setting << ": " << said;
  }
  EXPECT_THROWS_MESSAGE(Swing({"sensors={plant: {frame: world}}"}),
                        std::logic_error,
                        "sensors['plant']): there is a block 'plant' already");
}

TEST(SensorBlocks, EncodersAreForJointsThatTurnOrSayTheirQuantum) {
  const auto build = [](const std::string& sensor) {
    ScenarioSimulation(
        LoadScenario((kScenarios / "cart_pole_lqr.yaml").string(),
                     {"sensors={a: !RotaryEncoders " + sensor + "}"}),
        kScenarios, false);
  };
  const std::string slide = "joints: ['cart_pole::rail']";
  build("{" + slide + "}");
  EXPECT_THROWS_MESSAGE(
      build("{" + slide + ", ticks_per_revolution: [8]}"), std::logic_error,
      "is prismatic, and has no ticks_per_revolution; give errors.quantum");
  EXPECT_THROWS_MESSAGE(
      ScenarioSimulation(
          LoadScenario((kScenarios / "quadruped_drop.yaml").string(),
                       {"sensors={a: !RotaryEncoders {joints: "
                        "['quadruped::trunk']}}"}),
          kScenarios, false),
      std::logic_error, "has 7 positions; encoders are for joints of one");
}

}  // namespace sensor_blocks_test
}  // namespace wyvern::app
