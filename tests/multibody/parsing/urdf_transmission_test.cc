#include "wyvern/multibody/parsing/urdf_transmission.h"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace {

using internal::ParsedActuator;

// The text of a robot with one joint and this transmission, on lines 10, 11.
std::string Robot(const std::string& transmission,
                  const std::string& in_joint = "<limit effort='5'/>",
                  const std::string& type = "revolute") {
  return TwoLinks(JointText(in_joint, type) + "\n" + transmission);
}

// Returns the robot with a transmission that has this attribute instead of the
// type.
std::string OfType(const std::string& attribute, const std::string& child) {
  return Robot("<transmission " + attribute + ">" + child +
               "<joint name='j'/><actuator name='m'/></transmission>");
}

ParsedActuator ReadActuator(const std::string& in_actuator) {
  return ReadText(Robot(TransmissionText(in_actuator))).actuators.at(0);
}

TEST(UrdfTransmission, TheEffortLimitIsTheJoints) {
  const ParsedActuator actuator = ReadActuator("");
  EXPECT_EQ(actuator.name, "m");
  EXPECT_EQ(actuator.joint, "j");
  EXPECT_EQ(actuator.effort_limit, 5);
  EXPECT_EQ(actuator.rotor_inertia, 0);
  EXPECT_EQ(actuator.gear_ratio, 1);
  EXPECT_FALSE(actuator.gains.has_value());
  EXPECT_EQ(ReadText(Robot(TransmissionText(), "")).actuators[0].effort_limit,
            internal::ParsedJoint::kInfinity);
}

TEST(UrdfTransmission, ReadsRotorGearAndGainsUnderBothPrefixes) {
  for (const std::string p : {"drake:", "wyvern:"}) {
    const ParsedActuator actuator = ReadActuator(
        "<" + p + "rotor_inertia value='0.1'/><" + p +
        "gear_ratio value='50'/><" + p + "controller_gains p='10' d='2'/>");
    EXPECT_EQ(actuator.rotor_inertia, 0.1);
    EXPECT_EQ(actuator.gear_ratio, 50);
    ASSERT_TRUE(actuator.gains.has_value());
    EXPECT_EQ(actuator.gains->p, 10);
    EXPECT_EQ(actuator.gains->d, 2);
  }
}

TEST(UrdfTransmission, TheTypeIsAChildOrAnAttribute) {
  const std::string simple = "SimpleTransmission";
  for (const std::string& name : {simple, "transmission_interface/" + simple}) {
    EXPECT_EQ(
        ReadText(OfType("", "<type> " + name + " </type>")).actuators.size(),
        1u);
    EXPECT_EQ(ReadText(OfType("type='" + name + "'", "")).actuators.size(), 1u);
  }
}

// That this transmission is left out, with this warning alone.
void ExpectLeftOut(const std::string& text, const std::string& why) {
  std::vector<std::string> warnings;
  const auto model = ReadText(text, &warnings);
  EXPECT_TRUE(model.actuators.empty());
  ASSERT_EQ(warnings.size(), 1u) << why;
  EXPECT_NE(
      warnings[0].find("it is left out, and nothing actuated by it: " + why),
      std::string::npos)
      << warnings[0];
}

TEST(UrdfTransmission, ThatCannotActIsLeftOutWithAWarning) {
  ExpectLeftOut(Robot(TransmissionText(), "<limit effort='0'/>"),
                "joint 'j' has an effort limit of 0.");
  ExpectLeftOut(Robot(TransmissionText(), "", "fixed"), "joint 'j' is fixed.");
  ExpectLeftOut(Robot(TransmissionText(), "", "floating"),
                "joint 'j' has more than one degree of freedom.");
}

TEST(UrdfTransmission, OfAnotherTypeIsLeftOutWithAWarning) {
  ExpectLeftOut(OfType("", ""), "its type is '', and only SimpleTransmission");
  ExpectLeftOut(OfType("", "<type>DifferentialTransmission</type>"),
                "its type is 'DifferentialTransmission', and only");
}

TEST(UrdfTransmission, AnInterfaceOfEffortIsWhatThereIs) {
  const auto with = [](const std::string& name) {
    return WarningsOf(Robot(TransmissionText("<hardwareInterface>" + name +
                                             "</hardwareInterface>")));
  };
  EXPECT_TRUE(with("hardware_interface/EffortJointInterface").empty());
  EXPECT_TRUE(with("EffortJointInterface").empty());
  EXPECT_EQ(with("PositionJointInterface"),
            std::vector<std::string>{
                "r.urdf:11: <hardwareInterface> is 'PositionJointInterface', "
                "which is ignored: an actuator takes effort."});
}

TEST(UrdfTransmission, AReductionMatchesTheGearRatioOrHasNoRotor) {
  const std::string reduction = "<mechanicalReduction>50</mechanicalReduction>";
  const std::string rotor = "<drake:rotor_inertia value='0.1'/>";
  std::vector<std::string> warnings;
  ReadText(Robot(TransmissionText(rotor + "<drake:gear_ratio value='50'/>",
                                  reduction)),
           &warnings);
  EXPECT_TRUE(warnings.empty());
  ReadText(Robot(TransmissionText(reduction)), &warnings);
  EXPECT_EQ(warnings.size(), 1u);
  const auto model =
      ReadText(Robot(TransmissionText(rotor + reduction)), &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(
      warnings[0].find("<mechanicalReduction> is 50 but drake:gear_ratio"),
      std::string::npos);
  EXPECT_EQ(model.actuators.at(0).gear_ratio, 1);
}

TEST(UrdfTransmission, AReductionThatIsNoNumberIsIgnored) {
  for (const std::string bad : {"reduction", "", "0", "inf", "1 2"}) {
    std::vector<std::string> warnings;
    const auto model =
        ReadText(Robot(TransmissionText("<mechanicalReduction>" + bad +
                                        "</mechanicalReduction>")),
                 &warnings);
    EXPECT_EQ(model.actuators.at(0).gear_ratio, 1);
    ASSERT_EQ(warnings.size(), 1u) << bad;
    EXPECT_NE(warnings[0].find("<mechanicalReduction> is '" + bad + "'"),
              std::string::npos);
  }
}

TEST(UrdfTransmission, RefusesNumbersThatAreNotValid) {
  EXPECT_THROWS_MESSAGE(ReadActuator("<drake:gear_ratio/>"), std::runtime_error,
                        "has no attribute 'value'");
  EXPECT_THROWS_MESSAGE(ReadActuator("<drake:rotor_inertia value='-1'/>"),
                        std::runtime_error, "the rotor inertia is -1");
  EXPECT_THROWS_MESSAGE(ReadActuator("<drake:controller_gains p='1'/>"),
                        std::runtime_error, "has no attribute 'd'");
  EXPECT_THROWS_MESSAGE(ReadActuator("<drake:controller_gains p='1' d='-1'/>"),
                        std::runtime_error, "a gain is negative");
  EXPECT_THROWS_MESSAGE(ReadActuator("<drake:controller_gains p='nan' d='1'/>"),
                        std::runtime_error, "is not a number");
}

TEST(UrdfTransmission, WantsOneJointAndOneActuatorThatAreThere) {
  const auto with = [](const std::string& inside) {
    return Robot("<transmission type='SimpleTransmission'>" + inside +
                 "</transmission>");
  };
  ExpectLeftOut(with("<actuator name='m'/>"),
                "it has 0 <joint>, and one is wanted.");
  ExpectLeftOut(with("<joint name='j'/>"),
                "it has 0 <actuator>, and one is wanted.");
  ExpectLeftOut(with("<joint name='j'/><joint name='j'/><actuator name='m'/>"),
                "it has 2 <joint>, and one is wanted.");
  ExpectLeftOut(with("<joint name='z'/><actuator name='m'/>"),
                "there is no joint 'z' in this file.");
}

TEST(UrdfTransmission, AJointHasOneActuator) {
  std::string other = TransmissionText();
  other.replace(other.find("\"m\""), 3, "\"n\"");
  for (const std::string& second : {TransmissionText(), other}) {
    std::vector<std::string> warnings;
    const auto model = ReadText(Robot(TransmissionText() + second), &warnings);
    ASSERT_EQ(model.actuators.size(), 1u);
    EXPECT_EQ(model.actuators[0].name, "m");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("is left out: joint 'j' has the actuator 'm' "
                               "already."),
              std::string::npos);
  }
}

TEST(UrdfTransmission, ActuatorsOfTwoJointsHaveTwoNames) {
  std::string other = TransmissionText();
  other.replace(other.find("joint name=\"j\""), 14, "joint name=\"k\"");
  std::vector<std::string> warnings;
  const auto model =
      ReadText(Robot("<link name='c'/><joint name='k' type='revolute'>"
                     "<parent link='b'/><child link='c'/></joint>" +
                     TransmissionText() + other),
               &warnings);
  ASSERT_EQ(model.actuators.size(), 2u);
  EXPECT_EQ(model.actuators[0].name, "m");
  EXPECT_EQ(model.actuators[1].name, "m_k");
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const std::string& warning) {
    return warning.find("this one is called 'm_k'") != std::string::npos;
  }));
}

TEST(UrdfTransmission, ARotorThatNoDoubleHoldsIsRefused) {
  EXPECT_THROWS_MESSAGE(
      ReadActuator("<drake:rotor_inertia value='1'/>"
                   "<drake:gear_ratio value='1e200'/>"),
      std::runtime_error,
      "the rotor inertia 1 times the square of the gear ratio 1e+200 is more");
}

}  // namespace
}  // namespace wyvern::multibody
