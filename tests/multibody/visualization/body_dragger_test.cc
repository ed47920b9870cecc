// A page pulls a body: the spring's law, its bounds, and hostile messages.
#include "wyvern/multibody/visualization/body_dragger.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/visualization/body_inspector.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/primitives/constant_value_source.h"

namespace wyvern::multibody {
namespace body_dragger_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::Viewer;
using geometry::test::PageClient;
using nlohmann::json;
using Forces = std::vector<ExternallyAppliedSpatialForce<double>>;

constexpr double kStep = 1e-3;
constexpr double kLength = 0.8;
constexpr double kWidth = 0.05;

// A free rod of 2 kg along x without gravity, and one welded to the world.
class BodyDraggerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    viewer = std::make_shared<Viewer>();
  }

  MultibodyPlant<double>& MakePlant(systems::DiagramBuilder<double>* builder) {
    auto items = AddMultibodyPlantSceneGraph(builder, kStep);
    plant = &items.plant;
    const auto inertia =
        SpatialInertia<double>::SolidBoxWithMass(2, kLength, kWidth, kWidth);
    const geometry::Sphere look(0.05);
    for (const char* name : {"rod", "post"}) {
      const auto& body = plant->AddRigidBody(name, inertia);
      plant->RegisterVisualGeometry(body, {}, look, "look",
                                    Eigen::Vector4d(1, 0, 0, 1));
    }
    plant->WeldFrames(plant->world_frame(), plant->GetFrameByName("post"));
    plant->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    plant->Finalize();
    return *plant;
  }

  void Build() {
    systems::DiagramBuilder<double> builder;
    MakePlant(&builder);
    dragger = &BodyDragger::AddToBuilder(&builder, *plant, viewer);
    Start(builder.Build());
  }

  void Start(std::unique_ptr<systems::Diagram<double>> diagram) {
    simulator =
        std::make_unique<systems::Simulator<double>>(std::move(diagram));
    simulator->Initialize();
    page = std::make_unique<PageClient>(*viewer);
  }

  double FrameOf(const char* body) const {
    return static_cast<double>(
        plant->GetBodyFrameIdOrThrow(plant->GetBodyByName(body).index())
            .get_value());
  }

  void Say(const json& value, const json& values) {
    page->Send(
        json{{"type", "drag"}, {"value", value}, {"values", values}}.dump());
  }
  void SayDrag(const Vector3d& point, const Vector3d& target) {
    Say(FrameOf("rod"),
        {point.x(), point.y(), point.z(), target.x(), target.y(), target.z()});
  }
  void Release() { page->Send(R"({"type":"drag"})"); }

  bool Update() { return dragger->Update(&simulator->get_mutable_context()); }

  // Updates until `is_so`, which the server's thread brings about.
  bool UpdateUntil(const std::function<bool()>& is_so) {
    for (int k = 0; k < 1000; ++k) {
      Update();
      if (is_so()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  const Forces& forces() const {
    return dragger->get_output_port().Eval<Forces>(
        dragger->GetMyContextFromRoot(simulator->get_context()));
  }

  const VectorXd& parameters() const {
    return dragger->GetMyContextFromRoot(simulator->get_context())
        .get_numeric_parameter(0)
        .value();
  }

  Vector3d position() const {
    return plant
        ->EvalBodyPoseInWorld(
            plant->GetMyContextFromRoot(simulator->get_context()),
            plant->GetBodyByName("rod"))
        .translation();
  }

  std::shared_ptr<Viewer> viewer;
  MultibodyPlant<double>* plant{};
  BodyDragger* dragger{};
  std::unique_ptr<systems::Simulator<double>> simulator;
  std::unique_ptr<PageClient> page;
};

// A critically damped spring of frequency w: x = a (1 - (1 + w t) exp(-w t)).
TEST_F(BodyDraggerTest, AFreeBodyFollowsACriticallyDampedSpring) {
  Build();
  const double w = BodyDraggerParams().frequency, a = 0.2, time = 0.1;
  SayDrag(Vector3d::Zero(), Vector3d(0, a, 0));
  ASSERT_TRUE(UpdateUntil([&] { return !forces().empty(); }));
  EXPECT_NEAR(forces()[0].F_Bq_W.translational().y(), 2 * w * w * a, 1e-9);
  simulator->AdvanceTo(time);
  // Forces of steps are those at their beginnings: an error of w h.
  EXPECT_NEAR(position().y(), a * (1 - (1 + w * time) * std::exp(-w * time)),
              0.02 * a);
  simulator->AdvanceTo(0.9);
  EXPECT_NEAR(position().y(), a, 1e-3 * a);
}

// The end of a free rod moves as 1 / (1/m + (L/2)²/I): nearly a quarter of m.
TEST_F(BodyDraggerTest, TheSpringIsAsStiffAsTheMassAtThePoint) {
  Build();
  const double w = BodyDraggerParams().frequency;
  SayDrag(Vector3d(kLength / 2, 0, 0), Vector3d(kLength / 2, 0, 0.1));
  ASSERT_TRUE(UpdateUntil([&] { return !forces().empty(); }));
  const double inertia = 2 * (kLength * kLength + kWidth * kWidth) / 12;
  const double mass = 1 / (1 / 2.0 + kLength * kLength / 4 / inertia);
  EXPECT_NEAR(mass, 0.5, 1e-2);
  EXPECT_NEAR(parameters()[7], mass * w * w, 1e-9);
  EXPECT_NEAR(parameters()[8], 2 * mass * w, 1e-9);
  // It holds the end there, without growing oscillations.
  simulator->AdvanceTo(0.9);
  const auto& X_WB = plant->EvalBodyPoseInWorld(
      plant->GetMyContextFromRoot(simulator->get_context()),
      plant->GetBodyByName("rod"));
  EXPECT_LT((X_WB * Vector3d(kLength / 2, 0, 0) - Vector3d(kLength / 2, 0, 0.1))
                .norm(),
            0.01);
}

TEST_F(BodyDraggerTest, TheForceIsBounded) {
  Build();
  SayDrag(Vector3d::Zero(), Vector3d(0, 0, 1e5));
  ASSERT_TRUE(UpdateUntil([&] { return !forces().empty(); }));
  const Vector3d force = forces()[0].F_Bq_W.translational();
  EXPECT_NEAR(force.norm(), 2 * BodyDraggerParams().max_acceleration, 1e-6);
  EXPECT_EQ(forces()[0].F_Bq_W.rotational(), Vector3d::Zero());
}

TEST_F(BodyDraggerTest, WithoutADragAStepIsTheSame) {
  Build();
  systems::DiagramBuilder<double> builder;
  auto& alone = MakePlant(&builder);
  systems::Simulator<double> other(builder.Build());
  const SpatialVelocity<double> V(Vector3d(0.3, 0.2, 1), Vector3d(1, 2, 3));
  const auto start = [&V](const MultibodyPlant<double>& one,
                          systems::Simulator<double>* its) {
    auto& context =
        one.GetMyMutableContextFromRoot(&its->get_mutable_context());
    one.SetFreeBodySpatialVelocity(&context, one.GetBodyByName("rod"), V);
    its->AdvanceTo(0.1);
    return VectorXd(one.GetPositionsAndVelocities(context));
  };
  const VectorXd expected = start(alone, &other);
  const MultibodyPlant<double>& dragged =
      dynamic_cast<const MultibodyPlant<double>&>(
          dynamic_cast<const systems::Diagram<double>&>(simulator->get_system())
              .GetSubsystemByName("plant"));
  EXPECT_FALSE(Update());
  EXPECT_TRUE(forces().empty());
  EXPECT_EQ(start(dragged, simulator.get()), expected);
}

// With and without a drag, once the first step has been made.
TEST_F(BodyDraggerTest, StepsAllocateNothing) {
  if (!test::AllocationGuard::is_active())
    GTEST_SKIP() << "Nothing is counted.";
  Build();
  BodyInspector inspector(plant, viewer);
  simulator->AdvanceTo(0.1);
  {
    const test::AllocationGuard guard;
    for (int k = 1; k <= 20; ++k) {
      simulator->AdvanceTo(0.1 + 1e-3 * k);
      EXPECT_FALSE(Update());
      inspector.Publish(simulator->get_context());
    }
    EXPECT_EQ(guard.count(), 0);
  }
  SayDrag(Vector3d::Zero(), Vector3d(0, 0.2, 0));
  ASSERT_TRUE(UpdateUntil([&] { return !forces().empty(); }));
  simulator->AdvanceTo(0.15);
  const test::AllocationGuard guard;
  simulator->AdvanceTo(0.2);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(BodyDraggerTest, ReleasedIsWithoutForce) {
  Build();
  SayDrag(Vector3d::Zero(), Vector3d(0, 0.2, 0));
  ASSERT_TRUE(UpdateUntil([&] { return !forces().empty(); }));
  Release();
  EXPECT_TRUE(UpdateUntil([&] { return forces().empty(); }));
  EXPECT_EQ(parameters(), VectorXd::Zero(parameters().size()));
}

// A page that is closed says nothing more.
TEST_F(BodyDraggerTest, ASilentPageLetsGo) {
  Build();
  SayDrag(Vector3d::Zero(), Vector3d(0, 0.2, 0));
  ASSERT_TRUE(UpdateUntil([&] { return !forces().empty(); }));
  page.reset();
  EXPECT_TRUE(UpdateUntil([&] { return forces().empty(); }));
}

TEST_F(BodyDraggerTest, HostileMessagesAreRefused) {
  Build();
  const double frame = FrameOf("rod");
  const json good = {0, 0, 0, 0, 0.2, 0};
  Say(1e300, good);
  Say(-1, good);
  Say(frame + 1000, good);
  Say("rod", good);
  Say(FrameOf("post"), good);  // It cannot move.
  Say(nullptr, good);
  Say(frame, {0, 0, 0, 0, 0.2});
  Say(frame, {0, 0, 0, 0, 0.2, 0, 0});
  Say(frame, {0, 0, 0, nullptr, 0.2, 0});
  Say(frame, {0, 0, 0, "NaN", 0.2, 0});
  Say(frame, {0, 0, 0, 0, 1e12, 0});
  page->Send(R"({"type":"drag","value":)" + std::to_string(frame) +
             R"(,"values":[0,0,0,0,1e999,0]})");
  page->Send(R"({"type":"drag","values":{"a":[]}})");
  // Then all were read, and only this one counts.
  Say(frame, {0, 0, 0, 0, 0, 0.125});
  ASSERT_TRUE(UpdateUntil([&] { return !forces().empty(); }));
  EXPECT_EQ(parameters()[6], 0.125);
  EXPECT_TRUE(parameters().allFinite());
}

TEST_F(BodyDraggerTest, OfAFloodTheNewestCounts) {
  Build();
  for (int k = 1; k <= 20000; ++k) {
    SayDrag(Vector3d::Zero(), Vector3d(0, 0, 1e-5 * k));
  }
  EXPECT_TRUE(UpdateUntil([&] { return parameters()[6] == 1e-5 * 20000; }));
  EXPECT_EQ(forces().size(), 1u);
}

TEST_F(BodyDraggerTest, OtherForcesStillAct) {
  systems::DiagramBuilder<double> builder;
  MakePlant(&builder);
  const BodyIndex rod = plant->GetBodyByName("rod").index();
  const Forces push{
      {rod, Vector3d::Zero(),
       SpatialForce<double>(Vector3d::Zero(), Vector3d(4, 0, 0))}};
  auto* source = builder.AddSystem<systems::ConstantValueSource<double>>(
      Value<Forces>(push));
  builder.Connect(source->get_output_port(0),
                  plant->get_applied_spatial_force_input_port());
  dragger = &BodyDragger::AddToBuilder(&builder, *plant, viewer);
  Start(builder.Build());
  SayDrag(Vector3d::Zero(), Vector3d(0, 0.2, 0));
  ASSERT_TRUE(UpdateUntil([&] { return !forces().empty(); }));
  simulator->AdvanceTo(0.1);
  EXPECT_GT(position().x(), 0.003);  // At rest it is F / k, 8.9 mm.
  EXPECT_GT(position().y(), 0.05);
}

TEST_F(BodyDraggerTest, MisuseIsAnError) {
  systems::DiagramBuilder<double> builder;
  auto items = AddMultibodyPlantSceneGraph(&builder, kStep);
  EXPECT_THROWS_MESSAGE(BodyDragger(&items.plant, viewer), std::logic_error,
                        "the plant is not finalized; call Finalize() first");
  EXPECT_THROWS_MESSAGE(BodyDragger(nullptr, viewer), std::logic_error,
                        "the plant is null");
  items.plant.Finalize();
  EXPECT_THROWS_MESSAGE(BodyDragger(&items.plant, nullptr), std::logic_error,
                        "the viewer is null");
  EXPECT_THROWS_MESSAGE(BodyDragger(&items.plant, viewer, {.frequency = -1}),
                        std::logic_error, "frequency is -1");
  builder.ExportInput(items.plant.get_applied_spatial_force_input_port());
  EXPECT_THROWS_MESSAGE(
      BodyDragger::AddToBuilder(&builder, items.plant, viewer),
      std::logic_error, "'applied_spatial_force' is an input of the Diagram");
}

}  // namespace body_dragger_test
}  // namespace wyvern::multibody
