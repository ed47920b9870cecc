#include "wyvern/app/scenario_io.h"

#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/analysis/simulator_config.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::app {
namespace scenario_io_test {

TEST(ScenarioIo, WhatIsNotSaidHasItsDefault) {
  const Scenario scenario = LoadScenarioFromString("simulation_duration: 2");
  EXPECT_EQ(scenario.simulation_duration, 2);
  EXPECT_EQ(scenario.plant_config.time_step, 0.001);
  EXPECT_TRUE(scenario.directives.empty());
}

TEST(ScenarioIo, AllThatIsSavedIsReadBack) {
  const Scenario scenario = LoadScenarioFromString(R"(
random_seed: 7
model_drivers:
  a: !PdDriver {kp: [1, 2], reference: !Chirp {duration: 3}}
  b: !LqrDriver {position: {b: {j: [0.1]}}, Q: [1, 2]}
  c: {}
sensors:
  imu: {frame: 'a::tip', errors: {period: 0.1, noise: [0.2], seed: 3}}
  encoders: !RotaryEncoders {joints: [j], ticks_per_revolution: [8]}
  grip: !ForceTorqueSensor {joint: j, rotation: !Rpy {deg: [0, 90, 0]}}
disturbances: [{body: 'a::tip', force: [1, 2, 3]}]
logs: [{file: x.csv}]
stop_conditions: [{index: 2, above: 1}]
directives: [{add_model: {file: x.urdf, name: a}}]
scene_graph_config: {default_proximity_properties: {slab_thickness: 0.1}}
)");
  const std::string text = SaveScenario(scenario);
  EXPECT_EQ(SaveScenario(LoadScenarioFromString(text)), text);
  const auto& imu = std::get<Accelerometer>(scenario.sensors.at("imu"));
  EXPECT_EQ(imu.place.frame, "a::tip");
  EXPECT_EQ(imu.errors.noise, Eigen::VectorXd::Constant(1, 0.2));
  EXPECT_EQ(imu.errors.seed, 3u);
  EXPECT_EQ(scenario.model_drivers.at("c").index(), 0u);
  const auto& pd = std::get<PdDriver>(scenario.model_drivers.at("a"));
  EXPECT_EQ(std::get<Chirp>(pd.reference).duration, 3);
  EXPECT_EQ(
      scenario.scene_graph_config.default_proximity_properties.slab_thickness,
      0.1);
}

TEST(ScenarioIo, ModelsActuatorsAndFloorsThatAreSavedAreReadBack) {
  const std::string text = SaveScenario(LoadScenarioFromString(R"(
packages: {p: /x}
model_files: [{file: y.urdf, base: welded}]
floor: {height: -1}
actuators: {a: {joints: [j], effort_limit: [3]}}
model_drivers:
  a: !ServoDriver {reference: !Chirp {duration: 3}}
  b: !ServoDriver {}
)"));
  EXPECT_EQ(SaveScenario(LoadScenarioFromString(text)), text);
  const Scenario scenario = LoadScenarioFromString(text);
  EXPECT_EQ(scenario.packages.at("p"), "/x");
  EXPECT_EQ(scenario.model_files.at(0).base, "welded");
  EXPECT_EQ(scenario.floor.value().height, -1);
  EXPECT_EQ(scenario.actuators.at("a").effort_limit[0], 3);
  const auto reference = [&scenario](const char* model) {
    return std::get<ServoDriver>(scenario.model_drivers.at(model)).reference;
  };
  EXPECT_TRUE(reference("a").has_value());
  EXPECT_FALSE(reference("b").has_value());
  EXPECT_FALSE(LoadScenarioFromString(SaveScenario({})).floor.has_value());
}

// The documents are those of Drake 1.37, and of 1.51, which lacks a key.
TEST(ScenarioIo, ADocumentOfDrakesSimulatorIsReadAsAWhole) {
  std::string text =
      "integration_scheme: implicit_euler\nmax_step_size: 0.2\n"
      "accuracy: 0.001\nuse_error_control: false\nstart_time: 3.0\n"
      "target_realtime_rate: 2.0\npublish_at_initialization: true\n"
      "publish_every_time_step: true\n";
  const auto config =
      yaml::LoadYamlString<systems::SimulatorConfig>(text, std::nullopt);
  EXPECT_EQ(config.integration_scheme, "implicit_euler");
  EXPECT_EQ(config.max_step_size, 0.2);
  EXPECT_EQ(config.accuracy, 0.001);
  EXPECT_FALSE(config.use_error_control);
  EXPECT_EQ(config.start_time, 3);
  EXPECT_EQ(config.target_realtime_rate, 2);
  EXPECT_TRUE(config.publish_at_initialization);
  EXPECT_TRUE(config.publish_every_time_step);
  text.erase(text.find("publish_at"), std::string("publish_at_initialization: "
                                                  "true\n")
                                          .size());
  EXPECT_EQ(yaml::LoadYamlString<systems::SimulatorConfig>(text).start_time, 3);
}

TEST(ScenarioIo, AnOptionalFieldThatIsEmptyIsSavedAsSuch) {
  const std::string text = SaveScenario(LoadScenarioFromString(
      "scene_graph_config: {default_proximity_properties: {dynamic_friction: "
      "null}}"));
  EXPECT_FALSE(LoadScenarioFromString(text)
                   .scene_graph_config.default_proximity_properties
                   .dynamic_friction.has_value());
  EXPECT_EQ(SaveScenario(LoadScenarioFromString(text)), text);
}

TEST(ScenarioIo, ASettingTakesThePlaceOfWhatIsThere) {
  const Scenario scenario = LoadScenarioFromString(
      "logs: [{file: a.csv}, {file: b.csv}]\n"
      "model_drivers: {arm: !PdDriver {kp: [1]}}",
      {"logs[1].period=0.5", "model_drivers.arm.kd=[3, 4]",
       "plant_config.time_step=0.25", "simulation_duration=.inf",
       "model_drivers.leg=!PdDriver {kp: [9]}"});
  EXPECT_EQ(scenario.logs[0].period, 0.01);
  EXPECT_EQ(scenario.logs[1].period, 0.5);
  EXPECT_EQ(scenario.plant_config.time_step, 0.25);
  const auto& pd = std::get<PdDriver>(scenario.model_drivers.at("arm"));
  EXPECT_EQ(pd.kp[0], 1);
  EXPECT_EQ(pd.kd, Eigen::Vector2d(3, 4));
  EXPECT_EQ(std::get<PdDriver>(scenario.model_drivers.at("leg")).kp[0], 9);
}

TEST(ScenarioIo, ASettingOfTooManyPartsIsAnErrorAndItsMessageIsShort) {
  for (const char* part : {".a", "[0]"}) {
    std::string setting = "a";
    for (int i = 0; i < 20000; ++i) setting += part;
    std::string said;
    try {
      LoadScenarioFromString("simulation_duration: 1", {setting + "=1"});
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    EXPECT_NE(said.find("the path has 20001 parts"), std::string::npos) << said;
    EXPECT_LT(said.size(), 1000);
  }
}

TEST(ScenarioIo, ASettingThatNamesNoPlaceIsAnError) {
  const auto set = [](const std::string& setting) {
    LoadScenarioFromString("logs: [{file: a.csv}]", {setting});
  };
  EXPECT_THROWS_MESSAGE(set("logs"), std::runtime_error, "no path and value");
  EXPECT_THROWS_MESSAGE(set("=1"), std::runtime_error, "no path and value");
  EXPECT_THROWS_MESSAGE(set("logs[1].period=1"), std::runtime_error,
                        "there is no item 1, but a sequence of 1");
  EXPECT_THROWS_MESSAGE(set("logs[x].period=1"), std::runtime_error,
                        "is no index");
  EXPECT_THROWS_MESSAGE(set("logs[0=1"), std::runtime_error, "is no index");
  EXPECT_THROWS_MESSAGE(set("logs.file=1"), std::runtime_error,
                        "no key 'file' in a sequence of 1");
  EXPECT_THROWS_MESSAGE(set("plant_config..x=1"), std::runtime_error,
                        "no key ''");
  EXPECT_THROWS_MESSAGE(set("logs=[1"), std::runtime_error, "--set logs=[1");
  EXPECT_THROWS_MESSAGE(set("plant_config.time_stp=1"), std::runtime_error,
                        "(added): 'plant_config' has the key 'time_stp'");
}

TEST(ScenarioIo, AMisspeltKeyIsNamedWithItsPlaceAndTheOneMeant) {
  EXPECT_THROWS_MESSAGE(
      LoadScenarioFromString("model_drivers:\n  arm: !PdDriver\n    kq: [1]"),
      std::runtime_error,
      "<string>:3:5: 'model_drivers.arm' has the key 'kq', which is none of "
      "[kp, kd, ki, gravity_compensation, reference]; is 'kp' meant?");
  EXPECT_THROWS_MESSAGE(
      LoadScenarioFromString("model_drivers: {arm: !PidDriver {}}"),
      std::runtime_error, "!PdDriver");
}

TEST(EditScenarioText, KeepsCommentsAndLayout) {
  const std::string text =
      "# An arm.\nmodel_drivers:\n  arm: !PdDriver  # soft\n"
      "    kp: [100,   200]  # N m/rad\n    kd: [5]\n"
      "disturbances:\n- body: arm::hand\n  force: [0, 0, -4.0]   # down\n";
  EXPECT_EQ(EditScenarioText(text, {"model_drivers.arm.kp=[100, 250.5]",
                                    "model_drivers.arm.kd=[5, 6]",
                                    "disturbances[0].force[2]=1e-05"}),
            "# An arm.\nmodel_drivers:\n  arm: !PdDriver  # soft\n"
            "    kp: [100,   250.5]  # N m/rad\n    kd: [5, 6]\n"
            "disturbances:\n- body: arm::hand\n"
            "  force: [0, 0, 1e-05]   # down\n");
  EXPECT_EQ(EditScenarioText(text, {}), text);
}

TEST(EditScenarioText, RefusesWhatWouldChangeMoreOrNothing) {
  const auto refuses = [](const std::string& text, const std::string& setting,
                          const char* message) {
    EXPECT_THROWS_MESSAGE(EditScenarioText(text, {setting}, "arm.yaml"),
                          std::runtime_error, message);
  };
  refuses("a: {kp: [1]}\n", "a.kd=[2]",
          "arm.yaml: 'a.kd' cannot be saved: the file does not have it");
  refuses("a: &one 1\nb: *one\n", "b=2", "cannot be saved");
  refuses("a: [1, 2]\n", "a=[1, 2, 3]", "it has 2 numbers, not 3");
  refuses("a: '1'\n", "a=2", "it is not written as a plain number");
  refuses("a: !Uniform {min: 0, max: 1}\n", "a=2",
          "it is not written as a plain number");
}

TEST(GetScenarioNumber, FindsNumbersThatTheFileLeavesOut) {
  const Scenario scenario =
      LoadScenarioFromString("disturbances: [{body: a::b}]");
  EXPECT_EQ(GetScenarioNumber(scenario, "plant_config.time_step"),
            scenario.plant_config.time_step);
  EXPECT_EQ(GetScenarioNumber(scenario, "disturbances[0].force[2]"), 0);
  EXPECT_THROWS_MESSAGE(GetScenarioNumber(scenario, "disturbances[1].start"),
                        std::runtime_error,
                        "no number at 'disturbances[1].start'");
}

}  // namespace scenario_io_test
}  // namespace wyvern::app
