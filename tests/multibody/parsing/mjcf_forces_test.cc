/** @file
Forces and positions of bodies in MJCF, compared with MuJoCo; the reference
values come from tests/oracles/mjcf_forces.py. */

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/parsing/mjcf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/tree/fixed_tendon.h"
#include "wyvern/multibody/tree/gravity_compensation.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace mjcf_forces_test {

using internal::ParsedModel;
using math::RigidTransform;
using test::Near;

std::string ArmText(const std::string& option, const std::string& gravcomp,
                    const std::string& more) {
  return fmt::format(
      "<mujoco model='m'><compiler angle='radian'/>{}<worldbody><body name='a'>"
      "<joint name='j1' axis='0 1 0' springref='0.2'/><geom type='capsule' "
      "fromto='0 0 0 0.5 0 0' size='0.05' mass='1'/><body name='b' "
      "pos='0.5 0 0' gravcomp='{}'><joint name='j2' axis='0 1 0'/><geom "
      "type='capsule' fromto='0 0 0 0.5 0 0' size='0.05' mass='1'/></body>"
      "</body></worldbody>{}</mujoco>",
      option, gravcomp, more);
}

std::string TendonText(const std::string& attributes) {
  return "<tendon><fixed name='t' " + attributes +
         "><joint joint='j1' coef='1'/><joint joint='j2' coef='-0.5'/></fixed>"
         "</tendon>";
}

struct Arm {
  explicit Arm(const std::string& text, double time_step = 0)
      : plant(time_step) {
    Parser parser(&plant);
    parser.SetWarningHandler({});
    parser.AddModelsFromString(text, "xml");
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }
  VectorX<double> Accelerations(const Vector4<double>& state) {
    plant.SetPositionsAndVelocities(context.get(), state);
    return plant.get_generalized_acceleration_output_port().Eval(*context);
  }
  MultibodyPlant<double> plant;
  std::unique_ptr<systems::Context<double>> context;
};

// Values agree to about 1e-10, the precision of MuJoCo's own constants.
void ExpectAccelerations(const std::string& text, double first, double second) {
  const Vector2<double> wanted(first, second);
  EXPECT_TRUE(Near(Arm(text).Accelerations({0.3, -0.7, 0.4, 1.1}), wanted,
                   1e-9 * wanted.norm()))
      << text;
}

TEST(MjcfForces, WeightThatIsBorneIsMujocos) {
  ExpectAccelerations(ArmText("", "1", ""), 9.008331998964453,
                      -18.433780723623503);
  ExpectAccelerations(ArmText("", "0.4", ""), 14.761678037689498,
                      -15.240179593002722);
  // A single negative fraction has no effect.
  ExpectAccelerations(ArmText("", "-0.5", ""), 18.597242063506197,
                      -13.111112172588875);
}

TEST(MjcfForces, GravityStaysAsItIsWhereWeightIsBorne) {
  Arm arm(ArmText("", "1", ""));
  const VectorX<double> tau =
      arm.plant.CalcGravityGeneralizedForces(*arm.context);
  // Two arms of 1 kg with centres at 0.25 and 0.75 m; the axis is y.
  EXPECT_TRUE(Near(tau, Vector2<double>(9.81, 0.25 * 9.81), 1e-13));
  const auto& borne = arm.plant.GetForceElement<GravityCompensation>(
      ForceElementIndex(arm.plant.num_force_elements() - 1));
  EXPECT_EQ(borne.fraction(), 1);
  EXPECT_EQ(borne.body().name(), "b");
}

TEST(MjcfForces, AMediumDragsAsInMujoco) {
  ExpectAccelerations(
      ArmText("<option density='700' viscosity='2' wind='0.3 0.2 -0.1'/>", "0",
              ""),
      15.03443219773899, -18.696591178862263);
  for (const char* bad : {"density='-1'", "viscosity='x'", "wind='1 2'"}) {
    EXPECT_THROWS_MESSAGE(
        ReadMjcfText(ArmText(fmt::format("\n<option {}/>", bad), "0", "")),
        std::runtime_error, "m.xml:2: ");
  }
  EXPECT_TRUE(ReadMjcfText(ArmText("<option density='1'><flag spring='disable' "
                                   "damper='disable'/></option>",
                                   "0", ""))
                  .drags.empty());
}

// The geom of the first link is a fluid shape.
std::string FluidText(const std::string& geom, const std::string& option) {
  return "<mujoco model='m'><compiler angle='radian'/><option " + option +
         "/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/></asset>"
         "<worldbody><body name='a'><joint name='j1' axis='1 1 0'/>\n<geom " +
         geom +
         " pos='0.3 0 0.1' euler='0.1 0.2 0.3'/><body name='b' pos='0.5 0 0'>"
         "<joint name='j2' axis='0 1 0.5'/><geom type='box' "
         "size='0.1 0.2 0.05' mass='1'/></body></body></worldbody></mujoco>";
}

// MuJoCo integrates the added mass to about eight digits.
TEST(MjcfForces, FluidShapesAreMujocos) {
  const auto expect = [](const std::string& geom, double first, double second) {
    const Vector2<double> wanted(first, second);
    Arm arm(FluidText(geom + " fluidshape='ellipsoid'",
                      "density='700' viscosity='2' wind='0.3 0.2 -0.1'"));
    EXPECT_TRUE(Near(arm.Accelerations({0.3, -0.7, 0.4, 1.1}), wanted,
                     1e-7 * wanted.norm()))
        << geom;
  };
  expect("size='0.1'", 33.24558140140269, -21.841410174273136);
  expect("type='capsule' size='0.1 0.2'", 27.45461974327363,
         -21.207825353551797);
  expect("type='cylinder' size='0.1 0.2'", 31.059126120181126,
         -21.602191723323244);
  expect("type='box' size='0.1 0.2 0.05'", 31.65293119401874,
         -21.66715949611492);
  expect("type='ellipsoid' size='0.1 0.2 0.05' fluidcoef='0.7 0.1 2 0.5 1.5'",
         31.860928197062684, -21.689916293977532);
  expect("type='mesh' mesh='m' mass='2'", -1901.8832966825794,
         189.87960537976963);
}

TEST(MjcfForces, AFluidShapeCountsOnlyInAMedium) {
  const std::string shape = "size='1' fluidshape='ellipsoid'";
  EXPECT_TRUE(ReadMjcfText(FluidText(shape, "")).drags.empty());
  const auto drags = ReadMjcfText(FluidText(shape, "viscosity='1'")).drags;
  ASSERT_EQ(drags.size(), 2u);
  EXPECT_TRUE(drags[0].coefficients.has_value());
  EXPECT_FALSE(drags[1].coefficients.has_value());
}

TEST(MjcfForces, RefusesFluidShapesThatAreNotValid) {
  for (const std::string geom :
       {"size='1' fluidshape='box'", "size='1' fluidcoef='1 2 3 4 5 6'",
        "size='1' fluidcoef='nan'", "size='1' fluidcoef='a'",
        "type='plane' size='1 1 1' fluidshape='ellipsoid'",
        "type='mesh' fluidshape='ellipsoid'",
        "type='box' size='1e99 1 1' mass='1' fluidshape='ellipsoid'"}) {
    EXPECT_THROWS_MESSAGE(ReadMjcfText(FluidText(geom, "density='1'")),
                          std::runtime_error, "m.xml:2: ");
  }
}

TEST(MjcfForces, AnEqualityOfTendonsIsATendonOfOneLength) {
  const auto read = [](const std::string& equality) {
    return ReadMjcfText(ArmText(
        "", "0",
        "<tendon><fixed name='t'><joint joint='j1' coef='1'/><joint "
        "joint='j2' coef='-0.5'/></fixed><fixed name='u'><joint joint='j2' "
        "coef='3'/></fixed></tendon><equality>\n" +
            equality + "</equality>"));
  };
  const auto one = read("<tendon tendon1='t' polycoef='0.2'/>").tendons.at(0);
  EXPECT_EQ(one.terms.size(), 2u);
  EXPECT_EQ(one.properties.lower_limit, 0.2);
  EXPECT_EQ(one.properties.upper_limit, 0.2);
  const auto two =
      read("<tendon tendon1='t' tendon2='u' polycoef='0.2 4'/>").tendons.at(0);
  ASSERT_EQ(two.terms.size(), 3u);
  EXPECT_EQ(two.terms[2].joint, "j2");
  EXPECT_EQ(two.terms[2].coefficient, -12);
  for (const char* bad :
       {"<tendon/>", "<tendon tendon1='x'/>",
        "<tendon tendon1='t' tendon2='x'/>",
        "<tendon tendon1='t' tendon2='u' polycoef='0 1 2'/>",
        "<tendon tendon1='t' polycoef='nan'/>",
        "<tendon tendon1='t' tendon2='u' polycoef='0 1e200'/>"}) {
    EXPECT_THROWS_MESSAGE(read(bad), std::runtime_error, "m.xml:2: ");
  }
}

TEST(MjcfForces, AnEqualityOfTendonsHoldsTheirLengths) {
  Arm arm(ArmText("", "0",
                  TendonText("") + "<equality><tendon tendon1='t' "
                                   "polycoef='0.1'/></equality>"),
          1e-3);
  for (int i = 0; i < 200; ++i) {
    arm.plant.ExecuteForcedEvents(arm.context.get());
  }
  const VectorX<double> q = arm.plant.GetPositions(*arm.context);
  EXPECT_GT(std::abs(q[1]), 0.1);
  EXPECT_NEAR(q[0] - 0.5 * q[1], 0.1, 1e-3);
}

std::string DrivenArmText(const std::string& actuator) {
  return ArmText("", "0",
                 TendonText("") + "<actuator>" + actuator + "</actuator>");
}

TEST(MjcfForces, ActuatorsOfFixedTendonsAreMujocos) {
  const auto expect = [](const std::string& actuator, double force,
                         double length, double rate, double first,
                         double second) {
    Arm arm(DrivenArmText(actuator));
    arm.plant.get_actuation_input_port().FixValue(arm.context.get(),
                                                  Vector1<double>(force));
    arm.plant
        .get_desired_state_input_port(arm.plant.GetModelInstanceByName("m"))
        .FixValue(arm.context.get(), Vector2<double>(length, rate));
    const Vector2<double> wanted(first, second);
    EXPECT_TRUE(Near(arm.Accelerations({0.3, -0.7, 0.4, 1.1}), wanted,
                     1e-9 * wanted.norm()))
        << actuator;
  };
  // MuJoCo's control is 0.6. The tendon's length is that over the gear.
  expect("<position tendon='t' gear='2' kp='50' kv='4'/>", 0, 0.3, 0,
         -557.1993717814672, 1549.8181057563036);
  expect("<position tendon='t' gear='2' kp='50' dampratio='0.7'/>", 0, 0.3, 0,
         -551.8440603012303, 1535.2817702129587);
  expect("<velocity tendon='t' gear='2' kv='3'/>", 0, 0, 0.3, 64.59282955999818,
         -137.9604875692756);
  expect("<position tendon='t' gear='2' kp='50' forcerange='-0.4 0.4'/>", 0,
         0.3, 0, 11.783080952914792, 5.385091589883231);
  // A motor among servos is a servo without gains.
  expect("<motor tendon='t' gear='3'/>", 0.6 * 3, 0, 0, 33.92910456233686,
         -54.72757063815112);
}

TEST(MjcfForces, SpringsOfFixedTendonsAreMujocos) {
  const auto with = [](const std::string& spring) {
    return ArmText("", "0", TendonText("stiffness='20' damping='3' " + spring));
  };
  ExpectAccelerations(with(""), -54.22910480593943, 184.56706553883174);
  ExpectAccelerations(with("springlength='0.1'"), -71.26450758241795,
                      230.80757494501205);
  ExpectAccelerations(with("springlength='-1 0.8'"), 22.430207688213862,
                      -23.515226788979437);
  ExpectAccelerations(with("springlength='0.2 0.5'"), -3.122896476503886,
                      45.845537320290916);
}

TEST(MjcfForces, RefusesTendonsThatAreNotValid) {
  const auto expect = [](const std::string& tendon, const char* message) {
    EXPECT_THROWS_MESSAGE(ReadMjcfText(ArmText("", "0", "\n" + tendon)),
                          std::runtime_error, message);
  };
  expect(TendonText("stiffness='-1'"), "m.xml:2: tendon 't': stiffness");
  expect(TendonText("damping='1 2'"), "m.xml:2: tendon 't': damping");
  expect(TendonText("stiffness='1' springlength='2 1'"), "shorter");
  expect(TendonText("stiffness='1' springyield='1'"), "springyield");
  expect(TendonText("frictionloss='1'"), "frictionloss is not modelled");
  expect(TendonText("range='2 1'"), "must not be above");
  expect("<tendon><fixed stiffness='1'/></tendon>", "has no joint");
  expect(
      "<tendon><fixed stiffness='1'><joint joint='x' coef='1'/></fixed>"
      "</tendon>",
      "there is no joint 'x'");
}

TEST(MjcfForces, ALimitedTendonHasOneOrTwoTrees) {
  const auto read = [](int num_joints) {
    std::string bodies, terms;
    for (int i = 0; i < num_joints; ++i) {
      bodies +=
          fmt::format("<body><joint name='j{}'/><geom size='1'/></body>", i);
      terms += fmt::format("<joint joint='j{}' coef='1'/>", i);
    }
    return ReadMjcfText(MjcfText("<worldbody>" + bodies +
                                 "</worldbody><tendon>"
                                 "\n<fixed range='0 1'>" +
                                 terms + "</fixed></tendon>"));
  };
  EXPECT_EQ(read(2).tendons.at(0).properties.upper_limit, 1);
  EXPECT_THROWS_MESSAGE(read(3), std::runtime_error,
                        "m.xml:3: tendon 'tendon0': a");
}

// A tendon over a single joint acts as a limit of the joint, with the same
// force.
TEST(MjcfForces, ATendonOfOneJointLimitsAsTheJointsOwnRange) {
  const std::string tendon =
      "<tendon><fixed range='-0.1 0.1'><joint joint='j2' coef='1'/></fixed>"
      "</tendon>";
  std::string joint = ArmText("", "0", "");
  joint.replace(joint.find("name='j2'"), 9, "name='j2' range='-0.1 0.1'");
  for (const double time_step : {0.0, 1e-3}) {
    Arm by_tendon(ArmText("", "0", tendon), time_step);
    Arm by_joint(joint, time_step);
    const Vector4<double> state(0.3, 0.105, 0.4, 1.1);
    if (time_step == 0) {
      EXPECT_TRUE(Near(by_tendon.Accelerations(state),
                       by_joint.Accelerations(state), 1e-6));
      continue;
    }
    for (Arm* arm : {&by_tendon, &by_joint}) {
      arm->plant.SetPositionsAndVelocities(arm->context.get(), state);
      for (int i = 0; i < 50; ++i) {
        arm->plant.ExecuteForcedEvents(arm->context.get());
      }
    }
    EXPECT_TRUE(Near(
        by_tendon.plant.GetPositionsAndVelocities(*by_tendon.context),
        by_joint.plant.GetPositionsAndVelocities(*by_joint.context), 1e-9));
  }
}

TEST(MjcfForces, ALimitOnATendonHoldsTheSumOfItsJoints) {
  for (const double time_step : {0.0, 2e-3}) {
    Arm arm(ArmText("", "0", TendonText("range='-0.2 0.2' limited='true'")),
            time_step);
    systems::Simulator<double> simulator(arm.plant);
    simulator.Initialize();
    double most = 0;
    for (int i = 1; i <= 100; ++i) {
      simulator.AdvanceTo(0.02 * i);
      const VectorX<double> q = arm.plant.GetPositions(simulator.get_context());
      most = std::max(most, std::abs(q[0] - 0.5 * q[1]));
    }
    // The length reaches the limit, and passes it by the deflection of the
    // limit's spring.
    EXPECT_GT(most, 0.199);
    EXPECT_LT(most, 0.225);
  }
}

TEST(MjcfForces, DryFrictionOfAFreeJointActs) {
  std::vector<std::string> warnings;
  const ParsedModel model = ReadMjcfText(
      MjcfText("<default><joint frictionloss='.1'/></default><worldbody>\n"
               "<body name='a'><joint type='free'/><geom size='.1'/></body>"
               "</worldbody>"),
      &warnings);
  EXPECT_EQ(JointNamed(model, "a").friction, 0.1);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("m.xml:3: frictionloss of turning"),
            std::string::npos);
}

RigidTransform<double> Pose(const Vector3<double>& p,
                            const Vector4<double>& wxyz) {
  return {math::RotationMatrix<double>(
              Eigen::Quaternion<double>(wxyz[0], wxyz[1], wxyz[2], wxyz[3])
                  .normalized()),
          p};
}

TEST(MjcfForces, FreeJointsThatAreAlignedAreWhereMujocosAre) {
  const ParsedModel model = ReadMjcfText(MjcfText(
      "<worldbody><body pos='0 0 1'><freejoint align='true'/><geom type='box' "
      "size='.3 .2 .1' pos='.5 0 0' euler='10 20 30' mass='2'/></body>"
      "<body pos='0 0 1'><freejoint align='true'/><inertial pos='0 1 0' "
      "mass='1' diaginertia='1 2 2.5' quat='1 1 0 0'/></body>"
      "<body pos='0 0 1'><freejoint align='true'/><inertial pos='0 1 0' "
      "mass='1' fullinertia='1 2 2.5 .1 .2 .3'/></body>"
      "<body pos='0 0 1'><freejoint align='true'/><geom size='.1' pos='1 0 0'/>"
      "<geom size='.2' pos='0 1 0'/><geom size='.1' pos='0 .3 .7'/></body>"
      "</worldbody>"));
  const RigidTransform<double> wanted[] = {
      Pose({0.5, 0, 1}, {0.943714364147489, 0.127679440695781,
                         0.144878125417369, 0.268535822751569}),
      Pose({0, 1, 1}, {1, 1, 0, 0}),
      Pose({0, 1, 1}, {0.166147511167055, 0.7339717330824, 0.141372531539691,
                       0.643190723576666}),
      Pose({0.1, 0.83, 1.07}, {0.608932244076855, 0.646433816634084,
                               0.013726562381371, 0.459495837109116})};
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(model.links[i].X_WB->IsNearlyEqualTo(wanted[i], 1e-6)) << i;
    EXPECT_LT(model.links[i].M_BBo_B.get_com().norm(), 1e-12);
  }
}

std::string AlignText(const std::string& compiler, const std::string& joint,
                      const std::string& inside = {}) {
  return MjcfText("<compiler " + compiler +
                  "/><worldbody><body name='a' pos='0 0 1'>" + joint +
                  "<geom type='box' size='.1 .2 .3' pos='.5 0 0' euler='0 0 90'"
                  " mass='2'/><site name='s' pos='1 0 0'/>" +
                  inside + "</body></worldbody>");
}

TEST(MjcfForces, AFreeJointIsAlignedAsItOrTheCompilerSays) {
  const auto is_aligned = [](const std::string& compiler,
                             const std::string& joint,
                             const std::string& inside = {}) {
    return ReadMjcfText(AlignText(compiler, joint, inside))
               .links[0]
               .X_WB->translation()[0] == 0.5;
  };
  EXPECT_TRUE(is_aligned("", "<freejoint align='true'/>"));
  EXPECT_TRUE(is_aligned("alignfree='true'", "<freejoint/>"));
  EXPECT_TRUE(is_aligned("alignfree='true'", "<joint type='free'/>"));
  EXPECT_FALSE(is_aligned("alignfree='true'", "<freejoint align='false'/>"));
  EXPECT_FALSE(is_aligned("", "<freejoint align='auto'/>"));
  EXPECT_FALSE(is_aligned("", "<freejoint align='true'/>",
                          "<body><geom size='.1'/></body>"));
  EXPECT_THROWS_MESSAGE(ReadMjcfText(AlignText("", "<freejoint align='yes'/>")),
                        std::runtime_error, "align=\"yes\"");
}

TEST(MjcfForces, WhatIsInAnAlignedBodyStaysWhereItIs) {
  const ParsedModel model =
      ReadMjcfText(AlignText("", "<freejoint align='true'/>"));
  const internal::ParsedLink& link = model.links[0];
  EXPECT_TRUE((*link.X_WB * link.collisions[0].pose())
                  .IsNearlyEqualTo(Pose({.5, 0, 1}, {1, 0, 0, 1}), 1e-14));
  EXPECT_TRUE(Near(*link.X_WB * model.frames[0].X_LF.translation(),
                   Vector3<double>(1, 0, 1), 1e-14));
}

TEST(MjcfForces, AKeyPlacesTheCentreOfMassOfAnAlignedBody) {
  std::string text = AlignText("", "<freejoint align='true'/>");
  text.replace(text.find("</mujoco>"), 9,
               "<keyframe><key qpos='0 0 2 1 0 0 0'/></keyframe></mujoco>");
  Arm arm(text);
  EXPECT_TRUE(Near(arm.plant.CalcCenterOfMassPositionInWorld(*arm.context),
                   Vector3<double>(0, 0, 2), 1e-14));
}

TEST(MjcfForces, AKeyPlacesMocapBodies) {
  const auto read = [](const std::string& key, std::vector<std::string>* log) {
    return ReadMjcfText(
        MjcfText("<worldbody><body name='a' mocap='true' pos='1 0 0'/>"
                 "<body name='b' mocap='true' pos='2 0 0'/></worldbody>"
                 "<keyframe>\n<key " +
                 key + "/></keyframe>"),
        log);
  };
  std::vector<std::string> log;
  const ParsedModel model =
      read("mpos='0 0 1 0 0 2' mquat='1 0 0 0 1 1 0 0'", &log);
  EXPECT_TRUE(model.joints[0].X_PF->IsNearlyEqualTo(
      Pose({0, 0, 1}, {1, 0, 0, 0}), 1e-15));
  EXPECT_TRUE(model.joints[1].X_PF->IsNearlyEqualTo(
      Pose({0, 0, 2}, {1, 1, 0, 0}), 1e-15));
  EXPECT_EQ(log.size(), 2u);  // That they are welded.
  EXPECT_EQ(read("mpos='0 0 1'", &log).joints[0].X_PF->translation()[0], 1);
  ASSERT_EQ(log.size(), 3u);
  EXPECT_NE(log[2].find("m.xml:3: mpos of the key is left out: it has 3"),
            std::string::npos);
}

TEST(MjcfForces, ShapesAreFittedToMeshesAsInMujoco) {
  const auto read = [](const char* box, const char* shape) {
    return ReadMjcfText(MjcfText(fmt::format(
        "<compiler fitaabb='{}'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 "
        "0 0 0 3'/></asset><worldbody><body>\n<geom type='{}' mesh='m' "
        "fitscale='1.5' pos='1 2 3' euler='10 20 30'/></body></worldbody>",
        box, shape)));
  };
  const Vector4<double> wxyz(0.865561505816347, 0.309399756856413,
                             0.097222885660733, 0.381605530109208);
  const auto expect = [&](const char* box, const char* shape,
                          const std::string& text, double mass,
                          const Vector3<double>& p) {
    const internal::ParsedLink link = read(box, shape).links.at(0);
    EXPECT_EQ(link.collisions.at(0).shape().to_string().substr(0, text.size()),
              text);
    EXPECT_NEAR(link.M_BBo_B.get_mass(), mass, 1e-6 * mass) << box << shape;
    EXPECT_TRUE(link.collisions[0].pose().IsNearlyEqualTo(Pose(p, wxyz), 1e-6));
  };
  const Vector3<double> center(1.225041372635118, 2.425164074568431,
                               3.802241790421611);
  const Vector3<double> middle(1.326242500783237, 2.212595159907698,
                               4.348186996557324);
  expect("false", "sphere", "Sphere", 3868.221078130617, center);
  expect("false", "capsule", "Capsule", 4818.322290292332, center);
  expect("false", "cylinder", "Cylinder", 4496.638787080309, center);
  expect("false", "ellipsoid", "Ellipsoid", 2463.8855456546585, center);
  expect("false", "box", "Box", 4705.674765643328, center);
  expect("true", "sphere", "Sphere", 73790.66492081914, middle);
  expect("true", "capsule", "Capsule", 33372.26254434618, middle);
  expect("true", "cylinder", "Cylinder", 41994.53003543341, middle);
  expect("true", "ellipsoid", "Ellipsoid", 12308.266641612598, middle);
  expect("true", "box", "Box", 23507.05772286872, middle);
}

TEST(MjcfForces, RefusesShapesThatFitNoMesh) {
  const auto expect = [](const char* geom, const char* message) {
    EXPECT_THROWS_MESSAGE(
        ReadMjcfText(MjcfText(fmt::format(
            "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/></asset>"
            "<worldbody><body>\n<geom {}/></body></worldbody>",
            geom))),
        std::runtime_error, message);
  };
  expect("type='box' mesh='n'", "m.xml:3: geom");
  expect("type='box' mesh='n'", "there is no mesh 'n'");
  expect("type='box' mesh='m' fromto='0 0 0 1 0 0'", "has no fromto");
  expect("type='box' mesh='m' fitscale='-1'", "m.xml:3: geom");
  expect("type='box' mesh='m' fitscale='x'", "fitscale=\"x\"");
}

}  // namespace mjcf_forces_test
}  // namespace wyvern::multibody
