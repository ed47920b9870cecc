#include "wyvern/multibody/parsing/parser.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"

namespace wyvern::multibody {
namespace parser_test {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using test::Near;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ParserTest : public testing::Test {
 protected:
  ParserTest() { parser_.SetWarningHandler({}); }
  std::string Add(const std::string& text) {
    return plant_.GetModelInstanceName(
        parser_.AddModelsFromString(text, "urdf").at(0));
  }

  MultibodyPlant<double> plant_{0.0};
  Parser parser_{&plant_};
};

TEST_F(ParserTest, AddsEveryElement) {
  const ModelInstanceIndex r =
      parser_.AddModelsFromString(FullRobot(), "urdf").at(0);
  EXPECT_EQ(plant_.GetModelInstanceName(r), "r");
  EXPECT_EQ(&parser_.plant(), &plant_);
  // Besides the world and its frame.
  EXPECT_EQ(plant_.num_bodies(), 1 + 3);
  EXPECT_EQ(plant_.num_joints(), 3);
  EXPECT_EQ(plant_.num_actuators(), 2);
  EXPECT_EQ(plant_.num_frames(), 1 + 3 + 3 + 1);
  EXPECT_EQ(plant_.GetBodyIndices(r).size(), 3u);
  EXPECT_EQ(plant_.GetJointIndices(r).size(), 3u);
  EXPECT_EQ(plant_.GetBodyByName("c").default_mass(), 1.5);
  plant_.Finalize();
  EXPECT_EQ(plant_.num_positions(), 2);
}

TEST_F(ParserTest, ARevoluteJointIsAsWritten) {
  Add(FullRobot());
  const auto& joint = plant_.GetJointByName<RevoluteJoint>("j");
  EXPECT_EQ(joint.parent_body().name(), "a");
  EXPECT_EQ(joint.child_body().name(), "b");
  EXPECT_EQ(joint.revolute_axis(), Vector3<double>::UnitY());
  EXPECT_EQ(joint.position_lower_limits()[0], -1);
  EXPECT_EQ(joint.position_upper_limits()[0], 2);
  EXPECT_EQ(joint.velocity_lower_limits()[0], -3);
  EXPECT_EQ(joint.velocity_upper_limits()[0], 3);
  EXPECT_EQ(joint.acceleration_lower_limits()[0], -5);
  EXPECT_EQ(joint.acceleration_upper_limits()[0], 5);
  EXPECT_EQ(joint.default_damping_vector()[0], 0.25);
  const auto X_PF = joint.frame_on_parent().GetFixedPoseInBodyFrame();
  EXPECT_EQ(X_PF.translation(), Vector3<double>(0, 0, 0.5));
  // A turn of 1.5 about z.
  EXPECT_NEAR(X_PF.rotation().matrix()(0, 0), std::cos(1.5), 1e-15);
  EXPECT_NEAR(X_PF.rotation().matrix()(1, 0), std::sin(1.5), 1e-15);
  EXPECT_TRUE(joint.frame_on_child().is_body_frame());
}

TEST_F(ParserTest, APrismaticJointIsAsWritten) {
  Add(FullRobot());
  const auto& joint = plant_.GetJointByName<PrismaticJoint>("slide");
  EXPECT_EQ(joint.translation_axis(), Vector3<double>(0, 0, -1));
  EXPECT_EQ(joint.position_upper_limits()[0], kInfinity);
  EXPECT_EQ(joint.velocity_upper_limits()[0], kInfinity);
}

TEST_F(ParserTest, AFixedJointIsAWeld) {
  Add(FullRobot());
  const auto& joint = plant_.GetJointByName<WeldJoint>("base");
  EXPECT_EQ(&joint.parent_body(), &plant_.world_body());
  plant_.Finalize();
  EXPECT_TRUE(plant_.IsAnchored(plant_.GetBodyByName("a")));
  const auto context = plant_.CreateDefaultContext();
  EXPECT_EQ(plant_.GetBodyByName("a").EvalPoseInWorld(*context).translation(),
            Vector3<double>(0, 0, 1));
}

TEST_F(ParserTest, AnActuatorIsAsWritten) {
  Add(FullRobot());
  const auto& motor = plant_.GetJointActuatorByName("m");
  EXPECT_EQ(motor.joint().name(), "j");
  EXPECT_EQ(motor.effort_limit(), 4);
  EXPECT_EQ(motor.default_rotor_inertia(), 0.01);
  EXPECT_EQ(motor.default_gear_ratio(), 50);
  ASSERT_TRUE(motor.has_controller());
  EXPECT_EQ(motor.get_controller_gains().p, 100);
  EXPECT_EQ(motor.get_controller_gains().d, 7);
  const auto& pusher = plant_.GetJointActuatorByName("pusher");
  EXPECT_EQ(pusher.effort_limit(), 20);
  EXPECT_FALSE(pusher.has_controller());
}

TEST_F(ParserTest, AFrameIsFixedToItsLink) {
  Add(FullRobot());
  const auto& frame = plant_.GetFrameByName("tip");
  EXPECT_EQ(frame.body().name(), "c");
  EXPECT_EQ(frame.GetFixedPoseInBodyFrame().translation(),
            Vector3<double>(1, 2, 3));
}

TEST_F(ParserTest, ALinkWithoutJointIsFree) {
  Add(
      OneLink("<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
              "</inertial>"));
  plant_.Finalize();
  EXPECT_EQ(plant_.num_positions(), 7);
  EXPECT_TRUE(plant_.GetBodyByName("a").is_floating());
}

TEST_F(ParserTest, AFloatingJointStartsAtItsOrigin) {
  Add(TwoLinks(JointText("<origin xyz='1 2 3'/>", "floating")));
  EXPECT_NO_THROW(plant_.GetJointByName<QuaternionFloatingJoint>("j"));
  plant_.Finalize();
  EXPECT_EQ(plant_.num_positions(), 14);
  const auto context = plant_.CreateDefaultContext();
  const auto X_AB =
      plant_.GetFrameByName("b").CalcPose(*context, plant_.GetFrameByName("a"));
  EXPECT_TRUE(Near(X_AB.translation(), Vector3<double>(1, 2, 3), 1e-15));
}

TEST_F(ParserTest, TheWorldMayBeAChild) {
  const std::string text = TwoLinks(
      "<joint name='j' type='fixed'><parent link='a'/><child link='world'/>"
      "<origin xyz='0 0 1'/></joint>");
  parser_.SetAutoRenaming(true);
  Add(text);
  Add(text);
  plant_.Finalize();
  const auto context = plant_.CreateDefaultContext();
  const auto r = plant_.GetModelInstanceByName("r_1");
  EXPECT_EQ(plant_.GetJointByName("j", r).model_instance(), r);
  EXPECT_EQ(
      plant_.GetBodyByName("a", r).EvalPoseInWorld(*context).translation(),
      Vector3<double>(0, 0, -1));
}

TEST_F(ParserTest, ANameThatIsTakenIsRefusedOrChanged) {
  const std::string text = OneLink("");
  EXPECT_EQ(Add(text), "r");
  EXPECT_FALSE(parser_.GetAutoRenaming());
  EXPECT_THROWS_MESSAGE(
      Add(text), std::runtime_error,
      "<string>:1: there is already a model instance named 'r'");
  parser_.SetAutoRenaming(true);
  EXPECT_TRUE(parser_.GetAutoRenaming());
  EXPECT_EQ(Add(text), "r_1");
  EXPECT_EQ(Add(text), "r_2");
}

TEST_F(ParserTest, APrefixParts) {
  Parser left(&plant_, "left");
  left.AddModelsFromString(OneLink(""), ".URDF");
  EXPECT_TRUE(plant_.HasModelInstanceNamed("left::r"));
  EXPECT_EQ(Add(OneLink("")), "r");
}

TEST_F(ParserTest, AFileThatIsNotValidAddsNothing) {
  EXPECT_THROW(Add(FullRobot() + "<"), std::runtime_error);
  EXPECT_THROW(Add(TwoLinks(JointText("<axis xyz='0 0 0'/>"))),
               std::runtime_error);
  EXPECT_THROW(Add(TwoLinks("<frame name='f' link='z'/>")), std::runtime_error);
  EXPECT_EQ(plant_.num_bodies(), 1);
  EXPECT_EQ(plant_.num_frames(), 1);
  EXPECT_FALSE(plant_.HasModelInstanceNamed("r"));
}

TEST_F(ParserTest, ReadsFilesAndUrls) {
  const fs::path folder = fs::temp_directory_path() / "parser_test";
  fs::create_directories(folder);
  std::ofstream(folder / "robot.urdf") << OneLink("");
  parser_.SetAutoRenaming(true);
  parser_.package_map().Add("parser_test", folder.string());
  parser_.AddModels(folder / "robot.urdf");
  parser_.AddModelsFromUrl("package://parser_test/robot.urdf");
  fs::remove_all(folder);
  EXPECT_EQ(plant_.NumBodiesWithName("a"), 2);
}

TEST_F(ParserTest, RefusesWhatItCannotRead) {
  EXPECT_THROWS_MESSAGE(parser_.AddModels("/nonexistent/robot.urdf"),
                        std::runtime_error,
                        "/nonexistent/robot.urdf: there is no such file.");
  EXPECT_THROWS_MESSAGE(parser_.AddModels("robot.txt"), std::runtime_error,
                        "'robot.txt' is not of a type that can be read");
  EXPECT_THROWS_MESSAGE(parser_.AddModelsFromString("", "txt"),
                        std::runtime_error, "files of type 'txt'");
  EXPECT_THROWS_MESSAGE(parser_.AddModelsFromUrl("robot.urdf"),
                        std::runtime_error, "is not a URL");
}

TEST_F(ParserTest, RefusesToAddToNothingOrToAFinalizedPlant) {
  EXPECT_THROWS_MESSAGE(Parser(nullptr), std::logic_error, "the plant is null");
  plant_.Finalize();
  EXPECT_THROWS_MESSAGE(Add(OneLink("")), std::logic_error,
                        "AddModelsFromString(): a model was added after "
                        "Finalize()");
  EXPECT_THROWS_MESSAGE(parser_.AddModels("r.urdf"), std::logic_error,
                        "AddModels(): a model was added after Finalize()");
}

TEST_F(ParserTest, CollectsWarnings) {
  std::string last;
  parser_.SetWarningHandler([&](const std::string& w) { last = w; });
  Add(OneLink("<gazebo/>"));
  const std::string warning =
      "<string>:2: <gazebo> in <link> is ignored; it has no effect on the "
      "motion.";
  EXPECT_EQ(parser_.warnings(), Names{warning});
  EXPECT_EQ(last, warning);
}

TEST_F(ParserTest, WarningsComeTogetherAndOnceAlsoOfARefusedFile) {
  Names heard;
  parser_.SetWarningHandler([&](const std::string& w) {
    heard.push_back(w);
    // Warnings come before anything is added.
    EXPECT_EQ(plant_.num_bodies(), 1);
  });
  const std::string doubtful =
      "<gazebo/><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9'/>"
      "</inertial><odd/>";
  EXPECT_THROW(Add(OneLink(doubtful + "<visual><geometry><box size='0 1'/>"
                                      "</geometry></visual>")),
               std::runtime_error);
  EXPECT_EQ(heard.size(), 2u);
  heard.clear();
  Add(OneLink(doubtful));
  EXPECT_EQ(heard.size(), 3u);
}

TEST_F(ParserTest, AStartOutsideLimitsIsAWarning) {
  const auto warnings = [](const std::string& limit) {
    MultibodyPlant<double> plant(0);
    Parser parser(&plant);
    parser.SetWarningHandler({});
    parser.AddModelsFromString(
        TwoLinks("\n" + JointText("<axis xyz='0 0 1'/><limit " + limit + "/>")),
        "urdf");
    return parser.warnings();
  };
  EXPECT_TRUE(warnings("lower='0' upper='1'").empty());
  EXPECT_TRUE(warnings("lower='1e-9' upper='1'").empty());
  EXPECT_TRUE(warnings("upper='0'").empty());
  const auto outside = warnings("lower='0.82' upper='5.46'");
  ASSERT_EQ(outside.size(), 1u);
  EXPECT_NE(outside[0].find(":11: joint 'j' starts at 0, which is outside its "
                            "limits [0.82, 5.46]"),
            std::string::npos);
  EXPECT_EQ(warnings("lower='-2' upper='-1'").size(), 1u);
}

TEST_F(ParserTest, AModelWithoutAnyMassIsAWarning) {
  const auto warnings = [](const std::string& link) {
    MultibodyPlant<double> plant(0);
    Parser parser(&plant);
    parser.SetWarningHandler({});
    parser.AddModelsFromString(
        "<robot name='n'><link name='world'/><link name='a'>" + link +
            "</link><joint name='j' type='continuous'><parent link='world'/>"
            "<child link='a'/></joint></robot>",
        "urdf");
    return parser.warnings();
  };
  EXPECT_TRUE(warnings("<inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                       "izz='1'/></inertial>")
                  .empty());
  const auto none = warnings("");
  ASSERT_EQ(none.size(), 1u);
  EXPECT_NE(none[0].find(":1: model 'n': no link has an inertial"),
            std::string::npos);
}

TEST_F(ParserTest, StrictParsingRefusesWithAllWarnings) {
  parser_.SetStrictParsing();
  EXPECT_THROWS_MESSAGE(
      Add(OneLink("<gazebo/>\n<odd/>")), std::runtime_error,
      "<string>:2: <gazebo> in <link> is ignored; it has no effect on the "
      "motion.\n<string>:3: <odd> in <link> is not known");
  EXPECT_EQ(plant_.num_bodies(), 1);
  EXPECT_NO_THROW(Add(OneLink("")));
}

TEST_F(ParserTest, AMasslessLinkIsLoadedAndItsDynamicsRefusedByName) {
  Add(
      TwoLinks("<link name='tip'/><joint name='base' type='fixed'>"
               "<parent link='world'/><child link='a'/></joint>" +
               JointText("") +
               "<joint name='f' type='continuous'><parent link='b'/>"
               "<child link='tip'/></joint>"));
  EXPECT_TRUE(parser_.warnings().empty());
  plant_.Finalize();
  EXPECT_EQ(plant_.num_velocities(), 2);
  const auto context = plant_.CreateDefaultContext();
  EXPECT_TRUE(
      plant_.GetBodyByName("tip").EvalPoseInWorld(*context).IsNearlyEqualTo(
          plant_.GetBodyByName("b").EvalPoseInWorld(*context), 1e-15));
  EXPECT_THROWS_MESSAGE(plant_.EvalTimeDerivatives(*context),
                        std::runtime_error,
                        "body 'tip' has no inertia that joint 'f' could move");
}

}  // namespace parser_test
}  // namespace wyvern::multibody
