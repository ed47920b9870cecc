#include "wyvern/multibody/parsing/sdf_reader.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/sdf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/shapes/coulomb_friction.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::multibody {
namespace sdf_reader_test {

using internal::ParsedFrame;
using internal::ParsedJoint;
using internal::ParsedJointType;
using internal::ParsedModel;
using test::Near;

ParsedJoint ReadJoint(const std::string& inside,
                      const std::string& type = "revolute") {
  return ReadSdfText(SdfModel(SdfJoint(inside, type))).joints.at(0);
}

constexpr char kAxis[] = "<axis><xyz>0 0 1</xyz></axis>";

TEST(SdfReader, ReadsLinksAndTheirInertia) {
  const ParsedModel model = ReadSdfText(
      Sdf("<model name='m'><link name='a'><inertial><pose>1 0 0 0 0 0</pose>"
          "<mass>2</mass><inertia><ixx>3</ixx><iyy>4</iyy><izz>5</izz>"
          "</inertia></inertial></link><link name='b'/></model>"));
  EXPECT_EQ(model.name, "m");
  ASSERT_EQ(model.links.size(), 2u);
  const auto& M = model.links[0].M_BBo_B;
  EXPECT_EQ(M.get_mass(), 2);
  EXPECT_EQ(M.get_com(), Vector3<double>::UnitX());
  // About the link's origin: 4 + 2 1².
  EXPECT_NEAR(M.CalcRotationalInertia().CopyToFullMatrix3()(1, 1), 6, 1e-14);
  // SDFormat's default.
  EXPECT_EQ(model.links[1].M_BBo_B.get_mass(), 1);
}

TEST(SdfReader, PosesLinksRelativeToFramesAndTheModel) {
  const ParsedModel model = ReadSdfText(
      Sdf("<model name='m'><pose>1 0 0 0 0 0</pose><link name='a'/>"
          "<frame name='f' attached_to='a'><pose>0 2 0 0 0 0</pose></frame>"
          "<link name='b'><pose relative_to='f'>0 0 3 0 0 0</pose></link>"
          "</model>"));
  EXPECT_EQ(model.links.at(1).X_WB->translation(), Vector3<double>(1, 2, 3));
  ASSERT_EQ(model.frames.size(), 2u);
  EXPECT_EQ(model.frames[0].name, "__model__");
  EXPECT_EQ(model.frames[1].X_LF.translation(), Vector3<double>(0, 2, 0));
}

TEST(SdfReader, APlacementFrameIsWhereTheModelIs) {
  const ParsedModel model = ReadSdfText(
      Sdf("<model name='m' placement_frame='b'><pose>0 0 5 0 0 0</pose>"
          "<link name='a'/><link name='b'><pose>0 0 1 0 0 0</pose></link>"
          "</model>"));
  EXPECT_EQ(model.links.at(0).X_WB->translation(), Vector3<double>(0, 0, 4));
}

TEST(SdfReader, ReadsEveryTypeOfJoint) {
  const std::string two =
      "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";
  EXPECT_EQ(ReadJoint("", "fixed").type, ParsedJointType::kFixed);
  EXPECT_EQ(ReadJoint(kAxis).type, ParsedJointType::kRevolute);
  EXPECT_EQ(ReadJoint(kAxis, "continuous").type, ParsedJointType::kRevolute);
  EXPECT_EQ(ReadJoint(kAxis, "prismatic").type, ParsedJointType::kPrismatic);
  EXPECT_EQ(ReadJoint("", "ball").type, ParsedJointType::kBall);
  EXPECT_EQ(ReadJoint(two, "universal").type, ParsedJointType::kUniversal);
  EXPECT_EQ(ReadJoint(kAxis, "screw").type, ParsedJointType::kScrew);
  EXPECT_THROWS_MESSAGE(ReadJoint(two, "revolute2"), std::runtime_error,
                        "<string>:3: joint 'j': joints of type 'revolute2'");
}

TEST(SdfReader, AUniversalJointTurnsAboutItsAxesInOrder) {
  const ParsedJoint joint =
      ReadJoint("<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>",
                "universal");
  const auto R = joint.X_CM->rotation();
  EXPECT_TRUE(Near(R.col(0), Vector3<double>::UnitZ(), 1e-15));
  EXPECT_TRUE(Near(R.col(1), Vector3<double>::UnitY(), 1e-15));
  EXPECT_THROWS_MESSAGE(
      ReadJoint("<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 1</xyz></axis2>",
                "universal"),
      std::runtime_error, "not perpendicular");
}

TEST(SdfReader, ReadsLimitsAndWhatDrivesAJoint) {
  const ParsedModel model = ReadSdfText(SdfModel(SdfJoint(
      "<axis><xyz>0 0 2</xyz><limit><lower>-1</lower><upper>2</upper>"
      "<velocity>3</velocity><effort>4</effort><drake:acceleration>5"
      "</drake:acceleration></limit><dynamics><damping>6</damping><friction>13"
      "</friction>"
      "<spring_stiffness>7</spring_stiffness><spring_reference>8"
      "</spring_reference></dynamics></axis><drake:rotor_inertia>9"
      "</drake:rotor_inertia><drake:gear_ratio>10</drake:gear_ratio>"
      "<drake:controller_gains p='11' d='12'/>")));
  const ParsedJoint& joint = model.joints.at(0);
  EXPECT_EQ(joint.axis, Vector3<double>::UnitZ());
  EXPECT_EQ(joint.lower, -1);
  EXPECT_EQ(joint.upper, 2);
  EXPECT_EQ(joint.velocity, 3);
  EXPECT_EQ(joint.acceleration, 5);
  EXPECT_EQ(joint.damping[0], 6);
  EXPECT_EQ(joint.friction, 13);
  EXPECT_EQ(joint.spring_stiffness, 7);
  EXPECT_EQ(joint.spring_reference, 8);
  const auto& actuator = model.actuators.at(0);
  EXPECT_EQ(actuator.effort_limit, 4);
  EXPECT_EQ(actuator.rotor_inertia, 9);
  EXPECT_EQ(actuator.gear_ratio, 10);
  EXPECT_EQ(actuator.gains->p, 11);
  EXPECT_EQ(actuator.gains->d, 12);
}

TEST(SdfReader, AnEffortOfZeroIsNoActuatorAndNegativeOnesNoLimit) {
  const auto actuators = [](const std::string& limit) {
    return ReadSdfText(SdfModel(SdfJoint("<axis><xyz>0 0 1</xyz><limit>" +
                                         limit + "</limit></axis>")))
        .actuators;
  };
  EXPECT_TRUE(actuators("<effort>0</effort>").empty());
  EXPECT_EQ(actuators("<effort>-1</effort>").at(0).effort_limit,
            ParsedJoint::kInfinity);
  EXPECT_EQ(actuators("").at(0).effort_limit, ParsedJoint::kInfinity);
}

TEST(SdfReader, AContinuousJointHasNoLimits) {
  const ParsedJoint joint = ReadJoint(
      "<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1e16</upper>"
      "</limit></axis>",
      "continuous");
  EXPECT_EQ(joint.lower, -ParsedJoint::kInfinity);
  EXPECT_EQ(joint.upper, ParsedJoint::kInfinity);
}

TEST(SdfReader, ThePitchOfAScrewIsInMetresATurn) {
  EXPECT_EQ(ReadJoint(std::string(kAxis) +
                          "<screw_thread_pitch>0.25</screw_thread_pitch>",
                      "screw")
                .screw_pitch,
            0.25);
  EXPECT_NEAR(
      ReadJoint(std::string(kAxis) + "<thread_pitch>-4</thread_pitch>", "screw")
          .screw_pitch,
      std::numbers::pi / 2, 1e-15);
  std::vector<std::string> warnings;
  EXPECT_EQ(ReadSdfText(SdfModel(SdfJoint(kAxis, "screw")), &warnings)
                .joints[0]
                .screw_pitch,
            1);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("<string>:3: joint 'j': a screw joint has no "
                             "<screw_thread_pitch>"),
            std::string::npos);
  EXPECT_THROWS_MESSAGE(
      ReadJoint(std::string(kAxis) + "<thread_pitch>0</thread_pitch>", "screw"),
      std::runtime_error, "<thread_pitch> is 0");
}

TEST(SdfReader, ReadsModelsInModels) {
  const ParsedModel model = ReadSdfText(
      Sdf("<model name='o'><pose>1 0 0 0 0 0</pose><link name='a'/>"
          "<model name='n'><pose>0 1 0 0 0 0</pose><link name='x'/></model>"
          "<joint name='j' type='ball'><parent>a</parent><child>n::x</child>"
          "</joint></model>"));
  ASSERT_EQ(model.nested.size(), 1u);
  EXPECT_EQ(model.nested[0].links.at(0).X_WB->translation(),
            Vector3<double>(1, 1, 0));
  EXPECT_EQ(model.joints.at(0).child, "n::x");
  EXPECT_EQ(model.joints[0].X_PF->translation(), Vector3<double>(0, 1, 0));
}

TEST(SdfReader, ReadsTheModelsOfAWorld) {
  const ParsedModel model = ReadSdfText(
      Sdf("<world name='w'><model name='m'><link name='a'/></model>"
          "<model name='n'><static>1</static><link name='a'/></model>"
          "<frame name='f'><pose>1 2 3 0 0 0</pose></frame></world>"));
  EXPECT_EQ(model.name, "");
  ASSERT_EQ(model.nested.size(), 2u);
  EXPECT_FALSE(model.nested[0].is_static);
  EXPECT_TRUE(model.nested[1].is_static);
  EXPECT_EQ(model.frames.at(0).X_LF.translation(), Vector3<double>(1, 2, 3));
}

TEST(SdfReader, GravityIsOffForWholeModelsOrForLinks) {
  const ParsedModel all = ReadSdfText(SdfModel(""));
  EXPECT_TRUE(all.has_gravity);
  const ParsedModel none = ReadSdfText(Sdf(
      "<model name='m'><link name='a'><gravity>0</gravity></link></model>"));
  EXPECT_FALSE(none.has_gravity);
  const ParsedModel some =
      ReadSdfText(SdfModel("<link name='c'><gravity>false</gravity></link>"));
  EXPECT_TRUE(some.has_gravity);
  EXPECT_TRUE(some.links[0].has_gravity);
  EXPECT_FALSE(some.links[2].has_gravity);
  EXPECT_THROWS_MESSAGE(
      ReadSdfText(SdfModel("<link name='c'>\n<gravity>off</gravity></link>")),
      std::runtime_error, "<string>:4: ");
}

std::string Surface(const std::string& ode) {
  return SdfModel(
      "<link name='c'><collision name='s'><geometry><sphere>"
      "<radius>1</radius></sphere></geometry><surface><friction>\n"
      "<ode>" +
      ode + "</ode></friction></surface></collision></link>");
}

TEST(SdfReader, FrictionOfASecondDirectionThatIsMoreIsIgnored) {
  std::vector<std::string> warnings;
  const auto friction = [&](const std::string& ode) {
    return ReadSdfText(Surface(ode), &warnings)
        .links.at(2)
        .collisions.at(0)
        .proximity_properties()
        ->GetProperty<CoulombFriction<double>>("material", "coulomb_friction");
  };
  EXPECT_EQ(friction("<mu>0.5</mu><mu2>1</mu2>").static_friction(), 0.5);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("friction is 0.5 in all directions"),
            std::string::npos);
  EXPECT_EQ(friction("<mu>0.5</mu><mu2>1</mu2>").dynamic_friction(), 0.5);
  EXPECT_EQ(friction("<mu>1</mu><mu2>0.5</mu2>").dynamic_friction(), 0.5);
  EXPECT_TRUE(warnings.empty());
  EXPECT_THROWS_MESSAGE(friction("<mu>1</mu><mu2>-1</mu2>"), std::runtime_error,
                        "<string>:4: ");
}

TEST(SdfReader, ShapesWithoutSizeHaveThoseOfSdformat) {
  const auto read = [](const std::string& shape,
                       std::vector<std::string>* warnings) {
    return ReadSdfText(SdfModel("<link name='c'><visual name='v'>\n<geometry>" +
                                shape + "</geometry></visual></link>"),
                       warnings)
        .links.at(2)
        .visuals.at(0)
        .shape()
        .to_string();
  };
  std::vector<std::string> warnings;
  EXPECT_EQ(read("<sphere/>", &warnings), geometry::Sphere(1).to_string());
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(read("<box/>", &warnings), geometry::Box(1, 1, 1).to_string());
  EXPECT_EQ(read("<cylinder/>", &warnings),
            geometry::Cylinder(1, 1).to_string());
  EXPECT_EQ(warnings.size(), 2u);
  EXPECT_EQ(read("<capsule><length>2</length></capsule>", &warnings),
            geometry::Capsule(0.5, 2).to_string());
  EXPECT_EQ(read("<ellipsoid/>", &warnings),
            geometry::Ellipsoid(1, 1, 1).to_string());
  EXPECT_THROWS_MESSAGE(read("<sphere><radius>x</radius></sphere>", &warnings),
                        std::runtime_error, "<string>:4: ");
}

TEST(SdfReader, AConeIsAPyramidOfItsHeightAndRadius) {
  const auto read = [](const std::string& role, const std::string& inside) {
    std::vector<std::string> warnings;
    const ParsedModel model = ReadSdfText(
        SdfModel("<link name='c'><" + role + " name='v'><geometry><cone>" +
                 inside + "</cone></geometry></" + role + "></link>"),
        &warnings);
    EXPECT_FALSE(warnings.empty());
    return model.links.at(2);
  };
  const std::string size = "<radius>0.3</radius><length>2</length>";
  const internal::ParsedLink link = read("collision", size);
  const auto& shape =
      dynamic_cast<const geometry::Convex&>(link.collisions.at(0).shape());
  // A pyramid inscribed in a cone of 64 corners.
  const double area = 32 * 0.09 * std::sin(2 * std::numbers::pi / 64);
  EXPECT_NEAR(geometry::CalcVolume(shape), area * 2 / 3, 1e-6);
  EXPECT_EQ(read("visual", size).visuals.size(), 1u);
  EXPECT_TRUE(read("visual", "<radius>0</radius>").visuals.empty());
}

TEST(SdfReader, FramesAloneAreFixedInTheWorld) {
  std::vector<std::string> warnings;
  const ParsedModel model = ReadSdfText(
      Sdf("<model name='m'><pose>0 0 3 0 0 0</pose>\n<frame name='f'><pose>1 2 "
          "0 0 0 0</pose></frame></model>"),
      &warnings);
  ASSERT_EQ(model.frames.size(), 2u);
  EXPECT_EQ(model.frames[1].link, "world");
  EXPECT_EQ(model.frames[1].X_LF.translation(), Vector3<double>(1, 2, 3));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(
      warnings[0].find("<string>:2: model 'm': there are frames and no links"),
      std::string::npos);
  EXPECT_THROWS_MESSAGE(ReadSdfText(Sdf("<model name='m'/>")),
                        std::runtime_error, "at least one link");
}

TEST(SdfReader, AMimicOfSdformat1_11IsACoupling) {
  const auto read = [](const std::string& mimic) {
    std::string text = SdfModel(
        SdfJoint("<axis><xyz>0 0 1</xyz></axis>") +
        "<link name='c'/><joint name='k' type='revolute'><parent>b</parent>"
        "<child>c</child><axis><xyz>0 0 1</xyz>\n" +
        mimic + "</axis></joint>");
    text.replace(text.find("1.9"), 3, "1.11");
    return ReadSdfText(text).joints.at(1).mimic;
  };
  const auto full = read(
      "<mimic joint='j'><multiplier>2</multiplier><offset>1</offset>"
      "<reference>0.5</reference></mimic>");
  EXPECT_EQ(full->joint, "j");
  EXPECT_EQ(full->multiplier, 2);
  EXPECT_EQ(full->offset, 0);
  EXPECT_EQ(read("<mimic joint='j'/>")->multiplier, 1);
  EXPECT_FALSE(read("<mimic joint='z'/>").has_value());
  EXPECT_THROWS_MESSAGE(read("<mimic/>"), std::runtime_error,
                        "joint 'k': <mimic>");
  EXPECT_THROWS_MESSAGE(read("<mimic joint='j'><offset>x</offset></mimic>"),
                        std::runtime_error, "<string>:4: joint 'k': <offset>");
  EXPECT_THROWS_MESSAGE(read("<mimic joint='j' axis='axis2'/>"),
                        std::runtime_error, "second axis");
}

TEST(SdfReader, WarnsOfWhatItPassesOver) {
  std::vector<std::string> warnings;
  ReadSdfText(SdfModel("<plugin name='p' filename='f'/>\n<odd/>"), &warnings);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0],
            "<string>:3: <plugin> in <model> is not read and is ignored.");
}

TEST(SdfReader, WarnsOfWhatIsNotKnown) {
  for (const std::string& text :
       {SdfModel("<drake:odd/>"),
        SdfModel(SdfJoint(std::string(kAxis) + "<drake:odd/>"))}) {
    std::vector<std::string> warnings;
    ReadSdfText(text, &warnings);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("<drake:odd> in <"), std::string::npos);
  }
}

// The warnings of joint `j` of a type, with this in it.
std::vector<std::string> WarningsOfJoint(const std::string& inside,
                                         const std::string& type) {
  std::vector<std::string> warnings;
  ReadSdfText(SdfModel(SdfJoint(inside, type)), &warnings);
  return warnings;
}

TEST(SdfReader, WarnsOfWhatAJointsTypeDoesNotHave) {
  const std::string axis = "<axis><xyz>0 0 1</xyz>";
  const std::string limit =
      "<limit><lower>-1</lower><effort>5</effort></limit>";
  EXPECT_EQ(WarningsOfJoint(axis + "</axis>", "fixed").size(), 1u);
  EXPECT_EQ(WarningsOfJoint(axis + "</axis>", "ball").size(), 1u);
  EXPECT_EQ(WarningsOfJoint(axis + limit + "</axis>", "ball").size(), 2u);
  EXPECT_EQ(WarningsOfJoint(axis + limit + "</axis>", "continuous").size(), 1u);
  EXPECT_EQ(WarningsOfJoint(axis + limit + "</axis>", "revolute").size(), 0u);
  const std::string damping = "<dynamics><damping>2</damping></dynamics>";
  const auto universal = [&](const std::string& first,
                             const std::string& second) {
    return WarningsOfJoint(
        axis + first + "</axis><axis2><xyz>0 1 0</xyz>" + second + "</axis2>",
        "universal");
  };
  EXPECT_EQ(universal(damping, damping).size(), 0u);
  EXPECT_EQ(universal(limit, "").size(), 1u);
  const auto warnings = universal("", damping);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("joint 'j': <dynamics> of <axis2> is ignored"),
            std::string::npos);
  EXPECT_EQ(WarningsOfJoint(axis + "<limit><effort>0</effort></limit></axis>"
                                   "<drake:gear_ratio>2</drake:gear_ratio>",
                            "revolute")
                .size(),
            1u);
  EXPECT_EQ(WarningsOfJoint(axis + "<dynamics><dampng>2</dampng></dynamics>"
                                   "<initial_position>1</initial_position>"
                                   "</axis>",
                            "revolute")
                .size(),
            2u);
}

TEST(SdfReader, AMimicWithoutItsLeaderIsLeftOut) {
  for (const char* leader : {"gone", "j"}) {
    std::vector<std::string> warnings;
    const auto model = ReadSdfText(
        SdfModel(SdfJoint(std::string("<axis><xyz>0 0 1</xyz></axis>"
                                      "<drake:mimic joint='") +
                          leader + "'/>")),
        &warnings);
    EXPECT_FALSE(model.joints.at(0).mimic.has_value());
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(warnings[0].ends_with(
        "<mimic> is left out, the joint moves by itself: there is no other "
        "joint '" +
        std::string(leader) + "' of one degree of freedom."))
        << warnings[0];
  }
}

TEST(SdfReader, AnInertiaThatNoBodyHasBecomesTheNearest) {
  std::vector<std::string> warnings;
  const ParsedModel model = ReadSdfText(
      Sdf("<model name='m'>\n<link name='a'>\n<inertial><mass>1</mass><inertia>"
          "<ixx>1</ixx><iyy>1</iyy><izz>8</izz></inertia></inertial></link>"
          "</model>"),
      &warnings);
  // As of URDF.
  EXPECT_TRUE(Near(
      model.links.at(0).M_BBo_B.CalcRotationalInertia().CopyToFullMatrix3(),
      Vector3<double>(4, 4, 8).asDiagonal().toDenseMatrix(), 1e-14));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("link 'a': no body has this inertia"),
            std::string::npos);
}

TEST(SdfReader, ShapesThatAreNotThereOrOfNoSizeAreLeftOutWithAWarning) {
  for (const char* inside :
       {"", "<geometry/>", "<geometry><box><size>0 1 1</size></box></geometry>",
        "<geometry><heightmap><uri>h</uri></heightmap></geometry>",
        "<geometry><mesh><uri>package://no/m.obj</uri></mesh></geometry>"}) {
    for (const std::string role : {"visual", "collision"}) {
      std::vector<std::string> warnings;
      const ParsedModel model =
          ReadSdfText(SdfModel("<link name='c'><" + role + " name='s'>" +
                               inside + "</" + role + "></link>"),
                      &warnings);
      EXPECT_TRUE(model.links.at(2).visuals.empty());
      EXPECT_TRUE(model.links.at(2).collisions.empty());
      ASSERT_EQ(warnings.size(), 1u) << role << inside;
      EXPECT_NE(warnings[0].find("left out"), std::string::npos);
    }
  }
}

TEST(SdfReader, ShapesOfOneNameGetNamesOfTheirOwn) {
  const std::string shape =
      "<collision name='s'><geometry><sphere><radius>1</radius></sphere>"
      "</geometry></collision>";
  std::vector<std::string> warnings;
  const ParsedModel model = ReadSdfText(
      SdfModel("<link name='c'>" + shape + "\n" + shape + "</link>"),
      &warnings);
  ASSERT_EQ(model.links.at(2).collisions.size(), 2u);
  EXPECT_EQ(model.links[2].collisions[1].name(), "s_1");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "<string>:4: link 'c': a second <collision> 's' gets another "
            "name.");
}

TEST(SdfReader, WarnsOfAttributesThatAreNotKnown) {
  std::vector<std::string> warnings;
  ReadSdfText(Sdf("<model name='m'>\n<link name='a' odd='1'/></model>"),
              &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("odd"), std::string::npos);
}

TEST(SdfReader, RefusesExtensionJointsOfOtherTypes) {
  EXPECT_THROWS_MESSAGE(
      ReadSdfText(SdfModel("<drake:joint name='q' type='ball'/>")),
      std::runtime_error, "not supported");
}

TEST(SdfReader, ErrorsOfTheLibraryAreWhereTheirElementIs) {
  const auto expect = [](const std::string& more, const char* place) {
    EXPECT_THROWS_MESSAGE(ReadSdfText(SdfModel(more)), std::runtime_error,
                          place);
  };
  const std::string frame = "<frame name='f' attached_to='nope'/>";
  expect("\n\n" + frame, "<string>:5: ");
  expect("\n<link name='q'><pose relative_to='nn'/></link>", "<string>:4: ");
  expect("\n\n" + SdfJoint("<axis><xyz>0 0 1</xyz></axis>") +
             "\n\n<link "
             "name='j'/>",
         "<string>:5: ");
  expect("\n" + SdfJoint("\n<axis><xyz>0 0 0</xyz></axis>"), "<string>:5: ");
  expect("\n<model name='in'><link name='l'/>\n" + frame + "</model>",
         "<string>:5: ");
}

TEST(SdfReader, ErrorsOfTheLibraryHaveAPlace) {
  EXPECT_THROWS_MESSAGE(
      ReadSdfText(SdfModel("<joint name='j' type='fixed'><parent>a</parent>"
                           "<child>z</child></joint>")),
      std::runtime_error, "<string>:");
  EXPECT_THROWS_MESSAGE(ReadSdfText("<robot/>"), std::runtime_error,
                        "<string>:1: the document is a <robot>");
  EXPECT_THROWS_MESSAGE(ReadSdfText(Sdf("")), std::runtime_error,
                        "<string>:1: ");
}

TEST(SdfReader, ARotorThatNoDoubleHoldsIsRefused) {
  EXPECT_THROWS_MESSAGE(
      ReadSdfText(
          SdfModel(SdfJoint("<axis><xyz>0 0 1</xyz></axis>"
                            "<drake:rotor_inertia>1</drake:rotor_inertia>"
                            "<drake:gear_ratio>1e200</drake:gear_ratio>"))),
      std::runtime_error, "times the square of <drake:gear_ratio> is more");
}

}  // namespace sdf_reader_test
}  // namespace wyvern::multibody
