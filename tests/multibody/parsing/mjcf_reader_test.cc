/** @file Elements of MJCF, read to numbers that are known by hand. */

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/mjcf_texts.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace mjcf_reader_test {

using internal::ParsedJointType;
using internal::ParsedModel;
using math::RigidTransform;
using std::numbers::pi;

constexpr double kRounding = 1e-14;

void ExpectRefused(const std::string& text, const std::string& message) {
  EXPECT_THROWS_MESSAGE(ReadMjcfText(text), std::runtime_error, message);
}

void ExpectRefusedInBody(const std::string& inside,
                         const std::string& message) {
  ExpectRefused(MjcfBodyText(inside), message);
}

TEST(MjcfReader, NamesWhatHasNoName) {
  const ParsedModel model = ReadMjcfText(
      MjcfText("<worldbody><body><joint/><joint axis='1 0 0'/>"
               "<geom size='1'/><body><geom size='1'/></body></body>"
               "</worldbody>"));
  EXPECT_EQ(model.name, "m");
  ASSERT_EQ(model.links.size(), 3u);
  EXPECT_EQ(model.links[0].name, "body1");
  EXPECT_EQ(model.links[1].name, "body10");
  EXPECT_EQ(model.links[2].name, "body3");
  ASSERT_EQ(model.joints.size(), 3u);
  EXPECT_EQ(model.joints[0].name, "world-body10");
  EXPECT_EQ(model.joints[1].name, "body10-body1");
  EXPECT_EQ(model.joints[2].name, "body1_welds_to_body3");
  EXPECT_EQ(model.links[0].collisions[0].name(), "geom0");
}

TEST(MjcfReader, TakesTheNearestDefault) {
  const ParsedModel model = ReadMjcfText(MjcfText(
      "<compiler angle='radian'/><default><joint damping='1' armature='7'/>"
      "<default class='one'><joint damping='2' frictionloss='5'/>"
      "<default class='two'><joint damping='3'/></default></default></default>"
      "<worldbody><body name='a' childclass='one'><joint name='j1'/>"
      "<joint name='j2' class='two' armature='8'/>"
      "<joint name='j3' class='main'/><geom size='1'/>"
      "<body name='b'><joint name='j4'/><geom size='1'/></body></body>"
      "</worldbody>"));
  EXPECT_EQ(JointNamed(model, "j1").damping[0], 2);
  EXPECT_EQ(JointNamed(model, "j1").friction, 5);
  EXPECT_EQ(JointNamed(model, "j1").armature, 7);
  EXPECT_EQ(JointNamed(model, "j2").damping[0], 3);
  EXPECT_EQ(JointNamed(model, "j2").friction, 5);
  EXPECT_EQ(JointNamed(model, "j2").armature, 8);
  EXPECT_EQ(JointNamed(model, "j3").damping[0], 1);
  EXPECT_EQ(JointNamed(model, "j3").friction, 0);
  EXPECT_EQ(JointNamed(model, "j4").damping[0], 2);
}

TEST(MjcfReader, RefusesBrokenDefaults) {
  ExpectRefused(MjcfText("<default><default/></default>"),
                "m.xml:2: <default> has no attribute 'class'");
  ExpectRefused(MjcfText("<default><default class='a'/>\n"
                         "<default class='a'/></default>"),
                "m.xml:3: the default class 'a' is there already");
  ExpectRefusedInBody("<joint class='none'/>",
                      "m.xml:3: joint '' of body 'a': there is no default "
                      "class 'none'");
  ExpectRefused(MjcfText("<worldbody><body childclass='x'/></worldbody>"),
                "there is no default class 'x'");
}

TEST(MjcfReader, ReadsEveryOrientation) {
  const auto rotation = [](const std::string& attribute,
                           const std::string& compiler = {}) {
    return ReadMjcfText(MjcfText("<compiler angle='degree'" + compiler +
                                 "/><worldbody><body " + attribute +
                                 "/></worldbody>"))
        .joints[0]
        .X_PF->rotation()
        .matrix();
  };
  const auto about = [](int axis, double degrees) {
    return Eigen::AngleAxisd(degrees * pi / 180, Vector3<double>::Unit(axis))
        .toRotationMatrix();
  };
  EXPECT_TRUE(rotation("quat='2 2 0 0'").isApprox(about(0, 90), kRounding));
  EXPECT_TRUE(
      rotation("axisangle='0 3 0 40'").isApprox(about(1, 40), kRounding));
  EXPECT_TRUE(
      rotation("xyaxes='0 2 0 -1 5 0'").isApprox(about(2, 90), kRounding));
  EXPECT_TRUE(rotation("zaxis='0 -3 0'").isApprox(about(0, 90), kRounding));
  const Matrix3<double> turning = about(0, 10) * about(1, 20) * about(2, 30);
  EXPECT_TRUE(rotation("euler='10 20 30'").isApprox(turning, kRounding));
  const Matrix3<double> fixed = about(1, 30) * about(0, 20) * about(2, 10);
  EXPECT_TRUE(rotation("euler='10 20 30'", " eulerseq='ZXY'")
                  .isApprox(fixed, kRounding));
  ExpectRefusedInBody("<geom size='1' euler='1 0 0' quat='1 0 0 0'/>",
                      "has quat and euler; give one of them");
  ExpectRefusedInBody("<geom size='1' quat='0 0 0 0'/>", "has no length");
  ExpectRefusedInBody("<geom size='1' zaxis='0 0 0'/>", "no direction");
}

TEST(MjcfReader, MovesABodyByItsJointsInTheirOrder) {
  const std::string text = MjcfText(
      "<compiler angle='radian'/><worldbody>"
      "<body name='a' pos='1 2 3' euler='0 0 0.3'>"
      "<joint name='slide' type='slide' axis='0 2 0' ref='0.1'/>"
      "<joint name='hinge' axis='1 0 0' pos='0 0.5 0' ref='0.2'/>"
      "<geom size='0.1'/></body></worldbody>");
  MultibodyPlant<double> plant(0);
  Parser(&plant).AddModelsFromString(text, "xml");
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const RigidTransform<double> X_PB(
      math::RotationMatrix<double>::MakeZRotation(0.3),
      Vector3<double>(1, 2, 3));
  const auto pose = [&]() {
    return plant.GetBodyByName("a").EvalPoseInWorld(*context);
  };
  // At their references joints are as drawn.
  EXPECT_TRUE(pose().IsNearlyEqualTo(X_PB, kRounding));
  plant.GetJointByName("slide").SetPositions(context.get(),
                                             Vector1<double>(0.7));
  plant.GetJointByName("hinge").SetPositions(context.get(),
                                             Vector1<double>(1.5));
  const Vector3<double> p(0, 0.5, 0);
  const RigidTransform<double> wanted =
      X_PB * RigidTransform<double>(Vector3<double>(0, 0.6, 0)) *
      RigidTransform<double>(p) *
      RigidTransform<double>(math::RotationMatrix<double>::MakeXRotation(1.3),
                             Vector3<double>::Zero()) *
      RigidTransform<double>(Vector3<double>(-p));
  EXPECT_TRUE(pose().IsNearlyEqualTo(wanted, kRounding));
}

TEST(MjcfReader, ReadsWhatActsAtJoints) {
  const ParsedModel model = ReadMjcfText(MjcfText(
      "<worldbody><body name='a'><joint name='j' range='-90 180' ref='45' "
      "springref='90' stiffness='3' damping='0.5' frictionloss='0.1'/>"
      "<geom size='1'/></body></worldbody>"));
  const auto& joint = model.joints[0];
  EXPECT_EQ(joint.type, ParsedJointType::kRevolute);
  EXPECT_NEAR(joint.lower, -pi / 2, kRounding);
  EXPECT_NEAR(joint.upper, pi, kRounding);
  EXPECT_NEAR(joint.spring_reference, pi / 2, kRounding);
  EXPECT_NEAR((*joint.default_positions)[0], pi / 4, kRounding);
  EXPECT_EQ(joint.spring_stiffness, 3);
  EXPECT_EQ(joint.damping[0], 0.5);
  EXPECT_EQ(joint.friction, 0.1);
}

// As a Panda's has, from identification. A negative stiffness stays an error.
TEST(MjcfReader, TakesANegativeDampingAsNoneWithAWarning) {
  std::vector<std::string> warnings;
  const ParsedModel model = ReadMjcfText(
      MjcfBodyText("<joint name='j' damping='-0.0132'/><geom size='1'/>"),
      &warnings);
  EXPECT_EQ(model.joints[0].damping[0], 0);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("m.xml:3: joint 'j'"), std::string::npos);
  EXPECT_NE(warnings[0].find("damping is -0.0132"), std::string::npos);
  EXPECT_THROWS_MESSAGE(
      ReadMjcfText(MjcfBodyText("<joint stiffness='-1'/><geom size='1'/>")),
      std::runtime_error, "stiffness is -1; it must not be negative");
}

TEST(MjcfReader, HeedsLimitedAndAutolimits) {
  const auto upper = [](const std::string& attributes,
                        const std::string& compiler = {}) {
    return ReadMjcfText(MjcfText("<compiler angle='radian' " + compiler +
                                 "/><worldbody><body><joint " + attributes +
                                 "/><geom size='1'/></body></worldbody>"))
        .joints[0]
        .upper;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(upper("range='-1 2'"), 2);
  EXPECT_EQ(upper(""), infinity);
  EXPECT_EQ(upper("range='-1 2' limited='false'"), infinity);
  EXPECT_EQ(upper("range='-1 2' limited='true'", "autolimits='false'"), 2);
  EXPECT_EQ(upper("range='-1 2'/><joint"), 2);
  ExpectRefused(MjcfText("<compiler autolimits='false'/><worldbody><body>"
                         "<joint range='0 1'/></body></worldbody>"),
                "has range but not limited");
  ExpectRefusedInBody("<joint range='2 1'/>", "must not be above the upper");
}

TEST(MjcfReader, ReplicatesBodiesAndWhatRefersToThem) {
  const ParsedModel model = ReadMjcfText(MjcfText(
      "<worldbody><body name='hub'><geom size='1'/>"
      "<replicate count='2' offset='1 0 0' euler='0 0 90' sep='-'>"
      "<body name='a' pos='0 2 0'><joint name='j' axis='0 1 0'/>"
      "<geom name='g' size='1'/></body></replicate>"
      "<replicate count='10'><geom size='1'/></replicate></body></worldbody>"
      "<actuator><motor name='m' joint='j'/></actuator>"
      "<equality><joint joint1='j'/></equality>"));
  ASSERT_EQ(model.links.size(), 3u);
  EXPECT_EQ(model.links[1].name, "a-0");
  EXPECT_EQ(model.links[2].name, "a-1");
  // The second turned by a quarter, one metre on.
  const Vector3<double> second = JointNamed(model, "j-1").X_PF->translation();
  EXPECT_TRUE(second.isApprox(Vector3<double>(1 - 2, 0, 0), kRounding));
  EXPECT_TRUE(JointNamed(model, "j-0")
                  .X_PF->translation()
                  .isApprox(Vector3<double>(0, 2, 0), kRounding));
  ASSERT_EQ(model.actuators.size(), 2u);
  EXPECT_EQ(model.actuators[1].name, "m-1");
  EXPECT_EQ(model.actuators[1].joint, "j-1");
  EXPECT_EQ(model.links[0].collisions.size(), 11u);
}

// Copy i is turned by i times the angles, which differs from i turns by the
// angles.
TEST(MjcfReader, ACopyIsTurnedByAMultipleOfEachAngle) {
  const ParsedModel model = ReadMjcfText(MjcfText(
      "<worldbody><replicate count='5' offset='0.3 0.1 0.05' euler='0 20 35' "
      "sep='_'><body name='pad' pos='0.2 0 0'/></replicate></worldbody>"));
  // Reference values from MuJoCo 3.3.7.
  const Vector3<double> p[] = {{0.2, 0, 0},
                               {0.45395, 0.214715, -0.006033},
                               {0.546528, 0.541927, -0.011417},
                               {0.507001, 0.863283, 0.110132},
                               {0.462461, 1.062551, 0.392079}};
  for (int i = 0; i < 5; ++i) {
    const Vector3<double> got = model.joints[i].X_PF->translation();
    EXPECT_LT((got - p[i]).norm(), 1e-6) << i;
  }
  const Eigen::Quaternion<double> q =
      model.joints[4].X_PF->rotation().ToQuaternion();
  EXPECT_NEAR(std::abs(q.w()), 0.262003, 1e-6);
}

TEST(MjcfReader, AnEmptyAttributeIsNotGiven) {
  const ParsedModel model = ReadMjcfText(
      MjcfText("<default><joint damping='3'/></default><worldbody><body "
               "name='a' pos='' quat=''><joint name='j' axis='' range=' ' "
               "damping='' ref=''/><geom type='box' size='1 1 1' rgba='' "
               "mass='' fromto='' friction=''/></body></worldbody>"));
  EXPECT_EQ(JointNamed(model, "j").damping[0], 3);
  EXPECT_EQ(JointNamed(model, "j").axis, Vector3<double>::UnitZ());
  EXPECT_EQ(model.links[0].M_BBo_B.get_mass(), 8000);
}

TEST(MjcfReader, AnAxisAgainstZIsAHalfTurnAboutX) {
  for (const std::string axis : {"0 0 -1", "0 0 -7"}) {
    const ParsedModel model = ReadMjcfText(
        MjcfText("<worldbody><body zaxis='" + axis +
                 "'><site name='s' fromto='0 0 0 0 0 1'/></body></worldbody>"));
    const Matrix3<double> half = Vector3<double>(1, -1, -1).asDiagonal();
    EXPECT_EQ(model.joints[0].X_PF->rotation().matrix(), half);
    EXPECT_EQ(model.frames[0].X_LF.rotation().matrix(), half);
  }
}

TEST(MjcfReader, RefusesReplicasThatCannotBe) {
  ExpectRefusedInBody("<replicate/>", "no attribute 'count'");
  ExpectRefusedInBody("<replicate count='0'/>", "wants a whole number 'count'");
  ExpectRefusedInBody("<replicate count='1.5'/>", "whole number");
  ExpectRefusedInBody(
      "<replicate count='2'><inertial mass='1' pos='0 0 0' "
      "diaginertia='1 1 1'/></replicate>",
      "at most one <inertial>");
  ExpectRefusedInBody("<replicate count='1e300'><geom size='1'/></replicate>",
                      "is too large");
  ExpectRefusedInBody(
      "<replicate count='2000'><replicate count='2000'>"
      "<geom size='1'/></replicate></replicate>",
      "is too large");
  ExpectRefused(
      MjcfText("<worldbody><replicate count='2'><body name='a'><joint "
               "name='j'/><geom size='1'/></body></replicate></worldbody>"
               "<sensor/><tendon><fixed name='t'><joint joint='j' coef='1'/>"
               "</fixed></tendon><actuator><motor tendon='t'/></actuator>"),
      "'j'");
}

// 1 kg at 0.5 m on a pin, another 3 kg farther out, on a pin that is free.
TEST(MjcfReader, MakesSpringsAndDampersOfTimesAndRatios) {
  const std::string text =
      "<compiler angle='radian'/><option><flag gravity='disable'FLAG/></option>"
      "<worldbody><body><joint name='j' axis='0 1 0' springdamper='0.5 0.8' "
      "stiffness='9' damping='9'/><inertial mass='1' pos='0.5 0 0' "
      "diaginertia='1e-9 1e-9 1e-9'/>"
      "<body pos='1 0 0'><joint name='k' axis='0 1 0'/><inertial mass='3' "
      "pos='0 0 0' diaginertia='2 2 2'/></body></body></worldbody>";
  const auto read = [&text](const std::string& flag) {
    std::string changed = text;
    changed.replace(changed.find("FLAG"), 4, flag);
    return ReadMjcfText(MjcfText(changed));
  };
  const internal::ParsedJoint joint = JointNamed(read(""), "j");
  // The free body's turn is not felt.
  const double inertia = 1 * 0.25 + 3 * 1;
  EXPECT_NEAR(joint.spring_stiffness, inertia / (0.4 * 0.4), 1e-7);
  EXPECT_NEAR(joint.damping[0], 2 * inertia / 0.5, 1e-7);
  EXPECT_EQ(JointNamed(read(" spring='disable'"), "j").spring_stiffness, 0);
  EXPECT_EQ(JointNamed(read(" damper='disable'"), "j").damping[0], 0);
}

TEST(MjcfReader, RefusesWhatMovesAndIsNotModelled) {
  ExpectRefusedInBody("<joint type='ball' range='0.1 1'/>",
                      "range of a ball joint is \"0.1 1\"; give 0 and");
  ExpectRefusedInBody("<joint type='ball' limited='true' range='0 0'/>",
                      "give 0 and the largest angle");
  ExpectRefusedInBody("<joint type='ball' stiffness='1'/>", "a spring");
  ExpectRefusedInBody("<joint type='free' stiffness='1'/>", "a spring");
  ExpectRefusedInBody("<joint type='ball' springdamper='1 1'/>",
                      "springdamper of a joint");
  ExpectRefusedInBody("<joint springyield='1 1'/>", "springyield");
  ExpectRefusedInBody("<joint springdamper='1e-200 1'/>",
                      "springdamper gives no spring and damper");
  ExpectRefusedInBody("<joint stiffness='1 2'/>", "not linear");
  ExpectRefusedInBody("<joint type='round'/>", "no joint of type \"round\"");
  ExpectRefusedInBody("<joint axis='0 0 0'/>", "the axis is 0");
  ExpectRefusedInBody("<freejoint/><joint/>", "must be its body's only one");
  ExpectRefusedInBody("<body><freejoint/></body>", "the body in the world");
  ExpectRefusedInBody("<geom size='1' surfacevel='1 0 0 0 0 0'/>",
                      "surfacevel is not modelled");
  ExpectRefusedInBody("<composite/>", "<composite> in a body");
  ExpectRefusedInBody("<geom type='hfield' mass='0'/>",
                      "there is no height field ''");
  ExpectRefusedInBody("<geom type='sdf' mass='0'/>", "type that touches");
  for (const std::string inside :
       {"<option><flag actuation='disable'/></option>", "<deformable/>",
        "<extension/>", "<tendon><fixed armature='1'/></tendon>"}) {
    ExpectRefused(MjcfText(inside), "m.xml:2: ");
    ExpectRefused(MjcfText(inside), "not modelled");
  }
}

TEST(MjcfReader, ReadsTheLargestAngleOfABallJoint) {
  const auto read = [](const std::string& range) {
    return ReadMjcfText(MjcfBodyText("<joint name='j' type='ball' range='" +
                                     range + "'/><geom size='1'/>"))
        .rotation_limits;
  };
  ASSERT_EQ(read("0 1.2").size(), 1u);
  EXPECT_EQ(read("0 1.2")[0].joint, "j");
  EXPECT_EQ(read("0 1.2")[0].largest_angle, 1.2);
  // No rotation is larger than pi.
  EXPECT_TRUE(read("0 4").empty());
}

TEST(MjcfReader, WarnsOfWhatItDoesNotKnow) {
  std::vector<std::string> warnings;
  ReadMjcfText(MjcfText("<worldbody><body name='a' sleep='auto'>\n"
                        "<joint dampng='1' margin='0'/>"
                        "<geom size='1' solref='1 1'/></body></worldbody>\n"
                        "<sensor/><nothing/>"),
               &warnings);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_EQ(warnings[0].rfind("m.xml:4: <nothing> in <mujoco>", 0), 0u);
  EXPECT_EQ(warnings[1].rfind("m.xml:4: sensors are not read", 0), 0u);
  EXPECT_EQ(warnings[2].rfind("m.xml:3: the attribute 'dampng' of <joint>", 0),
            0u);
}

TEST(MjcfReader, SaysWhatIsNotThere) {
  ExpectRefused("<robot/>", "m.xml:1: the document is a <robot>");
  ExpectRefusedInBody("<body name='a'/>", "there is a body 'a' already");
  ExpectRefusedInBody("<body name='world'/>", "only <worldbody> is the world");
  ExpectRefusedInBody("<joint name='j'/><joint name='j'/>",
                      "there is a joint 'j' already");
  ExpectRefusedInBody("<geom type='mesh' mesh='none'/>", "no mesh 'none'");
  ExpectRefusedInBody("<geom size='0.1 0' type='capsule'/>", "all positive");
  ExpectRefusedInBody("<geom size='nan'/>", "not finite numbers");
  ExpectRefusedInBody("<include file='x.xml'/>", "the model is in a string");
  ExpectRefused(MjcfText("<worldbody><joint/></worldbody>"),
                "the world has no joints");
}

TEST(MjcfReader, KeysAreTheInitialState) {
  const std::string bodies =
      "<worldbody><body name='f'><freejoint/><geom size='1'/>"
      "<body name='b'><joint type='ball' name='ball'/><geom size='1'/></body>"
      "<body><joint name='h'/><geom size='1'/></body></body></worldbody>";
  const std::string keys =
      "<keyframe><key qpos='9 9 9 1 0 0 0 1 0 0 0 9'/>"
      "<key name='home' qpos='1 2 3 0 2 0 0 0 0 3 0 0.5'/></keyframe>";
  MultibodyPlant<double> plant(0);
  Parser(&plant).AddModelsFromString(MjcfText(bodies + keys), ".XML");
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const auto X_WF = plant.GetBodyByName("f").EvalPoseInWorld(*context);
  EXPECT_TRUE(
      X_WF.IsNearlyEqualTo({math::RotationMatrix<double>::MakeXRotation(pi),
                            Vector3<double>(1, 2, 3)},
                           kRounding));
  EXPECT_EQ(plant.GetJointByName("h").GetPositions(*context)[0], 0.5);
  EXPECT_TRUE(plant.GetJointByName("ball").GetPositions(*context).isApprox(
      Vector4<double>(0, 0, 1, 0), kRounding));
  std::vector<std::string> warnings;
  ReadMjcfText(MjcfText(bodies + "<keyframe><key qpos='1'/></keyframe>"),
               &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("it has 1 positions, and the joints have 12"),
            std::string::npos);
}

TEST(MjcfReader, TiesBodiesByEqualities) {
  const ParsedModel model = ReadMjcfText(MjcfText(
      "<compiler angle='radian'/><worldbody>"
      "<body name='a' pos='1 0 0'><joint name='ja' ref='0.5'/>"
      "<geom size='1'/><site name='s' pos='0 0 7'/></body>"
      "<body name='b' pos='0 2 0' euler='0 0 1.5707963267948966'>"
      "<joint name='jb' ref='0.1'/><geom size='1'/></body></worldbody>"
      "<equality><connect body1='a' body2='b' anchor='0 0 3'/>"
      "<weld body1='a' body2='b'/>"
      "<weld body1='a' body2='b' relpose='4 5 6 1 0 0 0' anchor='1 0 0'/>"
      "<joint joint1='ja' joint2='jb' polycoef='0.3 2'/>"
      "<joint joint1='jb'/></equality>"));
  ASSERT_EQ(model.ball_constraints.size(), 1u);
  EXPECT_TRUE(model.ball_constraints[0].p_BQ.isApprox(
      Vector3<double>(-2, -1, 3), kRounding));
  ASSERT_EQ(model.weld_constraints.size(), 2u);
  EXPECT_TRUE(model.weld_constraints[0].X_AP.translation().isApprox(
      Vector3<double>(-1, 2, 0), kRounding));
  EXPECT_TRUE(model.weld_constraints[1].X_AP.translation().isApprox(
      Vector3<double>(5, 5, 6), kRounding));
  ASSERT_EQ(model.couplers.size(), 2u);
  // q1 - 0.5 = 0.3 + 2 (q2 - 0.1).
  EXPECT_EQ(model.couplers[0].gear_ratio, 2);
  EXPECT_NEAR(model.couplers[0].offset, 0.6, kRounding);
  EXPECT_EQ(model.couplers[1].gear_ratio, 0);
  EXPECT_EQ(model.couplers[1].offset, 0.1);
  EXPECT_EQ(model.frames.at(0).name, "s");
}

TEST(MjcfReader, DisablesByFlags) {
  const ParsedModel model = ReadMjcfText(MjcfText(
      "<option><flag gravity='disable' contact='disable' limit='disable' "
      "spring='disable' damper='disable' frictionloss='disable' "
      "equality='disable'/></option><worldbody><body name='a'>"
      "<joint range='0 1' stiffness='1' damping='1' frictionloss='1'/>"
      "<geom size='1'/></body></worldbody>"
      "<equality><weld body1='a'/></equality>"));
  EXPECT_FALSE(model.has_gravity);
  EXPECT_TRUE(model.links[0].collisions.empty());
  EXPECT_EQ(model.joints[0].upper, internal::ParsedJoint::kInfinity);
  EXPECT_EQ(model.joints[0].spring_stiffness, 0);
  EXPECT_EQ(model.joints[0].damping[0], 0);
  EXPECT_EQ(model.joints[0].friction, 0);
  EXPECT_TRUE(model.weld_constraints.empty());
}

TEST(MjcfReader, SetsThePlantsGravity) {
  MultibodyPlant<double> plant(0);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  parser.AddModelsFromString(MjcfText("<option gravity='0 0 -1.62'/>"), "xml");
  EXPECT_EQ(plant.gravity_field().gravity_vector()[2], -1.62);
  ASSERT_EQ(parser.warnings().size(), 1u);
}

std::string WarningsOf(const std::string& text) {
  MultibodyPlant<double> plant(0.0);
  Parser parser(&plant);
  parser.AddModelsFromString(text, "xml");
  std::string all;
  for (const std::string& warning : parser.warnings()) all += warning + "\n";
  return all;
}

TEST(MjcfReader, AMisspeltAttributeOfAnyElementIsAWarning) {
  const auto with = [](const char* option, const char* flag, const char* fixed,
                       const char* material) {
    return fmt::format(
        "<mujoco model='m'><option timestep='0.1' {}><flag energy='enable' "
        "{}/></option>"
        "<asset><material name='m' rgba='1 0 0 1' {}/></asset><worldbody>"
        "<body><joint name='j' range='-1 1'/><geom size='1'/></body>"
        "</worldbody><tendon><fixed name='t' {}><joint joint='j' coef='1'/>"
        "</fixed></tendon></mujoco>",
        option, flag, material, fixed);
  };
  EXPECT_EQ(WarningsOf(with("", "", "", "")), "");
  EXPECT_NE(WarningsOf(with("gravitiy='0 0 0'", "", "", "")).find("gravitiy"),
            std::string::npos);
  EXPECT_NE(WarningsOf(with("", "contakt='disable'", "", "")).find("contakt"),
            std::string::npos);
  EXPECT_NE(WarningsOf(with("", "", "stifness='1'", "")).find("stifness"),
            std::string::npos);
  EXPECT_NE(WarningsOf(with("", "", "", "colour='1'")).find("colour"),
            std::string::npos);
}

TEST(MjcfReader, WeightThatALimitOfForcesCountsIsAWarning) {
  const auto with = [](const char* joint) {
    return fmt::format(
        "<mujoco model='m'><worldbody><body gravcomp='1'><joint {}/><geom "
        "size='1'/>"
        "</body></worldbody></mujoco>",
        joint);
  };
  const auto warns = [&](const char* joint) {
    return WarningsOf(with(joint)).find("actuatorgravcomp") !=
           std::string::npos;
  };
  EXPECT_TRUE(warns("actuatorfrcrange='-1 1' actuatorgravcomp='true'"));
  EXPECT_FALSE(warns("actuatorfrcrange='-1 1'"));
  EXPECT_FALSE(warns("actuatorgravcomp='true'"));
}

TEST(MjcfReader, WhatActsOtherwiseByOptionOrPairIsRefused) {
  EXPECT_THROWS_MESSAGE(
      WarningsOf("<mujoco><option actuatorgroupdisable='1'/></mujoco>"),
      std::runtime_error, "actuatorgroupdisable is not modelled");
  EXPECT_THROWS_MESSAGE(
      WarningsOf(
          "<mujoco><worldbody><geom name='a' size='1'/><body><freejoint/>"
          "<geom name='b' size='1'/></body></worldbody><contact><pair "
          "geom1='a' geom2='b' adhesion='1'/></contact></mujoco>"),
      std::runtime_error, "adhesion is not modelled");
}

}  // namespace mjcf_reader_test
}  // namespace wyvern::multibody
