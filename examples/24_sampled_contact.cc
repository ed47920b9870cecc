// Values of sampled output ports between steps. A motor pushes a block on rails
// against dry friction, in two equal discrete plants: one with sampled output
// ports (the default), one with live ports. Both are logged four times a step.
//
//   F(t) = 8 N sin(2 pi t) -> [1 kg]====   mu = 0.5: friction up to 4.9 N
//
// A live port says what a step from here and now would do: it follows the input
// at once. A sampled port says what the last step did; it costs nothing.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "examples/support/contact_scene.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/plotting/plot_log.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/vector_log_sink.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)

constexpr double kTimeStep = 0.02, kLogPeriod = kTimeStep / 4;  // s

// Adds a plant and a log of the friction on its block.
static systems::VectorLogSink<double>* AddBlock(
    bool is_sampled, const systems::OutputPort<double>& force,
    systems::DiagramBuilder<double>* builder) {
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(builder, kTimeStep);
  plant.set_name(is_sampled ? "sampled" : "live");
  scene_graph.set_name(plant.get_name() + " scene");
  const CoulombFriction<double> friction(0.5, 0.5);
  examples::AddFloor(friction, &plant);
  const auto& block = plant.AddRigidBody(
      "block", SpatialInertia<double>::SolidSphereWithMass(1 /* kg */, 0.1));
  plant.RegisterCollisionGeometry(block, {}, geometry::Sphere(0.1), "block",
                                  friction);
  const math::RigidTransformd X_WF(0.099 * Eigen::Vector3d::UnitZ());  // Rests.
  const auto& rail = plant.AddJoint<PrismaticJoint>(
      "rail", plant.world_body(), X_WF, block, {}, Eigen::Vector3d::UnitX());
  plant.AddJointActuator("motor", rail);
  plant.SetUseSampledOutputPorts(is_sampled);
  plant.Finalize();
  builder->Connect(force, plant.get_actuation_input_port());
  return systems::LogVectorOutput(
      plant.get_generalized_contact_forces_output_port(block.model_instance()),
      builder, kLogPeriod);
}

int main(int argc, char* argv[]) {
  systems::DiagramBuilder<double> builder;
  const auto* sine =
      builder.AddSystem<systems::Sine<double>>(8, 2 * std::acos(-1.0), 0, 1);
  const auto* sampled_log = AddBlock(true, sine->get_output_port(0), &builder);
  const auto* live_log = AddBlock(false, sine->get_output_port(0), &builder);
  systems::Simulator<double> simulator(builder.Build());
  simulator.AdvanceTo(1.0);
  const auto& sampled = sampled_log->FindLog(simulator.get_context());
  const auto& live = live_log->FindLog(simulator.get_context());
  double worst = 0, late = 0;
  for (int i = 1; i < sampled.num_samples(); ++i) {
    const double s = sampled.data()(0, i), l = live.data()(0, i);
    const int start = (i - 1) / 4 * 4;  // Of the step that led here.
    worst = std::max(worst, std::abs(s - live.data()(0, start)));
    late = std::max(late, std::abs(s - l));
  }
  const plotting::Plot plot =
      plotting::PlotLogs({{&sampled, {"sampled"}}, {&live, {"live"}}},
                         "Friction on the block", "force [N]");
  if (argc > 1) plotting::WriteSvgPicture(plot, argv[1]);
  fmt::print(
      "sampled less live now: up to {:.2f} N; less live at the step's "
      "start: {:.1e} N\n",
      late, worst);
  // Both are solved to 1e-9 of what acts, from different guesses.
  return worst < 1e-7 && late > 0.1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
