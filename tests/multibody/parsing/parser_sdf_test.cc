/** @file SDFormat files in a plant. */

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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

// Returns a model with two nested models of a link `l` each: filter groups of
// both, and one of the outer model that names their links.
std::string NestedGroups(const std::string& outer, const std::string& ignore) {
  const auto inner = [](const std::string& name) {
    return "<model name='" + name +
           "'><link name='l'><collision name='c'><geometry><sphere><radius>1"
           "</radius></sphere></geometry></collision></link>"
           "<drake:collision_filter_group name='g'><drake:member>l"
           "</drake:member></drake:collision_filter_group></model>";
  };
  return Sdf("<model name='o'>" + inner("n") + inner("p") +
             "\n<drake:collision_filter_group name='h'" + ignore + ">" + outer +
             "</drake:collision_filter_group></model>");
}

TEST_F(ParserSdf, GroupsMayNameThoseOfNestedModels) {
  parser_.AddModelsFromString(
      NestedGroups("<drake:member_group>n::g</drake:member_group>"
                   "<drake:ignored_collision_filter_group>p::g"
                   "</drake:ignored_collision_filter_group>",
                   ""),
      "sdf");
  const auto groups = parser_.GetCollisionFilterGroups();
  EXPECT_EQ(groups.groups().size(), 3u);
  EXPECT_EQ(groups.groups().at("o::h"), std::set<std::string>{"o::n::l"});
  EXPECT_TRUE(groups.exclusion_pairs().contains({"o::h", "o::p::g"}));
  plant_.Finalize();
  EXPECT_TRUE(scene_graph_.model_inspector().GetCollisionCandidates().empty());
}

// A world of two models of two links each, and what else it has.
std::string WorldOfTwo(const std::string& more) {
  const auto model = [](const std::string& name) {
    return "<model name='" + name +
           "'><link name='l'><collision name='c'><geometry><sphere><radius>1"
           "</radius></sphere></geometry></collision></link>"
           "<drake:collision_filter_group name='g'><drake:member>l"
           "</drake:member></drake:collision_filter_group></model>";
  };
  return Sdf("<world name='w'>" + model("m") + model("n") + "\n" + more +
             "</world>");
}

TEST_F(ParserSdf, AWorldMayFilterItsModels) {
  parser_.SetAutoRenaming(true);
  plant_.AddModelInstance("n");
  parser_.AddModelsFromString(
      WorldOfTwo("<drake:collision_filter_group name='all'>"
                 "<drake:member>m::l</drake:member>"
                 "<drake:member_group>n::g</drake:member_group>"
                 "<drake:ignored_collision_filter_group>all"
                 "</drake:ignored_collision_filter_group>"
                 "<drake:ignored_collision_filter_group>n::g"
                 "</drake:ignored_collision_filter_group>"
                 "</drake:collision_filter_group>"),
      "sdf");
  const auto groups = parser_.GetCollisionFilterGroups();
  EXPECT_EQ(groups.groups().at("all"),
            (std::set<std::string>{"m::l", "n_1::l"}));
  EXPECT_TRUE(groups.exclusion_pairs().contains({"all", "n_1::g"}));
  EXPECT_TRUE(parser_.warnings().empty());
  plant_.Finalize();
  EXPECT_TRUE(scene_graph_.model_inspector().GetCollisionCandidates().empty());
}

TEST_F(ParserSdf, AWorldMayTieItsModelsByForcesAndConstraints) {
  parser_.AddModelsFromString(
      WorldOfTwo(
          "<drake:linear_spring_damper>"
          "<drake:linear_spring_damper_body_A>m::l"
          "</drake:linear_spring_damper_body_A>"
          "<drake:linear_spring_damper_body_B>n::l"
          "</drake:linear_spring_damper_body_B>"
          "<drake:linear_spring_damper_p_AP>0 0 0"
          "</drake:linear_spring_damper_p_AP>"
          "<drake:linear_spring_damper_p_BQ>0 0 1"
          "</drake:linear_spring_damper_p_BQ>"
          "<drake:linear_spring_damper_free_length>1"
          "</drake:linear_spring_damper_free_length>"
          "<drake:linear_spring_damper_stiffness>2"
          "</drake:linear_spring_damper_stiffness>"
          "<drake:linear_spring_damper_damping>3"
          "</drake:linear_spring_damper_damping></drake:linear_spring_damper>"
          "<drake:joint name='p' type='planar'><drake:parent>m::l"
          "</drake:parent><drake:child>n::l</drake:child></drake:joint>"),
      "sdf");
  EXPECT_EQ(plant_.num_force_elements(), 2);
  EXPECT_EQ(plant_.GetJointByName("p").model_instance(),
            plant_.GetModelInstanceByName("n"));
  EXPECT_THROWS_MESSAGE(
      parser_.AddModelsFromString(
          WorldOfTwo("<drake:collision_filter_group name='h'><drake:member>"
                     "z::l</drake:member></drake:collision_filter_group>"),
          "sdf"),
      std::runtime_error, "<string>:3: there is no link 'z::l'");
}

TEST_F(ParserSdf, GroupsThatAreMarkedAreSkippedAndWrongOnesHaveTheirPlace) {
  const std::string missing = "<drake:member_group>n::z</drake:member_group>";
  parser_.AddModelsFromString(NestedGroups(missing, " ignore='true'"), "sdf");
  EXPECT_EQ(parser_.GetCollisionFilterGroups().groups().size(), 2u);
  EXPECT_THROWS_MESSAGE(
      parser_.AddModelsFromString(NestedGroups(missing, ""), "sdf"),
      std::runtime_error, "refers to the group 'n::z'");
  EXPECT_THROWS_MESSAGE(
      parser_.AddModelsFromString(NestedGroups(missing, " ignore='x'"), "sdf"),
      std::runtime_error, "<string>:3: ");
  plant_.Finalize();
  EXPECT_EQ(scene_graph_.model_inspector().GetCollisionCandidates().size(), 1u);
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

// An arm of the links `base`, fixed to the world or free, and `hand`, 1 above
// it.
std::string ArmUrdf(bool is_fixed) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
      "</inertial></link>";
  return "<robot name='arm'><link name='base'>" + inertial +
         "<link name='hand'>" + inertial +
         "<joint name='turn' type='revolute'><parent link='base'/>"
         "<child link='hand'/><origin xyz='0 0 1'/><axis xyz='0 1 0'/></joint>"
         "<frame name='tip' link='hand' xyz='0 0 0.5'/>" +
         (is_fixed ? "<joint name='fix' type='fixed'><parent link='world'/>"
                     "<child link='base'/></joint>"
                   : "") +
         "</robot>";
}

// Files next to each other, in a folder of the test's own that is gone
// afterwards.
class ParserSdfFiles : public ParserSdf {
 protected:
  ParserSdfFiles()
      : folder_(
            std::filesystem::temp_directory_path() /
            (std::string("parser_sdf_test_") +
             testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
  }
  ~ParserSdfFiles() override { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  std::vector<ModelInstanceIndex> Add(const std::string& name) {
    return parser_.AddModels(folder_ / name);
  }

  const std::filesystem::path folder_;
};

TEST_F(ParserSdfFiles, AUrdfFileMayBeIncludedInAModel) {
  Write("arm.urdf", ArmUrdf(false));
  Write("cell.sdf", Sdf("<model name='cell'><pose>0 0 1 0 0 0</pose>"
                        "<link name='table'><pose>1 0 0 0 0 0</pose></link>"
                        "<include><uri>arm.urdf</uri><name>left</name>"
                        "<pose relative_to='table'>0 2 0 0 0 0</pose></include>"
                        "<joint name='bolt' type='fixed'><parent>table</parent>"
                        "<child>left::base</child></joint>"
                        "<frame name='tool' attached_to='left::tip'>"
                        "<pose>0 0 0.25 0 0 0</pose></frame></model>"));
  const auto added = Add("cell.sdf");
  ASSERT_EQ(added.size(), 2u);
  EXPECT_EQ(plant_.GetModelInstanceName(added[1]), "cell::left");
  plant_.Finalize();
  EXPECT_EQ(plant_.num_velocities(), 6 + 1);
  EXPECT_TRUE(Near(PositionOf("table"), Vector3<double>(1, 0, 1), 1e-15));
  EXPECT_TRUE(Near(PositionOf("base"), Vector3<double>(1, 2, 1), 1e-15));
  EXPECT_TRUE(Near(PositionOf("hand"), Vector3<double>(1, 2, 2), 1e-15));
  EXPECT_EQ(plant_.GetFrameByName("tool").body().name(), "hand");
  const auto context = plant_.CreateDefaultContext();
  EXPECT_TRUE(Near(
      plant_.GetFrameByName("tool").CalcPoseInWorld(*context).translation(),
      Vector3<double>(1, 2, 2.75), 1e-15));
  EXPECT_EQ(parser_.warnings().size(), 0u);
}

TEST_F(ParserSdfFiles, AUrdfFileMayBeIncludedInAWorldTwice) {
  Write("arm.urdf", ArmUrdf(true));
  Write("world.sdf",
        Sdf("<world name='w'><include><uri>arm.urdf</uri>"
            "<pose>0 3 0 0 0 0</pose></include><include><uri>arm.urdf</uri>"
            "<name>other</name><static>true</static>"
            "<pose>0 5 0 0 0 0</pose></include></world>"));
  const auto added = Add("world.sdf");
  ASSERT_EQ(added.size(), 2u);
  plant_.Finalize();
  // The static one does not move.
  EXPECT_EQ(plant_.num_velocities(), 1);
  const auto context = plant_.CreateDefaultContext();
  for (const auto& [model, y] :
       std::vector<std::pair<std::string, double>>{{"arm", 3}, {"other", 5}}) {
    const auto instance = plant_.GetModelInstanceByName(model);
    EXPECT_TRUE(Near(plant_.GetBodyByName("hand", instance)
                         .EvalPoseInWorld(*context)
                         .translation(),
                     Vector3<double>(0, y, 1), 1e-15));
  }
}

// The search for a circle may end at any of its frames.
TEST_F(ParserSdfFiles, AUrdfFileMayNotBePosedInItsOwnLinks) {
  Write("arm.urdf", ArmUrdf(false));
  for (const std::string more : {"", "<link name='y'/>"}) {
    for (const std::string frame : {"arm::base", "arm::tip"}) {
      Write("cell.sdf",
            Sdf("<model name='c'><link name='x'/>" + more +
                "\n<include><uri>arm.urdf</uri><pose relative_to='" + frame +
                "'/></include></model>"));
      EXPECT_THROWS_MESSAGE(Add("cell.sdf"), std::runtime_error,
                            "cell.sdf:3: model 'c': the frame is posed in");
    }
  }
}

TEST_F(ParserSdfFiles, WhatIsWrongInAnIncludedUrdfFileHasItsPlace) {
  Write("arm.urdf",
        "<robot name='arm'>\n<link name='a'/><link name='a'/></robot>");
  Write("cell.sdf", Sdf("<model name='c'><link name='x'/><include><uri>arm.urdf"
                        "</uri></include></model>"));
  EXPECT_THROWS_MESSAGE(Add("cell.sdf"), std::runtime_error,
                        "arm.urdf:2: link 'a' is there already");
  EXPECT_EQ(plant_.num_bodies(), 1);
  Write("arm.urdf", "<robot name='arm'>\n<link name='a'/><odd/></robot>");
  Add("cell.sdf");
  ASSERT_EQ(parser_.warnings().size(), 1u);
  EXPECT_NE(parser_.warnings()[0].find("arm.urdf:2: <odd> in <robot>"),
            std::string::npos);
}

TEST_F(ParserSdf, AJointMayBeInAWorld) {
  parser_.AddModelsFromString(
      Sdf("<world name='w'><model name='m'><pose>1 0 0 0 0 0</pose>"
          "<link name='a'/><frame name='f'><pose>0 0 0 0 0 1.5</pose></frame>"
          "</model><model name='n'><pose>1 0 3 0 0 0</pose><link name='b'/>"
          "</model>"
          "<joint name='fix' type='fixed'><parent>world</parent>"
          "<child>m::a</child></joint>"
          "<joint name='turn' type='revolute'><parent>m::f</parent>"
          "<child>n::b</child><pose>0 0 1 0 0 0</pose><axis>"
          "<xyz expressed_in='m::f'>1 0 0</xyz><limit><lower>-1</lower>"
          "<upper>2</upper><effort>7</effort></limit></axis></joint></world>"),
      "sdf");
  const auto& turn = plant_.GetJointByName<RevoluteJoint>("turn");
  EXPECT_EQ(turn.parent_body().name(), "a");
  EXPECT_EQ(turn.child_body().name(), "b");
  EXPECT_EQ(turn.model_instance(), plant_.GetModelInstanceByName("n"));
  EXPECT_EQ(turn.position_upper_limits()[0], 2);
  EXPECT_EQ(plant_.GetJointActuatorByName("turn").effort_limit(), 7);
  EXPECT_TRUE(Near(turn.revolute_axis(),
                   Vector3<double>(std::cos(1.5), std::sin(1.5), 0), 1e-15));
  EXPECT_TRUE(
      Near(turn.frame_on_child().GetFixedPoseInBodyFrame().translation(),
           Vector3<double>(0, 0, 1), 1e-15));
  plant_.Finalize();
  EXPECT_EQ(plant_.num_velocities(), 1);
  EXPECT_TRUE(Near(PositionOf("a"), Vector3<double>(1, 0, 0), 1e-15));
  EXPECT_TRUE(Near(PositionOf("b"), Vector3<double>(1, 0, 3), 1e-15));
}

TEST_F(ParserSdf, AJointInAWorldThatIsNotValidHasItsPlace) {
  const auto world = [](const std::string& joint) {
    return Sdf("<world name='w'><model name='m'><link name='a'/></model>" +
               joint + "</world>");
  };
  for (const auto& [joint, why] :
       std::vector<std::pair<std::string, std::string>>{
           {"<joint name='j' type='fixed'><parent>world</parent>"
            "<child>a</child></joint>",
            "there is no link or frame 'a' in this world"},
           {"<joint name='j' type='fixed'><parent>m::a</parent>"
            "<child>m::a</child></joint>",
            "parent and child are both on link 'm::a'"},
           {"<joint name='j' type='fixed'><parent>world</parent></joint>",
            "<joint> has no <child>"},
           {"<joint name='j' type='revolute'><parent>world</parent>"
            "<child>m::a</child><axis><xyz>0 0</xyz></axis></joint>",
            "three finite numbers are wanted"}}) {
    EXPECT_THROWS_MESSAGE(parser_.AddModelsFromString(world(joint), "sdf"),
                          std::runtime_error, why);
  }
  EXPECT_EQ(plant_.num_bodies(), 1);
}

TEST_F(ParserSdf, NumbersMayBeginWithAPoint) {
  parser_.AddModelsFromString(
      SdfModel(SdfJoint("<pose>-.1 +.2 .3 0 0 0</pose><axis><xyz>-.6 0 .8</xyz>"
                        "<limit><lower>-.1</lower><upper>.5</upper></limit>"
                        "</axis>")),
      "sdf");
  const auto& joint = plant_.GetJointByName<RevoluteJoint>("j");
  EXPECT_EQ(joint.position_lower_limits()[0], -0.1);
  EXPECT_TRUE(
      Near(joint.revolute_axis(), Vector3<double>(-0.6, 0, 0.8), 1e-15));
  EXPECT_TRUE(
      Near(joint.frame_on_child().GetFixedPoseInBodyFrame().translation(),
           Vector3<double>(-0.1, 0.2, 0.3), 1e-15));
}

// As what joints and extensions refer to, and also of a nested model.
TEST_F(ParserSdf, TheFrameOfAModelIsAFrame) {
  parser_.AddModelsFromString(
      Sdf("<model name='m'><pose>0 0 7 0 0 0</pose>"
          "<link name='a'><pose>1 0 0 0 0 0</pose></link>"
          "<model name='n'><pose>0 2 0 0 0 0</pose><link name='b'>"
          "<pose>0 0 3 0 0 0</pose></link></model>"
          "<joint name='j' type='fixed'><parent>__model__</parent>"
          "<child>n::__model__</child></joint>"
          "<frame name='f' attached_to='n::__model__'/>"
          "<drake:linear_bushing_rpy><drake:bushing_frameA>__model__"
          "</drake:bushing_frameA><drake:bushing_frameC>n::__model__"
          "</drake:bushing_frameC>"
          "<drake:bushing_torque_stiffness>1 1 "
          "1</drake:bushing_torque_stiffness>"
          "<drake:bushing_torque_damping>0 0 0</drake:bushing_torque_damping>"
          "<drake:bushing_force_stiffness>1 1 1</drake:bushing_force_stiffness>"
          "<drake:bushing_force_damping>0 0 0</drake:bushing_force_damping>"
          "</drake:linear_bushing_rpy></model>"),
      "sdf");
  plant_.Finalize();
  EXPECT_EQ(plant_.num_velocities(), 6);
  EXPECT_TRUE(Near(PositionOf("b"), Vector3<double>(0, 2, 10), 1e-15));
  const auto context = plant_.CreateDefaultContext();
  EXPECT_TRUE(
      Near(plant_.GetFrameByName("f").CalcPoseInWorld(*context).translation(),
           Vector3<double>(0, 2, 7), 1e-15));
}

}  // namespace
}  // namespace wyvern::multibody
