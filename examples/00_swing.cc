// A pendulum swings; a picture shows its angle and rate over time.
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/plotting/plot_log.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
int main() {
  systems::DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<MultibodyPlant<double>>(0.001 /* s */);
  const auto& bob = plant->AddRigidBody(
      "bob", SpatialInertia<double>::PointMass(1.2 /* kg */, {0, 0, -0.5}));
  plant->AddJoint<RevoluteJoint>("pin", plant->world_body(), {}, bob, {},
                                 Eigen::Vector3d::UnitY());
  plant->GetMutableJointByName<RevoluteJoint>("pin").set_default_angle(0.8);
  plant->Finalize();
  auto* log = LogVectorOutput(plant->get_state_output_port(), &builder, 0.01);
  systems::Simulator<double> simulator(builder.Build());
  simulator.AdvanceTo(5.0);
  const auto& x = log->FindLog(simulator.get_context());
  WriteSvgPicture(
      plotting::PlotLog(x, {"angle", "rate"}, "Pendulum", "rad, rad/s"),
      "swing.svg");
  return x.data().row(0).maxCoeff() < 0.801 ? 0 : 1;  // It gains no height.
}
