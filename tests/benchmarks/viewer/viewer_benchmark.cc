// Cost of showing a simulation: the publish events of a visualizer of 50 bodies
// and of 20 scopes, with a page that reads, on the simulation's thread. The
// goal is that 60 of these a second cost less than 3 % of real time: 500 us
// each.
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "tests/geometry/viewer/page_client.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/viewer/viewer_diagram.h"
#include "wyvern/geometry/viewer/viewer_scope.h"
#include "wyvern/geometry/viewer/viewer_visualizer.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/sine.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;

// Bodies on circles.
class Movers final : public systems::LeafSystem<double> {
 public:
  Movers(SceneGraph<double>* scene_graph, int count) {
    source_ = scene_graph->RegisterSource("movers");
    for (int i = 0; i < count; ++i) {
      const FrameId frame = scene_graph->RegisterFrame(
          source_, GeometryFrame(fmt::format("body{}", i)));
      auto geometry = std::make_unique<GeometryInstance>(
          math::RigidTransformd(), Sphere(0.1), "ball");
      geometry->set_illustration_properties(IllustrationProperties());
      scene_graph->RegisterGeometry(source_, frame, std::move(geometry));
      frames_.push_back(frame);
    }
    DeclareAbstractOutputPort("pose", FramePoseVector<double>(),
                              &Movers::CalcPose);
  }
  SourceId source() const { return source_; }

 private:
  void CalcPose(const systems::Context<double>& context,
                FramePoseVector<double>* poses) const {
    for (size_t i = 0; i < frames_.size(); ++i) {
      const double angle = context.get_time() + 0.1 * static_cast<double>(i);
      poses->set_value(frames_[i], math::RigidTransformd(Vector3d(
                                       std::cos(angle), std::sin(angle), 0)));
    }
  }
  SourceId source_;
  std::vector<FrameId> frames_;
};

struct Scene {
  Scene(int num_bodies, int num_scopes) {
    systems::DiagramBuilder<double> builder;
    auto* scene_graph = builder.AddSystem<SceneGraph<double>>();
    auto* movers = builder.AddSystem<Movers>(scene_graph, num_bodies);
    builder.Connect(movers->get_output_port(0),
                    scene_graph->get_source_pose_port(movers->source()));
    ViewerVisualizer<double>::AddToBuilder(&builder, *scene_graph, viewer);
    for (int i = 0; i < num_scopes; ++i) {
      auto* sine =
          builder.AddSystem<systems::Sine<double>>(1.0, 1.0 + i, 0.0, 3);
      ViewerScope<double>::AddToBuilder(&builder, sine->get_output_port(0),
                                        viewer);
    }
    diagram = builder.Build();
    context = diagram->CreateDefaultContext();
    page = std::thread([this] {
      test::PageClient client(*viewer);
      try {
        for (;;) benchmark::DoNotOptimize(client.Read().size());
      } catch (const std::exception&) {
      }
    });
    while (viewer->GetNumActiveConnections() == 0) std::this_thread::yield();
  }
  ~Scene() {
    diagram.reset();
    viewer.reset();
    page.join();
  }

  std::shared_ptr<Viewer> viewer = std::make_shared<Viewer>();
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<systems::Context<double>> context;
  std::thread page;
};

// Arguments: bodies, scopes. "of_real_time" is the part of a second that 60
// publishes take.
void Publish(benchmark::State& state) {
  Scene scene(static_cast<int>(state.range(0)),
              static_cast<int>(state.range(1)));
  double time = 0;
  scene.diagram->ForcedPublish(*scene.context);
  for (auto _ : state) {
    scene.context->SetTime(time += 1.0 / 60);
    scene.diagram->ForcedPublish(*scene.context);
  }
  state.counters["of_real_time_%"] = benchmark::Counter(
      1.0 / 6000, benchmark::Counter::kIsIterationInvariantRate |
                      benchmark::Counter::kInvert);
}
BENCHMARK(Publish)->Args({50, 20})->Args({200, 20})->UseRealTime()->Unit(
    benchmark::kMicrosecond);

}  // namespace
}  // namespace wyvern::geometry

BENCHMARK_MAIN();
