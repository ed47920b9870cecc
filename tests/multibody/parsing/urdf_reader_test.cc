#include "wyvern/multibody/parsing/urdf_reader.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace {

TEST(UrdfReader, ReadsEveryKindOfElement) {
  const internal::ParsedModel model = ReadText(FullRobot());
  EXPECT_EQ(model.name, "r");
  EXPECT_EQ(model.links.size(), 3u);
  EXPECT_EQ(model.joints.size(), 3u);
  ASSERT_EQ(model.frames.size(), 1u);
  EXPECT_EQ(model.frames[0].link, "c");
  EXPECT_EQ(model.frames[0].X_LF.translation(), Vector3<double>(1, 2, 3));
  ASSERT_EQ(model.actuators.size(), 2u);
  EXPECT_EQ(model.actuators[1].joint, "slide");
  EXPECT_EQ(model.actuators[1].effort_limit, 20);
}

TEST(UrdfReader, RefusesDocumentsOfAnotherKind) {
  EXPECT_THROWS_MESSAGE(ReadText("<sdf/>"), std::runtime_error,
                        "r.urdf:1: the document is a <sdf>");
  EXPECT_THROWS_MESSAGE(ReadText("<robot/>"), std::runtime_error,
                        "<robot> has no attribute 'name'");
  EXPECT_THROWS_MESSAGE(ReadText("<robot name=''/>"), std::runtime_error,
                        "is no name");
}

TEST(UrdfReader, RefusesNamesGivenTwice) {
  EXPECT_THROWS_MESSAGE(ReadText(TwoLinks("<link name='a'/>")),
                        std::runtime_error,
                        "r.urdf:10: link 'a' is there already, at r.urdf:2");
  EXPECT_THROWS_MESSAGE(ReadText(TwoLinks(JointText("") + JointText(""))),
                        std::runtime_error, "joint 'j' is there already");
  EXPECT_THROWS_MESSAGE(ReadText(TwoLinks("<frame name='a' link='b'/>")),
                        std::runtime_error, "frame 'a' is there already");
  EXPECT_THROWS_MESSAGE(
      ReadText(TwoLinks(JointText("") + "<frame name='j_parent' link='b'/>")),
      std::runtime_error, "frame 'j_parent' is there already");
}

TEST(UrdfReader, RefusesFramesThatAreNotValid) {
  EXPECT_THROWS_MESSAGE(ReadText(TwoLinks("<frame link='a'/>")),
                        std::runtime_error, "<frame> has no attribute 'name'");
  EXPECT_THROWS_MESSAGE(
      ReadText(TwoLinks("<frame name='f'/>")), std::runtime_error,
      "r.urdf:10: frame 'f': <frame> has no attribute 'link'");
  EXPECT_THROWS_MESSAGE(ReadText(TwoLinks("<frame name='f' link='z'/>")),
                        std::runtime_error, "there is no link 'z'");
}

TEST(UrdfReader, TheWorldNeedNotBeDeclared) {
  EXPECT_NO_THROW(ReadText(TwoLinks(
      "<joint name='j' type='fixed'><parent link='world'/><child link='a'/>"
      "</joint><frame name='f' link='world'/>")));
}

TEST(UrdfReader, WarnsOfPhysicsItDoesNotModel) {
  for (const char* element : {"<drake:tendon_constraint/>", "<loop_joint/>",
                              "<force_element/>", "<lnik/>"}) {
    const auto warnings = WarningsOf(TwoLinks(element));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("though the motion may depend on it"),
              std::string::npos);
  }
}

TEST(UrdfReader, ARobotWithoutNameIsCalledByItsFile) {
  std::vector<std::string> warnings;
  EXPECT_EQ(ReadText("<robot><link name='a'/></robot>", &warnings).name,
            "robot");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "r.urdf:1: <robot> has no attribute 'name'; it is called 'robot'.");
}

TEST(UrdfReader, WarnsOfDecorationOnce) {
  std::vector<std::string> warnings;
  ReadText(TwoLinks("<gazebo/>\n<gazebo reference='a'><mu1>1</mu1></gazebo>"
                    "<material name='m'/>"),
           &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "r.urdf:10: <gazebo> in <robot> is ignored; it has no effect on "
            "the motion. (Also at 11.)");
}

}  // namespace
}  // namespace wyvern::multibody
