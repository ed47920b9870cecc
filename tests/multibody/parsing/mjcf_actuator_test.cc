/** @file Actuators of MJCF as those of a plant, at the joint. */

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/mjcf_texts.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/parsing/joint_facts.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/tree/prismatic_joint.h"

namespace wyvern::multibody {
namespace mjcf_actuator_test {

using internal::ParsedActuator;
using internal::ParsedModel;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A ball of mass 2 at 3 m of the hinge `j`, with the armature 0.5.
ParsedModel ReadWith(const std::string& actuators,
                     const std::string& defaults = {},
                     std::vector<std::string>* warnings = nullptr) {
  return ReadMjcfText(
      MjcfText("<default><joint armature='0.5'/>" + defaults +
               "</default><worldbody><body name='a'>"
               "<joint name='j' axis='0 1 0'/>"
               "<inertial mass='2' pos='3 0 0' diaginertia='1 1 1'/></body>"
               "</worldbody><actuator>\n" +
               actuators + "</actuator>"),
      warnings);
}

ParsedActuator ReadOne(const std::string& actuator,
                       const std::string& defaults = {}) {
  const ParsedModel model = ReadWith(actuator, defaults);
  EXPECT_EQ(model.actuators.size(), 1u);
  return model.actuators.at(0);
}

TEST(MjcfActuator, AMotorIsAForceBehindItsGear) {
  const ParsedActuator motor =
      ReadOne("<motor joint='j' gear='-20' ctrlrange='-3 3'/>");
  EXPECT_EQ(motor.name, "motor0");
  EXPECT_EQ(motor.joint, "j");
  EXPECT_EQ(motor.effort_limit, 60);
  EXPECT_EQ(motor.gear_ratio, -20);
  EXPECT_NEAR(motor.gear_ratio * motor.gear_ratio * motor.rotor_inertia, 0.5,
              1e-15);
  EXPECT_FALSE(motor.gains.has_value());
  EXPECT_EQ(ReadOne("<motor joint='j'/>").effort_limit, kInfinity);
  EXPECT_EQ(
      ReadOne("<motor joint='j' gear='5' forcerange='-2 2'/>").effort_limit,
      10);
}

TEST(MjcfActuator, TheJointsArmatureIsTheFirstActuators) {
  const ParsedModel model =
      ReadWith("<motor joint='j' armature='0.01' gear='2'/><motor joint='j'/>");
  ASSERT_EQ(model.actuators.size(), 1u);
  EXPECT_NEAR(model.actuators[0].rotor_inertia, 0.5 / 4 + 0.01, 1e-15);
  EXPECT_EQ(model.joints[0].armature, 0);
  EXPECT_EQ(ReadWith("").joints[0].armature, 0.5);
}

TEST(MjcfActuator, ServosHaveGainsAtTheJoint) {
  const auto expect = [](const ParsedActuator& actuator, double p, double d) {
    ASSERT_TRUE(actuator.gains.has_value());
    EXPECT_NEAR(actuator.gains->p, p, 1e-12);
    EXPECT_NEAR(actuator.gains->d, d, 1e-12);
  };
  expect(ReadOne("<position joint='j' kp='50' kv='3'/>"), 50, 3);
  expect(ReadOne("<position joint='j' kp='50' kv='3' gear='2'/>"), 200, 12);
  expect(ReadOne("<velocity joint='j' kv='7'/>"), 0, 7);
  expect(ReadOne("<general joint='j' biastype='affine' gainprm='9' "
                 "biasprm='1 -5 -2'/>"),
         5, 2);
  // 1 + 2 * 3² + 0.5 about the hinge.
  expect(ReadOne("<position joint='j' kp='50' dampratio='0.7'/>"), 50,
         1.4 * std::sqrt(50 * 19.5));
}

TEST(MjcfActuator, AMotorAmongServosIsOneWithoutGains) {
  const ParsedModel model = ReadMjcfText(MjcfText(
      "<worldbody><body><joint name='j'/><joint name='k'/><geom size='1'/>"
      "</body></worldbody><actuator><motor joint='j'/><velocity joint='k' "
      "kv='7'/></actuator>"));
  ASSERT_TRUE(model.actuators[0].gains.has_value());
  EXPECT_EQ(model.actuators[0].gains->p, 0);
  EXPECT_EQ(model.actuators[0].gains->d, 0);
}

TEST(MjcfActuator, DefaultsOfOneFormServeOthers) {
  const std::string servo = "<position kp='50' kv='3'/>";
  EXPECT_EQ(ReadOne("<position joint='j' kp='7'/>", servo).gains->p, 7);
  EXPECT_EQ(ReadOne("<position joint='j' kp='7'/>", servo).gains->d, 3);
  EXPECT_FALSE(ReadOne("<motor joint='j'/>", servo).gains.has_value());
  EXPECT_EQ(ReadOne("<velocity joint='j'/>", servo).gains->d, 1);
  EXPECT_EQ(ReadOne("<position joint='j'/>", "<velocity kv='9'/>").gains->p, 1);
  EXPECT_EQ(ReadOne("<motor joint='j'/>", "<general gear='4'/>").gear_ratio, 4);
}

TEST(MjcfActuator, RefusesWhatIsNotAffineAtOneJoint) {
  for (const std::string actuator :
       {"<muscle joint='j'/>", "<general joint='j' dyntype='muscle'/>",
        "<general joint='j' dyntype='x'/>", "<motor tendon='t'/>",
        "<general joint='j' gaintype='affine' gainprm='1 2'/>",
        "<general joint='j' biastype='affine' biasprm='0 1 0'/>",
        "<general joint='j' biastype='affine' biasprm='1 0 0'/>",
        "<motor site='s'/>", "<motor body='a'/>", "<motor cranksite='s'/>",
        "<motor joint='j' site='s'/>", "<motor joint='j' delay='0.1'/>",
        "<general joint='j' gaintype='x'/>",
        "<position joint='j' kp='1e200' gear='1e100'/>"}) {
    EXPECT_THROWS_MESSAGE(ReadWith(actuator), std::runtime_error, "m.xml:3: ");
  }
  EXPECT_THROWS_MESSAGE(ReadWith("<motor joint='k'/>"), std::runtime_error,
                        "there is no joint 'k'");
  EXPECT_THROWS_MESSAGE(ReadWith("<engine joint='k'/>"), std::runtime_error,
                        "there is no actuator <engine>");
}

TEST(MjcfActuator, TakesTheActivationInPlaceOfItsDynamics) {
  const auto read = [](const std::string& actuator, const char* kind) {
    std::vector<std::string> warnings;
    const ParsedModel model = ReadWith(actuator, "", &warnings);
    EXPECT_EQ(warnings.size(), 1u) << actuator;
    EXPECT_NE(warnings.at(0).find(kind), std::string::npos) << warnings[0];
    return model.actuators.at(0);
  };
  EXPECT_EQ(read("<general joint='j' gear='3' dyntype='filter' dynprm='0.1' "
                 "ctrlrange='-2 2'/>",
                 "filtered")
                .effort_limit,
            6);
  EXPECT_EQ(read("<general joint='j' gear='3' dyntype='integrator' "
                 "ctrlrange='-2 2' actrange='-5 5'/>",
                 "integrated")
                .effort_limit,
            15);
  EXPECT_EQ(
      read("<position joint='j' kp='7' timeconst='1'/>", "filtered").gains->p,
      7);
  EXPECT_EQ(
      read("<intvelocity joint='j' kp='7' kv='2'/>", "integrated").gains->d, 2);
}

// A muscle of a joint is an actuator of one term, so that others may join it.
TEST(MjcfActuator, AMuscleIsAForceWithItsLaw) {
  std::vector<std::string> warnings;
  const ParsedModel model = ReadWith(
      "<muscle joint='j' lengthrange='-1 2' gear='3' ctrlrange='0 0.5' "
      "force='70' lmin='0.4' tausmooth='0.2'/>\n"
      "<muscle joint='j' lengthrange='0 1' forcerange='-6 6' "
      "timeconst='0.02'/>",
      "<muscle vmax='9'/>", &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("m.xml:3: actuator 'muscle0': the muscle, like "),
            std::string::npos);
  ASSERT_EQ(model.actuators.size(), 2u);
  EXPECT_EQ(model.joints[0].armature, 0.5);
  const ParsedActuator& first = model.actuators[0];
  EXPECT_EQ(first.joint, "");
  EXPECT_EQ(first.terms.at(0).joint, "j");
  EXPECT_EQ(first.terms[0].coefficient, 1);
  EXPECT_EQ(first.effort_limit, kInfinity);
  EXPECT_FALSE(first.gains.has_value());
  const MuscleProperties& m = first.muscle.value();
  EXPECT_EQ(m.length_range, Vector2<double>(-1, 2));
  EXPECT_EQ(m.operating_range, Vector2<double>(0.75, 1.05));
  EXPECT_EQ(m.control_range, Vector2<double>(0, 0.5));
  EXPECT_EQ(m.gear, 3);
  EXPECT_EQ(m.peak_force, 70);
  EXPECT_EQ(m.min_length, 0.4);
  EXPECT_EQ(m.max_length, 1.6);
  EXPECT_EQ(m.max_velocity, 9);
  EXPECT_EQ(m.activation_time, 0.01);
  EXPECT_EQ(m.smoothing, 0.2);
  const MuscleProperties& other = model.actuators[1].muscle.value();
  EXPECT_EQ(model.actuators[1].effort_limit, 6);
  EXPECT_EQ(other.peak_force, -1);
  EXPECT_EQ(other.force_scale, 200);
  EXPECT_EQ(other.activation_time, 0.02);
  EXPECT_EQ(other.deactivation_time, 0.04);
}

TEST(MjcfActuator, AGeneralActuatorMayBeAMuscle) {
  const std::string head =
      "<general joint='j' lengthrange='0 1' dyntype='muscle' gaintype='muscle' "
      "dynprm='0.03 0.05 0.1' gainprm='0.8 1.1 50 100 0.5 1.6 3 1.3 1.2' ";
  const ParsedActuator both = ReadOne(
      head + "biastype='muscle' biasprm='0.8 1.1 50 100 0.5 1.6 3 1.3 1.2'/>");
  EXPECT_EQ(both.muscle.value().deactivation_time, 0.05);
  EXPECT_EQ(both.muscle->max_velocity, 3);
  EXPECT_EQ(both.muscle->max_passive_force, 1.3);
  EXPECT_EQ(ReadOne(head + "biastype='none'/>").muscle->max_passive_force, 0);
  for (const std::string rest :
       {"biastype='muscle' biasprm='1'/>", "biastype='affine'/>"}) {
    EXPECT_THROWS_MESSAGE(ReadWith(head + rest), std::runtime_error,
                          "m.xml:3: actuator 'general0': ");
  }
  EXPECT_THROWS_MESSAGE(
      ReadWith("<general joint='j' gaintype='muscle' lengthrange='0 1'/>"),
      std::runtime_error, "give dyntype=\"muscle\"");
}

TEST(MjcfActuator, RefusesMusclesThatAreNotValid) {
  const auto expect = [](const std::string& attributes, const char* message) {
    const std::string muscle = "<muscle joint='j' " + attributes + "/>";
    EXPECT_THROWS_MESSAGE(ReadWith(muscle), std::runtime_error,
                          "m.xml:3: actuator 'muscle0': ");
    EXPECT_THROWS_MESSAGE(ReadWith(muscle), std::runtime_error, message);
  };
  expect("", "the muscle has no lengthrange; give the shortest");
  expect("lengthrange='2 1'", "the muscle's length_range is 2 1; give");
  expect("lengthrange='0 1' lmin='1.5'", "min_length is 1.5; give");
  expect("lengthrange='0 1' range='1 0.5'", "operating_range is 1 0.5; give");
  expect("lengthrange='0 1' timeconst='0 1'", "activation_time is 0; give");
  expect("lengthrange='0 1' tausmooth='-1'", "tausmooth");
  expect("lengthrange='0 1' force='nan'", "force");
  expect("lengthrange='0 1 2'", "lengthrange");
  expect("lengthrange='0 1' armature='1'", "armature of an actuator");
  expect("lengthrange='0 1' ctrlrange='1 0'", "ctrlrange");
}

TEST(MjcfActuator, SeveralAtOneJointBecomeOne) {
  std::vector<std::string> warnings;
  const ParsedModel model = ReadWith(
      "<position name='p' joint='j' kp='30' gear='2' forcerange='-5 5'/>\n"
      "<velocity name='v' joint='j' kv='7' forcerange='-1 1' armature='3'/>\n"
      "<motor name='m' joint='j' ctrlrange='-4 4'/>",
      "", &warnings);
  ASSERT_EQ(model.actuators.size(), 1u);
  const ParsedActuator& one = model.actuators[0];
  EXPECT_EQ(one.name, "p");
  EXPECT_EQ(one.gains->p, 120);
  EXPECT_EQ(one.gains->d, 7);
  EXPECT_EQ(one.effort_limit, 15);
  EXPECT_NEAR(one.gear_ratio * one.gear_ratio * one.rotor_inertia, 3.5, 1e-14);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("m.xml:4: actuator 'v': joint 'j' has the "
                             "actuator 'p' already"),
            std::string::npos);
}

// MuJoCo also clamps the sum to the joint's range.
TEST(MjcfActuator, SeveralAtOneJointKeepToItsRangeOfForces) {
  const ParsedModel model = ReadMjcfText(
      MjcfText("<worldbody><body><joint name='j' actuatorfrcrange='-3 3'/>"
               "<geom size='1'/></body></worldbody><actuator><motor joint='j'/>"
               "<motor joint='j'/></actuator>"));
  EXPECT_EQ(model.actuators.at(0).effort_limit, 3);
}

TEST(MjcfActuator, WarnsOfWhatIsLeftOut) {
  std::vector<std::string> warnings;
  EXPECT_TRUE(
      ReadWith("<motor joint='j' gear='0'/>", "", &warnings).actuators.empty());
  EXPECT_EQ(warnings.size(), 1u);
  warnings.clear();
  const auto uneven =
      ReadWith("<motor joint='j' forcerange='-3 5'/>", "", &warnings);
  EXPECT_EQ(uneven.actuators[0].effort_limit, 5);
  EXPECT_EQ(warnings.size(), 1u);
}

// A hand whose fingers move as one, q2 = -2 q1, pulled by one tendon.
TEST(MjcfActuator, PullsAtATendonWhoseJointsMoveAsOne) {
  const auto read = [](const std::string& equality,
                       const std::string& actuator) {
    return ReadMjcfText(MjcfText(
        "<worldbody><body><joint name='j1'/><geom size='1'/></body>"
        "<body><joint name='j2'/><geom size='1'/></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='j1' coef='3'/>"
        "<joint joint='j2' coef='0.5'/></fixed></tendon><equality>" +
        equality + "</equality><actuator>\n" + actuator + "</actuator>"));
  };
  const std::string servo =
      "<general tendon='t' gear='5' biastype='affine' gainprm='7' "
      "biasprm='0 -11 -13' forcerange='-1 1'/>";
  for (const std::string tie :
       {"<joint joint1='j2' joint2='j1' polycoef='0.3 -2'/>",
        "<joint joint1='j1' joint2='j2' polycoef='0.3 -0.5'/>"}) {
    const ParsedActuator added = read(tie, servo).actuators.at(0);
    EXPECT_EQ(added.joint, "j1");
    // The length is (3 - 2 * 0.5) q1.
    EXPECT_NEAR(added.gear_ratio, 10, 1e-14);
    EXPECT_NEAR(added.effort_limit, 10, 1e-14);
    EXPECT_NEAR(added.gains->p, 1100, 1e-11);
    EXPECT_NEAR(added.gains->d, 1300, 1e-11);
  }
  // Without the tie it acts on both.
  const ParsedActuator apart = read("", servo).actuators.at(0);
  EXPECT_EQ(apart.joint, "");
  ASSERT_EQ(apart.terms.size(), 2u);
  EXPECT_EQ(apart.terms[0].coefficient, 3);
  EXPECT_EQ(apart.terms[1].joint, "j2");
  EXPECT_EQ(apart.effort_limit, 5);
  EXPECT_EQ(apart.gains->p, 11 * 25);
  EXPECT_EQ(apart.gains->d, 13 * 25);
  EXPECT_THROWS_MESSAGE(read("", "<motor tendon='x'/>"), std::runtime_error,
                        "there is no <fixed> tendon 'x'");
}

// Three bodies at the joints j1, j2 and j3, a free body f, and a tendon t.
std::string AtTendonText(const std::string& tendon,
                         const std::string& actuator) {
  std::string bodies;
  for (const std::string joint : {"j1", "j2", "j3"}) {
    bodies += "<body><joint name='" + joint + "'/><geom size='1'/></body>";
  }
  return MjcfText("<worldbody>" + bodies +
                  "<body name='f'><freejoint name='f'/><geom size='1'/></body>"
                  "</worldbody><tendon>\n<fixed name='t'>" +
                  tendon + "</fixed></tendon><actuator>\n" + actuator +
                  "</actuator>");
}

ParsedModel ReadAtTendon(const std::string& tendon, const std::string& actuator,
                         std::vector<std::string>* warnings = nullptr) {
  return ReadMjcfText(AtTendonText(tendon, actuator), warnings);
}

constexpr char kTwo[] =
    "<joint joint='j1' coef='1'/><joint joint='j2' coef='2'/>";

TEST(MjcfActuator, JointsOfAnActuatedTendonGetNoActuatorOfTheirOwn) {
  MultibodyPlant<double> plant(0.0);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  const auto model = parser.AddModelsFromString(
      AtTendonText(kTwo, "<motor tendon='t'/>"), "xml");
  const auto added =
      AddMissingActuators(model.at(0), {}, parser.joint_facts(), &plant);
  ASSERT_EQ(added.size(), 1u);
  EXPECT_EQ(plant.get_joint_actuator(added[0]).joint().name(), "j3");
}

// The joint j1 has an actuator of its own besides those of the tendon.
TEST(MjcfActuator, AKeysControlReachesEachActuator) {
  MultibodyPlant<double> plant(0.0);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  std::string text = AtTendonText(
      kTwo,
      "<motor name='m' tendon='t' gear='3'/><motor name='j' joint='j1'/>"
      "<motor name='n' tendon='t' ctrlrange='-1 1'/>"
      "<position name='p' tendon='t' gear='2' kp='5'/>");
  const std::string key =
      "<keyframe><key ctrl='0.5 0.25 7 0.75'/></keyframe></mujoco>";
  text.replace(text.find("</mujoco>"), 9, key);
  parser.AddModelsFromString(text, "xml");
  const auto home = [&](const char* name) {
    return parser.actuator_facts()
        .at(plant.GetJointActuatorByName(name).index())
        .home_force;
  };
  EXPECT_EQ(home("m"), 3 * 0.5);
  EXPECT_EQ(home("j"), 0.25);
  EXPECT_EQ(home("n"), 1);
  EXPECT_EQ(home("p"), 2 * 5 * 0.75);
}

TEST(MjcfActuator, AKeysControlIsTheHomeExcitationOfAMuscle) {
  std::string text = AtTendonText(
      kTwo,
      "<muscle name='m' tendon='t' lengthrange='0 1'/>"
      "<muscle name='n' tendon='t' lengthrange='0 1' ctrlrange='0 0.3'/>");
  const std::string key =
      "<keyframe><key qpos='0 0 0 0 0 0 1 0 0 0' ctrl='0.4 2'/></keyframe>"
      "</mujoco>";
  text.replace(text.find("</mujoco>"), 9, key);
  MultibodyPlant<double> plant(0.0);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  parser.AddModelsFromString(text, "xml");
  const auto& facts = parser.actuator_facts();
  const auto of = [&](const char* name) -> const ActuatorFacts& {
    return facts.at(plant.GetJointActuatorByName(name).index());
  };
  EXPECT_TRUE(of("m").muscle.has_value());
  EXPECT_EQ(of("m").home_excitation, 0.4);
  EXPECT_EQ(of("n").home_excitation, 0.3);
  EXPECT_FALSE(of("m").home_force.has_value());
  // The peak force follows from the default positions, which the key moves.
  EXPECT_NE(parser.warnings().at(0).find("give force"), std::string::npos);
}

TEST(MjcfActuator, RefusesTendonsThatAreNotValid) {
  const auto expect = [](const std::string& joints, const char* message) {
    EXPECT_THROWS_MESSAGE(ReadAtTendon(joints, "<motor tendon='t'/>"),
                          std::runtime_error, message);
  };
  const std::string two = kTwo;
  expect("", "m.xml:3: ");
  expect(two + "<joint joint='f' coef='1'/>", "m.xml:3: ");
  expect(two + "<joint joint='x' coef='1'/>", "there is no joint 'x'");
  expect(two + "<joint joint='j3' coef='nan'/>", "m.xml:3: ");
  expect(two + "<joint joint='j3' coef='1e200'/>", "smaller");
  expect(two + "<joint joint='j3'/>", "m.xml:3: ");
}

TEST(MjcfActuator, RefusesAtATendonWhatIsNotValid) {
  const auto expect = [](const std::string& actuator, const char* message) {
    EXPECT_THROWS_MESSAGE(ReadAtTendon(kTwo, actuator), std::runtime_error,
                          message);
  };
  expect("<motor tendon='t' armature='1'/>", "armature of an actuator");
  expect("<motor tendon='t' gear='nan'/>", "m.xml:4: ");
  expect("<muscle tendon='t'/>", "m.xml:4: ");
  const std::string three = std::string(kTwo) + "<joint joint='j3' coef='3'/>";
  EXPECT_THROWS_MESSAGE(ReadAtTendon(three, "<position tendon='t'/>"),
                        std::runtime_error, "over 3 trees of bodies");
  const std::string motor = "<motor tendon='t'/>";
  // A motor among servos is a servo, and has a row in a step.
  EXPECT_THROWS_MESSAGE(
      ReadAtTendon(three, motor + "\n<position joint='j1' kp='9'/>"),
      std::runtime_error, "m.xml:4: actuator 'motor0': a motor of a tendon");
  EXPECT_EQ(ReadAtTendon(three, motor).actuators.size(), 1u);
  EXPECT_EQ(ReadAtTendon(kTwo, motor + motor).actuators.size(), 2u);
  std::vector<std::string> warnings;
  EXPECT_TRUE(ReadAtTendon(kTwo, "<motor tendon='t' gear='0'/>", &warnings)
                  .actuators.empty());
  EXPECT_EQ(warnings.size(), 1u);
}

TEST(MjcfActuator, ArmatureOfAJointIsCheckedAndCopied) {
  MultibodyPlant<double> plant(0);
  const RigidBody<double>& body =
      plant.AddRigidBody("b", SpatialInertia<double>::MakeUnitary());
  const JointIndex index =
      plant
          .AddJoint<PrismaticJoint>("j", plant.world_body(), {}, body, {},
                                    Vector3<double>::UnitX())
          .index();
  Joint<double>& joint = plant.get_mutable_joint(index);
  EXPECT_EQ(joint.default_armature_vector(), Vector1<double>(0));
  EXPECT_THROWS_MESSAGE(joint.set_default_armature_vector(Vector1<double>(-1)),
                        std::logic_error, "armature");
  EXPECT_THROWS_MESSAGE(
      joint.set_default_armature_vector(Vector2<double>(1, 1)),
      std::logic_error, "armatures");
  joint.set_default_armature_vector(Vector1<double>(0.25));
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(joint.set_default_armature_vector(Vector1<double>(1)),
                        std::logic_error, "Finalize");
  const auto copy = systems::System<double>::ToAutoDiffXd(plant);
  const auto context = copy->CreateDefaultContext();
  MatrixX<AutoDiffXd> M(1, 1);
  copy->CalcMassMatrix(*context, &M);
  EXPECT_EQ(M(0, 0).value(), 1.25);
}

TEST(MjcfActuator, ArmatureAddsToTheDiagonalOfTheMassMatrix) {
  MultibodyPlant<double> plant(0);
  Parser parser(&plant);
  parser.AddModelsFromString(
      MjcfText("<default><joint armature='0.5'/></default><worldbody>"
               "<body name='a'><joint type='ball' name='j'/>"
               "<inertial mass='2' pos='0 0 0' diaginertia='1 1 1'/></body>"
               "<body name='b'><joint type='slide'/>"
               "<inertial mass='3' pos='0 0 0' diaginertia='1 1 1'/></body>"
               "</worldbody><actuator><motor joint='world-b'/></actuator>"),
      "xml");
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  MatrixX<double> M(4, 4);
  plant.CalcMassMatrix(*context, &M);
  EXPECT_TRUE(M.isApprox(
      Vector4<double>(1.5, 1.5, 1.5, 3.5).asDiagonal().toDenseMatrix(), 1e-14));
}

}  // namespace mjcf_actuator_test
}  // namespace wyvern::multibody
