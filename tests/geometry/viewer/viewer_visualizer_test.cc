// Messages of a ViewerVisualizer about a SceneGraph: objects, poses over time,
// and changes.
#include "wyvern/geometry/viewer/viewer_visualizer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/geometry_roles.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;
using math::RigidTransformd;
using test::PageClient;

// A frame that rises by its time.
class Lift final : public systems::LeafSystem<double> {
 public:
  explicit Lift(FrameId frame) : frame_(frame) {
    this->DeclareAbstractOutputPort("pose", &Lift::CalcPose);
  }

 private:
  void CalcPose(const systems::Context<double>& context,
                FramePoseVector<double>* poses) const {
    *poses = FramePoseVector<double>(
        {{frame_, RigidTransformd(Vector3d(0, 0, context.get_time()))}});
  }
  FrameId frame_;
};

class ViewerVisualizerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    viewer_ = std::make_shared<Viewer>();
    scene_graph_ = builder_.AddSystem<SceneGraph<double>>();
    source_ = scene_graph_->RegisterSource("lift");
    frame_ = scene_graph_->RegisterFrame(source_, GeometryFrame("arm::hand"));
    ball_ = Add(frame_, Sphere(0.5), {0, 0, 1}, "ball", Vector4d(1, 0, 0, 1));
    Add(scene_graph_->world_frame_id(), Box(1, 2, 3), {1, 2, 3}, "wall",
        Vector4d(0, 1, 0, 1));
  }

  GeometryId Add(FrameId frame, const Shape& shape, const Vector3d& place,
                 const std::string& name, const Vector4d& color) {
    const GeometryId id = scene_graph_->RegisterGeometry(
        source_, frame,
        std::make_unique<GeometryInstance>(RigidTransformd(place), shape,
                                           name));
    scene_graph_->AssignRole(source_, id,
                             MakePhongIllustrationProperties(color));
    return id;
  }

  void Build(ViewerVisualizerParams params = {}) {
    auto* lift = builder_.AddSystem<Lift>(frame_);
    builder_.Connect(lift->get_output_port(0),
                     scene_graph_->get_source_pose_port(source_));
    ViewerVisualizer<double>::AddToBuilder(&builder_, *scene_graph_, viewer_,
                                           params);
    diagram_ = builder_.Build();
    context_ = diagram_->CreateDefaultContext();
  }

  // Items by type and path.
  std::map<std::string, nlohmann::json> Items() {
    std::map<std::string, nlohmann::json> result;
    viewer_->SetProperty("/end", "visible", true);
    PageClient page(*viewer_);
    for (;;) {
      for (const nlohmann::json& item : page.Read()) {
        const std::string path = item.value("path", "");
        if (path == "/end") return result;
        result[item["type"].get<std::string>() + " " + path] = item;
      }
    }
  }

  systems::DiagramBuilder<double> builder_;
  std::shared_ptr<Viewer> viewer_;
  SceneGraph<double>* scene_graph_{};
  SourceId source_;
  FrameId frame_;
  GeometryId ball_;
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::unique_ptr<systems::Context<double>> context_;
};

using Numbers = std::vector<double>;

TEST_F(ViewerVisualizerTest, ShowsGeometriesWhereTheyAre) {
  Build();
  context_->SetTime(7);
  diagram_->ForcedPublish(*context_);
  auto items = Items();
  const std::string hand = "/wyvern/visualizer/arm/hand";
  EXPECT_EQ(items.at("object " + hand + "/ball")["color"],
            (Numbers{1, 0, 0, 1}));
  EXPECT_EQ(items.at("pose " + hand + "/ball")["x"],
            (Numbers{0, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(items.at("pose " + hand)["x"], (Numbers{0, 0, 7, 1, 0, 0, 0}));
  EXPECT_EQ(items.at("pose /wyvern/visualizer/world/wall")["x"],
            (Numbers{1, 2, 3, 1, 0, 0, 0}));
  EXPECT_EQ(items.at("time ")["value"], 7);
}

TEST_F(ViewerVisualizerTest, FollowsGeometriesThatGo) {
  Build();
  diagram_->ForcedPublish(*context_);
  auto& scene = scene_graph_->GetMyMutableContextFromRoot(context_.get());
  scene_graph_->RemoveGeometry(&scene, source_, ball_);
  diagram_->ForcedPublish(*context_);
  const auto items = Items();
  EXPECT_FALSE(items.contains("object /wyvern/visualizer/arm/hand/ball"));
  EXPECT_TRUE(items.contains("object /wyvern/visualizer/world/wall"));
}

TEST_F(ViewerVisualizerTest, ShowsSurfacesThatDeform) {
  auto instance = std::make_unique<GeometryInstance>(
      RigidTransformd(Vector3d(1, 2, 3)), Box(1, 1, 1), "soft");
  instance->set_illustration_properties(
      MakePhongIllustrationProperties(Vector4d(1, 0, 1, 1)));
  const GeometryId id = scene_graph_->RegisterDeformableGeometry(
      source_, scene_graph_->world_frame_id(), std::move(instance), 0.5);
  Build();
  auto& scene = scene_graph_->GetMyMutableContextFromRoot(context_.get());
  const std::string path = "object /wyvern/visualizer/world/soft";
  Eigen::VectorXd q = Eigen::VectorXd::Random(81);
  for (int k = 0; k < 2; ++k, q *= 2) {
    scene_graph_->get_source_configuration_port(source_).FixValue(
        &scene, GeometryConfigurationVector<double>{{id, q}});
    diagram_->ForcedPublish(*context_);
    const auto surface = scene_graph_->get_query_output_port()
                             .Eval<QueryObject<double>>(scene)
                             .ComputeDeformableSurfaceInWorld(id);
    // All vertices but the one in the middle.
    Eigen::Matrix3Xd vertices(3, 26);
    Eigen::Matrix3Xi faces(3, 48);
    ASSERT_EQ(surface.num_vertices(), 26);
    ASSERT_EQ(surface.num_triangles(), 48);
    for (int v = 0; v < 26; ++v) vertices.col(v) = surface.vertex(v);
    for (int t = 0; t < 48; ++t) {
      for (int i = 0; i < 3; ++i) faces(i, t) = surface.element(t).vertex(i);
    }
    viewer_->SetTriangleMesh("/same", vertices, faces, Rgba(1, 0, 1, 1));
    auto items = Items();
    EXPECT_FALSE(items.contains("pose /wyvern/visualizer/world/soft"));
    nlohmann::json shown = items.at(path), same = items.at("object /same");
    shown.erase("path");
    same.erase("path");
    EXPECT_EQ(shown, same);
  }
  scene_graph_->RemoveGeometry(&scene, source_, id);
  scene_graph_->get_source_configuration_port(source_).FixValue(
      &scene, GeometryConfigurationVector<double>());
  diagram_->ForcedPublish(*context_);
  EXPECT_FALSE(Items().contains(path));
}

TEST_F(ViewerVisualizerTest, PublishingAgainAllocatesNothing) {
  Build();
  diagram_->ForcedPublish(*context_);
  const auto& visualizer =
      diagram_->GetSubsystemByName("viewer_visualizer(visualizer)");
  const auto& own = visualizer.GetMyContextFromRoot(*context_);
  visualizer.ForcedPublish(own);
  const ::wyvern::test::AllocationGuard guard;
  visualizer.ForcedPublish(own);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(ViewerVisualizerTest, OpacityFollowsItsSlider) {
  ViewerVisualizerParams params;
  params.enable_alpha_slider = true;
  params.initial_alpha_slider_value = 0.5;
  params.prefix = "look";
  Build(params);
  diagram_->ForcedPublish(*context_);
  EXPECT_EQ(Items().at("property /wyvern/look")["value"], 0.5);
  viewer_->SetSliderValue("look \u03b1", 0.25);
  diagram_->ForcedPublish(*context_);
  PageClient page(*viewer_);
  double opacity = -1;
  for (const auto& item : page.ReadUntil("slider")) {
    if (item.value("name", "") == "opacity") opacity = item["value"];
  }
  EXPECT_NEAR(opacity, 0.26, 0.011);
}

TEST_F(ViewerVisualizerTest, BadParametersAreRefused) {
  ViewerVisualizerParams params;
  params.publish_period = 0;
  EXPECT_THROWS_MESSAGE(ViewerVisualizer<double>(viewer_, params),
                        std::logic_error, "publish_period");
  params = {};
  params.role = Role::kUnassigned;
  EXPECT_THROWS_MESSAGE(ViewerVisualizer<double>(viewer_, params),
                        std::logic_error, "kUnassigned");
  EXPECT_THROWS_MESSAGE(ViewerVisualizer<double>(nullptr), std::logic_error,
                        "the viewer is null");
}

TEST_F(ViewerVisualizerTest, ConvertsWithItsDiagram) {
  ViewerVisualizer<double> visualizer(viewer_);
  EXPECT_NE(visualizer.ToAutoDiffXd(), nullptr);
}

}  // namespace
}  // namespace wyvern::geometry
