// Bodies that overlap deeply at the start of a simulation, and bodies of two
// plants that touch, are named. A simulation of them ends in bounded work.
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/box_hull.h"
#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace overlaps_test {

using Eigen::Vector3d;
using geometry::CollisionFilterDeclaration;
using geometry::GeometrySet;
using test::ContactScene;
using wyvern::test::AllocationGuard;

// Boxes of 10 cm above the ground.
struct Boxes {
  explicit Boxes(double time_step, int number = 5) : scene(time_step) {
    for (int i = 0; i < number; ++i) {
      boxes.push_back(&scene.AddBox("box" + std::to_string(i), 1, 0.1));
    }
    scene.Finish();
    for (const auto* box : boxes) scene.Place(*box, Vector3d(0, 0, 1));
    scene.simulator->set_warning_handler(
        [this](const std::string& text) { warnings.push_back(text); });
  }
  bool WarnsOf(const std::string& text) const {
    return warnings.size() == 1 && warnings[0].find(text) != std::string::npos;
  }
  ContactScene scene;
  std::vector<const RigidBody<double>*> boxes;
  std::vector<std::string> warnings;
};

class Overlaps : public ::testing::TestWithParam<double> {};

TEST_P(Overlaps, AreNamedWithTheirDepthsAtTheStart) {
  Boxes five(GetParam());
  five.scene.simulator->Initialize();
  EXPECT_TRUE(five.WarnsOf(
      "Bodies of MultibodyPlant '::_::plant' overlap deeply at time 0: "
      "'DefaultModelInstance::box0' and 'DefaultModelInstance::box1' by 0.1 m"))
      << ::testing::PrintToString(five.warnings);
  EXPECT_TRUE(five.WarnsOf(", and 5 more pairs. Set a pose"));
  EXPECT_EQ(five.WarnsOf("give the plant a time step"), GetParam() == 0);
}

// About four points of 5e4 N/m against 1 kg: deep from about 5 mm on.
TEST_P(Overlaps, AreDeepFromAHundredWeightsOn) {
  for (const double depth : {0.002, 0.01}) {
    Boxes two(GetParam(), 2);
    two.scene.Place(*two.boxes[1], Vector3d(0.1 - depth, 0, 1));
    two.scene.simulator->Initialize();
    EXPECT_EQ(two.warnings.size(), depth > 0.005 ? 1u : 0u);
    two.scene.Place(*two.boxes[1], Vector3d(0, 0, 0.05 - depth));
    two.warnings.clear();
    two.scene.simulator->Initialize();
    EXPECT_EQ(two.WarnsOf("ground"), depth > 0.005);
  }
}

// The force of half a box in four points of 50 N/m equals the box's weight.
TEST_P(Overlaps, OfSoftBodiesAreNotDeep) {
  ContactScene scene(GetParam(), DiscreteContactApproximation::kLagged,
                     {.stiffness = 100});
  const auto& box = scene.AddBox("box", 1, 0.1);
  scene.Finish();
  scene.Place(box, Vector3d(0, 0, 0));
  std::string warnings;
  scene.simulator->set_warning_handler(
      [&warnings](const std::string& text) { warnings += text; });
  scene.simulator->Initialize();
  EXPECT_EQ(warnings, "");
}

// A pad of 1 g is on a block of 10 kg, or on the world. The ground or a ball
// pushes it with many thousand times its own weight.
TEST_P(Overlaps, OfPadsAreWeighedWithTheBodiesTheyAreWeldedTo) {
  for (const bool is_fixed : {false, true}) {
    ContactScene scene(GetParam());
    const auto& block = scene.plant->AddRigidBody(
        "block", test::MakeInertia(10, Vector3d::Zero(), 0.1));
    const auto& pad = scene.AddBox("pad", 1e-3, 0.1);
    const auto& ball = scene.AddBall("ball", 10, 0.05);
    const auto& base = is_fixed ? scene.plant->world_body() : block;
    scene.plant->WeldFrames(
        base.body_frame(), pad.body_frame(),
        math::RigidTransformd(Vector3d(0, 0, is_fixed ? 1.0 : 0.0)));
    scene.Finish();
    scene.Place(block, Vector3d(0, 0, is_fixed ? 3.0 : 0.048));
    scene.Place(ball, Vector3d(0, 0, is_fixed ? 1.098 : 2.0));
    std::string warnings;
    scene.simulator->set_warning_handler(
        [&warnings](const std::string& text) { warnings += text; });
    scene.simulator->Initialize();
    EXPECT_EQ(warnings, "");
  }
}

TEST_P(Overlaps, ThatAreFilteredAreMeant) {
  Boxes five(GetParam());
  GeometrySet all;
  for (const auto* box : five.boxes) {
    all.Add(GeometrySet(five.scene.plant->GetCollisionGeometriesForBody(*box)));
  }
  auto& root = five.scene.simulator->get_mutable_context();
  five.scene.scene_graph
      ->collision_filter_manager(
          &five.scene.scene_graph->GetMyMutableContextFromRoot(&root))
      .Apply(CollisionFilterDeclaration().ExcludeWithin(all));
  five.scene.simulator->Initialize();
  EXPECT_EQ(five.warnings.size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Modes, Overlaps, ::testing::Values(0.0, 0.001));

// A scene in continuous time, and a pair of its bodies that overlap.
struct OverlapScene {
  std::string name;
  std::function<void(ContactScene*)> add;
  std::string pair;
};

void AddStack(ContactScene* scene, int number, const geometry::Shape& shape) {
  std::vector<const RigidBody<double>*> bodies;
  for (int i = 0; i < number; ++i) {
    bodies.push_back(&scene->Add("body" + std::to_string(i),
                                 test::MakeInertia(1, {0, 0, 0}, 0.002),
                                 shape));
  }
  scene->Finish();
  for (int i = 0; i < number; ++i) {
    scene->Place(*bodies[i], Vector3d(1e-3 * i, 2e-3 * i, 1));
  }
}

// A robot's base reaches through the table that it is welded to, and so does
// its first link. The links' weights are those of a small arm.
void AddArmOnTable(ContactScene* scene, bool is_table_body) {
  auto& plant = *scene->plant;
  const auto properties = test::MakeProperties({});
  const RigidBody<double>* table = &plant.world_body();
  if (is_table_body) {
    table = &scene->Add("table", test::MakeInertia(20, {0, 0, 0}, 5),
                        geometry::Box(1, 1, 0.1));
    plant.WeldFrames(plant.world_frame(), table->body_frame(),
                     math::RigidTransformd(Vector3d(0, 0, 1)));
  } else {
    plant.RegisterCollisionGeometry(
        *table, math::RigidTransformd(Vector3d(0, 0, 1)),
        geometry::Box(1, 1, 0.1), "table", properties);
  }
  const auto& base = scene->Add("base", test::MakeInertia(1, {0, 0, 0}, 0.01),
                                geometry::Box(0.2, 0.2, 0.2));
  const auto& link = scene->Add("link", test::MakeInertia(1, {0, 0, 0}, 0.01),
                                geometry::Box(0.1, 0.1, 0.3));
  plant.WeldFrames(
      table->body_frame(), base.body_frame(),
      math::RigidTransformd(Vector3d(0, 0, is_table_body ? 0.0 : 1.0)));
  plant.AddJoint<RevoluteJoint>("hinge", base, math::RigidTransformd(), link,
                                math::RigidTransformd(Vector3d(0, 0, -0.1)),
                                Vector3d::UnitY());
  scene->Finish();
}

std::vector<OverlapScene> ScenesOfOverlaps() {
  return {
      {"FiveBoxes",
       [](ContactScene* s) { AddStack(s, 5, geometry::Box(0.1, 0.1, 0.1)); },
       "body0' and 'DefaultModelInstance::body1"},
      {"FiveBalls",
       [](ContactScene* s) { AddStack(s, 5, geometry::Sphere(0.05)); },
       "body0' and 'DefaultModelInstance::body1"},
      {"TwoMeshes",
       [](ContactScene* s) {
         AddStack(s, 2, geometry::Mesh(test::MakeBoxMesh(0.05, 0.05, 0.05)));
       },
       "body0' and 'DefaultModelInstance::body1"},
      {"FourCylinders",
       [](ContactScene* s) { AddStack(s, 4, geometry::Cylinder(0.05, 0.1)); },
       "body0' and 'DefaultModelInstance::body1"},
      {"ArmOnTable", [](ContactScene* s) { AddArmOnTable(s, true); },
       "table' and 'DefaultModelInstance::link"},
      {"ArmThroughWorld", [](ContactScene* s) { AddArmOnTable(s, false); },
       "world' and 'DefaultModelInstance::link"},
  };
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Stiff contact with much friction. The arm on a table takes 79,641
// derivatives: it starts at rest, so that small velocities have relative
// errors.
TEST(OverlapsInContinuousTime, EndInBoundedWork) {
  for (const double mu : {0.0, 2.0}) {
    for (const OverlapScene& overlap : ScenesOfOverlaps()) {
      SCOPED_TRACE(overlap.name + ", mu " + std::to_string(mu));
      ContactScene scene(0, DiscreteContactApproximation::kLagged,
                         {.mu = mu, .stiffness = 1e7});
      overlap.add(&scene);
      std::string text;
      scene.simulator->set_warning_handler(
          [&text](const std::string& warning) { text += warning; });
      try {
        scene.simulator->AdvanceTo(0.05);
      } catch (const std::runtime_error& error) {
        EXPECT_TRUE(Contains(error.what(), overlap.pair)) << error.what();
        EXPECT_TRUE(Contains(error.what(), "ExcludeBetween(")) << error.what();
      }
      EXPECT_TRUE(Contains(text, overlap.pair)) << text;
      EXPECT_LT(
          scene.simulator->get_integrator().get_num_derivative_evaluations(),
          90000);
      EXPECT_TRUE(scene.State().allFinite());
    }
  }
}

// A joint outside its limits is a warning, but no reason to end a simulation.
TEST(OverlapsInContinuousTime, AreSevereUnlikeAJointOutsideItsLimits) {
  using systems::Difficulty;
  for (const bool has_overlap : {false, true}) {
    ContactScene scene(0);
    const auto& arm = scene.AddBall("arm", 1, 0.01);
    const auto& hinge = scene.plant->AddJoint<RevoluteJoint>(
        "hinge", scene.plant->world_body(),
        math::RigidTransformd(Vector3d(2, 0, 1)), arm, {}, Vector3d::UnitY(),
        -1, 1);
    AddStack(&scene, has_overlap ? 2 : 1, geometry::Box(0.1, 0.1, 0.1));
    hinge.set_angle(scene.context, 1.1);
    const auto& context = scene.simulator->get_context();
    EXPECT_TRUE(Contains(scene.diagram->DescribeDifficulties(context),
                         "Joint 'hinge' is at 1.1, outside its limits"));
    const std::string severe =
        scene.diagram->DescribeDifficulties(context, Difficulty::kSevere);
    EXPECT_EQ(severe.find("Bodies of") == 0, has_overlap) << severe;
    EXPECT_FALSE(Contains(severe, "hinge")) << severe;
  }
}

// Two plants with a ball each; the second plant's ball is above the first's.
struct TwoPlants {
  explicit TwoPlants(double time_step, const std::string& suffix = "") {
    auto* graph = builder.AddSystem<geometry::SceneGraph<double>>();
    scene_graph = graph;
    for (int i = 0; i < 2; ++i) {
      const std::string name = (i == 0 ? "first" : "second") + suffix;
      plants[i] =
          builder.AddNamedSystem<MultibodyPlant<double>>(name, time_step);
      plants[i]->RegisterAsSourceForSceneGraph(graph);
      balls[i] = &plants[i]->AddRigidBody(
          name + "_ball", test::MakeInertia(1, {0, 0, 0}, 0.004));
      plants[i]->RegisterCollisionGeometry(*balls[i], {}, geometry::Sphere(0.1),
                                           name + "_ball",
                                           CoulombFriction<double>(0.5, 0.5));
      plants[i]->Finalize();
      builder.Connect(plants[i]->get_geometry_pose_output_port(),
                      graph->get_source_pose_port(*plants[i]->get_source_id()));
      builder.Connect(graph->get_query_output_port(),
                      plants[i]->get_geometry_query_input_port());
    }
    diagram = builder.Build();
    simulator = std::make_unique<systems::Simulator<double>>(*diagram);
    for (int i = 0; i < 2; ++i) PlaceBall(i);
  }
  void PlaceBall(int i) {
    plants[i]->SetFreeBodyPose(&plants[i]->GetMyMutableContextFromRoot(
                                   &simulator->get_mutable_context()),
                               *balls[i],
                               math::RigidTransformd(Vector3d(0, 0, 0.19 * i)));
  }
  std::string Run(double time) {
    testing::internal::CaptureStderr();
    simulator->AdvanceTo(time);
    return testing::internal::GetCapturedStderr();
  }
  systems::DiagramBuilder<double> builder;
  geometry::SceneGraph<double>* scene_graph{};
  MultibodyPlant<double>* plants[2]{};
  const RigidBody<double>* balls[2]{};
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<systems::Simulator<double>> simulator;
};

class OfTwoPlants : public ::testing::TestWithParam<double> {};

TEST_P(OfTwoPlants, BodiesThatTouchAreNamedOnce) {
  TwoPlants two(GetParam());
  const std::string text = two.Run(0.01);
  EXPECT_EQ(text.find("warning: MultibodyPlant '::_::first': its geometry "
                      "'first_ball' touches "
                      "'second_ball' of source 'second'"),
            0u)
      << text;
  EXPECT_EQ(text.find("warning", 1), std::string::npos) << text;
  EXPECT_EQ(two.Run(0.02), "");
}

TEST_P(OfTwoPlants, EachSimulationNamesTheirBodies) {
  TwoPlants two(GetParam());
  EXPECT_NE(two.Run(0.01), "");
  // A copy of a Context is another simulation, too.
  for (auto context : {two.diagram->CreateDefaultContext().release(),
                       two.simulator->get_context().Clone().release()}) {
    two.simulator = std::make_unique<systems::Simulator<double>>(
        *two.diagram, std::unique_ptr<systems::Context<double>>(context));
    two.simulator->get_mutable_context().SetTime(0);
    for (int i = 0; i < 2; ++i) two.PlaceBall(i);
    const std::string text = two.Run(0.01);
    EXPECT_EQ(text.find("warning: MultibodyPlant '::_::first'"), 0u) << text;
    EXPECT_EQ(text.find("warning", 1), std::string::npos) << text;
  }
}

// The plant's path has 30 characters, more than a string holds without memory
// from the heap. In continuous time a boundary bends each step.
TEST_P(OfTwoPlants, StepsNameAPairWithoutFurtherAllocation) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  TwoPlants two(GetParam(), "_plant_of_many_letters");
  EXPECT_NE(two.Run(0.01), "");
  const AllocationGuard guard;
  for (int i = 1; i <= 10; ++i) two.simulator->AdvanceTo(0.01 + 1e-3 * i);
  EXPECT_EQ(guard.count(), 0);
}

TEST_P(OfTwoPlants, BodiesThatAreFilteredAreMeant) {
  TwoPlants two(GetParam());
  two.scene_graph
      ->collision_filter_manager(&two.scene_graph->GetMyMutableContextFromRoot(
          &two.simulator->get_mutable_context()))
      .Apply(CollisionFilterDeclaration().ExcludeBetween(
          GeometrySet(
              two.plants[0]->GetCollisionGeometriesForBody(*two.balls[0])),
          GeometrySet(
              two.plants[1]->GetCollisionGeometriesForBody(*two.balls[1]))));
  EXPECT_EQ(two.Run(0.01), "");
}

INSTANTIATE_TEST_SUITE_P(Modes, OfTwoPlants, ::testing::Values(0.0, 0.001));

}  // namespace overlaps_test
}  // namespace wyvern::multibody
