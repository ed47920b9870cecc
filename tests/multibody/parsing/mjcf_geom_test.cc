/** @file Geoms of MJCF: shapes, masses, and who touches whom. */

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/mjcf_texts.h"
#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/multibody/parsing/mjcf_height_field.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace mjcf_geom_test {

using internal::ParsedLink;
using internal::ParsedModel;

ParsedLink ReadLink(const std::string& inside, const std::string& more = {}) {
  return ReadMjcfText(MjcfBodyText(inside, more)).links.at(0);
}

TEST(MjcfGeom, SizesAreHalves) {
  const ParsedLink link = ReadLink(
      "<geom type='box' size='1 2 3'/><geom type='capsule' size='0.1 0.5'/>"
      "<geom type='ellipsoid' size='1 2 3'/><geom type='plane' size='0 0 1'/>"
      "<geom type='cylinder' size='0.1' fromto='1 0 0 1 0 4'/>");
  ASSERT_EQ(link.collisions.size(), 5u);
  const auto& box =
      dynamic_cast<const geometry::Box&>(link.collisions[0].shape());
  EXPECT_EQ(box.size(), Vector3<double>(2, 4, 6));
  const auto& capsule =
      dynamic_cast<const geometry::Capsule&>(link.collisions[1].shape());
  EXPECT_EQ(capsule.length(), 1);
  const auto& ellipsoid =
      dynamic_cast<const geometry::Ellipsoid&>(link.collisions[2].shape());
  EXPECT_EQ(ellipsoid.c(), 3);
  EXPECT_EQ(link.collisions[3].shape().type_name(), "HalfSpace");
  const auto& cylinder =
      dynamic_cast<const geometry::Cylinder&>(link.collisions[4].shape());
  EXPECT_EQ(cylinder.length(), 4);
  EXPECT_EQ(link.collisions[4].pose().translation(), Vector3<double>(1, 0, 2));
}

// Friction applies to all contacts if the flag says so; a contact with condim 1
// still has none.
TEST(MjcfGeom, AnOptionMayOverrideTheFrictionOfContacts) {
  const auto friction = [](const std::string& condim,
                           const std::string& option) {
    const ParsedLink link =
        ReadLink("<geom size='1' friction='0.3' " + condim + "/>", option);
    const auto* properties = link.collisions.at(0).proximity_properties();
    return properties
        ->GetProperty<CoulombFriction<double>>(
            geometry::internal::kMaterialGroup, geometry::internal::kFriction)
        .dynamic_friction();
  };
  const std::string flag = "<flag override='enable'/></option>";
  EXPECT_EQ(friction("", "<option o_friction='0.8'/>"), 0.3);
  EXPECT_EQ(friction("", "<option o_friction='0.8 0.7'>" + flag), 0.8);
  EXPECT_EQ(friction("condim='1'", "<option o_friction='0.8'>" + flag), 0);
  // MuJoCo's default.
  EXPECT_EQ(friction("", "<option>" + flag), 1);
  EXPECT_THROWS_MESSAGE(friction("", "<option o_friction='-1'/>"),
                        std::runtime_error, "o_friction, is negative");
}

TEST(MjcfGeom, HasTheMassOfItsVolumeOrItsOwn) {
  const auto mass = [](const std::string& inside,
                       const std::string& more = {}) {
    return ReadLink(inside, more).M_BBo_B.get_mass();
  };
  const std::string box = "<geom type='box' size='0.5 0.5 0.5'";
  EXPECT_NEAR(mass(box + "/>"), 1000, 1e-10);
  EXPECT_NEAR(mass(box + " density='2'/>" + box + " mass='3'/>"), 5, 1e-14);
  EXPECT_EQ(mass("<inertial mass='7' pos='0 0 0'/>" + box + "/>"), 7);
  EXPECT_NEAR(mass("<inertial mass='7' pos='0 0 0'/>" + box + "/>",
                   "<compiler inertiafromgeom='true'/>"),
              1000, 1e-10);
  EXPECT_EQ(mass(box + "/>", "<compiler inertiafromgeom='false'/>"), 0);
  EXPECT_NEAR(mass(box + " mass='1' group='3'/>" + box + " mass='4'/>",
                   "<compiler inertiagrouprange='0 2'/>"),
              4, 1e-14);
}

TEST(MjcfGeom, WhatDoesNotTouchIsOnlySeenAndGroupsFromThreeOnAreNot) {
  const ParsedLink link = ReadLink(
      "<geom name='v' size='1' contype='0' conaffinity='0'/>"
      "<geom name='c' size='1' group='3'/><geom name='both' size='1'/>");
  ASSERT_EQ(link.visuals.size(), 2u);
  EXPECT_EQ(link.visuals[0].name(), "v");
  ASSERT_EQ(link.collisions.size(), 2u);
  EXPECT_EQ(link.collisions[0].name(), "c");
}

// Whether some pair of shapes of the plant may touch, by the names of bodies.
class Pairs {
 public:
  explicit Pairs(const std::string& text) : plant_(0.001) {
    plant_.RegisterAsSourceForSceneGraph(&scene_graph_);
    Parser(&plant_).AddModelsFromString(text, "xml");
    plant_.Finalize();
  }

  bool MayTouch(const std::string& a, const std::string& b) const {
    const auto& inspector = scene_graph_.model_inspector();
    const auto& ids_a =
        plant_.GetCollisionGeometriesForBody(plant_.GetBodyByName(a));
    const auto& ids_b =
        plant_.GetCollisionGeometriesForBody(plant_.GetBodyByName(b));
    return !inspector.CollisionFiltered(ids_a.at(0), ids_b.at(0));
  }

 private:
  geometry::SceneGraph<double> scene_graph_;
  MultibodyPlant<double> plant_;
};

TEST(MjcfGeom, TouchesAsMasksAndExclusionsSay) {
  const auto body = [](const std::string& name, const std::string& mask) {
    return "<body name='" + name + "'><joint/><geom size='0.1' " + mask +
           "/></body>";
  };
  const Pairs pairs(MjcfText(
      "<worldbody><geom type='plane' size='1 1 1'/>" +
      body("a", "contype='1' conaffinity='0'") +
      body("b", "contype='1' conaffinity='0'") +
      body("c", "contype='2' conaffinity='1'") + body("d", "") +
      "</worldbody><contact><exclude body1='d' body2='c'/></contact>"));
  EXPECT_FALSE(pairs.MayTouch("a", "b"));
  EXPECT_TRUE(pairs.MayTouch("a", "c"));
  EXPECT_TRUE(pairs.MayTouch("a", "d"));
  EXPECT_TRUE(pairs.MayTouch("a", "world"));
  EXPECT_FALSE(pairs.MayTouch("d", "c"));
}

TEST(MjcfGeom, APairTouchesWhateverElseIsSaid) {
  const auto body = [](const std::string& name, const std::string& inside) {
    return "<body name='" + name + "'><joint/><geom name='g" + name +
           "' size='0.1' contype='0' conaffinity='0'/>" + inside + "</body>";
  };
  const std::string start =
      "<worldbody><geom name='floor' type='plane' size='1 1 1'/>" +
      body("a", body("b", body("c", ""))) + body("d", "") +
      "</worldbody><contact><exclude body1='a' body2='d'/>";
  const Pairs pairs(
      MjcfText(start + "<pair geom1='ga' geom2='gd'/><pair geom1='gc' "
                       "geom2='ga'/><pair geom1='floor' geom2='gb'/><pair "
                       "geom1='gd' geom2='gb'/></contact>"));
  EXPECT_TRUE(pairs.MayTouch("a", "d"));
  EXPECT_TRUE(pairs.MayTouch("a", "c"));
  EXPECT_TRUE(pairs.MayTouch("b", "world"));
  EXPECT_TRUE(pairs.MayTouch("b", "d"));
  EXPECT_FALSE(pairs.MayTouch("a", "world"));
  EXPECT_FALSE(pairs.MayTouch("c", "world"));
  EXPECT_FALSE(pairs.MayTouch("c", "d"));
  EXPECT_THROWS_MESSAGE(
      Pairs(MjcfText(start + "<pair geom1='ga' geom2='gb'/></contact>")),
      std::runtime_error, "with a joint between them is not modelled");
  EXPECT_THROWS_MESSAGE(
      Pairs(MjcfText(start + "<pair geom1='ga' geom2='x'/></contact>")),
      std::runtime_error, "there is no geom 'x'");
}

TEST(MjcfGeom, NeighboursDoNotTouchAcrossWeldsAndManyJoints) {
  const Pairs pairs(MjcfText(
      "<worldbody><body name='a'><joint/><geom size='1'/>"
      "<body name='b'><joint/><joint axis='1 0 0'/><geom size='1'/>"
      "<body name='c'><geom size='1'/>"
      "<body name='d'><joint/><geom size='1'/></body></body></body></body>"
      "</worldbody>"));
  EXPECT_FALSE(pairs.MayTouch("a", "b"));
  EXPECT_FALSE(pairs.MayTouch("a", "c"));
  EXPECT_FALSE(pairs.MayTouch("b", "c"));
  EXPECT_FALSE(pairs.MayTouch("b", "d"));
  EXPECT_TRUE(pairs.MayTouch("a", "d"));
}

TEST(MjcfGeom, ReadsMeshesOfMujocosOwnFormat) {
  const auto folder = std::filesystem::temp_directory_path() / "wyvern_msh";
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, int num_triangles) {
    std::ofstream file(folder / name, std::ios::binary);
    const int counts[] = {4, 0, 0, num_triangles};
    const float vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    file.write(reinterpret_cast<const char*>(counts), sizeof(counts));
    file.write(reinterpret_cast<const char*>(vertices), sizeof(vertices));
    file.write(reinterpret_cast<const char*>(triangles), sizeof(triangles));
  };
  write("good.msh", 4);
  write("bad.msh", 5);
  std::ofstream(folder / "points.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const auto text = [&](const std::string& name) {
    return MjcfBodyText("<geom type='mesh' mesh='t' density='6'/>",
                        "<compiler meshdir='" + folder.string() +
                            "'/><asset><mesh name='t' "
                            "scale='1 2 3' file='" +
                            name + "'/></asset>");
  };
  const ParsedModel model = ReadMjcfText(text("good.msh"));
  EXPECT_NEAR(model.links[0].M_BBo_B.get_mass(), 6, 1e-13);
  EXPECT_EQ(model.links[0].collisions.size(), 1u);
  // Vertices without faces have the mass of their hull.
  EXPECT_NEAR(ReadMjcfText(text("points.obj")).links[0].M_BBo_B.get_mass(), 6,
              1e-13);
  EXPECT_THROWS_MESSAGE(ReadMjcfText(text("bad.msh")), std::runtime_error,
                        "is not as long as its header says");
  std::filesystem::remove_all(folder);
}

TEST(MjcfGeom, IncludesFilesOnce) {
  const auto folder = std::filesystem::temp_directory_path() / "wyvern_mjcf";
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  };
  write("part.xml", "<mujoco><worldbody><body name='p'/></worldbody></mujoco>");
  write("loop.xml", "<x><include file='loop.xml'/></x>");
  const auto load = [&](const std::string& inside) {
    MultibodyPlant<double> plant(0);
    Parser parser(&plant);
    parser.AddModels(write("main.xml", MjcfText(inside)));
    return plant.HasBodyNamed("p");
  };
  EXPECT_TRUE(load("<include file='part.xml'/>"));
  EXPECT_THROWS_MESSAGE(
      load("<include file='part.xml'/>\n<include file='part.xml'/>"),
      std::runtime_error, "main.xml:3: 'part.xml' is included a second time");
  EXPECT_THROWS_MESSAGE(load("<include file='loop.xml'/>"), std::runtime_error,
                        "loop.xml:1: 'loop.xml' is included a second time");
  EXPECT_THROWS_MESSAGE(load("<include file='main.xml'/>"), std::runtime_error,
                        "included a second time");
  EXPECT_THROWS_MESSAGE(load("<include file='none.xml'/>"), std::runtime_error,
                        "main.xml:2: there is no file 'none.xml'");
  std::filesystem::remove_all(folder);
}

std::string HeightFieldText(const std::string& field) {
  return MjcfText("<asset>\n<hfield name='h' " + field +
                  "/></asset><worldbody><geom name='g' type='hfield' "
                  "hfield='h' pos='0 0 1'/></worldbody>");
}

// Row 0 of MuJoCo's data is the last row of the text; heights go from 0 to 1.
TEST(MjcfGeom, AHeightFieldIsPrismsUnderItsTriangles) {
  const internal::ParsedLink world =
      ReadMjcfText(HeightFieldText("nrow='2' ncol='3' size='1 2 .5 .1' "
                                   "elevation='1 2 3  4 5 9'"))
          .world;
  ASSERT_EQ(world.collisions.size(), 4u);
  EXPECT_EQ(world.visuals.size(), 1u);
  EXPECT_EQ(world.collisions[3].name(), "g_3");
  EXPECT_EQ(world.collisions[0].pose().translation(), Vector3<double>(0, 0, 1));
  // Sum of the area under each triangle times the mean of its heights and the
  // base.
  const double z[2][3] = {{0.375, 0.5, 1}, {0, 0.125, 0.25}};
  const auto volume = [](double a, double b, double c) {
    return 2.0 * (0.1 + 0.5 * (a + b + c) / 3);
  };
  const double wanted[] = {
      volume(z[0][0], z[0][1], z[1][0]), volume(z[0][1], z[1][1], z[1][0]),
      volume(z[0][1], z[0][2], z[1][1]), volume(z[0][2], z[1][2], z[1][1])};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(geometry::CalcVolume(world.collisions[i].shape()), wanted[i],
                1e-6)
        << i;
  }
}

TEST(MjcfGeom, AFlatHeightFieldIsABox) {
  for (const char* elevation : {"", "elevation='3 3 3 3 3 3'"}) {
    const internal::ParsedLink world =
        ReadMjcfText(
            HeightFieldText(std::string("nrow='2' ncol='3' size='1 2 .5 .1' ") +
                            elevation))
            .world;
    ASSERT_EQ(world.collisions.size(), 1u);
    EXPECT_EQ(world.collisions[0].shape().to_string(),
              geometry::Box(2, 4, 0.1).to_string());
    EXPECT_NEAR(world.collisions[0].pose().translation()[2], 0.95, 1e-15);
  }
}

TEST(MjcfGeom, RefusesHeightFieldsThatAreNotValid) {
  for (const char* field :
       {"", "nrow='2' ncol='2'", "nrow='2' ncol='2' size='1 1 1 0'",
        "nrow='0' ncol='2' size='1 1 1 1'",
        "nrow='2.5' ncol='2' size='1 1 1 1'",
        "nrow='1e300' ncol='2' size='1 1 1 1'",
        "nrow='9e6' ncol='9e6' size='1 1 1 1'",
        "nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'",
        "nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3 x'",
        "size='1 1 1 1' file='none.png'"}) {
    EXPECT_THROWS_MESSAGE(ReadMjcfText(HeightFieldText(field)),
                          std::runtime_error, "m.xml:3: ");
  }
  EXPECT_THROWS_MESSAGE(
      ReadMjcfText(
          HeightFieldText("nrow='1' ncol='2' size='1 1 1 1' elevation='1 2'")),
      std::runtime_error, "two of each");
}

// A ramp along x with 0.3 m of height, and a peak that is lost.
TEST(MjcfGeom, AFineHeightFieldTouchesAsACoarseOne) {
  internal::MjcfHeightField fine{
      .num_rows = 40, .num_columns = 2001, .size = {1, 1, 0.3, 0.1}};
  for (int i = 0; i < fine.num_rows * fine.num_columns; ++i) {
    fine.heights.push_back(i % fine.num_columns / 2000.0);
  }
  internal::MjcfHeightField coarse = fine;
  EXPECT_NEAR(internal::CoarsenHeights(&coarse), 0, 1e-15);
  EXPECT_LE(2 * (coarse.num_rows - 1) * (coarse.num_columns - 1), 20000);
  EXPECT_GT(2 * (coarse.num_rows - 1) * (coarse.num_columns - 1), 19000);
  EXPECT_EQ(coarse.heights.front(), 0);
  EXPECT_EQ(coarse.heights.back(), 1);
  fine.heights[20 * 2001 + 1000] = 0.9;
  coarse = fine;
  const double difference = internal::CoarsenHeights(&coarse);
  EXPECT_GT(difference, 0.01);
  EXPECT_LE(difference, 0.4 * 0.3);
  fine.num_rows = 2;
  fine.heights.resize(2 * 2001);
  coarse = fine;
  EXPECT_EQ(internal::CoarsenHeights(&coarse), 0);
  EXPECT_EQ(coarse.heights, fine.heights);
}

// A field of a million points would be a text of 80 MB, copied several times.
TEST(MjcfGeom, ALargeHeightFieldIsDrawnWithFewerTriangles) {
  const auto count = [](int n) {
    internal::MjcfHeightField field{
        .num_rows = n, .num_columns = n, .size = {1, 1, 0.3, 0.1}};
    for (int i = 0; i < n * n; ++i) field.heights.push_back(i % n / (n - 1.0));
    const auto shape = internal::MakeHeightSurface(field, "hills");
    const auto mesh = geometry::internal::ReadTriangleMesh(
        dynamic_cast<const geometry::Mesh&>(*shape).source(), 1.0);
    EXPECT_EQ(mesh.vertices.front(), Vector3<double>(-1, -1, 0));
    EXPECT_LT((mesh.vertices.back() - Vector3<double>(1, 1, 0.3)).norm(),
              1e-15);
    return mesh.triangles.size();
  };
  EXPECT_EQ(count(300), 2u * 299 * 299);
  EXPECT_EQ(count(1000), 2u * 316 * 316);
}

TEST(MjcfGeom, WarnsOfAHeightFieldThatIsTooFine) {
  std::string large = "nrow='120' ncol='120' size='1 1 1 1' elevation='1";
  for (int i = 1; i < 120 * 120; ++i) large += " 0";
  std::vector<std::string> warnings;
  ReadMjcfText(HeightFieldText(large + "'"), &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("differ by up to"), std::string::npos);
}

}  // namespace mjcf_geom_test
}  // namespace wyvern::multibody
