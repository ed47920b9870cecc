/** @file SDFormat files in a plant. */

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/sdf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody {
namespace {

using test::Near;

class ParserSdf : public testing::Test {
 protected:
  ParserSdf() {
    plant_.RegisterAsSourceForSceneGraph(&scene_graph_);
    parser_.SetWarningHandler({});
  }
  std::vector<ModelInstanceIndex> AddOwn(const std::string& name) {
    const std::string folder =
        WYVERN_SOURCE_DIR "/tests/multibody/parsing/models";
    parser_.package_map().PopulateFromFolder(folder);
    return parser_.AddModels(folder + "/" + name);
  }
  Vector3<double> PositionOf(const std::string& body) {
    const auto context = plant_.CreateDefaultContext();
    return plant_.GetBodyByName(body).EvalPoseInWorld(*context).translation();
  }

  geometry::SceneGraph<double> scene_graph_;
  MultibodyPlant<double> plant_{0.001};
  Parser parser_{&plant_};
};

TEST_F(ParserSdf, NestedModelsAreModelInstances) {
  const auto added = AddOwn("hand.sdf");
  ASSERT_EQ(added.size(), 3u);
  EXPECT_EQ(plant_.GetModelInstanceName(added[0]), "hand");
  EXPECT_EQ(plant_.GetModelInstanceName(added[1]), "hand::left");
  EXPECT_EQ(plant_.GetModelInstanceName(added[2]), "hand::right");
  EXPECT_EQ(plant_.GetJointByName("left_slide").model_instance(), added[1]);
  EXPECT_EQ(plant_.GetJointByName<RevoluteJoint>("stand").model_instance(),
            added[0]);
  EXPECT_EQ(plant_.GetFrameByName("grasp").body().name(), "pad");
  EXPECT_TRUE(plant_.HasFrameNamed("__model__", added[0]));
}

TEST_F(ParserSdf, NestedModelsFollowANameThatIsChanged) {
  parser_.SetAutoRenaming(true);
  AddOwn("hand.sdf");
  const auto again = AddOwn("hand.sdf");
  EXPECT_EQ(plant_.GetModelInstanceName(again[0]), "hand_1");
  EXPECT_EQ(plant_.GetModelInstanceName(again[2]), "hand_1::right");
}

TEST_F(ParserSdf, GroupsAreFilteredAcrossNestedModels) {
  AddOwn("hand.sdf");
  plant_.Finalize();
  EXPECT_TRUE(scene_graph_.model_inspector().GetCollisionCandidates().empty());
}

TEST_F(ParserSdf, FreeBodiesStartAndStaticOnesStayWhereTheyArePosed) {
  AddOwn("table.sdf");
  plant_.Finalize();
  EXPECT_EQ(plant_.num_positions(), 7);
  EXPECT_TRUE(plant_.IsAnchored(plant_.GetBodyByName("leg")));
  EXPECT_TRUE(Near(PositionOf("leg"), Vector3<double>(1, 0, 0.2), 1e-15));
  // The bottom of the can, 55 mm below its origin, is on the table's top.
  EXPECT_TRUE(Near(PositionOf("body"), Vector3<double>(1.1, 0, 0.48), 1e-15));
}

TEST_F(ParserSdf, MimicsAndSpringsAreElementsOfThePlant) {
  AddOwn("joints.sdf");
  EXPECT_EQ(plant_.num_coupler_constraints(), 1);
  // Gravity and the spring.
  EXPECT_EQ(plant_.num_force_elements(), 2);
}

TEST_F(ParserSdf, TheGripperOfTheExamplesIsReadAsItSays) {
  parser_.AddModels(WYVERN_SOURCE_DIR "/examples/models/gripper.sdf");
  plant_.Finalize();
  EXPECT_EQ(plant_.num_velocities(), 3 + 6);
  EXPECT_EQ(plant_.num_actuators(), 2);
  EXPECT_EQ(plant_.num_coupler_constraints(), 1);
  EXPECT_EQ(plant_.num_collision_geometries(), 4);
  EXPECT_EQ(PositionOf("box"), Vector3<double>(0, 0, 0.02));
}

TEST_F(ParserSdf, FrictionIsOfTheJoint) {
  parser_.AddModelsFromString(
      SdfModel(SdfJoint("<axis><xyz>0 0 1</xyz><dynamics><friction>0.5"
                        "</friction></dynamics></axis>")),
      "sdf");
  EXPECT_EQ(plant_.GetJointByName("j").default_friction_vector()[0], 0.5);
}

// The plant says whether it can.
TEST_F(ParserSdf, ALoopIsOnlyAddedAsItIs) {
  parser_.AddModelsFromString(
      SdfModel("<link name='c'/>" + SdfJoint("", "ball") +
               "<joint name='k' type='ball'><parent>b</parent><child>c</child>"
               "</joint><joint name='l' type='ball'><parent>c</parent>"
               "<child>a</child></joint>"),
      "sdf");
  EXPECT_EQ(plant_.num_joints(), 3);
}

}  // namespace
}  // namespace wyvern::multibody
