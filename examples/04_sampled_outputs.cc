// Sampled outputs: two equal discrete pendulums under PD control, one with
// sampled output ports (the default), one with live ports.
//
//   desired --+--> plant, sampled: net actuation = that of the last step done
//             +--> plant, live:    net actuation = that of the step to come
//
// The live port has to solve the step to come to know what it will apply; the
// sampled one repeats what the last step applied: one step late, at no cost.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/vector_log_sink.h"

namespace systems = wyvern::systems;
namespace multibody = wyvern::multibody;
using Eigen::Vector2d;
using Eigen::Vector3d;
using multibody::MultibodyPlant;

constexpr double kTimeStep = 0.02;  // s

static MultibodyPlant<double>* AddPendulum(
    bool sampled, systems::DiagramBuilder<double>* builder) {
  auto* plant = builder->AddSystem<MultibodyPlant<double>>(kTimeStep);
  const auto& bob = plant->AddRigidBody(
      "bob", multibody::SpatialInertia<double>::PointMass(
                 1.2 /* kg */, Vector3d(0, 0, -0.5 /* m */)));
  const auto& pin = plant->AddJoint<multibody::RevoluteJoint>(
      "pin", plant->world_body(), {}, bob, {}, Vector3d::UnitY());
  const auto& motor = plant->AddJointActuator("motor", pin, 15.0 /* N m */);
  plant->get_mutable_joint_actuator(motor.index())
      .set_controller_gains({.p = 60.0, .d = 5.0});
  plant->SetUseSampledOutputPorts(sampled);
  plant->Finalize();
  auto* desired = builder->AddSystem<systems::ConstantVectorSource<double>>(
      Vector2d(1.0 /* rad */, 0.0));
  builder->Connect(desired->get_output_port(),
                   plant->get_desired_state_input_port(bob.model_instance()));
  return plant;
}

int main() {
  systems::DiagramBuilder<double> builder;
  auto* sampled = AddPendulum(true, &builder);
  auto* live = AddPendulum(false, &builder);
  auto* sampled_log = systems::LogVectorOutput(
      sampled->get_net_actuation_output_port(), &builder, kTimeStep);
  auto* live_log = systems::LogVectorOutput(
      live->get_net_actuation_output_port(), &builder, kTimeStep);
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(1.0);

  const auto& s = sampled_log->FindLog(simulator.get_context());
  const auto& l = live_log->FindLog(simulator.get_context());
  double worst = std::abs(s.data()(0, 0));  // Zero before the first step.
  fmt::print("time [s]  sampled [N m]  live [N m]\n");
  for (int k = 0; k < s.num_samples(); ++k) {
    if (k < 8) {
      fmt::print("{:8.2f}  {:13.6f}  {:10.6f}\n", s.sample_times()[k],
                 s.data()(0, k), l.data()(0, k));
    }
    if (k > 0) {
      worst = std::max(worst, std::abs(s.data()(0, k) - l.data()(0, k - 1)));
    }
  }
  fmt::print("Sampled now less live one step ago: {:.1e} N m\n", worst);
  return worst < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
