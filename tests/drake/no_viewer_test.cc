#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "drake/geometry/drake_visualizer.h"
#include "drake/geometry/meshcat.h"
#include "drake/geometry/meshcat_visualizer.h"
#include "drake/geometry/scene_graph.h"
#include "drake/systems/framework/diagram_builder.h"
#include "drake/visualization/visualization_config_functions.h"
#include "tests/support/expect_throws.h"

namespace {

using drake::geometry::DrakeVisualizer;
using drake::geometry::Meshcat;
using drake::geometry::MeshcatVisualizer;
using drake::geometry::SceneGraph;

TEST(NoViewer, VisualizersJoinADiagramAndConvertWithIt) {
  drake::systems::DiagramBuilder<double> builder;
  auto* scene_graph = builder.AddSystem<SceneGraph<double>>();
  const auto meshcat = std::make_shared<Meshcat>();
  MeshcatVisualizer<double>::AddToBuilder(&builder, *scene_graph, meshcat);
  DrakeVisualizer<double>::AddToBuilder(&builder, *scene_graph);
  drake::visualization::AddDefaultVisualization(&builder, meshcat);
  drake::visualization::ApplyVisualizationConfig({}, &builder);
  const auto diagram = builder.Build();
  EXPECT_EQ(diagram->GetSystems().size(), 3u);
  EXPECT_NE(diagram->ToAutoDiffXd(), nullptr);
}

TEST(NoViewer, ItIsSaidOnceThatThereIsNone) {
  testing::internal::CaptureStderr();
  Meshcat first;
  Meshcat second;
  drake::visualization::AddDefaultVisualization(nullptr);
  const std::string text = testing::internal::GetCapturedStderr();
  // Another test of this process may have been the first to hear it.
  EXPECT_TRUE(text.empty() ||
              text ==
                  "[warn] Wyvern has no viewer yet: Meshcat and the "
                  "visualizers do nothing.\n")
      << text;
}

TEST(NoViewer, ControlsKeepTheValueTheyBeginWith) {
  Meshcat meshcat;
  meshcat.AddButton("stop");
  EXPECT_EQ(meshcat.GetButtonClicks("stop"), 0);
  EXPECT_EQ(meshcat.AddSlider("gain", 0, 1, 0.1, 3.0), 1.0);
  EXPECT_EQ(meshcat.GetSliderValue("gain"), 1.0);
  meshcat.DeleteAddedControls();
  EXPECT_THROWS_MESSAGE(meshcat.GetSliderValue("gain"), std::out_of_range,
                        "no slider 'gain'");
}

}  // namespace
