// Servos and actuators of model files under a scenario: the force at the start
// is what MuJoCo's law makes of `ctrl`, in closed form.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/multibody/tree/muscle.h"

namespace wyvern::app {
namespace servo_test {

namespace fs = std::filesystem;
using test::Near;

// A folder with files of models.
const fs::path& Folder() {
  static const fs::path folder = [] {
    fs::path made = fs::path(testing::TempDir()) / "wyvern_servo_test";
    fs::create_directories(made);
    return made;
  }();
  return folder;
}

// Hinges a, b, ..., each with one of the actuators, in a row.
void WriteHinges(const std::vector<std::string>& actuators,
                 const std::string& keyframe) {
  std::string bodies, all;
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const char name = static_cast<char>('a' + i);
    bodies += fmt::format(
        "<body name='{0}' pos='{1} 0 0'><joint name='{0}' axis='0 1 0'/>"
        "<geom size='.1' pos='.3 0 0'/></body>",
        name, i);
    all += fmt::format(fmt::runtime(actuators[i]), name);
  }
  std::ofstream(Folder() / "hinges.xml")
      << "<mujoco model='m'><compiler angle='radian'/><worldbody>" << bodies
      << "</worldbody><actuator>" << all << "</actuator><keyframe>" << keyframe
      << "</keyframe></mujoco>";
}

std::unique_ptr<ScenarioSimulation> Simulate(
    const std::string& file, const std::vector<std::string>& settings = {}) {
  const std::string text = fmt::format(
      "{{simulation_duration: 1, plant_config: {{time_step: 0}}, directives: "
      "[{{add_model: {{file: {}, name: m}}}}]}}",
      file);
  return std::make_unique<ScenarioSimulation>(
      LoadScenarioFromString(text, settings), Folder());
}

VectorX<double> CalcForce(const ScenarioSimulation& simulation) {
  return simulation.plant().get_net_actuation_output_port().Eval(
      simulation.plant_context());
}

const std::vector<std::string> kAll{
    "<motor joint='{}' gear='-2'/>",
    "<position joint='{}' kp='10' kv='1' gear='3'/>",
    "<velocity joint='{}' kv='4' gear='0.5'/>",
    "<general joint='{}' gainprm='5' biastype='affine' biasprm='2 -7 -1'/>"};

// A muscle starts without activation, which then rises to ctrl. Its pull at
// rest and at L = 0.9 would be 0.92 of its peak force.
TEST(Servos, AMuscleIsExcitedByCtrlInTheKey) {
  WriteHinges({"<muscle joint='{}' lengthrange='-3 3' force='5' gear='2'/>",
               "<motor joint='{}' gear='2'/>"},
              "<key ctrl='0.8 0.5'/>");
  for (const double time_step : {0.0, 0.001}) {
    const auto simulation = Simulate(
        "hinges.xml", {fmt::format("plant_config.time_step={}", time_step)});
    // A discrete plant shows the forces of its last step.
    if (time_step > 0) simulation->simulator().AdvanceTo(0.001);
    EXPECT_TRUE(Near(CalcForce(*simulation), Vector2<double>(0, 1), 1e-12));
    simulation->simulator().AdvanceTo(0.4);
    const double q =
        simulation->plant().GetPositions(simulation->plant_context())[0];
    const double v =
        simulation->plant().GetVelocities(simulation->plant_context())[0];
    const multibody::MuscleProperties muscle{.length_range = {-3, 3}};
    const double pull =
        5 * 0.8 * multibody::CalcMuscleFactors(muscle, 2 * q, 2 * v).active;
    EXPECT_GT(pull, 0.1);
    EXPECT_NEAR(CalcForce(*simulation)[0], -2 * pull, 0.02 * pull) << time_step;
  }
}

TEST(Servos, TheForceAtTheStartIsThatOfCtrlInTheKey) {
  WriteHinges(kAll, "<key qpos='.1 .2 .3 .4' ctrl='.5 .6 .7 .8'/>");
  VectorX<double> wanted(4);
  wanted << -2 * 0.5, 3 * (10 * 0.6 - 10 * 3 * 0.2), 0.5 * 4 * 0.7,
      5 * 0.8 + 2 - 7 * 0.4;
  EXPECT_TRUE(Near(CalcForce(*Simulate("hinges.xml")), wanted, 1e-12));
}

// The joint a has a motor besides those of the tendons; s is 1.5 m wide and 1 m
// high.
TEST(Servos, CtrlInTheKeyReachesActuatorsOfTendons) {
  std::ofstream(Folder() / "tendons.xml")
      << "<mujoco model='m'><worldbody><site name='w' pos='0 0 1'/><body "
         "name='a'><joint name='a' axis='0 1 0'/><geom size='.1'/></body><body "
         "name='b' pos='1 0 0'><joint name='b' axis='0 1 0'/><geom size='.1'/>"
         "<site name='s' pos='.5 0 0'/></body></worldbody><tendon><fixed "
         "name='t'><joint joint='a' coef='1'/><joint joint='b' coef='-.5'/>"
         "</fixed><spatial name='s'><site site='w'/><site site='s'/></spatial>"
         "</tendon><actuator><motor joint='a'/><motor tendon='t' gear='3'/>"
         "<position tendon='s' gear='2' kp='10'/></actuator><keyframe><key "
         "ctrl='.5 .6 .7'/></keyframe></mujoco>";
  const Vector3<double> wanted(0.5, 3 * 0.6,
                               2 * 10 * (0.7 - 2 * std::hypot(1.5, 1)));
  EXPECT_TRUE(Near(CalcForce(*Simulate("tendons.xml")), wanted, 1e-12));
  EXPECT_THROWS_MESSAGE(
      Simulate("tendons.xml", {"model_drivers={m: !PdDriver {kp: [1], "
                               "reference: !Constant {}}}"}),
      std::logic_error, "acts along a spatial tendon");
}

TEST(Servos, WithoutCtrlTheyHoldTheKeysPositions) {
  WriteHinges(kAll, "<key qpos='.1 .2 .3 .4'/>");
  EXPECT_TRUE(Near(CalcForce(*Simulate("hinges.xml")), VectorX<double>::Zero(4),
                   1e-12));
}

TEST(Servos, AnInputStaysWithinItsRangeAndActuatorsOfAJointAddUp) {
  std::ofstream(Folder() / "range.xml")
      << "<mujoco model='m'><worldbody><body name='a'><joint name='a'/><geom "
         "size='.1'/></body></worldbody><actuator><position joint='a' kp='10' "
         "ctrlrange='-1 1'/><motor joint='a' gear='2'/></actuator><keyframe>"
         "<key ctrl='5 0.25'/></keyframe></mujoco>";
  EXPECT_NEAR(CalcForce(*Simulate("range.xml"))[0], 10 * 1 + 2 * 0.25, 1e-12);
}

TEST(Servos, AnInitialPositionIsHeldInsteadOfTheKeys) {
  WriteHinges(kAll, "<key qpos='.1 .2 .3 .4' ctrl='.5 .6 .7 .8'/>");
  const auto simulation =
      Simulate("hinges.xml", {"initial_position={m: {b: [1.5], d: [-1]}}"});
  EXPECT_NEAR(CalcForce(*simulation)[1], 0, 1e-12);
  EXPECT_NEAR(CalcForce(*simulation)[3], 0, 1e-12);
}

TEST(Servos, TheyComeToRestWhereTheirForceBearsTheWeight) {
  WriteHinges({"<position joint='{}' kp='100' kv='20'/>"},
              "<key qpos='.1' ctrl='.5'/>");
  for (const char* time_step : {"0", "0.001"}) {
    const auto simulation = Simulate(
        "hinges.xml", {"simulation_duration=20",
                       fmt::format("plant_config.time_step={}", time_step)});
    simulation->Run();
    const auto& context = simulation->plant_context();
    const double q = simulation->plant().GetPositions(context)[0];
    const double weight =
        simulation->plant().CalcGravityGeneralizedForces(context)[0];
    EXPECT_GT(std::abs(weight), 5);
    EXPECT_NEAR(100 * (0.5 - q), -weight, 1e-6) << time_step;
  }
}

TEST(Servos, AServoDriverFollowsAReference) {
  WriteHinges({kAll[1], kAll[1]}, "<key qpos='.1 .2' ctrl='.5 .6'/>");
  const auto simulation = Simulate(
      "hinges.xml",
      {"model_drivers={m: !ServoDriver {reference: !Sinusoid {offset: [0.3], "
       "amplitude: [1, 2], frequency: [0.5]}}}"});
  // At t = 0: 9 kp (0.3 - q) + 9 kv amplitude 2 pi 0.5.
  VectorX<double> wanted(2);
  wanted << 90 * 0.2 + 9 * std::numbers::pi, 90 * 0.1 + 18 * std::numbers::pi;
  EXPECT_TRUE(Near(CalcForce(*simulation), wanted, 1e-12));
  const auto at_home =
      Simulate("hinges.xml", {"model_drivers={m: !ServoDriver {}}"});
  EXPECT_EQ(CalcForce(*at_home), CalcForce(*Simulate("hinges.xml")));
}

TEST(Servos, AnotherDriverReplacesTheGainsOfTheFile) {
  WriteHinges({kAll[1], kAll[0]}, "<key qpos='.1 .2' ctrl='.5 .6'/>");
  const auto limp =
      Simulate("hinges.xml", {"model_drivers={m: !ZeroForceDriver {}}"});
  EXPECT_EQ(CalcForce(*limp), VectorX<double>::Zero(2));
  const auto driven =
      Simulate("hinges.xml", {"model_drivers={m: !PdDriver {kp: [8], kd: [0], "
                              "gravity_compensation: false}}"});
  EXPECT_TRUE(Near(CalcForce(*driven), Vector2<double>(-0.8, -1.6), 1e-12));
  limp->Run();
  driven->Run();
}

TEST(Servos, ALinearRegulatorKnowsNoGainsOfTheFile) {
  WriteHinges({kAll[1]}, "<key qpos='.1' ctrl='.5'/>");
  const auto simulation = Simulate(
      "hinges.xml", {"model_drivers={m: !LqrDriver {position: {m: {a: [0]}}}}",
                     "simulation_duration=10"});
  simulation->Run();
  EXPECT_NEAR(simulation->plant().GetPositions(simulation->plant_context())[0],
              0, 1e-3);
}

// A URDF of two links on hinges, with a given end of the file.
void WriteUrdf(const std::string& name, const std::string& end) {
  std::string text = "<robot name='m'><link name='world'/>";
  for (const std::string joint : {"hip", "knee"}) {
    text += fmt::format(
        "<link name='{0}_link'><inertial><mass value='1'/><origin xyz='0.1 0 "
        "0'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/>"
        "</inertial></link><joint name='{0}' type='revolute'><axis xyz='0 1 0'"
        "/><parent link='{1}'/><child link='{0}_link'/><limit lower='-3' "
        "upper='3' velocity='9' effort='{2}'/></joint>",
        joint, joint == "hip" ? "world" : "hip_link", joint == "hip" ? 60 : 30);
  }
  std::ofstream(Folder() / name) << text + end + "</robot>";
}

TEST(Servos, OfPartOfAUrdfNeedNoGainsOfTheRest) {
  std::string end;
  for (const std::string joint : {"hip", "knee"}) {
    end += fmt::format(
        "<transmission name='{0}_t'><type>SimpleTransmission</type><joint "
        "name='{0}'/><actuator name='{0}'>{1}</actuator></transmission>",
        joint, joint == "hip" ? "<drake:controller_gains p='50' d='5'/>" : "");
  }
  WriteUrdf("part.urdf", end);
  const auto simulation = Simulate("part.urdf");
  EXPECT_EQ(simulation->plant().num_actuators(), 2);
  simulation->Run();
}

std::vector<double> EffortLimits(const ScenarioSimulation& simulation) {
  std::vector<double> limits;
  for (const auto i : simulation.plant().GetJointActuatorIndices()) {
    limits.push_back(simulation.plant().get_joint_actuator(i).effort_limit());
  }
  return limits;
}

TEST(Actuators, OfAScenarioHaveTheEffortLimitsOfTheFile) {
  WriteUrdf("bare.urdf", "");
  EXPECT_EQ(EffortLimits(*Simulate("bare.urdf")), std::vector<double>{});
  EXPECT_EQ(EffortLimits(*Simulate("bare.urdf", {"actuators={m: {}}"})),
            (std::vector<double>{60, 30}));
  EXPECT_EQ(
      EffortLimits(*Simulate("bare.urdf", {"actuators={m: {joints: [knee]}}"})),
      std::vector<double>{30});
  EXPECT_EQ(EffortLimits(
                *Simulate("bare.urdf", {"actuators={m: {joints: [knee, hip], "
                                        "effort_limit: [7, 8]}}"})),
            (std::vector<double>{7, 8}));
  const auto driven = Simulate(
      "bare.urdf", {"actuators={m: {}}", "model_drivers={m: !PdDriver {}}",
                    "plant_config.time_step=0.001"});
  driven->Run();
  EXPECT_TRUE(Near(driven->plant().GetPositions(driven->plant_context()),
                   VectorX<double>::Zero(2), 1e-6));
}

TEST(Actuators, OfAllJointsMayBeThereAlready) {
  WriteHinges({kAll[0], kAll[1]}, "<key ctrl='1 2'/>");
  EXPECT_EQ(CalcForce(*Simulate("hinges.xml", {"actuators={m: {}}"})),
            CalcForce(*Simulate("hinges.xml")));
}

TEST(Actuators, OfATendonAreThoseOfItsJoints) {
  std::ofstream(Folder() / "tendon.xml")
      << "<mujoco model='m'><worldbody><body><joint name='a'/><geom size='.1'/>"
         "</body><body pos='1 0 0'><joint name='b'/><geom size='.1'/></body>"
         "</worldbody><tendon><fixed name='t'><joint joint='a' "
         "coef='3'/><joint "
         "joint='b' coef='-0.5'/></fixed></tendon><actuator><motor tendon='t'/>"
         "</actuator></mujoco>";
  const auto simulation = Simulate("tendon.xml", {"actuators={m: {}}"});
  EXPECT_EQ(simulation->plant().num_actuators(), 1);
}

TEST(Actuators, ThatCannotBeAreErrorsThatNameTheKey) {
  WriteUrdf("bare.urdf", "");
  EXPECT_THROWS_MESSAGE(
      Simulate("bare.urdf", {"model_drivers={m: !PdDriver {}}"}),
      std::logic_error, "by the key 'actuators', as in actuators: {m: {}}");
  EXPECT_THROWS_MESSAGE(Simulate("bare.urdf", {"actuators={n: {}}"}),
                        std::logic_error, "did you mean 'm'?");
  EXPECT_THROWS_MESSAGE(
      Simulate("bare.urdf", {"actuators={m: {joints: [kne]}}"}),
      std::logic_error, "no joint named 'kne', only [hip, knee]; did you mean");
  EXPECT_THROWS_MESSAGE(
      Simulate("bare.urdf", {"actuators={m: {joints: [hip, hip]}}"}),
      std::logic_error, "joint 'hip' of 'm' is named twice");
  EXPECT_THROWS_MESSAGE(
      Simulate("bare.urdf",
               {"actuators={m: {joints: [hip], effort_limit: [-1]}}"}),
      std::logic_error, "effort_limit[0] is -1");
  EXPECT_THROWS_MESSAGE(
      Simulate("bare.urdf", {"actuators={m: {effort_limit: [1, 2]}}"}),
      std::logic_error, "effort_limit has size 2");
  EXPECT_THROWS_MESSAGE(
      Simulate("bare.urdf",
               {"actuators={m: {}}", "model_drivers={m: !ServoDriver {}}"}),
      std::logic_error, "have no gains in the model's file");
}

}  // namespace servo_test
}  // namespace wyvern::app
