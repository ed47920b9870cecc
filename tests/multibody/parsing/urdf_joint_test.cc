#include "wyvern/multibody/parsing/urdf_joint.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace urdf_joint_test {

using internal::ParsedJoint;
using internal::ParsedJointType;
using test::Near;

constexpr double kInfinity = ParsedJoint::kInfinity;

ParsedJoint ReadJoint(const std::string& inside,
                      const std::string& type = "revolute") {
  return ReadText(TwoLinks(JointText(inside, type))).joints.at(0);
}

TEST(UrdfJoint, DefaultsAreThoseOfUrdf) {
  const ParsedJoint joint = ReadJoint("");
  EXPECT_EQ(joint.axis, Vector3<double>::UnitX());
  EXPECT_TRUE(joint.X_PF->IsExactlyIdentity());
  EXPECT_EQ(joint.lower, -kInfinity);
  EXPECT_EQ(joint.upper, kInfinity);
  EXPECT_EQ(joint.velocity, kInfinity);
  EXPECT_EQ(joint.acceleration, kInfinity);
  EXPECT_EQ(joint.effort, kInfinity);
  EXPECT_EQ(joint.damping[0], 0);
}

TEST(UrdfJoint, EveryTypeIsRead) {
  EXPECT_EQ(ReadJoint("", "revolute").type, ParsedJointType::kRevolute);
  EXPECT_EQ(ReadJoint("", "continuous").type, ParsedJointType::kRevolute);
  EXPECT_EQ(ReadJoint("", "prismatic").type, ParsedJointType::kPrismatic);
  EXPECT_EQ(ReadJoint("", "fixed").type, ParsedJointType::kFixed);
  EXPECT_EQ(ReadJoint("", "floating").type, ParsedJointType::kFloating);
  EXPECT_EQ(ReadJoint("", "planar").type, ParsedJointType::kPlanar);
  EXPECT_THROWS_MESSAGE(
      ReadJoint("", "ball"), std::runtime_error,
      "r.urdf:10: joint 'j': <joint> of type 'ball' is not supported");
}

ParsedJoint ReadExtensionJoint(const std::string& inside,
                               const std::string& type) {
  return ReadText(TwoLinks("<drake:joint name='j' type='" + type +
                           "'><parent link='a'/><child link='b'/>" + inside +
                           "</drake:joint>"))
      .joints.at(0);
}

TEST(UrdfJoint, EveryExtensionTypeIsRead) {
  EXPECT_EQ(ReadExtensionJoint("", "ball").type, ParsedJointType::kBall);
  EXPECT_EQ(ReadExtensionJoint("", "universal").type,
            ParsedJointType::kUniversal);
  EXPECT_EQ(ReadExtensionJoint("", "planar").type, ParsedJointType::kPlanar);
  const ParsedJoint screw = ReadExtensionJoint(
      "<axis xyz='0 1 0'/><wyvern:screw_thread_pitch value='0.25'/>", "screw");
  EXPECT_EQ(screw.type, ParsedJointType::kScrew);
  EXPECT_EQ(screw.screw_pitch, 0.25);
  EXPECT_EQ(screw.axis, Vector3<double>::UnitY());
  EXPECT_THROWS_MESSAGE(ReadExtensionJoint("", "screw"), std::runtime_error,
                        "no <drake:screw_thread_pitch>");
  EXPECT_THROWS_MESSAGE(ReadExtensionJoint("", "hinge"), std::runtime_error,
                        "<drake:joint> of type 'hinge' is not supported");
}

TEST(UrdfJoint, OfAPlaneHasItsNormalAlongZOfItsFrames) {
  const ParsedJoint joint = ReadJoint(
      "<axis xyz='2 0 0'/><origin xyz='1 2 3' rpy='0 0 1'/>"
      "<dynamics damping='1 2 3'/>",
      "planar");
  EXPECT_TRUE(
      Near(joint.X_CM->rotation().col(2), Vector3<double>::UnitX(), 1e-15));
  EXPECT_TRUE(Near(joint.X_PF->rotation().col(2),
                   Vector3<double>(std::cos(1), std::sin(1), 0), 1e-15));
  EXPECT_EQ(joint.X_PF->translation(), Vector3<double>(1, 2, 3));
  EXPECT_EQ(joint.damping, Vector3<double>(1, 2, 3));
}

// The smallest rotation from z to the axis, as in Drake 1.51.
TEST(UrdfJoint, OfAPlaneMovesFirstAlongTheAxisThatIsTurnedLeast) {
  const auto directions = [](const std::string& axis) {
    const ParsedJoint joint = ReadJoint("<axis xyz='" + axis + "'/>", "planar");
    Matrix3<double> R = joint.X_PF->rotation().matrix();
    EXPECT_EQ(R, joint.X_CM->rotation().matrix());
    return Eigen::Matrix<double, 3, 2>(R.leftCols<2>());
  };
  const auto expect = [&](const std::string& axis, const Vector3<double>& first,
                          const Vector3<double>& second) {
    const auto got = directions(axis);
    EXPECT_LT((got.col(0) - first).norm(), 1e-4) << axis;
    EXPECT_LT((got.col(1) - second).norm(), 1e-4) << axis;
  };
  expect("0 0 1", {1, 0, 0}, {0, 1, 0});
  expect("0 1 0", {1, 0, 0}, {0, 0, -1});
  expect("1 0 0", {0, 0, -1}, {0, 1, 0});
  expect("0 0 -1", {1, 0, 0}, {0, -1, 0});
  expect("0 -1 0", {1, 0, 0}, {0, 0, 1});
  expect("-1 0 0", {0, 0, 1}, {0, 1, 0});
  expect("1e-9 0 -1", {-1, 0, 0}, {0, 1, 0});
  expect("1 1 1", {0.7887, -0.2113, -0.5774}, {-0.2113, 0.7887, -0.5774});
}

TEST(UrdfJoint, OfSeveralAxesAndLimitsTheFirstCounts) {
  std::vector<std::string> warnings;
  const auto model = ReadText(
      TwoLinks(JointText("<axis xyz='0 0 1'/><axis xyz='0 1 0'/><limit "
                         "lower='-1' upper='1'/><limit lower='-2' upper='2'/>"
                         "<dynamics damping='1'/><dynamics damping='2'/>")),
      &warnings);
  EXPECT_EQ(model.joints[0].axis, Vector3<double>::UnitZ());
  EXPECT_EQ(model.joints[0].upper, 1);
  EXPECT_EQ(model.joints[0].damping[0], 1);
  EXPECT_EQ(warnings.size(), 3u);
}

TEST(UrdfJoint, MimicsAnother) {
  const std::string other =
      "<joint name='k' type='prismatic'><parent link='a'/><child link='c'/>"
      "</joint><link name='c'/>";
  const auto joint =
      ReadText(TwoLinks(JointText("<mimic joint='k' multiplier='-2' "
                                  "offset='0.5'/>") +
                        other))
          .joints.at(0);
  ASSERT_TRUE(joint.mimic.has_value());
  EXPECT_EQ(joint.mimic->joint, "k");
  EXPECT_EQ(joint.mimic->multiplier, -2);
  EXPECT_EQ(joint.mimic->offset, 0.5);
}

// The warnings of joint `j` of a type, with this in it.
std::vector<std::string> WarningsOfJoint(const std::string& inside,
                                         const std::string& type) {
  return WarningsOf(TwoLinks(JointText(inside, type)));
}

TEST(UrdfJoint, WarnsOfWhatItsTypeDoesNotHave) {
  EXPECT_FALSE(ReadJoint("<mimic joint='k'/>", "fixed").mimic.has_value());
  for (const char* child : {"<mimic joint='k'/>", "<axis xyz='0 0 0'/>",
                            "<limit lower='0'/>", "<dynamics damping='1'/>"}) {
    const auto warnings = WarningsOfJoint(child, "fixed");
    ASSERT_EQ(warnings.size(), 1u) << child;
    EXPECT_NE(warnings[0].find("is ignored: a joint of type 'fixed' has none."),
              std::string::npos);
  }
  EXPECT_EQ(WarningsOfJoint("<dynamics damping='1'/>", "floating").size(), 1u);
  EXPECT_EQ(WarningsOfJoint("<mimic joint='k'/>", "planar").size(), 1u);
  EXPECT_EQ(WarningsOfJoint("<limit effort='5'/>", "planar").size(), 1u);
  EXPECT_EQ(WarningsOfJoint("<dynamics friction='1'/>", "planar").size(), 0u);
  for (const char* type : {"ball", "universal"}) {
    for (const char* child :
         {"<axis xyz='0 1 0'/>", "<limit effort='5'/>", "<mimic joint='k'/>"}) {
      const auto warnings = WarningsOf(TwoLinks(
          std::string("<drake:joint name='j' type='") + type +
          "'><parent link='a'/><child link='b'/>" + child + "</drake:joint>"));
      ASSERT_EQ(warnings.size(), 1u) << type << child;
      EXPECT_EQ(warnings[0].rfind("r.urdf:10: <", 0), 0u);
    }
  }
}

TEST(UrdfJoint, MimicsThatCannotBeAreLeftOut) {
  for (const char* leader : {"k", "j"}) {
    const std::string mimic = fmt::format("<mimic joint='{}'/>", leader);
    EXPECT_FALSE(ReadJoint(mimic).mimic.has_value());
    EXPECT_EQ(WarningsOfJoint(mimic, "revolute"),
              std::vector<std::string>{fmt::format(
                  "r.urdf:10: joint 'j': <mimic> is left out, the joint moves "
                  "by itself: there is no other joint '{}' of one degree of "
                  "freedom.",
                  leader)});
  }
  EXPECT_THROWS_MESSAGE(ReadJoint("<mimic joint='k' multiplier='nan'/>"),
                        std::runtime_error, "multiplier=\"nan\"");
}

TEST(UrdfJoint, LimitsAndDampingAreRead) {
  const ParsedJoint joint = ReadJoint(
      "<limit lower='-1' upper='2' velocity='3' effort='4' "
      "wyvern:acceleration='5'/><dynamics damping='6'/>");
  EXPECT_EQ(joint.lower, -1);
  EXPECT_EQ(joint.upper, 2);
  EXPECT_EQ(joint.velocity, 3);
  EXPECT_EQ(joint.effort, 4);
  EXPECT_EQ(joint.acceleration, 5);
  EXPECT_EQ(joint.damping[0], 6);
}

TEST(UrdfJoint, TheAxisIsNormalized) {
  const Vector3<double> y = Vector3<double>::UnitY();
  EXPECT_EQ(ReadJoint("<axis xyz='0 2 0'/>").axis, y);
  // Also where squares overflow or vanish.
  EXPECT_TRUE(Near(ReadJoint("<axis xyz='0 1e300 0'/>").axis, y, 1e-15));
  EXPECT_TRUE(Near(ReadJoint("<axis xyz='0 1e-300 0'/>").axis, y, 1e-15));
}

TEST(UrdfJoint, RefusesAnAxisWithoutDirection) {
  EXPECT_THROWS_MESSAGE(ReadJoint("<axis xyz='0 0 0'/>"), std::runtime_error,
                        "r.urdf:10: joint 'j': the axis is zero");
  EXPECT_THROWS_MESSAGE(ReadJoint("<axis xyz='0 nan 0'/>"), std::runtime_error,
                        "is not three finite numbers");
  EXPECT_THROWS_MESSAGE(ReadJoint("<axis xyz='0 inf 0'/>"), std::runtime_error,
                        "is not three finite numbers");
  EXPECT_THROWS_MESSAGE(ReadJoint("<axis/>"), std::runtime_error,
                        "<axis> has no attribute 'xyz'");
}

TEST(UrdfJoint, RefusesLimitsThatContradict) {
  EXPECT_THROWS_MESSAGE(ReadJoint("<limit lower='2' upper='1'/>"),
                        std::runtime_error,
                        "the lower limit 2 is above the upper limit 1");
  EXPECT_THROWS_MESSAGE(ReadJoint("<limit lower='inf'/>"), std::runtime_error,
                        "the position limits leave no room");
  EXPECT_THROWS_MESSAGE(ReadJoint("<limit upper='-inf'/>"), std::runtime_error,
                        "the position limits leave no room");
  EXPECT_THROWS_MESSAGE(ReadJoint("<limit velocity='-1'/>"), std::runtime_error,
                        "the velocity limit is -1");
  EXPECT_THROWS_MESSAGE(ReadJoint("<limit effort='-1'/>"), std::runtime_error,
                        "the effort limit is -1");
  EXPECT_THROWS_MESSAGE(ReadJoint("<limit drake:acceleration='-1'/>"),
                        std::runtime_error, "the acceleration limit is -1");
}

TEST(UrdfJoint, RefusesDampingThatIsNotValid) {
  EXPECT_THROWS_MESSAGE(ReadJoint("<dynamics damping='-1'/>"),
                        std::runtime_error, "the damping is -1");
  EXPECT_THROWS_MESSAGE(ReadJoint("<dynamics damping='inf'/>"),
                        std::runtime_error,
                        "damping in <dynamics> is infinite");
}

TEST(UrdfJoint, FrictionIsRead) {
  EXPECT_EQ(ReadJoint("<dynamics friction='0.5'/>").friction, 0.5);
  EXPECT_EQ(ReadJoint("").friction, 0);
  EXPECT_THROWS_MESSAGE(ReadJoint("<dynamics friction='-1'/>"),
                        std::runtime_error, "the friction is -1");
}

TEST(UrdfJoint, WarnsOfWhatIsNotKnown) {
  for (const auto& [inside, what] :
       std::vector<std::pair<std::string, std::string>>{
           {"<spring stiffness='1'/>", "<spring> in <joint> is not known"},
           {"<dynamics spring_stiffness='1'/>", "'spring_stiffness'"},
           {"<dynamics D='1' damping='0.1'/>", "'D'"},
           {"<dynamics mu_viscous='1'/>", "'mu_viscous'"},
           {"<dynamics coulomb_window='1'/>", "'coulomb_window'"},
           {"<limit lowr='1'/>", "'lowr'"}}) {
    const auto warnings = WarningsOfJoint(inside, "revolute");
    ASSERT_EQ(warnings.size(), 1u) << inside;
    EXPECT_NE(warnings[0].find(what), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("is ignored"), std::string::npos);
  }
}

TEST(UrdfJoint, RefusesLinksThatAreNotThere) {
  const auto joint = [](const std::string& links) {
    return TwoLinks("<joint name='j' type='fixed'>" + links + "</joint>");
  };
  EXPECT_THROWS_MESSAGE(ReadText(joint("<child link='b'/>")),
                        std::runtime_error, "<joint> has no <parent>");
  EXPECT_THROWS_MESSAGE(ReadText(joint("<parent link='a'/>")),
                        std::runtime_error, "<joint> has no <child>");
  EXPECT_THROWS_MESSAGE(ReadText(joint("<parent link='z'/><child link='b'/>")),
                        std::runtime_error,
                        "r.urdf:10: joint 'j': there is no link 'z'");
  EXPECT_THROWS_MESSAGE(ReadText(joint("<parent link='a'/><child link='z'/>")),
                        std::runtime_error, "there is no link 'z'");
  EXPECT_THROWS_MESSAGE(ReadText(joint("<parent link='b'/><child link='b'/>")),
                        std::runtime_error,
                        "parent and child are both link 'b'");
}

}  // namespace urdf_joint_test
}  // namespace wyvern::multibody
