/** @file Shapes in files, in a SceneGraph. */

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace {

using geometry::GeometryId;
using geometry::Role;
using test::Near;

class ParserGeometry : public testing::Test {
 protected:
  ParserGeometry() {
    plant_.RegisterAsSourceForSceneGraph(&scene_graph_);
    parser_.SetWarningHandler({});
  }
  void Add(const std::string& text) {
    parser_.AddModelsFromString(text, "urdf");
  }
  const geometry::SceneGraphInspector<double>& inspector() const {
    return scene_graph_.model_inspector();
  }
  // A link with a ball.
  static std::string Ball(const std::string& name) {
    const std::string shape = "<geometry><sphere radius='0.1'/></geometry>";
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
           "</inertial><collision><origin xyz='0 0 1'/>" +
           shape + "</collision><visual name='look'>" + shape +
           "</visual></link>";
  }

  geometry::SceneGraph<double> scene_graph_;
  MultibodyPlant<double> plant_{0.001};
  Parser parser_{&plant_};
};

TEST_F(ParserGeometry, AParserRegistersAPlantThatIsNot) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(0.001);
  Parser parser(&plant, &scene_graph, "left");
  EXPECT_EQ(parser.scene_graph(), &scene_graph);
  parser.AddModelsFromString("<robot name='r'>" + Ball("a") + "</robot>",
                             "urdf");
  EXPECT_EQ(scene_graph.model_inspector().num_geometries(), 2);
  EXPECT_TRUE(plant.HasModelInstanceNamed("left::r"));
  // One that is registered stays as it is; without a SceneGraph nothing is.
  EXPECT_NO_THROW(Parser(&plant, &scene_graph));
  MultibodyPlant<double> alone(0.001);
  EXPECT_EQ(Parser(&alone, nullptr).scene_graph(), nullptr);
  EXPECT_FALSE(alone.geometry_source_is_registered());
}

TEST_F(ParserGeometry, IsRegisteredByRole) {
  Add("<robot name='r'>" + Ball("a") + Ball("world") + "</robot>");
  EXPECT_EQ(plant_.num_collision_geometries(), 2);
  EXPECT_EQ(plant_.num_visual_geometries(), 2);
  EXPECT_EQ(inspector().NumGeometriesWithRole(Role::kProximity), 2);
  EXPECT_EQ(inspector().NumGeometriesWithRole(Role::kIllustration), 2);
  EXPECT_EQ(inspector().NumGeometriesWithRole(Role::kPerception), 2);
  const auto& of_a =
      plant_.GetCollisionGeometriesForBody(plant_.GetBodyByName("a"));
  ASSERT_EQ(of_a.size(), 1u);
  EXPECT_EQ(inspector().GetName(of_a[0]), "r::Sphere");
  EXPECT_EQ(inspector().GetPoseInFrame(of_a[0]).translation(),
            Vector3<double>(0, 0, 1));
}

TEST_F(ParserGeometry, OfTheWorldMayComeFromManyModels) {
  parser_.SetAutoRenaming(true);
  for (int i = 0; i < 3; ++i) {
    Add("<robot name='r'>" + Ball("world") + "</robot>");
  }
  EXPECT_EQ(plant_.GetCollisionGeometriesForBody(plant_.world_body()).size(),
            3u);
}

TEST_F(ParserGeometry, GroupsDoNotTouchWhatTheyIgnore) {
  Add("<robot name='r'>" + Ball("a") + Ball("b") + Ball("c") +
      "<drake:collision_filter_group name='g'><drake:member link='a'/>"
      "<drake:ignored_collision_filter_group name='h'/>"
      "</drake:collision_filter_group>"
      "<wyvern:collision_filter_group name='h'><wyvern:member link='b'/>"
      "</wyvern:collision_filter_group></robot>");
  const auto id = [&](const char* link) {
    return plant_.GetCollisionGeometriesForBody(plant_.GetBodyByName(link))
        .at(0);
  };
  EXPECT_TRUE(inspector().CollisionFiltered(id("a"), id("b")));
  EXPECT_FALSE(inspector().CollisionFiltered(id("a"), id("c")));
  EXPECT_FALSE(inspector().CollisionFiltered(id("b"), id("c")));
}

TEST_F(ParserGeometry, AFileOfVisualsAloneIsLoaded) {
  Add("<robot name='r'><link name='a'><visual><geometry><sphere radius='1'/>"
      "</geometry></visual></link></robot>");
  EXPECT_TRUE(parser_.warnings().empty());
  plant_.Finalize();
  EXPECT_EQ(plant_.num_visual_geometries(), 1);
  EXPECT_TRUE(plant_.GetBodyByName("a").is_floating());
}

TEST_F(ParserGeometry, CollisionFilterGroupsAreKept) {
  EXPECT_TRUE(parser_.GetCollisionFilterGroups().empty());
  Add("<robot name='r'>" + Ball("a") + Ball("b") +
      "<drake:collision_filter_group name='one'><drake:member link='a'/>"
      "<drake:ignored_collision_filter_group name='two'/>"
      "</drake:collision_filter_group>"
      "<drake:collision_filter_group name='two'><drake:member link='b'/>"
      "<drake:member_group name='one'/></drake:collision_filter_group>"
      "</robot>");
  CollisionFilterGroups expected;
  expected.AddGroup("r::one", {"r::a"});
  expected.AddGroup("r::two", {"r::a", "r::b"});
  expected.AddExclusionPair({"r::two", "r::one"});
  EXPECT_EQ(parser_.GetCollisionFilterGroups(), expected);
  EXPECT_EQ(expected.to_string(),
            "\nCollision filter groups:\n    r::one\n        r::a\n"
            "    r::two\n        r::a\n        r::b\n"
            "Collision filter exclusion pairs:\n    r::one, r::two\n");
  EXPECT_THROWS_MESSAGE(expected.AddGroup("r::one", {}), std::logic_error,
                        "there is already a group 'r::one'");
  // A refused file leaves none.
  EXPECT_THROW(Add("<robot name='q'><link name='a'/>"
                   "<drake:collision_filter_group name='x'/><link/></robot>"),
               std::runtime_error);
  EXPECT_EQ(parser_.GetCollisionFilterGroups(), expected);
}

TEST_F(ParserGeometry, AMeshThatIsNotThereIsLeftOutWithAWarning) {
  parser_.SetAutoRenaming(true);
  for (const char* role : {"visual", "collision"}) {
    Add(OneLink(std::string("<") + role +
                "><geometry><mesh filename='package://p/m.obj'/></geometry></" +
                role + ">"));
  }
  EXPECT_EQ(plant_.num_visual_geometries(), 0);
  EXPECT_EQ(plant_.num_collision_geometries(), 0);
  ASSERT_EQ(parser_.warnings().size(), 2u);
  EXPECT_EQ(parser_.warnings()[0].rfind(
                "<string>:2: link 'a': a mesh is left out of what is seen: "
                "there is no package 'p' for 'package://p/m.obj'",
                0),
            0u);
  EXPECT_NE(parser_.warnings()[1].find("left out of what touches"),
            std::string::npos);
  parser_.SetStrictParsing();
  EXPECT_THROWS_MESSAGE(
      Add(OneLink("<visual><geometry><mesh filename='package://p/m.obj'/>"
                  "</geometry></visual>")),
      std::runtime_error, "Strict parsing");
}

TEST_F(ParserGeometry, WithoutASceneGraphIsOnlyChecked) {
  MultibodyPlant<double> plant(0.001);
  Parser parser(&plant);
  parser.AddModelsFromString("<robot name='r'>" + Ball("a") + "</robot>",
                             "urdf");
  EXPECT_EQ(plant.num_collision_geometries(), 0);
  EXPECT_THROW(parser.AddModelsFromString(
                   OneLink("<visual><geometry/></visual>"), "urdf"),
               std::runtime_error);
}

// A ball of 0.1 m that a file describes rests on a box that it describes.
TEST_F(ParserGeometry, Touches) {
  Add("<robot name='r'><link name='world'><collision><geometry><box "
      "size='9 9 2'/></geometry></collision></link>" +
      Ball("a") + "</robot>");
  plant_.Finalize();
  EXPECT_EQ(inspector().GetCollisionCandidates().size(), 1u);
}

}  // namespace
}  // namespace wyvern::multibody
