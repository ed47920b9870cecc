#include "wyvern/multibody/recording/record_plant.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/systems/recording/temporary_folder.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"

namespace wyvern::multibody {
namespace record_plant_test {

using systems::Recorder;
using systems::test::ContentsOf;
using systems::test::TemporaryFolder;

// A ball of 2 kg on the ground, by points or on a surface.
class Ball {
 public:
  Ball(const std::string& filename, ContactModel model) {
    auto [added, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 1e-3);
    plant = &added;
    plant->set_name("plant");
    plant->set_contact_model(model);
    geometry::ProximityProperties ground;
    geometry::AddContactMaterial(10.0, 1e5, CoulombFriction<double>(0.5, 0.5),
                                 &ground);
    geometry::ProximityProperties soft = ground;
    if (model == ContactModel::kHydroelastic) {
      geometry::AddRigidHydroelasticProperties(1.0, &ground);
      geometry::AddCompliantHydroelasticProperties(0.05, 1e6, &soft);
    }
    plant->RegisterCollisionGeometry(plant->world_body(), {},
                                     geometry::HalfSpace(), "ground", ground);
    const auto& ball = plant->AddRigidBody(
        "ball", SpatialInertia<double>::SolidSphereWithMass(2, 0.1));
    plant->RegisterCollisionGeometry(ball, {}, geometry::Sphere(0.1), "ball",
                                     soft);
    plant->Finalize();
    recorder = builder.AddSystem<Recorder<double>>(filename);
  }
  void Record(const systems::OutputPort<double>& port, double period) {
    RecordPort(port, *plant, period, recorder, &builder);
  }
  systems::Simulator<double>& Start() {
    simulator = std::make_unique<systems::Simulator<double>>(builder.Build());
    plant->SetFreeBodyPose(
        &plant->GetMyMutableContextFromRoot(&simulator->get_mutable_context()),
        plant->GetBodyByName("ball"),
        math::RigidTransformd(Eigen::Vector3d(1, 2, 0.1)));
    return *simulator;
  }

  systems::DiagramBuilder<double> builder;
  MultibodyPlant<double>* plant{};
  Recorder<double>* recorder{};
  std::unique_ptr<systems::Simulator<double>> simulator;
};

// Returns the text after the last occurrence of a word in a file's last line.
std::string After(const std::string& text, const std::string& word) {
  const std::size_t at = text.rfind(word);
  return at == text.npos ? "" : text.substr(at + word.size(), 60);
}

TEST(RecordPort, GivesStatesAndPosesTheirNames) {
  const TemporaryFolder folder;
  Ball ball(folder / "x.csv", ContactModel::kPoint);
  ball.Record(ball.plant->get_state_output_port(), 0.1);
  ball.Record(ball.plant->get_body_poses_output_port(), 0.1);
  ball.Start().Initialize();
  ball.recorder->Close();
  const std::string text = ContentsOf(folder / "x.csv");
  std::string header = "time";
  for (const std::string& name : ball.plant->GetStateNames()) {
    header += ",plant/state/" + name;
  }
  header += ",plant/body_poses/WorldModelInstance::world.qw";
  EXPECT_TRUE(text.starts_with(header)) << text;
  // A row: the ball is the last body.
  EXPECT_TRUE(text.ends_with(",1,0,0,0,1,2,0.1\n")) << text;
}

// Ports of joints and actuators, inputs and outputs, of the whole and of a
// model.
TEST(GetElementNames, CoversInputsAndOutputs) {
  using Names = std::vector<std::string>;
  MultibodyPlant<double> plant(1e-3);
  const auto arm = plant.AddModelInstance("arm");
  const auto inertia = SpatialInertia<double>::SolidSphereWithMass(2, 0.1);
  const auto& upper = plant.AddRigidBody("upper", arm, inertia);
  const auto& lower = plant.AddRigidBody("lower", arm, inertia);
  plant.AddJoint<UniversalJoint>("wrist", plant.world_body(), {}, upper, {});
  const auto& elbow = plant.AddJoint<RevoluteJoint>(
      "elbow", upper, {}, lower, {}, Eigen::Vector3d::UnitZ());
  plant.AddJointActuator("motor", elbow);
  plant.Finalize();
  const auto names = [&plant](const systems::PortBase& port) {
    const Names found = GetElementNames(port, plant);
    EXPECT_TRUE(found.empty() || std::ssize(found) == port.size());
    return found;
  };
  EXPECT_EQ(names(plant.get_actuation_input_port(arm)), Names{"motor"});
  EXPECT_EQ(names(plant.get_net_actuation_output_port(arm)), Names{"motor"});
  EXPECT_EQ(names(plant.get_actuation_input_port()), Names{"arm_motor"});
  EXPECT_EQ(names(plant.get_desired_state_input_port(arm)),
            (Names{"motor_q", "motor_v"}));
  EXPECT_EQ(names(plant.get_applied_generalized_force_input_port()),
            plant.GetVelocityNames());
  EXPECT_EQ(names(plant.get_generalized_contact_forces_output_port(arm)),
            plant.GetVelocityNames(arm));
  EXPECT_EQ(names(plant.get_state_output_port(arm)), plant.GetStateNames(arm));
  EXPECT_EQ(names(plant.get_body_poses_output_port()), Names{});
}

class Contacts : public testing::TestWithParam<ContactModel> {};

TEST_P(Contacts, AreObjectsWithBodiesForcesAndPoints) {
  const TemporaryFolder folder;
  Ball ball(folder / "x.mcap", GetParam());
  ball.Record(ball.plant->get_contact_results_output_port(), 0.1);
  ball.Start().AdvanceTo(1);
  ball.recorder->Close();
  const std::string text = ContentsOf(folder / "x.mcap");
  EXPECT_NE(text.find("{\"contacts\":[]}"), std::string::npos);
  const std::string a = After(text, "{\"contacts\":[{\"a\":");
  const bool ball_is_a = a.starts_with("\"DefaultModelInstance::ball\"");
  EXPECT_TRUE(ball_is_a || a.starts_with("\"WorldModelInstance::world\"")) << a;
  // The force on b: the weight, m g = 19.62 N, down or up.
  const std::string force = After(text, "\"force\":[");
  double x, y, z = 0;
  ASSERT_EQ(std::sscanf(force.c_str(), "%lf,%lf,%lf", &x, &y, &z), 3) << force;
  EXPECT_NEAR(z, ball_is_a ? -19.62 : 19.62, 0.02) << force;
  EXPECT_EQ(text.find("\"torque\":[") != text.npos,
            GetParam() == ContactModel::kHydroelastic);
}

INSTANTIATE_TEST_SUITE_P(PointsAndSurfaces, Contacts,
                         testing::Values(ContactModel::kPoint,
                                         ContactModel::kHydroelastic));

TEST(RecordPort, AllocatesNothingInAStep) {
  const TemporaryFolder folder;
  Ball ball(folder / "x.mcap", ContactModel::kPoint);
  ball.Record(ball.plant->get_state_output_port(), 0.001);
  ball.Record(ball.plant->get_body_poses_output_port(), 0.001);
  ball.Record(ball.plant->get_contact_results_output_port(), 0.001);
  auto& simulator = ball.Start();
  simulator.AdvanceTo(0.5);
  wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(1);
  EXPECT_EQ(guard.count(), 0);
}

TEST(RecordPort, RefusesOtherPorts) {
  const TemporaryFolder folder;
  Ball ball(folder / "x.mcap", ContactModel::kPoint);
  EXPECT_THROWS_MESSAGE(
      ball.Record(ball.plant->get_reaction_forces_output_port(), 0.1),
      std::logic_error, "the port 'plant/reaction_forces' has neither");
  EXPECT_THROWS_MESSAGE(ball.Record(ball.plant->get_state_output_port(), -1),
                        std::logic_error, "period is -1");
  MultibodyPlant<double> other(0.0);
  EXPECT_THROWS_MESSAGE(RecordPort(ball.plant->get_state_output_port(), other,
                                   0.1, ball.recorder, &ball.builder),
                        std::logic_error, "call Finalize() first");
}

}  // namespace record_plant_test
}  // namespace wyvern::multibody
