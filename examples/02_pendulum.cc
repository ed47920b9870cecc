// A pendulum that a PD controller holds against gravity.
//
//                       +------------+  torque  +-------+
//   desired [q, v] ---> | PD         | -------> | plant | --+--> [q, v]
//                   +-> | controller |          +-------+   |
//                   |   +------------+                      |
//                   +---------------------------------------+
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"

namespace systems = wyvern::systems;
namespace multibody = wyvern::multibody;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

int main() {
  const double mass = 1.2;    // kg
  const double length = 0.5;  // m
  const double kp = 20.0;     // N m/rad
  const double kd = 3.0;      // N m s/rad
  const double wanted = 1.0;  // rad from hanging straight down

  systems::DiagramBuilder<double> builder;
  // A time step of zero makes the plant continuous.
  auto* plant = builder.AddSystem<multibody::MultibodyPlant<double>>(0.0);
  const auto& bob =
      plant->AddRigidBody("bob", multibody::SpatialInertia<double>::PointMass(
                                     mass, Vector3d(0, 0, -length)));
  const auto& pin = plant->AddJoint<multibody::RevoluteJoint>(
      "pin", plant->world_body(), {}, bob, {}, Vector3d::UnitY());
  plant->AddJointActuator("motor", pin);
  plant->Finalize();

  auto* desired = builder.AddSystem<systems::ConstantVectorSource<double>>(
      Vector2d(wanted, 0.0));
  auto* controller =
      builder.AddSystem<systems::controllers::PidController<double>>(
          VectorXd::Constant(1, kp), VectorXd::Zero(1),
          VectorXd::Constant(1, kd));
  builder.Connect(desired->get_output_port(),
                  controller->get_input_port_desired_state());
  builder.Connect(plant->get_state_output_port(),
                  controller->get_input_port_estimated_state());
  builder.Connect(controller->get_output_port_control(),
                  plant->get_actuation_input_port());
  const auto diagram = builder.Build();

  systems::Simulator<double> simulator(*diagram);
  const auto& context = plant->GetMyContextFromRoot(simulator.get_context());
  for (int k = 0; k <= 8; ++k) {
    simulator.AdvanceTo(0.5 * k);
    fmt::print("t = {:3.1f} s   angle {:8.5f} rad   rate {:8.5f} rad/s\n",
               context.get_time(), pin.get_angle(context),
               pin.get_angular_rate(context));
  }

  // At rest the motor's torque kp (wanted - q) balances m g l sin(q).
  const double q = pin.get_angle(context);
  const double residual =
      kp * (wanted - q) - mass * 9.81 * length * std::sin(q);
  fmt::print("Torque left over at rest: {:.1e} N m\n", residual);
  return std::abs(residual) < 1e-2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
