// A cart-pole in discrete time: it swings, and is balanced by a discrete LQR.
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "drake/multibody/parsing/parser.h"
#include "drake/multibody/plant/multibody_plant.h"
#include "drake/multibody/tree/prismatic_joint.h"
#include "drake/multibody/tree/revolute_joint.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/controllers/linear_quadratic_regulator.h"
#include "drake/systems/framework/diagram_builder.h"
#include "drake/systems/primitives/affine_system.h"
#include "drake/systems/primitives/linear_system.h"
#include "figures.h"

namespace cart_pole {

using drake::multibody::MultibodyPlant;
using drake::multibody::PrismaticJoint;
using drake::multibody::RevoluteJoint;
using drake::systems::Simulator;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector4d;

void Load(const std::string& models, MultibodyPlant<double>* plant) {
  drake::multibody::Parser(plant).AddModels(models + "/cart_pole.sdf");
  plant->Finalize();
}

void Swing(const std::string& models) {
  MultibodyPlant<double> plant(1e-3);
  Load(models, &plant);
  Simulator<double> simulator(plant);
  auto& context = simulator.get_mutable_context();
  plant.get_actuation_input_port().FixValue(&context, 3.0);
  plant.GetJointByName<RevoluteJoint>("hinge").set_angle(&context, 1.5);
  plant.GetJointByName<PrismaticJoint>("slide").set_translation(&context, 0.2);
  simulator.AdvanceTo(1.0);
  PrintFigures("swung", plant.GetPositionsAndVelocities(context));
  PrintFigures("energies", Vector2d(plant.CalcKineticEnergy(context),
                                    plant.CalcPotentialEnergy(context)));
}

void Balance(const std::string& models) {
  drake::systems::DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<MultibodyPlant<double>>(1e-2);
  // Samples are a state of no numbers, of which there is no linearization.
  plant->SetUseSampledOutputPorts(false);
  Load(models, plant);
  auto upright = plant->CreateDefaultContext();
  plant->get_actuation_input_port().FixValue(upright.get(), 0.0);
  const Vector4d goal(0, M_PI, 0, 0);
  plant->SetPositionsAndVelocities(upright.get(), goal);
  const auto linear = drake::systems::Linearize(
      *plant, *upright, plant->get_actuation_input_port().get_index(),
      drake::systems::OutputPortSelection::kNoOutput);
  PrintFigures("A", linear->A());
  PrintFigures("B", linear->B());

  const auto lqr =
      drake::systems::controllers::DiscreteTimeLinearQuadraticRegulator(
          linear->A(), linear->B(), MatrixXd::Identity(4, 4),
          MatrixXd::Identity(1, 1));
  PrintFigures("K", lqr.K);
  // u = -K (x - goal), as a block.
  auto* controller = builder.AddSystem<drake::systems::AffineSystem<double>>(
      MatrixXd::Zero(0, 0), MatrixXd::Zero(0, 4), Eigen::VectorXd::Zero(0),
      MatrixXd::Zero(1, 0), -lqr.K, lqr.K * goal);
  builder.Connect(plant->get_state_output_port(), controller->get_input_port());
  builder.Connect(controller->get_output_port(),
                  plant->get_actuation_input_port());
  auto diagram = builder.Build();

  Simulator<double> simulator(std::move(diagram));
  auto& context =
      plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  plant->SetPositionsAndVelocities(&context, goal + Vector4d(0, 0.2, 0, 0));
  simulator.AdvanceTo(1.5);
  PrintFigures("balanced", plant->GetPositionsAndVelocities(context));
}

}  // namespace cart_pole

int main(int, char* argv[]) {
  cart_pole::Swing(argv[1]);
  cart_pole::Balance(argv[1]);
  return 0;
}
