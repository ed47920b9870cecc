#include "examples/support/arm_replay.h"

#include <exception>
#include <memory>

#include <fmt/format.h>

#include "examples/support/arm_model.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_visualizer.h"

namespace wyvern::examples {
namespace {

// The robot once more, this time with what it looks like, put at the logged
// positions one after the other.
std::string Replay(const ArmLog& log, const ArmOptions& options) {
  constexpr double kFramesPerSecond = 25;
  systems::DiagramBuilder<double> builder;
  auto* const scene_graph =
      builder.AddNamedSystem<geometry::SceneGraph<double>>("scene_graph");
  auto* const plant = builder.AddNamedSystem(
      "plant",
      LoadArm(options.urdf, options.time_step,
              options.actuate_all ? Actuate::kAll : Actuate::kAsTheFileSays,
              nullptr, scene_graph));
  plant->Finalize();
  builder.Connect(plant->get_geometry_pose_output_port(),
                  scene_graph->get_source_pose_port(*plant->get_source_id()));
  builder.Connect(scene_graph->get_query_output_port(),
                  plant->get_geometry_query_input_port());
  const auto viewer = std::make_shared<geometry::Viewer>();
  geometry::ViewerVisualizerParams params;
  params.prefix = "arm";
  geometry::ViewerVisualizer<double>::AddToBuilder(&builder, *scene_graph,
                                                   viewer, params);
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  diagram->ExecuteInitializationEvents(context.get());
  viewer->StartRecording(kFramesPerSecond);
  auto& of_plant = plant->GetMyMutableContextFromRoot(context.get());
  for (int k = 0; k < log.time.size(); ++k) {
    context->SetTime(log.time[k]);
    plant->SetPositions(&of_plant, log.positions.col(k));
    diagram->ForcedPublish(*context);
  }
  viewer->PublishRecording();
  return viewer->StaticHtml();
}

}  // namespace

std::string MakeArmReplay(const ArmLog& log, const ArmOptions& options,
                          std::string* remark) {
  if (!geometry::Viewer::IsAvailable()) {
    *remark =
        "No replay: this build has no viewer, for which Node.js is needed; "
        "third_party/install_packages gets it.";
    return {};
  }
  try {
    return Replay(log, options);
  } catch (const std::exception& error) {
    *remark = fmt::format("No replay: {}", error.what());
    return {};
  }
}

}  // namespace wyvern::examples
