// Items that a page gets about the bodies that a person looks at.
#include "wyvern/multibody/visualization/body_inspector.h"

#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace body_inspector_test {

using Eigen::Vector3d;
using geometry::Viewer;
using geometry::test::PageClient;
using math::RigidTransformd;
using nlohmann::json;

// A cube of 2 kg at rest on the ground, with a name that would be markup; and
// a hinged arm that turns at 0.5 rad/s.
class BodyInspectorTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    viewer = std::make_shared<Viewer>();
  }

  void Build(bool is_soft) {
    systems::DiagramBuilder<double> builder;
    auto items = AddMultibodyPlantSceneGraph(&builder, 0.002);
    plant = &items.plant;
    const auto& cube = plant->AddRigidBody(
        kCube, SpatialInertia<double>::SolidCubeWithMass(2, 0.2));
    geometry::ProximityProperties body, ground;
    for (auto* one : {&body, &ground}) {
      geometry::AddContactMaterial({}, {}, CoulombFriction<double>(0.6, 0.4),
                                   one);
    }
    if (is_soft) {
      geometry::AddCompliantHydroelasticProperties(1, 1e6, &body);
      geometry::AddRigidHydroelasticProperties(&ground);
    }
    plant->RegisterCollisionGeometry(cube, {}, geometry::Box(0.2, 0.2, 0.2),
                                     "touch", body);
    plant->RegisterCollisionGeometry(plant->world_body(), {},
                                     geometry::HalfSpace(), "ground", ground);
    const auto& arm = plant->AddRigidBody(
        "arm", SpatialInertia<double>::SolidCubeWithMass(1, 0.1));
    plant->RegisterVisualGeometry(arm, {}, geometry::Sphere(0.1), "look",
                                  Eigen::Vector4d(1, 0, 0, 1));
    plant->AddJoint<RevoluteJoint>("hinge", plant->world_body(),
                                   RigidTransformd(Vector3d(1, 0, 1)), arm, {},
                                   Vector3d::UnitZ());
    plant->SetDefaultFreeBodyPose(cube, RigidTransformd(Vector3d(0, 0, 0.1)));
    plant->Finalize();
    simulator = std::make_unique<systems::Simulator<double>>(builder.Build());
    auto& context =
        plant->GetMyMutableContextFromRoot(&simulator->get_mutable_context());
    plant->GetJointByName<RevoluteJoint>("hinge").set_angular_rate(&context,
                                                                   0.5);
    inspector = std::make_unique<BodyInspector>(plant, viewer);
    simulator->AdvanceTo(0.5);
  }

  std::string FrameOf(const std::string& body) const {
    return std::to_string(
        plant->GetBodyFrameIdOrThrow(plant->GetBodyByName(body).index())
            .get_value());
  }

  // Asks, and publishes until an item of that type has come.
  json Ask(const json& paths, const std::string& type) {
    PageClient page(*viewer);
    page.Send(json{{"type", "inspect"}, {"paths", paths}}.dump());
    for (int k = 0; k < 200; ++k) {
      inspector->Publish(simulator->get_context());
      viewer->SetSimulationTime(k);  // So that there is something to read.
      for (const json& item : page.Read()) {
        if (item["type"] == type) return item;
      }
      page.Send("read");
    }
    throw std::runtime_error("No item of type " + type);
  }

  static constexpr const char* kCube = "<img src=x onerror=alert(1)>";
  std::shared_ptr<Viewer> viewer;
  MultibodyPlant<double>* plant{};
  std::unique_ptr<systems::Simulator<double>> simulator;
  std::unique_ptr<BodyInspector> inspector;
};

TEST_F(BodyInspectorTest, SaysWhichBodiesThereAre) {
  Build(false);
  PageClient page(*viewer);
  std::map<std::string, json> bodies;
  for (const json& item : page.ReadUntil("bodies")) {
    if (item["type"] != "bodies") continue;
    for (const json& body : item["list"]) bodies[body[1]] = body;
  }
  ASSERT_TRUE(bodies.contains(kCube));
  EXPECT_EQ(std::to_string(bodies[kCube][0].get<int64_t>()), FrameOf(kCube));
  EXPECT_EQ(bodies[kCube][3], 2.0);
  EXPECT_EQ(bodies[kCube][4], false);
  EXPECT_EQ(bodies["arm"][3], 1.0);
  EXPECT_EQ(bodies.contains("world"), false);
}

TEST_F(BodyInspectorTest, ASelectedBodyHasItsVelocityAndJoints) {
  Build(false);
  const json arm = Ask({FrameOf("arm")}, "body");
  EXPECT_EQ(arm["mass"], 1.0);
  EXPECT_NEAR(arm["w"][2], 0.5, 1e-9);
  ASSERT_EQ(arm["joints"].size(), 1u);
  EXPECT_EQ(arm["joints"][0][0], "hinge");
  EXPECT_EQ(arm["joints"][0][1], "revolute");
  EXPECT_NEAR(arm["joints"][0][2][0], 0.5 * 0.5, 1e-9);
  EXPECT_NEAR(arm["joints"][0][3][0], 0.5, 1e-9);
}

// The forces on the cube point up and hold its weight; so do the normals.
TEST_F(BodyInspectorTest, TheTableOfContactsHoldsTheWeight) {
  for (const bool is_soft : {false, true}) {
    Build(is_soft);
    const json contacts = Ask({"contacts"}, "contacts");
    ASSERT_EQ(contacts["rows"].size(), is_soft ? 1u : 4u);
    EXPECT_EQ(contacts["total"], contacts["rows"].size());
    double sum = 0;
    for (const json& row : contacts["rows"]) {
      EXPECT_EQ(row[0], "world");
      EXPECT_EQ(row[1], kCube);
      EXPECT_EQ(row[2], is_soft ? 1 : 0);
      EXPECT_NEAR(row[5][2], 1, 1e-6);
      EXPECT_NEAR(row[6], 0.4, 1e-12);  // That of sliding, in discrete time.
      sum += row[4][2].get<double>();
      if (is_soft) {
        EXPECT_NEAR(row[8], 0.04, 1e-6);
      }
    }
    EXPECT_NEAR(sum, 2 * 9.81, 0.05);
    inspector.reset();
  }
}

TEST_F(BodyInspectorTest, UnknownNamesAndFloodsAreIgnored) {
  Build(false);
  {
    PageClient page(*viewer);
    for (int k = 0; k < 1000; ++k) {
      page.Send(json{{"type", "inspect"},
                     {"paths", {"999" + std::to_string(k), "world", "-1"}}}
                    .dump());
    }
    page.Send(R"({"type":"inspect","paths":[null,{},7]})");
    page.Send(R"({"type":"inspect"})");
  }
  const json arm = Ask({FrameOf("arm"), "nothing"}, "body");
  EXPECT_EQ(arm["path"], FrameOf("arm"));
}

TEST_F(BodyInspectorTest, ItemsThatNobodyAsksForAreTakenAway) {
  Build(false);
  Ask({FrameOf("arm")}, "body");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (bool is_gone = false; !is_gone;) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    inspector->Publish(simulator->get_context());
    PageClient page(*viewer);
    is_gone = true;
    for (const json& item : page.ReadUntil("bodies")) {
      if (item["type"] == "body") is_gone = false;
    }
  }
}

TEST_F(BodyInspectorTest, MisuseOfItIsAnError) {
  MultibodyPlant<double> unfinished(0.0);
  EXPECT_THROWS_MESSAGE(BodyInspector(&unfinished, viewer), std::logic_error,
                        "the plant is not finalized; call Finalize() first");
  EXPECT_THROWS_MESSAGE(BodyInspector(nullptr, viewer), std::logic_error,
                        "the plant is null");
  unfinished.Finalize();
  EXPECT_THROWS_MESSAGE(BodyInspector(&unfinished, nullptr), std::logic_error,
                        "the viewer is null");
}

}  // namespace body_inspector_test
}  // namespace wyvern::multibody
