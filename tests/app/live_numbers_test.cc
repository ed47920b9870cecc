// Numbers of models that a scenario changes, at the start and while it runs.
#include "wyvern/app/live_numbers.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/expect_throws.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/multibody/sensors/accelerometer.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::app {
namespace live_numbers_test {

namespace fs = std::filesystem;

// A carriage on a rail, a crate of two halves on the floor, and a wheel.
constexpr const char* kRail = R"(<robot name="rail">
  <link name="base"/>
  <link name="cart"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="cart"/>
    <axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/>
  </joint>
  <joint name="fixed" type="fixed"><parent link="world"/><child link="base"/>
  </joint></robot>)";
constexpr const char* kCrate = R"(<robot name="crate">
  <link name="box"><inertial><mass value="1"/>
    <inertia ixx="1e-2" iyy="1e-2" izz="1e-2" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <collision><origin xyz="-0.05 0 0"/>
      <geometry><box size="0.1 0.2 0.2"/></geometry></collision>
    <collision><origin xyz="0.05 0 0"/>
      <geometry><box size="0.1 0.2 0.2"/></geometry></collision>
  </link></robot>)";
constexpr const char* kWheel = R"(<robot name="wheel">
  <link name="disk"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="continuous"><parent link="world"/>
    <child link="disk"/><axis xyz="0 0 1"/>
    <dynamics damping="0.5" friction="0.25"/></joint></robot>)";
constexpr const char* kScenario = R"(
plant_config: {time_step: 0.001}
model_files: [{file: rail.urdf}, {file: crate.urdf}, {file: wheel.urdf}]
floor: {height: -0.1}
disturbances:
- {body: 'rail::cart', force: [4, 0, 0], duration: 1e3}
- {body: 'crate::box', force: [3, 0, 0], duration: 1e3}
)";
constexpr const char* kBlocks = R"(blocks={
  gain: !Gain {k: [2, 3], tunable: true},
  fixed_gain: !Gain {k: [2]},
  level: !ConstantVectorSource {value: [5]},
  pid: !PidController {kp: [1], ki: [4], kd: [7], tunable: true}})";

class LiveNumbersTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "rail.urdf") << kRail;
    std::ofstream(folder_ / "crate.urdf") << kCrate;
    std::ofstream(folder_ / "wheel.urdf") << kWheel;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Build(const std::vector<std::string>& settings = {}) {
    simulation_ = std::make_unique<ScenarioSimulation>(
        LoadScenarioFromString(kScenario, settings), folder_);
  }
  std::optional<LiveNumber> Find(const std::string& path) {
    return FindLiveNumber(path, simulation_->diagram(),
                          simulation_->simulator().get_context());
  }
  void Set(const std::string& path, double value) {
    Find(path)->set(value, &simulation_->simulator().get_mutable_context());
  }
  // Speed of the carriage after another second from rest [m/s].
  double CartSpeedAfterOneSecond() {
    auto& simulator = simulation_->simulator();
    const auto& joint = simulation_->plant().GetJointByName("slide");
    auto& context = simulation_->plant().GetMyMutableContextFromRoot(
        &simulator.get_mutable_context());
    simulation_->plant().SetVelocities(
        &context, Eigen::VectorXd::Zero(simulation_->plant().num_velocities()));
    simulator.AdvanceTo(simulator.get_context().get_time() + 1);
    return simulation_->plant().GetVelocities(context)[joint.velocity_start()];
  }

  const fs::path folder_ = fs::path(testing::TempDir()) /
                           fmt::format("wyvern_live_numbers_{}", getpid());
  std::unique_ptr<ScenarioSimulation> simulation_;
};

constexpr const char* kMass = "model_parameters.rail.bodies.cart.mass";
constexpr const char* kFriction = "model_parameters.rail.joints.slide.friction";
constexpr const char* kDamping = "model_parameters.rail.joints.slide.damping";
constexpr const char* kContact = "model_parameters.crate.bodies.box.friction";

// v = F t / m; with dry friction f < F, v = (F - f) t / m.
TEST_F(LiveNumbersTest, MassAndDryFrictionCountFromTheNextStepOn) {
  Build();
  EXPECT_EQ(Find(kMass)->value, 2);
  EXPECT_EQ(Find(kMass)->name, "rail::cart mass [kg]");
  EXPECT_NEAR(CartSpeedAfterOneSecond(), 2, 1e-9);
  Set(kMass, 8);
  EXPECT_EQ(Find(kMass)->value, 8);
  EXPECT_NEAR(CartSpeedAfterOneSecond(), 0.5, 1e-9);
  Set(kFriction, 1);
  EXPECT_EQ(Find(kFriction)->name, "rail::slide friction [N]");
  // The friction of a joint that slips is a little softer than Coulomb's.
  EXPECT_NEAR(CartSpeedAfterOneSecond(), 0.375, 1e-3);
}

// m v' = F - d v from rest.
TEST_F(LiveNumbersTest, DampingCountsFromTheNextStepOn) {
  Build();
  Set(kDamping, 3);
  EXPECT_EQ(Find(kDamping)->name, "rail::slide damping [N·s/m]");
  EXPECT_NEAR(CartSpeedAfterOneSecond(), 4 / 3.0 * (1 - std::exp(-1.5)), 2e-3);
}

TEST_F(LiveNumbersTest, JointsThatTurnHaveUnitsOfTorque) {
  Build();
  const std::string joint = "model_parameters.wheel.joints.turn.";
  EXPECT_EQ(Find(joint + "damping")->name, "wheel::turn damping [N·m·s/rad]");
  EXPECT_EQ(Find(joint + "friction")->name, "wheel::turn friction [N·m]");
  EXPECT_EQ(Find(joint + "damping")->value, 0.5);
  EXPECT_EQ(Find(joint + "friction")->value, 0.25);
  Set(joint + "damping", 0.75);
  EXPECT_EQ(Find(joint + "damping")->value, 0.75);
  EXPECT_EQ(Find(joint + "friction")->value, 0.25);
}

// A push of 3 N does not move 1 kg at a coefficient of 1, which URDF has by
// default, and does at 0.1. The coefficient of both surfaces is 2 a b / (a +
// b), and the floor has 1.
TEST_F(LiveNumbersTest, ContactFrictionCountsFromTheNextStepOn) {
  Build();
  EXPECT_EQ(Find(kContact)->value, 1);
  const auto& plant = simulation_->plant();
  const auto& box = plant.GetBodyByName("box");
  const auto speed = [&] {
    return box.EvalSpatialVelocityInWorld(simulation_->plant_context())
        .translational()
        .x();
  };
  simulation_->simulator().AdvanceTo(0.5);
  EXPECT_NEAR(speed(), 0, 1e-3);
  Set(kContact, 0.1);
  EXPECT_EQ(Find(kContact)->value, 0.1);
  simulation_->simulator().AdvanceTo(1.0);
  const double mu = 2 * 0.1 / 1.1;
  EXPECT_NEAR(speed(), (3 - mu * 9.81) * 0.5, 0.01);
}

// F / m + g along the rail; the accelerometer does not feel g.
TEST_F(LiveNumbersTest, GravityCountsFromTheNextStepOn) {
  Build({"sensors={felt: {frame: 'rail::cart'}}"});
  EXPECT_EQ(Find("gravity[2]")->value, -9.81);
  EXPECT_EQ(Find("gravity[2]")->name, "gravity[2] [m/s²]");
  Set("gravity[0]", 3);
  Set("gravity[2]", -1.62);
  EXPECT_EQ(Find("gravity[0]")->value, 3);
  EXPECT_EQ(Find("gravity[2]")->value, -1.62);
  EXPECT_NEAR(CartSpeedAfterOneSecond(), 5, 1e-9);
  const auto& felt = simulation_->GetVectorPort("felt/y");
  const Eigen::Vector3d acceleration =
      felt.Eval(felt.get_system().GetMyContextFromRoot(
          simulation_->simulator().get_context()));
  EXPECT_LT((acceleration - Eigen::Vector3d(2, 0, 1.62)).norm(), 1e-9);
  EXPECT_THROWS_MESSAGE(Set("gravity[1]", NAN), std::logic_error, "gravity");
  EXPECT_FALSE(Find("gravity[3]").has_value());
}

// An accelerometer in a diagram in a diagram: at rest it feels -g.
TEST_F(LiveNumbersTest, GravityReachesAccelerometersInsideOfDiagrams) {
  using Accelerometer = systems::sensors::Accelerometer<double>;
  const Accelerometer* felt = nullptr;
  simulation_ = std::make_unique<ScenarioSimulation>(
      LoadScenarioFromString(kScenario, {}), folder_, true,
      [&felt](const multibody::MultibodyPlant<double>& plant,
              systems::DiagramBuilder<double>* builder) {
        systems::DiagramBuilder<double> inner;
        felt = inner.AddSystem<Accelerometer>(
            plant.GetBodyByName("base"), math::RigidTransformd(),
            plant.gravity_field().gravity_vector());
        for (int i = 0; i < felt->num_input_ports(); ++i) {
          inner.ExportInput(felt->get_input_port(i));
        }
        systems::DiagramBuilder<double> outer;
        auto* box = outer.AddSystem(inner.Build());
        for (int i = 0; i < box->num_input_ports(); ++i) {
          outer.ExportInput(box->get_input_port(i));
        }
        auto* outside = builder->AddSystem(outer.Build());
        outside->set_name("outside");
        builder->Connect(plant.get_body_poses_output_port(),
                         outside->get_input_port(0));
        builder->Connect(plant.get_body_spatial_velocities_output_port(),
                         outside->get_input_port(1));
        builder->Connect(plant.get_body_spatial_accelerations_output_port(),
                         outside->get_input_port(2));
      });
  Set("gravity[2]", -1.62);
  const Eigen::Vector3d acceleration = felt->get_measurement_output_port().Eval(
      felt->GetMyContextFromRoot(simulation_->simulator().get_context()));
  EXPECT_LT((acceleration - Eigen::Vector3d(0, 0, 1.62)).norm(), 1e-9);
}

TEST_F(LiveNumbersTest, AScenarioHasThemFromTheStart) {
  Build({fmt::format("{}=4", kMass), fmt::format("{}=0.25", kContact),
         fmt::format("{}=0.5", kDamping), fmt::format("{}=0.75", kFriction),
         "gravity=[0, 0, -1.62]"});
  EXPECT_EQ(Find(kMass)->value, 4);
  EXPECT_EQ(Find(kContact)->value, 0.25);
  EXPECT_EQ(Find(kDamping)->value, 0.5);
  EXPECT_EQ(Find(kFriction)->value, 0.75);
  const auto& plant = simulation_->plant();
  EXPECT_EQ(plant.gravity_field().gravity_vector(),
            Eigen::Vector3d(0, 0, -1.62));
  // Drivers know the model as it is in its file.
  EXPECT_EQ(plant.GetBodyByName("cart").default_mass(), 2);
}

TEST_F(LiveNumbersTest, ParametersOfBlocksAreFoundByTheirFields) {
  Build({kBlocks});
  EXPECT_EQ(Find("blocks.gain.k[1]")->value, 3);
  EXPECT_EQ(Find("blocks.level.value[0]")->value, 5);
  EXPECT_EQ(Find("blocks.pid.kp[0]")->value, 1);
  EXPECT_EQ(Find("blocks.pid.ki[0]")->value, 4);
  EXPECT_EQ(Find("blocks.pid.kd[0]")->value, 7);
  Set("blocks.gain.k[1]", 11);
  EXPECT_EQ(Find("blocks.gain.k[1]")->value, 11);
  EXPECT_EQ(Find("blocks.gain.k[0]")->value, 2);
  for (const char* path :
       {"blocks.fixed_gain.k[0]", "blocks.gain.k[2]", "blocks.gain.k",
        "blocks.gain.k[0", "blocks.gain.k[0x]", "blocks.gain.k[0]]",
        "blocks.gain.q[0]", "blocks.none.k[0]", "plant_config.time_step",
        "disturbances[0].force[2]"}) {
    EXPECT_FALSE(Find(path).has_value()) << path;
  }
}

TEST_F(LiveNumbersTest, MistakesNameWhatIsThere) {
  Build();
  const auto refuses = [&](const std::string& path, const char* message) {
    EXPECT_THROWS_MESSAGE(Find(path), std::logic_error, message);
  };
  refuses("model_parameters.rial.bodies.cart.mass", "did you mean 'rail'?");
  refuses("model_parameters.rail.bodies.card.mass", "did you mean 'cart'?");
  refuses("model_parameters.rail.joints.slid.damping", "did you mean 'slide'?");
  refuses("model_parameters.rail.bodies.cart.weight", "no such number");
  refuses("model_parameters.rail", "no such number");
  refuses("model_parameters.rail.bodies.cart.friction", "no collision shape");
  refuses("model_parameters.rail.joints.fixed.damping", "0 degrees of freedom");
  EXPECT_THROWS_MESSAGE(Set(kMass, -1), std::logic_error, "body 'cart'");
  EXPECT_THROWS_MESSAGE(Set(kMass, NAN), std::logic_error, "mass");
  EXPECT_THROWS_MESSAGE(Set(kContact, -1), std::logic_error, "friction");
  EXPECT_THROWS_MESSAGE(Set(kDamping, -1), std::logic_error, "amping");
  EXPECT_EQ(Find(kMass)->value, 2);
  EXPECT_THROWS_MESSAGE(
      Build({"model_parameters={rail: {bodies: {card: {mass: 1}}}}"}),
      std::logic_error, "did you mean 'cart'?");
  EXPECT_THROWS_MESSAGE(Build({"gravity=[0, .nan, 0]"}), std::logic_error,
                        "gravity");
}

}  // namespace live_numbers_test
}  // namespace wyvern::app
