#include <memory>

#include <gtest/gtest.h>

#include "drake/geometry/drake_visualizer.h"
#include "drake/geometry/meshcat.h"
#include "drake/geometry/meshcat_visualizer.h"
#include "drake/geometry/scene_graph.h"
#include "drake/systems/framework/diagram_builder.h"
#include "drake/visualization/visualization_config_functions.h"

namespace {

using drake::geometry::DrakeVisualizer;
using drake::geometry::Meshcat;
using drake::geometry::MeshcatVisualizer;
using drake::geometry::SceneGraph;

TEST(Visualizers, JoinADiagramByTheirNames) {
  if (!Meshcat::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
  drake::systems::DiagramBuilder<double> builder;
  auto* scene_graph = builder.AddSystem<SceneGraph<double>>();
  scene_graph->set_name("scene_graph");
  const auto meshcat = std::make_shared<Meshcat>();
  MeshcatVisualizer<double>::AddToBuilder(&builder, *scene_graph, meshcat);
  DrakeVisualizer<double>::AddToBuilder(&builder, *scene_graph);
  drake::visualization::AddDefaultVisualization(&builder, meshcat);
  const auto diagram = builder.Build();
  // The scene, the two that were added, and one a role.
  EXPECT_EQ(diagram->GetSystems().size(), 5u);
  EXPECT_NE(diagram->ToAutoDiffXd(), nullptr);
}

}  // namespace
