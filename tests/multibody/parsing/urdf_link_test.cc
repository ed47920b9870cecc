#include "wyvern/multibody/parsing/urdf_link.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"

namespace wyvern::multibody {
namespace {

using test::Near;

// A link with this <inertial>.
std::string Inertial(const std::string& inside) {
  return OneLink("<inertial>" + inside + "</inertial>");
}

constexpr char kMass[] = "<mass value='2'/>";
constexpr char kInertia[] = "<inertia ixx='1' iyy='1.5' izz='2'/>";

TEST(UrdfLink, InertiaIsAboutTheLinksOrigin) {
  const std::string origin = "<origin xyz='0.1 0.2 0.3' rpy='0.4 0.5 0.6'/>";
  const auto model = ReadText(
      Inertial(origin +
               "<mass value='2'/><inertia ixx='1' iyy='1.5' izz='2' ixy='0.1' "
               "ixz='-0.2' iyz='0.3'/>"));
  ASSERT_EQ(model.links.size(), 1u);
  const SpatialInertia<double>& M = model.links[0].M_BBo_B;
  EXPECT_EQ(M.get_mass(), 2);
  const Vector3<double> p(0.1, 0.2, 0.3);
  EXPECT_EQ(M.get_com(), p);
  // Parallel axes: I_Bo = R I Rᵀ + m (p·p 1 - p pᵀ).
  Eigen::Matrix3d I;
  I << 1, 0.1, -0.2, 0.1, 1.5, 0.3, -0.2, 0.3, 2;
  const Eigen::Matrix3d R =
      math::RotationMatrix<double>(math::RollPitchYaw<double>(0.4, 0.5, 0.6))
          .matrix();
  const Eigen::Matrix3d I_Bo =
      R * I * R.transpose() +
      2 * (p.dot(p) * Eigen::Matrix3d::Identity() - p * p.transpose());
  // Rounding of a few operations on numbers of order 1.
  EXPECT_TRUE(Near(M.CalcRotationalInertia().CopyToFullMatrix3(), I_Bo, 1e-14));
}

TEST(UrdfLink, WithoutInertiaHasNoMass) {
  const auto model = ReadText(OneLink(""));
  EXPECT_EQ(model.links[0].M_BBo_B.get_mass(), 0);
}

TEST(UrdfLink, WithMassAloneIsAParticle) {
  const auto model = ReadText(Inertial(kMass));
  EXPECT_EQ(model.links[0].M_BBo_B.get_mass(), 2);
  EXPECT_TRUE(
      model.links[0].M_BBo_B.CalcRotationalInertia().CopyToFullMatrix3().isZero(
          0));
}

TEST(UrdfLink, RefusesAnInertialThatIsNotComplete) {
  EXPECT_THROWS_MESSAGE(ReadText(Inertial(kInertia)), std::runtime_error,
                        "r.urdf:2: link 'a': <inertial> has no <mass>");
  EXPECT_THROWS_MESSAGE(ReadText(Inertial("<mass/>")), std::runtime_error,
                        "<mass> has no attribute 'value'");
  EXPECT_THROWS_MESSAGE(
      ReadText(Inertial(std::string(kMass) + "<inertia ixx='1' iyy='1'/>")),
      std::runtime_error, "<inertia> has no attribute 'izz'");
  EXPECT_THROWS_MESSAGE(
      ReadText(OneLink("<inertial><mass value='1'/></inertial>\n<inertial/>")),
      std::runtime_error, "r.urdf:3: link 'a': <link> has a second <inertial>");
}

TEST(UrdfLink, RefusesAnInertiaThatNoBodyHas) {
  const auto with = [](const std::string& inertia) {
    return Inertial(std::string(kMass) + inertia);
  };
  EXPECT_THROWS_MESSAGE(ReadText(Inertial("<mass value='-1'/>")),
                        std::runtime_error, "the mass is -1; zero or more");
  EXPECT_THROWS_MESSAGE(ReadText(with("<inertia ixx='1' iyy='1' izz='9'/>")),
                        std::runtime_error, "no body has this inertia");
  EXPECT_THROWS_MESSAGE(ReadText(with("<inertia ixx='1' iyy='1' izz='-1'/>")),
                        std::runtime_error, "no body has this inertia");
  EXPECT_THROWS_MESSAGE(
      ReadText(with("<inertia ixx='1' iyy='1' izz='1' ixy='2'/>")),
      std::runtime_error, "no body has this inertia");
  EXPECT_THROWS_MESSAGE(
      ReadText(Inertial(std::string("<mass value='0'/>") + kInertia)),
      std::runtime_error, "the mass is 0 but the inertia is not");
}

TEST(UrdfLink, RefusesNumbersThatOverflow) {
  EXPECT_THROW(ReadText(Inertial("<mass value='1e300'/>"
                                 "<origin xyz='1e300 0 0'/>")),
               std::runtime_error);
  EXPECT_THROW(ReadText(Inertial("<mass value='1e-300'/>"
                                 "<inertia ixx='1e300' iyy='1e300' "
                                 "izz='1e300'/>")),
               std::runtime_error);
  EXPECT_THROW(ReadText(Inertial("<mass value='nan'/>")), std::runtime_error);
  EXPECT_THROW(ReadText(Inertial("<mass value='inf'/>")), std::runtime_error);
}

TEST(UrdfLink, IgnoresTheInertiaOfTheWorldWithAWarning) {
  std::vector<std::string> warnings;
  const auto model =
      ReadText("<robot name='r'><link name='world'><inertial/></link></robot>",
               &warnings);
  EXPECT_TRUE(model.links.empty());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("<inertial> of the link 'world' is ignored"),
            std::string::npos);
}

TEST(UrdfLink, RefusesElementsThatAreNotKnown) {
  EXPECT_THROWS_MESSAGE(
      ReadText(OneLink("<inertail/>")), std::runtime_error,
      "r.urdf:2: link 'a': <inertail> in <link> is not supported");
  EXPECT_THROWS_MESSAGE(ReadText(Inertial("<mas value='1'/>")),
                        std::runtime_error, "<mas> in <inertial> is not");
  EXPECT_THROWS_MESSAGE(ReadText(Inertial("<mass value='1' unit='lb'/>")),
                        std::runtime_error, "attribute 'unit'");
}

TEST(UrdfLink, WarnsOfDecorationOnce) {
  std::vector<std::string> warnings;
  ReadText(OneLink("<sensor/><sensor/><gazebo/><material/>"), &warnings);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("r.urdf:2: <sensor> in <link> is ignored"),
            std::string::npos);
}

}  // namespace
}  // namespace wyvern::multibody
