// Items that AddDefaultVisualization() adds to a page: illustration and
// proximity geometry, contact forces and inertias.
#include "wyvern/multibody/visualization/visualization_config_functions.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/multibody/visualization/contact_visualizer.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::visualization {
namespace {

using Eigen::Vector3d;
using geometry::Viewer;
using geometry::test::PageClient;
using math::RigidTransformd;
using multibody::AddMultibodyPlantSceneGraph;
using multibody::CoulombFriction;
using multibody::SpatialInertia;

class VisualizationTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
  }

  // A box of 2 kg on the ground, after `duration`; items by type and path.
  std::map<std::string, nlohmann::json> Show(bool is_soft, double duration,
                                             double height = 0.0) {
    systems::DiagramBuilder<double> builder;
    auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.002);
    const geometry::Box shape(0.2, 0.2, 0.2);
    const auto& box = plant.AddRigidBody(
        "box", SpatialInertia<double>::SolidCubeWithMass(2, 0.2));
    geometry::ProximityProperties soft;
    geometry::AddContactMaterial({}, {}, CoulombFriction<double>(0.5, 0.5),
                                 &soft);
    if (is_soft) geometry::AddCompliantHydroelasticProperties(1, 1e6, &soft);
    geometry::ProximityProperties ground;
    geometry::AddContactMaterial({}, {}, CoulombFriction<double>(0.5, 0.5),
                                 &ground);
    if (is_soft) geometry::AddRigidHydroelasticProperties(&ground);
    plant.RegisterCollisionGeometry(box, {}, shape, "touch", soft);
    plant.RegisterVisualGeometry(box, {}, shape, "look",
                                 Eigen::Vector4d(1, 0, 0, 1));
    plant.RegisterCollisionGeometry(plant.world_body(), {},
                                    geometry::HalfSpace(), "ground", ground);
    plant.AddFrame(std::make_unique<multibody::FixedOffsetFrame<double>>(
        "handle", box, RigidTransformd(Vector3d(0.25, 0, 0))));
    plant.SetDefaultFreeBodyPose(box,
                                 RigidTransformd(Vector3d(0, 0, 0.1 + height)));
    plant.Finalize();
    const auto viewer = std::make_shared<Viewer>();
    viewer->StartRecording();
    AddDefaultVisualization(&builder, viewer);
    const auto diagram = builder.Build();
    systems::Simulator<double> simulator(*diagram);
    simulator.AdvanceTo(duration);
    viewer->PublishRecording();
    viewer->SetProperty("/end", "visible", true);

    std::map<std::string, nlohmann::json> result;
    PageClient page(*viewer);
    for (;;) {
      for (const nlohmann::json& item : page.Read()) {
        const std::string path = item.value("path", "");
        if (path == "/end") return result;
        result[item["type"].get<std::string>() + " " + path] = item;
      }
    }
  }
};

// The item of that key, or an error that says which there are.
const nlohmann::json& At(const std::map<std::string, nlohmann::json>& items,
                         const std::string& key) {
  const auto found = items.find(key);
  if (found != items.end()) return found->second;
  std::string keys;
  for (const auto& [one, item] : items) keys += one + "\n";
  throw std::out_of_range("No " + key + " among\n" + keys);
}

// Numbers that are in base64.
std::vector<float> Floats(const std::string& text) {
  const std::string letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int num_bits = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<uint32_t>(letters.find(c));
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes.push_back(static_cast<char>(bits >> num_bits & 255));
  }
  std::vector<float> result(bytes.size() / sizeof(float));
  std::memcpy(result.data(), bytes.data(), result.size() * sizeof(float));
  return result;
}

TEST_F(VisualizationTest, ShowsBodiesForcesAndInertias) {
  const auto items = Show(/* is_soft */ false, 1.0);
  EXPECT_EQ(At(items, "object /wyvern/illustration/box/look")["color"],
            (std::vector<double>{1, 0, 0, 1}));
  EXPECT_TRUE(items.contains("object /wyvern/proximity/box/touch"));
  EXPECT_EQ(At(items, "property /wyvern/proximity")["value"], false);
  EXPECT_EQ(At(items, "property /wyvern/inertia")["value"], false);
  // A solid cube of edge 0.2 has the inertia of an ellipsoid of half-lengths
  // 0.2 sqrt(5 / 12); as dense as water, of 2 kg, it is a ball of 7.8 cm.
  const double radius = std::cbrt(3 * 2e-3 / (4 * M_PI));
  const auto radii = At(items, "object /wyvern/inertia/box (1)/ellipsoid")
                         .at("object")
                         .at("radii");
  for (const double r : radii) EXPECT_NEAR(r, radius, 1e-9);
  const auto& arrows = At(items, "object /wyvern/contact_forces/point");
  EXPECT_EQ(arrows["object"]["shape"], "arrows");
  const auto start = Floats(arrows["object"]["start"]);
  const auto along = Floats(arrows["object"]["arrows"]);
  ASSERT_EQ(start.size(), 4u * 3);
  ASSERT_EQ(along.size(), 4u * 3);
  // They are on the box, which can move: up, together a metre for its weight.
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(start[3 * k + 2], 0, 1e-3);
    EXPECT_GT(along[3 * k + 2], 0.1);
    sum += along[3 * k + 2];
  }
  EXPECT_NEAR(sum, 1, 1e-3);
}

TEST_F(VisualizationTest, ShowsFramesAndNames) {
  const auto items = Show(/* is_soft */ false, 0.1);
  EXPECT_EQ(At(items, "property /wyvern/frames")["value"], false);
  const auto& axes = At(items, "object /wyvern/frames/box (1)/axes");
  EXPECT_EQ(axes["object"]["shape"], "triad");
  EXPECT_EQ(axes["object"]["length"], 0.1);
  EXPECT_EQ(
      At(items, "object /wyvern/frames/box (1)/axes/name")["object"]["text"],
      "box");
  EXPECT_TRUE(items.contains("object /wyvern/frames/world (0)/axes"));
  // The body's path is where the body is, a frame's where it is on the body.
  EXPECT_NEAR(At(items, "pose /wyvern/frames/box (1)")["x"][2], 0.1, 1e-3);
  EXPECT_EQ(At(items, "pose /wyvern/frames/box (1)/handle (2)")["x"][0], 0.25);
}

TEST_F(VisualizationTest, ShowsSurfacesOfContact) {
  const auto items = Show(/* is_soft */ true, 0.5);
  const auto& surface = At(items, "object /wyvern/contact_forces/surface");
  EXPECT_EQ(surface["object"]["shape"], "triangles");
  EXPECT_TRUE(surface["object"].contains("colors"));
  const auto force =
      Floats(At(items, "object /wyvern/contact_forces/surface_force")
                 .at("object")
                 .at("arrows"));
  ASSERT_EQ(force.size(), 3u);
  EXPECT_NEAR(force[2], 1, 1e-2);
  EXPECT_FALSE(items.contains("object /wyvern/contact_forces/point"));
}

// It falls 0.2 m, which takes sqrt(2 h / g), and stays.
TEST_F(VisualizationTest, ARecordingSaysWhenBodiesBeginToTouch) {
  for (const bool is_soft : {false, true}) {
    const auto items = Show(is_soft, 0.6, 0.2);
    const auto marks = At(items, "recording ").at("marks");
    ASSERT_EQ(marks.size(), 1u) << marks;
    EXPECT_EQ(marks[0][1], "box touches world");
    const double fall = std::sqrt(2 * 0.2 / 9.81);
    EXPECT_GT(marks[0][0], fall - 0.004);
    EXPECT_LT(marks[0][0], fall + 1.0 / 64 + 0.004);
  }
}

TEST_F(VisualizationTest, ConfigSaysWhatIsAdded) {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.002);
  const auto viewer = std::make_shared<Viewer>();
  EXPECT_THROWS_MESSAGE(AddDefaultVisualization(&builder, viewer),
                        std::logic_error, "the plant is not finalized");
  plant.Finalize();
  const size_t before = builder.GetSystems().size();
  VisualizationConfig config;
  config.publish_contacts = false;
  config.publish_inertia = false;
  config.publish_frames = false;
  config.publish_proximity = false;
  ApplyVisualizationConfig(config, &builder, nullptr, nullptr, nullptr, viewer);
  EXPECT_EQ(builder.GetSystems().size(), before + 1);
  config.enable_meshcat_creation = false;
  ApplyVisualizationConfig(config, &builder);
  EXPECT_EQ(builder.GetSystems().size(), before + 1);
  config.publish_period = -1;
  EXPECT_THROWS_MESSAGE(ApplyVisualizationConfig(config, &builder),
                        std::logic_error, "publish_period is -1");
}

TEST(Visualization, NeedsASceneGraph) {
  systems::DiagramBuilder<double> builder;
  EXPECT_THROWS_MESSAGE(AddDefaultVisualization(&builder), std::logic_error,
                        "name it 'scene_graph' in the builder");
  EXPECT_THROWS_MESSAGE(AddDefaultVisualization(nullptr), std::logic_error,
                        "the builder is null");
}

}  // namespace
}  // namespace wyvern::visualization
