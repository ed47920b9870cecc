// Spatial tendons of MJCF files: figures of MuJoCo, and what is refused.
#include <array>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/mjcf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/spatial_tendon.h"

namespace wyvern::multibody {
namespace mjcf_tendons_test {

using wyvern::test::Near;

VectorX<double> ReadRow(std::istream* file) {
  std::string line;
  std::getline(*file, line);
  std::istringstream words(line);
  std::vector<double> row;
  for (double x{}; words >> x;) row.push_back(x);
  return Eigen::Map<VectorX<double>>(row.data(), row.size());
}

// Figures by tests/oracles/mjcf_tendons.py.
TEST(MjcfTendons, LengthsMomentArmsAndForcesAreMujocos) {
  const std::string folder = WYVERN_SOURCE_DIR "/tests/oracles/";
  MultibodyPlant<double> plant(0.0);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  parser.AddModels(folder + "mjcf_tendons.xml");
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  std::vector<const SpatialTendon<double>*> tendons;
  for (ForceElementIndex i(0); i < plant.num_force_elements(); ++i) {
    const auto* tendon = dynamic_cast<const SpatialTendon<double>*>(
        &plant.GetForceElement<ForceElement>(i));
    if (tendon != nullptr) tendons.push_back(tendon);
  }
  ASSERT_EQ(tendons.size(), 8u);
  const int nv = plant.num_velocities();
  std::ifstream file(folder + "mjcf_tendons.txt");
  for (int state = 0; state < 40; ++state) {
    const VectorX<double> x = ReadRow(&file);
    ASSERT_EQ(x.size(), 2 * nv + 3);
    const VectorX<double> lengths = ReadRow(&file);
    const VectorX<double> arms = ReadRow(&file);
    const VectorX<double> vdot = ReadRow(&file);
    plant.SetPositionsAndVelocities(context.get(), x.head(2 * nv));
    for (int i = 0; i < 8; ++i) {
      EXPECT_NEAR(tendons[i]->CalcLength(*context), lengths[i], 1e-12)
          << state << tendons[i]->name();
      VectorX<double> r = VectorX<double>::Zero(nv);
      tendons[i]->coordinate().AddGeneralizedForce(
          plant, {*context, plant.EvalPositions(*context)}, 1.0, r);
      // MuJoCo finds the point of contact inside a shape to about 1e-9.
      EXPECT_TRUE(Near(r, arms.segment(nv * i, nv), i < 6 ? 1e-12 : 2e-8))
          << state << tendons[i]->name();
    }
    // Forces of actuators m and n are after the gear; p has its length there.
    const VectorX<double> u = x.tail<3>();
    plant.get_actuation_input_port().FixValue(
        context.get(), Vector3<double>(2 * u[0], 0, u[2]));
    VectorX<double> desired = VectorX<double>::Zero(6);
    desired[1] = u[1] / -1.5;
    plant.get_desired_state_input_port(plant.GetModelInstanceByName("tendons"))
        .FixValue(context.get(), desired);
    EXPECT_TRUE(
        Near(plant.get_generalized_acceleration_output_port().Eval(*context),
             vdot, 1e-8 * (1 + vdot.norm())))
        << state;
  }
  const VectorX<double> rests = ReadRow(&file);
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(tendons[i]->shortest(), rests[2 * i], 1e-12);
    EXPECT_NEAR(tendons[i]->longest(), rests[2 * i + 1], 1e-12);
  }
}

// A body with sites and geoms, and a tendon in line 3.
internal::ParsedModel ReadPath(const std::string& path,
                               const std::string& attributes = "range='0 1'",
                               const std::string& actuator = {}) {
  return ReadMjcfText(MjcfText(
      "<worldbody><site name='w'/><site name='x' pos='1 0 0'/><body name='a'>"
      "<joint/><geom name='ball' size='1'/><geom name='rod' type='cylinder' "
      "size='1 1'/><geom name='box' type='box' size='1 1 1'/>"
      "<site name='s' pos='2 0 0'/><site name='in' pos='0.5 0 0'/>"
      "<site name='o'/>"
      "<site name='far' pos='1e200 0 0'/></body>"
      "<body name='b'><freejoint/><geom size='1'/><site name='t'/></body>"
      "<body name='c'><freejoint/><geom size='1'/><site name='u'/></body>"
      "</worldbody><tendon>\n<spatial name='p' " +
      attributes + ">" + path + "</spatial></tendon><actuator>\n" + actuator +
      "</actuator>"));
}

constexpr char kPath[] = "<site site='w'/><site site='s'/>";

TEST(MjcfTendons, ReadsWhatActsAlongAPath) {
  EXPECT_EQ(ReadPath(kPath, "").tendons.size(), 0u);
  const auto model =
      ReadPath(kPath, "", "<motor name='m' tendon='p' gear='3'/>");
  ASSERT_EQ(model.tendons.size(), 1u);
  EXPECT_EQ(model.tendons[0].segments.size(), 1u);
  ASSERT_EQ(model.actuators.size(), 1u);
  EXPECT_EQ(model.actuators[0].tendon, "p");
  const auto wrapped = ReadPath(
      "<site site='w'/><geom geom='rod' sidesite='s'/><site site='s'/>"
      "<pulley divisor='2'/><site site='s'/><site site='t'/>");
  const auto& segments = wrapped.tendons.at(0).segments;
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_TRUE(segments[0].obstacle->is_cylinder);
  EXPECT_TRUE(segments[0].obstacle->p_GS.has_value());
  EXPECT_EQ(segments[1].divisor, 2);
  // A side site at the very middle leads through the inside, too.
  const auto inner = ReadPath(
      "<site site='w'/><geom geom='rod' sidesite='in'/><site site='s'/>"
      "<geom geom='ball' sidesite='o'/><site site='t'/>");
  const auto& through = inner.tendons.at(0).segments;
  EXPECT_EQ(through[0].obstacle->p_GS.value()[0], 0.5);
  EXPECT_EQ(through[1].obstacle->p_GS.value().norm(), 0);
}

TEST(MjcfTendons, RefusesPathsThatAreNotValid) {
  const auto expect = [](const std::string& path, const std::string& message) {
    EXPECT_THROWS_MESSAGE(ReadPath(path), std::runtime_error, "m.xml:3: ");
    EXPECT_THROWS_MESSAGE(ReadPath(path), std::runtime_error, message.c_str());
  };
  expect("", "has no path; give two sites");
  expect("<site site='s'/>", "one site alone; give two");
  expect("<site site='s'/><site site='y'/>", "there is no site 'y'");
  expect("<site site='s'/><site/>", "site");
  expect("<site site='w'/><site site='far'/>", "too far from its body");
  expect("<site site='w'/><site site='x'/>",
         "all of the tendon is on the world");
  expect("<geom geom='ball'/><site site='s'/>", "between two sites");
  expect("<site site='w'/><geom geom='ball'/>", "between two sites");
  expect(
      "<site site='w'/><geom geom='ball'/><geom geom='rod'/><site site='s'/>",
      "between two sites");
  expect("<site site='w'/><geom geom='z'/><site site='s'/>",
         "there is no geom 'z'");
  expect("<site site='w'/><geom geom='box'/><site site='s'/>",
         "neither a sphere nor a cylinder");
  expect("<site site='w'/><geom geom='rod' sidesite='y'/><site site='s'/>",
         "there is no site 'y'");
  expect("<site site='w'/><geom geom='rod' sidesite='t'/><site site='s'/>",
         "put both on one body");
  for (const char* const divisor : {"0", "-1", "nan", "inf", "1e200"}) {
    expect(std::string(kPath) + "<pulley divisor='" + divisor + "'/>" + kPath,
           "divisor");
  }
  expect(std::string(kPath) + "<pulley/>" + kPath, "divisor");
  expect(std::string(kPath) + "<joint joint='j' coef='1'/>",
         "give <site>, <geom> and <pulley>");
  expect("<site site='s'/><site site='t'/><site site='u'/>",
         "over 3 trees of bodies");
}

TEST(MjcfTendons, RefusesWhatDoesNotActAlongAPath) {
  const auto expect = [](const std::string& attributes,
                         const std::string& actuator, const char* message) {
    EXPECT_THROWS_MESSAGE(ReadPath(kPath, attributes, actuator),
                          std::runtime_error, message);
  };
  expect("stiffness='-1'", "", "m.xml:3: tendon 'p': stiffness");
  expect("stiffness='1' springlength='2 1'", "", "m.xml:3: ");
  expect("range='2 1'", "", "m.xml:3: ");
  expect("frictionloss='1'", "", "frictionloss is not modelled");
  expect("", "<position tendon='p' dampratio='1'/>", "give kv");
  expect("", "<motor tendon='p' armature='1'/>", "m.xml:4: ");
  expect("", "<motor tendon='q'/>", "there is no <fixed> tendon 'q'");
}

TEST(MjcfTendons, ANonlinearEqualityOfJointsIsAPolynomial) {
  const auto read = [](const std::string& polycoef) {
    return ReadMjcfText(
        MjcfText("<compiler angle='radian'/><worldbody><body><joint name='j' "
                 "ref='0.5'/><geom size='1'/></body><body><joint name='k' "
                 "ref='0.1'/><geom size='1'/></body></worldbody><equality>\n"
                 "<joint joint1='j' joint2='k' polycoef='" +
                 polycoef + "'/></equality>"));
  };
  EXPECT_TRUE(read("0.3 2").polynomials.empty());
  const auto model = read("0.3 2 0 0.7");
  EXPECT_TRUE(model.couplers.empty());
  ASSERT_EQ(model.polynomials.size(), 1u);
  const auto& one = model.polynomials[0];
  EXPECT_EQ(one.joint0, "j");
  EXPECT_EQ(one.joint1, "k");
  EXPECT_EQ(one.polynomial.c, (std::array<double, 5>{0.8, 2, 0, 0.7, 0}));
  EXPECT_EQ(one.polynomial.x0, 0.1);
  EXPECT_THROWS_MESSAGE(read("0 0 1e60"), std::runtime_error,
                        "m.xml:3: polycoef");
  EXPECT_THROWS_MESSAGE(read("0 0 nan"), std::runtime_error, "m.xml:3: ");
}

}  // namespace mjcf_tendons_test
}  // namespace wyvern::multibody
