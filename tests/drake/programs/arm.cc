// A seven-joint arm follows a spline by inverse dynamics.
#include <memory>
#include <string>

#include "drake/common/trajectories/piecewise_polynomial.h"
#include "drake/multibody/parsing/parser.h"
#include "drake/multibody/plant/multibody_plant.h"
#include "drake/multibody/tree/multibody_forces.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/framework/diagram_builder.h"
#include "drake/systems/framework/leaf_system.h"
#include "drake/systems/primitives/trajectory_source.h"
#include "figures.h"

namespace arm {

using drake::multibody::JacobianWrtVariable;
using drake::multibody::MultibodyForces;
using drake::multibody::MultibodyPlant;
using drake::systems::BasicVector;
using drake::systems::Context;
using drake::trajectories::PiecewisePolynomial;
using Eigen::VectorXd;

constexpr int kJoints = 7;

/* Torques for the wanted acceleration plus feedback of the error. */
class InverseDynamicsControl final : public drake::systems::LeafSystem<double> {
 public:
  explicit InverseDynamicsControl(const MultibodyPlant<double>& plant)
      : plant_(plant), plant_context_(plant.CreateDefaultContext()) {
    state_ = DeclareVectorInputPort("state", 2 * kJoints).get_index();
    desired_ = DeclareVectorInputPort("desired", 3 * kJoints).get_index();
    DeclareVectorOutputPort("torques", kJoints,
                            &InverseDynamicsControl::CalcTorques);
  }
  const drake::systems::InputPort<double>& state() const {
    return get_input_port(state_);
  }
  const drake::systems::InputPort<double>& desired() const {
    return get_input_port(desired_);
  }

 private:
  void CalcTorques(const Context<double>& context,
                   BasicVector<double>* torques) const {
    const VectorXd x = state().Eval(context);
    const VectorXd d = desired().Eval(context);
    plant_.SetPositionsAndVelocities(plant_context_.get(), x);
    const VectorXd vdot = d.tail(kJoints) +
                          100 * (d.head(kJoints) - x.head(kJoints)) +
                          20 * (d.segment(kJoints, kJoints) - x.tail(kJoints));
    MultibodyForces<double> forces(plant_);
    plant_.CalcForceElementsContribution(*plant_context_, &forces);
    torques->SetFromVector(
        plant_.CalcInverseDynamics(*plant_context_, vdot, forces));
  }

  const MultibodyPlant<double>& plant_;
  const std::unique_ptr<Context<double>> plant_context_;
  drake::systems::InputPortIndex state_, desired_;
};

int DoMain(const std::string& models) {
  drake::systems::DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<MultibodyPlant<double>>(0.0);
  drake::multibody::Parser(plant).AddModels(models + "/arm.urdf");
  plant->Finalize();

  Eigen::MatrixXd knots(kJoints, 3);
  knots << 0, 0.3, 0.5, 0.2, 0.5, 0.1, 0, -0.4, 0.2, 0.6, 0.9, 0.5, 0, 0.2,
      -0.2, 0.3, 0.5, 0.1, 0, -0.5, 0.4;
  const auto path =
      PiecewisePolynomial<double>::CubicWithContinuousSecondDerivatives(
          Eigen::Vector3d(0, 0.8, 1.5), knots, VectorXd::Zero(kJoints),
          VectorXd::Zero(kJoints));
  const auto* source =
      builder.AddSystem<drake::systems::TrajectorySource<double>>(path, 2);
  const auto* control = builder.AddSystem<InverseDynamicsControl>(*plant);
  builder.Connect(source->get_output_port(), control->desired());
  builder.Connect(plant->get_state_output_port(), control->state());
  builder.Connect(control->get_output_port(),
                  plant->get_actuation_input_port());
  const auto diagram = builder.Build();

  drake::systems::Simulator<double> simulator(*diagram);
  auto& root = simulator.get_mutable_context();
  auto& context = plant->GetMyMutableContextFromRoot(&root);
  plant->SetPositions(&context, path.value(0));
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  simulator.Initialize();
  simulator.AdvanceTo(1.0);
  PrintFigures("state", plant->GetPositionsAndVelocities(context));
  PrintFigures("wanted", path.value(1.0));
  PrintFigures("torques", control->get_output_port().Eval(
                              control->GetMyContextFromRoot(root)));

  const auto& tool = plant->GetFrameByName("tool");
  PrintFigures("tool_pose", tool.CalcPoseInWorld(context).GetAsMatrix4());
  Eigen::MatrixXd J(6, kJoints);
  plant->CalcJacobianSpatialVelocity(
      context, JacobianWrtVariable::kV, tool, Eigen::Vector3d::Zero(),
      plant->world_frame(), plant->world_frame(), &J);
  PrintFigures("jacobian", J);
  return 0;
}

}  // namespace arm

int main(int, char* argv[]) { return arm::DoMain(argv[1]); }
