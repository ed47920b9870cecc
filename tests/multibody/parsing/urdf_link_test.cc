#include "wyvern/multibody/parsing/urdf_link.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/shapes/rgba.h"

namespace wyvern::multibody {
namespace {

using test::Near;
using Strings = std::vector<std::string>;

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
  EXPECT_THROWS_MESSAGE(ReadText(Inertial("<mass/>")), std::runtime_error,
                        "<mass> has no attribute 'value'");
  EXPECT_THROWS_MESSAGE(
      ReadText(Inertial(std::string(kMass) + "<inertia ixx='1' iyy='1'/>")),
      std::runtime_error, "<inertia> has no attribute 'izz'");
}

TEST(UrdfLink, OfSeveralElementsTheFirstCounts) {
  const PackageMap packages;
  std::vector<std::string> warnings;
  const auto model = ReadText(
      OneLink("<inertial><mass value='1'/><mass value='2'/></inertial>\n"
              "<inertial><mass value='3'/></inertial>\n<visual><geometry>"
              "<sphere radius='1'/></geometry><material name='p'><color "
              "rgba='1 0 0 1'/></material><material name='q'><color "
              "rgba='0 1 0 1'/></material><origin xyz='1 0 0'/>"
              "<origin xyz='2 0 0'/></visual>"),
      &warnings, &packages);
  EXPECT_EQ(model.links[0].M_BBo_B.get_mass(), 1);
  const auto& seen = model.links[0].visuals.at(0);
  EXPECT_EQ(seen.pose().translation(), Vector3<double>(1, 0, 0));
  EXPECT_EQ(seen.illustration_properties()
                ->GetProperty<geometry::Rgba>("phong", "diffuse")
                .r(),
            1);
  std::ranges::sort(warnings);
  ASSERT_EQ(warnings.size(), 4u);
  EXPECT_EQ(warnings[0],
            "r.urdf:2: a second <mass> in <inertial> is ignored; the first "
            "counts.");
  EXPECT_NE(warnings[1].find("r.urdf:3: a second <inertial> in <link>"),
            std::string::npos);
}

// The warnings of one link with this <inertial>, which has no mass then.
std::vector<std::string> WarningsOfMassless(const std::string& inertial) {
  std::vector<std::string> warnings;
  const auto model = ReadText(Inertial(inertial), &warnings);
  EXPECT_TRUE(model.links.at(0).M_BBo_B.IsZero());
  return warnings;
}

TEST(UrdfLink, WithoutMassHasNoInertiaEither) {
  EXPECT_EQ(
      WarningsOfMassless(kInertia),
      (Strings{"r.urdf:2: link 'a': <inertial> has no <mass>; the mass is "
               "made 0.",
               "r.urdf:2: link 'a': the mass is 0 but the inertia is not; "
               "a body without mass has none, so it is left out: ixx=1 "
               "iyy=1.5 izz=2 ixy=0 ixz=0 iyz=0 become 0."}));
  EXPECT_EQ(
      WarningsOfMassless("<mass value='-1'/>"),
      (Strings{"r.urdf:2: link 'a': the mass is -1; it is made 0, and the "
               "inertia with it."}));
  EXPECT_EQ(WarningsOfMassless("<mass value='0'/>"), (Strings{}));
}

// The central inertia that a link of mass 1 is given for this one, and whether
// there was a warning.
Eigen::Matrix3d Repaired(const std::string& inertia, bool* is_warned) {
  std::vector<std::string> warnings;
  const auto model = ReadText(
      Inertial("<mass value='1'/><inertia " + inertia + "/>"), &warnings);
  *is_warned = !warnings.empty();
  for (const std::string& warning : warnings) {
    EXPECT_NE(warning.find("r.urdf:2: link 'a': no body has this inertia: "),
              std::string::npos);
    EXPECT_NE(
        warning.find(". It is changed to the nearest that one has, from "),
        std::string::npos);
  }
  return model.links.at(0).M_BBo_B.CalcRotationalInertia().CopyToFullMatrix3();
}

// Second moments S = tr(I)/2 1 - I, and their inertia: of the squares of
// distances that no body has, zero.
TEST(UrdfLink, AnInertiaThatNoBodyHasBecomesTheNearest) {
  bool is_warned{};
  // S is (4, 4, -3) and becomes (4, 4, 0).
  EXPECT_TRUE(Near(Repaired("ixx='1' iyy='1' izz='8'", &is_warned),
                   Vector3<double>(4, 4, 8).asDiagonal().toDenseMatrix(),
                   1e-14));
  EXPECT_TRUE(is_warned);
  // (-0.5, -0.5, 1.5): a rod along z.
  EXPECT_TRUE(Near(Repaired("ixx='1' iyy='1' izz='-1'", &is_warned),
                   Vector3<double>(1.5, 1.5, 0).asDiagonal().toDenseMatrix(),
                   1e-14));
  EXPECT_TRUE(is_warned);
  // All ones: (1.5, 1.5, -1.5) with the last along (1, 1, 1), a disc.
  const Eigen::Matrix3d I =
      Repaired("ixx='1' iyy='1' izz='1' ixy='1' ixz='1' iyz='1'", &is_warned);
  EXPECT_TRUE(is_warned);
  const Vector3<double> n = Vector3<double>::Ones().normalized();
  EXPECT_TRUE(
      Near(I, 1.5 * (Eigen::Matrix3d::Identity() + n * n.transpose()), 1e-14));
  // The nearest is one that a body has.
  EXPECT_TRUE(Near(Repaired("ixx='4' iyy='4' izz='8'", &is_warned),
                   Vector3<double>(4, 4, 8).asDiagonal().toDenseMatrix(), 0));
  EXPECT_FALSE(is_warned);
}

// A sample of all possible inertias of bodies contains none that is nearer.
TEST(UrdfLink, NoOtherInertiaIsNearer) {
  bool is_warned{};
  const Eigen::Matrix3d I =
      (Eigen::Matrix3d() << 1, 0.3, -0.2, 0.3, 2, 0.9, -0.2, 0.9, 0.1)
          .finished();
  const Eigen::Matrix3d nearest = Repaired(
      "ixx='1' iyy='2' izz='0.1' ixy='0.3' ixz='-0.2' iyz='0.9'", &is_warned);
  ASSERT_TRUE(is_warned);
  const auto moments = [](const Eigen::Matrix3d& J) -> Eigen::Matrix3d {
    return 0.5 * J.trace() * Eigen::Matrix3d::Identity() - J;
  };
  const double distance = (moments(nearest) - moments(I)).norm();
  std::srand(1);
  for (int i = 0; i < 10'000; ++i) {
    // A step away from the nearest, put back into the cone by squaring.
    const Eigen::Matrix3d root =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(moments(nearest))
            .eigenvectors() *
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(moments(nearest))
            .eigenvalues()
            .cwiseMax(0)
            .cwiseSqrt()
            .asDiagonal();
    const Eigen::Matrix3d near =
        root + std::pow(10.0, -i % 5) * Eigen::Matrix3d::Random();
    EXPECT_GE((near * near.transpose() - moments(I)).norm(), distance - 1e-12);
  }
}

TEST(UrdfLink, RoundingOfAnInertiaIsNoWarning) {
  bool is_warned{};
  Repaired("ixx='1' iyy='1' izz='2.0000000000001'", &is_warned);
  EXPECT_FALSE(is_warned);
  // A point mass: no body has such products, but they are negligible.
  EXPECT_LT(Repaired("ixx='0' iyy='0' izz='0' ixz='2.4e-35'", &is_warned)
                .cwiseAbs()
                .maxCoeff(),
            1e-34);
  EXPECT_FALSE(is_warned);
  EXPECT_EQ(WarningsOf(Inertial("<mass value='1'/><origin xyz='0 0 .1'/>"
                                "<inertia ixx='0' iyy='0' izz='0' "
                                "ixz='2.4e-35'/>")),
            (Strings{}));
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

TEST(UrdfLink, WarnsOfWhatIsNotKnown) {
  EXPECT_EQ(WarningsOf(OneLink("<inertail/>")),
            (Strings{"r.urdf:2: <inertail> in <link> is not known and is "
                     "ignored, though the motion may depend on it; those read "
                     "are: inertial, visual, collision."}));
  EXPECT_EQ(
      WarningsOf(Inertial("<mass value='1' unit='lb'/>")),
      (Strings{"r.urdf:2: the attribute 'unit' of <mass> is not known and "
               "is ignored; those read are: value."}));
  for (const char* text :
       {"<robot name='r'><link name='a' type='laser'/></robot>",
        "<robot name='r' version='1.0'><link name='a'/></robot>",
        "<robot name='r'><link name='a'><origin xyz='0 0 0'/></link></robot>",
        "<robot name='r'><link name='a'><gravity>1</gravity></link></robot>"}) {
    EXPECT_EQ(WarningsOf(text).size(), 1u) << text;
  }
}

TEST(UrdfLink, WarnsOfDecorationOnce) {
  EXPECT_EQ(
      WarningsOf(OneLink("<sensor/>\n<sensor/><gazebo/>")),
      (Strings{"r.urdf:2: <sensor> in <link> is ignored; it has no effect "
               "on the motion. (Also at 3.)",
               "r.urdf:3: <gazebo> in <link> is ignored; it has no effect "
               "on the motion."}));
}

}  // namespace
}  // namespace wyvern::multibody
