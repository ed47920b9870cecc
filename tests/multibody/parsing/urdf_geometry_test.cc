#include "wyvern/multibody/parsing/urdf_geometry.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/proximity_properties.h"

namespace wyvern::multibody {
namespace {

using geometry::GeometryInstance;
using geometry::ProximityProperties;
using geometry::Rgba;
using internal::ParsedLink;
using internal::ParsedModel;

ParsedModel ReadShapes(const std::string& text,
                       std::vector<std::string>* warnings = nullptr) {
  const PackageMap packages;
  return ReadText(text, warnings, &packages);
}

ParsedLink ReadLink(const std::string& inside,
                    std::vector<std::string>* warnings = nullptr) {
  return ReadShapes(OneLink(inside), warnings).links.at(0);
}

ProximityProperties Touching(const std::string& tags) {
  const ParsedLink link = ReadLink(
      "<collision><geometry><sphere radius='1'/></geometry>"
      "<drake:proximity_properties>" +
      tags + "</drake:proximity_properties></collision>");
  return *link.collisions.at(0).proximity_properties();
}

double Number(const ProximityProperties& properties, const char* group,
              const char* name) {
  return properties.GetProperty<double>(group, name);
}

CoulombFriction<double> Friction(const ProximityProperties& properties) {
  return properties.GetProperty<CoulombFriction<double>>("material",
                                                         "coulomb_friction");
}

constexpr char kBox[] = "<geometry><box size='1 2 3'/></geometry>";

TEST(UrdfGeometry, HasShapesAndPoses) {
  const ParsedLink link = ReadLink(std::string(
      "<visual><origin xyz='1 2 3' rpy='0 0 0.5'/><geometry><drake:ellipsoid "
      "a='1' b='2' c='3'/></geometry></visual><collision><geometry><capsule "
      "radius='0.5' length='2'/></geometry></collision>"));
  ASSERT_EQ(link.visuals.size(), 1u);
  EXPECT_EQ(link.visuals[0].shape().to_string(), "Ellipsoid(a=1, b=2, c=3)");
  EXPECT_EQ(link.visuals[0].pose().translation(), Vector3<double>(1, 2, 3));
  ASSERT_EQ(link.collisions.size(), 1u);
  EXPECT_EQ(link.collisions[0].shape().to_string(),
            "Capsule(radius=0.5, length=2)");
}

TEST(UrdfGeometry, IsNamedAfterItsShapeOrAsGivenAndOnlyOnce) {
  std::string text;
  for (const char* name : {"", "", " name='Box_1'", " name='tip'"}) {
    text += std::string("<collision") + name + ">" + kBox + "</collision>";
  }
  const ParsedLink link = ReadLink(text + "<visual>" + kBox + "</visual>");
  std::vector<std::string> names;
  for (const auto& c : link.collisions) names.push_back(c.name());
  EXPECT_EQ(names,
            (std::vector<std::string>{"Box", "Box_1", "Box_1_1", "tip"}));
  EXPECT_EQ(link.visuals.at(0).name(), "Box");
}

TEST(UrdfGeometry, OfTheWorldIsKept) {
  const ParsedModel model =
      ReadShapes(std::string("<robot name='r'><link name='world'><collision>") +
                 kBox + "</collision></link></robot>");
  EXPECT_EQ(model.links.size(), 0u);
  EXPECT_EQ(model.world.collisions.size(), 1u);
}

Rgba ColorOf(const GeometryInstance& instance) {
  return instance.illustration_properties()->GetPropertyOrDefault(
      "phong", "diffuse", Rgba(0, 0, 0, 0));
}

TEST(UrdfGeometry, IsColoredByNameOrInPlace) {
  const std::string visual = std::string("<visual>") + kBox;
  std::vector<std::string> warnings;
  const ParsedModel model = ReadShapes(
      "<robot name='r'><link name='a'>" + visual +
          "<material name='red'/></visual>" + visual +
          "<material name='x'><color rgba='0 0 1 0.5'/></material></visual>" +
          visual + "<material name='none'/></visual>" + visual +
          "</visual></link>"
          "<material name='red'><color rgba='1 0 0 1'/></material></robot>",
      &warnings);
  const auto& visuals = model.links.at(0).visuals;
  EXPECT_EQ(ColorOf(visuals.at(0)), Rgba(1, 0, 0, 1));
  EXPECT_EQ(ColorOf(visuals.at(1)), Rgba(0, 0, 1, 0.5));
  EXPECT_EQ(ColorOf(visuals.at(2)), Rgba(0, 0, 0, 0));
  EXPECT_EQ(ColorOf(visuals.at(3)), Rgba(0, 0, 0, 0));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("no material 'none'"), std::string::npos);
}

TEST(UrdfGeometry, ColorsOutOfRangeAreIgnoredWithAWarning) {
  for (const char* rgba : {"1 0 0 2", "1 0", "-1 0 0 1", "nan 0 0 1"}) {
    std::vector<std::string> warnings;
    const ParsedLink link =
        ReadLink(std::string("<visual>") + kBox + "<material name='x'><color " +
                     "rgba='" + rgba + "'/></material></visual>",
                 &warnings);
    EXPECT_EQ(ColorOf(link.visuals.at(0)), Rgba(0, 0, 0, 0));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("is not four numbers from 0 to 1"),
              std::string::npos);
  }
}

TEST(UrdfGeometry, HasTheContactPropertiesGiven) {
  const ProximityProperties p = Touching(
      "<drake:mu_static value='0.8'/><wyvern:mu_dynamic value='0.5'/>"
      "<drake:point_contact_stiffness value='1e6'/>"
      "<drake:hunt_crossley_dissipation value='1.5'/>"
      "<drake:relaxation_time value='0.1'/><drake:compliant_hydroelastic/>"
      "<drake:hydroelastic_modulus value='2e7'/>"
      "<drake:mesh_resolution_hint value='0.02'/>"
      "<drake:hydroelastic_margin value='0.001'/>");
  EXPECT_EQ(Friction(p), CoulombFriction<double>(0.8, 0.5));
  EXPECT_EQ(Number(p, "material", "point_contact_stiffness"), 1e6);
  EXPECT_EQ(Number(p, "material", "hunt_crossley_dissipation"), 1.5);
  EXPECT_EQ(Number(p, "material", "relaxation_time"), 0.1);
  EXPECT_EQ(Number(p, "hydroelastic", "hydroelastic_modulus"), 2e7);
  EXPECT_EQ(Number(p, "hydroelastic", "resolution_hint"), 0.02);
  EXPECT_EQ(Number(p, "hydroelastic", "margin"), 0.001);
  EXPECT_EQ(p.GetProperty<geometry::HydroelasticType>("hydroelastic",
                                                      "compliance_type"),
            geometry::HydroelasticType::kCompliant);
}

TEST(UrdfGeometry, HasFrictionOfOneIfNoneIsGiven) {
  EXPECT_EQ(Friction(Touching("")), CoulombFriction<double>(1, 1));
  EXPECT_EQ(Friction(Touching("<drake:mu_static value='0.3'/>")),
            CoulombFriction<double>(0.3, 0.3));
  EXPECT_EQ(Friction(Touching("<drake:mu_dynamic value='0.3'/>")),
            CoulombFriction<double>(0.3, 0.3));
}

TEST(UrdfGeometry, RefusesContactPropertiesThatAreNotValid) {
  for (const char* tag :
       {"<drake:mu_static value='-1'/>", "<drake:mu_static value='nan'/>",
        "<drake:mu_static value='0.1'/><drake:mu_dynamic value='0.2'/>",
        "<drake:mu_static value='1'/><wyvern:mu_static value='1'/>",
        "<drake:point_contact_stiffness value='0'/>",
        "<drake:relaxation_time value='-1'/>",
        "<drake:rigid_hydroelastic/><drake:compliant_hydroelastic/>"}) {
    EXPECT_THROWS_MESSAGE(Touching(tag), std::runtime_error, "r.urdf:2: ");
  }
}

TEST(UrdfGeometry, WarnsOfContactPropertiesThatAreMisspelt) {
  for (const char* tag :
       {"<drake:mu_static/>", "<drake:mu_static value='1' other='2'/>",
        "<drake:mu_sttic value='1'/>",
        "<drake:compliant_hydroelastic value='1'/>"}) {
    std::vector<std::string> warnings;
    ReadLink(std::string("<collision>") + kBox +
                 "<drake:proximity_properties>" + tag +
                 "</drake:proximity_properties></collision>",
             &warnings);
    EXPECT_EQ(warnings.size(), 1u) << tag;
  }
  // Its value is in no attribute that is read.
  std::vector<std::string> warnings;
  ReadLink(std::string("<collision>") + kBox +
               "<drake:proximity_properties><drake:mu_static vale='2'/>"
               "</drake:proximity_properties></collision>",
           &warnings);
  EXPECT_EQ(warnings.size(), 2u);
}

TEST(UrdfGeometry, CanBeHiddenFromARole) {
  const ParsedLink link = ReadLink(
      std::string("<visual>") + kBox +
      "<drake:perception_properties enabled='false'/></visual><visual>" + kBox +
      "<drake:illustration_properties enabled='false'/>"
      "<drake:accepting_renderer name='fast'/></visual>");
  EXPECT_EQ(link.visuals.at(0).perception_properties(), nullptr);
  EXPECT_NE(link.visuals.at(0).illustration_properties(), nullptr);
  EXPECT_EQ(link.visuals.at(1).illustration_properties(), nullptr);
  ASSERT_NE(link.visuals.at(1).perception_properties(), nullptr);
  EXPECT_TRUE(link.visuals[1].perception_properties()->HasProperty(
      "renderer", "accepting"));
}

TEST(UrdfGeometry, WarnsOfWhatIsNotKnown) {
  for (const char* odd : {"<odd/>", "<drake:odd/>"}) {
    std::vector<std::string> warnings;
    ReadLink(std::string("<visual>") + kBox + odd + "</visual>", &warnings);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("in <visual> is not known"), std::string::npos);
  }
}

}  // namespace
}  // namespace wyvern::multibody
