// A gripper closes on a ball by PD control and lifts it along a trajectory.
#include <memory>
#include <string>

#include "drake/common/trajectories/piecewise_polynomial.h"
#include "drake/geometry/scene_graph.h"
#include "drake/multibody/parsing/parser.h"
#include "drake/multibody/plant/contact_results.h"
#include "drake/multibody/plant/multibody_plant.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/framework/diagram_builder.h"
#include "drake/systems/primitives/trajectory_source.h"
#include "drake/visualization/visualization_config_functions.h"
#include "figures.h"

namespace gripper {

using drake::multibody::AddMultibodyPlantSceneGraph;
using drake::multibody::ContactResults;
using drake::multibody::Parser;
using drake::trajectories::PiecewisePolynomial;

int DoMain(const std::string& models) {
  drake::systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 1e-3);
  plant.set_contact_model(drake::multibody::ContactModel::kPoint);
  plant.set_discrete_contact_approximation(
      drake::multibody::DiscreteContactApproximation::kSap);
  Parser(&plant, &scene_graph).AddModels(models + "/gripper.sdf");
  plant.Finalize();

  // Lift, left and right: close by 0.2 s, hold, and lift by 5 cm until 0.8 s.
  Eigen::MatrixXd knots(3, 4);
  knots << 0, 0, 0, 0.05,  //
      0, 0.008, 0.008, 0.008, 0, 0.008, 0.008, 0.008;
  const auto trajectory =
      PiecewisePolynomial<double>::CubicWithContinuousSecondDerivatives(
          Eigen::Vector4d(0, 0.2, 0.3, 0.8), knots, Eigen::Vector3d::Zero(),
          Eigen::Vector3d::Zero());
  const auto* source =
      builder.AddSystem<drake::systems::TrajectorySource<double>>(trajectory,
                                                                  1);
  builder.Connect(source->get_output_port(),
                  plant.get_desired_state_input_port(
                      plant.GetModelInstanceByName("gripper")));
  drake::visualization::AddDefaultVisualization(&builder);
  const auto diagram = builder.Build();

  drake::systems::Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(0.25);
  const auto& context = plant.GetMyContextFromRoot(simulator.get_context());
  const auto& contacts =
      plant.get_contact_results_output_port().Eval<ContactResults<double>>(
          context);
  PrintFigures("number_of_contacts",
               drake::Vector1d(contacts.num_point_pair_contacts()));
  double squeeze = 0;
  for (int i = 0; i < contacts.num_point_pair_contacts(); ++i) {
    squeeze += contacts.point_pair_contact_info(i).contact_force().norm();
  }
  PrintFigures("sum_of_forces", drake::Vector1d(squeeze));

  simulator.AdvanceTo(1.0);
  PrintFigures(
      "gripper",
      plant.GetPositions(context, plant.GetModelInstanceByName("gripper")));
  const auto& ball = plant.GetBodyByName("ball");
  PrintFigures("ball", plant.EvalBodyPoseInWorld(context, ball).translation());
  PrintFigures("net_actuation",
               plant.get_net_actuation_output_port().Eval(context));
  return 0;
}

}  // namespace gripper

int main(int, char* argv[]) { return gripper::DoMain(argv[1]); }
