// A person pulls bodies of a simulation and looks at them, by mouse and keys in
// a real browser.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/visualization/plant_page.h"
#include "wyvern/geometry/shapes/proximity_properties.h"

namespace wyvern::multibody {
namespace touch_page_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using Numbers = std::vector<double>;

constexpr const char* kCube = "/wyvern/illustration/cube";

// A cube of 2 kg on the ground.
class TouchPageTest : public test::PlantPageTest {
 protected:
  void SetUp() override {
    PlantPageTest::SetUp();
    if (IsSkipped()) return;
    systems::DiagramBuilder<double> builder;
    AddPlant(&AddCube, &builder);
    Build(&builder);
    viewer->SetCameraPose({2.4, -0.6, 1.1}, {0, 0, 0.3});
  }

 private:
  static void AddCube(MultibodyPlant<double>* plant) {
    const auto& cube = plant->AddRigidBody(
        "cube", SpatialInertia<double>::SolidCubeWithMass(2, 0.4));
    geometry::ProximityProperties material;
    geometry::AddContactMaterial({}, {}, CoulombFriction<double>(0.5, 0.5),
                                 &material);
    const geometry::Box shape(0.4, 0.4, 0.4);
    plant->RegisterCollisionGeometry(cube, {}, shape, "touch", material);
    plant->RegisterVisualGeometry(cube, {}, shape, "look",
                                  Eigen::Vector4d(0.9, 0.2, 0.1, 1));
    plant->RegisterCollisionGeometry(plant->world_body(), {},
                                     geometry::HalfSpace(), "ground", material);
    plant->SetDefaultFreeBodyPose(cube, RigidTransformd(Vector3d(0, 0, 0.2)));
  }
};

TEST_F(TouchPageTest, AMousePullsACubeFromTheGroundAndLetsItFall) {
  const auto said = DoWhileItRuns(
      {"size=900x600", fmt::format("wait-for={}", kCube),
       fmt::format("click={}", kCube), "wait-for-text=Drag it to pull it.",
       fmt::format("drag={}:0,-180", kCube),
       fmt::format("wait-until-above={}:0.4", kCube), "let-go",
       fmt::format("wait-for-height={}:0.2", kCube)});
  EXPECT_TRUE(said.empty());
  EXPECT_EQ(dragger->GetMyContextFromRoot(simulator->get_context())
                .get_numeric_parameter(0)[0],
            0);
}

TEST_F(TouchPageTest, TheTableOfContactsHasConesAndSelects) {
  const auto said = DoWhileItRuns(
      {"size=900x600", fmt::format("wait-for={}", kCube), "key=k",
       "wait-for-count=#contacts tbody tr:4", "wait-for-text=cube on world",
       "check=Friction cones", "cones", "click-text=cube on world",
       fmt::format("is-selected={}", kCube), "wait-for-text=4, together",
       "press=Diagram", "chosen"});
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[0], (Numbers{4}));
  EXPECT_EQ(said[1], (Numbers{1}));
  EXPECT_EQ(said[2], (Numbers{1}));
}

// A button that has the focus is not pressed too; nor is a slider in the way.
TEST_F(TouchPageTest, SpacePlaysWhateverHasTheFocus) {
  viewer->AddSlider("gain", 0, 1, 0.1, 0.5);
  const auto said = DoWhileItRuns(
      {"size=900x600", fmt::format("wait-for={}", kCube), "count=#tree",
       "focus=Scene", "key=Space", "wait-for-pressable=Play", "count=#tree",
       "slide=gain:0.7", "key=Space", "wait-for-pressable=Pause"});
  EXPECT_EQ(said, (std::vector<Numbers>{{0}, {0}}));
}

TEST_F(TouchPageTest, AVideoRunsOnlyWhileSomethingPlays) {
  const auto said = DoWhileItRuns(
      {"size=900x600", fmt::format("wait-for={}", kCube), "film=2",
       "press=Pause", "wait-for-pressable=Play", "film=1"});
  ASSERT_EQ(said.size(), 2u);
  // It begins with the first frame, which takes long without a graphics card.
  EXPECT_GT(said[0][0], 0.5);
  EXPECT_LT(said[0][0], said[0][1] + 0.5);
  EXPECT_EQ(said[1][1], 0);
}

}  // namespace touch_page_test
}  // namespace wyvern::multibody
