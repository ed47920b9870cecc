// A ball knocks over a wall of boxes, to be watched in a browser while it
// happens, or afterwards in the file that it leaves, knocked_over.html, which
// needs no program and no network.
//
// ./run viewer --watch: waits for "play" on the page, which then drives it: its
// diagram, scopes, pause, steps and pace.
#include <cstdlib>
#include <iostream>
#include <string_view>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/visualization/visualization_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/viewing/live_simulation.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

int main(int argc, char** argv) {
  const bool watch = argc > 1 && std::string_view(argv[1]) == "--watch";
  if (!geometry::Viewer::IsAvailable()) return 77;  // Built without it.
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.002);
  const CoulombFriction<double> friction(0.6, 0.5);
  const auto add = [&](const char* name, int i, double mass,
                       const geometry::Shape& shape, const Vector3d& place,
                       const Eigen::Vector4d& color) {
    const RigidBody<double>& body = plant.AddRigidBody(
        fmt::format("{}{}", name, i),
        SpatialInertia<double>::SolidCubeWithMass(mass, 0.2));
    plant.RegisterCollisionGeometry(body, {}, shape, "touch", friction);
    plant.RegisterVisualGeometry(body, {}, shape, "look", color);
    plant.SetDefaultFreeBodyPose(body, math::RigidTransformd(place));
    return body.index();
  };
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "ground", friction);
  for (int i = 0; i < 24; ++i) {
    const int column = i % 6, row = i / 6;
    add("box", i, 0.5, geometry::Box(0.2, 0.2, 0.2),
        {0, 0.2 * column - 0.5, 0.2 * row + 0.1}, {0.3, 0.55, 0.7, 1});
  }
  const BodyIndex ball = add("ball", 0, 15, geometry::Sphere(0.18),
                             {1.5, 0.05, 0.18}, {0.85, 0.35, 0.15, 1});
  plant.Finalize();
  const auto viewer = std::make_shared<geometry::Viewer>();
  viewer->SetCameraPose({2.6, -2.4, 1.5}, {0, 0, 0.3});
  visualization::AddDefaultVisualization(&builder, viewer);
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  plant.SetFreeBodySpatialVelocity(
      &context, plant.get_body(ball),
      SpatialVelocity<double>(Vector3d(0, -5 / 0.18, 0), Vector3d(-5, 0, 0)));
  if (watch) {
    fmt::print("Open {}, and press play.\n", viewer->web_url());
    simulator.set_target_realtime_rate(1);
  }
  systems::LiveSimulation live(&simulator, viewer, {.starts_paused = watch});
  viewer->StartRecording();
  simulator.AdvanceTo(3.0);
  viewer->PublishRecording();
  viewer->SaveStaticHtml("knocked_over.html");
  fmt::print("Open knocked_over.html to see it.\n");
  if (watch) std::cin.get();

  // The check: the wall was in the way, and fell. It stood 0.4 m high on
  // average.
  double sum = 0;
  for (BodyIndex i(1); i < ball; ++i) {
    sum +=
        plant.EvalBodyPoseInWorld(context, plant.get_body(i)).translation().z();
  }
  fmt::print("mean height of the boxes: {:.3f} m\n", sum / 24);
  return sum / 24 > 0.09 && sum / 24 < 0.35 ? EXIT_SUCCESS : EXIT_FAILURE;
}
