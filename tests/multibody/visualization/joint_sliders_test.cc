// Sliders for a plant's positions.
#include "wyvern/multibody/visualization/joint_sliders.h"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/viewer/page_browser.h"
#include "tests/geometry/viewer/page_client.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/visualization/visualization_config_functions.h"

namespace wyvern::multibody::meshcat {
namespace joint_sliders_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::Viewer;
using Names = std::vector<std::string>;

class JointSlidersTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    viewer = std::make_shared<Viewer>();
    plant = builder.AddSystem<MultibodyPlant<double>>(0.0);
    plant->set_name("plant");
    const auto inertia = SpatialInertia<double>::SolidCubeWithMass(1, 0.1);
    const auto& arm = plant->AddRigidBody("arm", inertia);
    const auto& hand = plant->AddRigidBody("hand", inertia);
    plant->AddJoint<RevoluteJoint>("shoulder", plant->world_body(), {}, arm, {},
                                   Vector3d::UnitZ());
    plant->AddJoint<RevoluteJoint>("elbow", arm, {}, hand, {},
                                   Vector3d::UnitY(), -1.5, 0.75);
    plant->Finalize();
  }

  systems::DiagramBuilder<double> builder;
  MultibodyPlant<double>* plant{};
  std::shared_ptr<Viewer> viewer;
};

TEST_F(JointSlidersTest, HaveTheLimitsOfTheirJoints) {
  const JointSliders<double> sliders(viewer, plant);
  EXPECT_EQ(viewer->GetSliderNames(), (Names{"elbow", "shoulder"}));
  EXPECT_EQ(viewer->SetSliderValue("shoulder", 99), 10);
  EXPECT_EQ(viewer->SetSliderValue("shoulder", -99), -10);
  EXPECT_EQ(viewer->SetSliderValue("elbow", 99), 0.75);
  EXPECT_EQ(viewer->SetSliderValue("elbow", -99), -1.5);
}

TEST_F(JointSlidersTest, TheStricterLimitHolds) {
  const JointSliders<double> sliders(viewer, plant, {}, -1.0,
                                     VectorXd(Vector2d(2, 3)), 0.25);
  EXPECT_EQ(viewer->SetSliderValue("shoulder", 99), 2);
  EXPECT_EQ(viewer->SetSliderValue("elbow", 99), 0.75);
  EXPECT_EQ(viewer->SetSliderValue("elbow", -99), -1);
  EXPECT_EQ(viewer->SetSliderValue("elbow", 0.1), 0);
}

// A position that no slider can have is kept until the slider is moved.
TEST_F(JointSlidersTest, ThePortSaysWhereTheyAre) {
  const JointSliders<double> sliders(viewer, plant,
                                     VectorXd(Vector2d(0.123456, 0.2)));
  const auto context = sliders.CreateDefaultContext();
  const auto& port = sliders.GetOutputPort("positions");
  EXPECT_EQ(port.Eval(*context), Vector2d(0.123456, 0.2));
  viewer->SetSliderValue("shoulder", 3);
  EXPECT_EQ(port.Eval(*context), Vector2d(3, 0.2));
  viewer->SetSliderValue("elbow", -1.5);
  EXPECT_EQ(port.Eval(*context), Vector2d(3, -1.5));
}

TEST_F(JointSlidersTest, AreSetAndDeleted) {
  JointSliders<double> sliders(viewer, plant);
  const auto context = sliders.CreateDefaultContext();
  sliders.SetPositions(Vector2d(1, 0.5));
  EXPECT_EQ(viewer->GetSliderValue("shoulder"), 1);
  viewer->SetSliderValue("shoulder", 2);
  sliders.Delete();
  EXPECT_TRUE(viewer->GetSliderNames().empty());
  EXPECT_EQ(sliders.get_output_port(0).Eval(*context), Vector2d(1, 0.5));
  sliders.SetPositions(Vector2d(0, 0));
  EXPECT_EQ(sliders.get_output_port(0).Eval(*context), Vector2d(0, 0));
}

TEST_F(JointSlidersTest, RunMovesThePlantUntilStopped) {
  auto* sliders = builder.AddSystem<JointSliders<double>>(viewer, plant);
  const auto diagram = builder.Build();
  EXPECT_EQ(sliders->Run(*diagram, 0.0), Vector2d::Zero());
  geometry::test::PageClient page(*viewer);
  std::thread person([&] {
    page.ReadUntil("button");
    page.Send(R"({"type":"slider","path":"elbow","value":0.5})");
    page.Send(R"({"type":"button","path":"Stop JointSliders"})");
  });
  const VectorXd q = sliders->Run(*diagram);
  person.join();
  EXPECT_NEAR(q(1), 0.5, 1e-9);
  EXPECT_THROWS_MESSAGE(viewer->GetButtonClicks("Stop JointSliders"),
                        std::out_of_range, "there is no button");
}

TEST_F(JointSlidersTest, RefuseWhatMakesNoSense) {
  const auto make = [&](std::optional<VectorXd> q, auto low, auto high,
                        auto step, Names keys) {
    JointSliders<double>(viewer, plant, std::move(q), low, high, step,
                         std::move(keys));
  };
  EXPECT_THROWS_MESSAGE(JointSliders<double>(nullptr, plant), std::logic_error,
                        "the viewer");
  EXPECT_THROWS_MESSAGE(JointSliders<double>(viewer, nullptr), std::logic_error,
                        "the plant");
  EXPECT_THROWS_MESSAGE(make(Vector3d::Zero(), -1.0, 1.0, 0.1, {}),
                        std::logic_error, "initial_value");
  EXPECT_THROWS_MESSAGE(make({}, 1.0, -1.0, 0.1, {}), std::logic_error,
                        "upper_limit");
  EXPECT_THROWS_MESSAGE(make({}, -1.0, 1.0, 0.0, {}), std::logic_error, "step");
  EXPECT_THROWS_MESSAGE(
      make({}, std::numeric_limits<double>::quiet_NaN(), 1.0, 0.1, {}),
      std::logic_error, "lower_limit");
  EXPECT_THROWS_MESSAGE(make({}, -1.0, 1.0, 0.1, {"KeyA"}), std::logic_error,
                        "decrement_keycodes");
  EXPECT_TRUE(viewer->GetSliderNames().empty());
}

class JointSlidersPageTest : public geometry::test::PageTest {};

// A person who drags the slider by 1.57 sees the arm a quarter turn on.
TEST_F(JointSlidersPageTest, ASliderMovesAJoint) {
  const auto viewer = std::make_shared<Viewer>();
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.0);
  const auto& arm = plant.AddRigidBody(
      "arm", SpatialInertia<double>::SolidCubeWithMass(1, 0.1));
  plant.RegisterVisualGeometry(arm, {}, geometry::Box(0.4, 0.1, 0.1), "look",
                               Eigen::Vector4d(0.2, 0.5, 0.7, 1));
  plant.AddJoint<RevoluteJoint>("shoulder", plant.world_body(), {}, arm, {},
                                Vector3d::UnitZ());
  plant.Finalize();
  visualization::AddDefaultVisualization(&builder, viewer);
  auto* sliders = builder.AddSystem<JointSliders<double>>(viewer, &plant);
  const auto diagram = builder.Build();
  const std::string path = "/wyvern/illustration/arm";
  std::vector<std::vector<double>> said;
  std::thread person([&] {
    said =
        Do(viewer->web_url(), {"wait-for=" + path, "slide=shoulder:1.57",
                               "rotation=" + path, "press=Stop JointSliders"});
  });
  const VectorXd q = sliders->Run(*diagram, 60.0);
  person.join();
  EXPECT_NEAR(q(0), 1.57, 1e-9);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NEAR(said[0].at(2), std::sin(1.57 / 2), 1e-6);
  EXPECT_NEAR(said[0].at(3), std::cos(1.57 / 2), 1e-6);
}

}  // namespace joint_sliders_test
}  // namespace wyvern::multibody::meshcat
