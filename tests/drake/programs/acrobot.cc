// An acrobot: balanced by LQR, and swung up by shaping its energy.
#include <cmath>
#include <memory>
#include <string>

#include "drake/common/drake_copyable.h"
#include "drake/multibody/parsing/parser.h"
#include "drake/multibody/plant/multibody_plant.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/controllers/linear_quadratic_regulator.h"
#include "drake/systems/framework/diagram_builder.h"
#include "drake/systems/framework/leaf_system.h"
#include "figures.h"

namespace acrobot {

using drake::multibody::MultibodyPlant;
using drake::systems::BasicVector;
using drake::systems::Context;
using drake::systems::DiagramBuilder;
using drake::systems::Simulator;
using Eigen::MatrixXd;
using Eigen::Vector4d;
using Eigen::VectorXd;

/* Pulls the elbow straight, and pumps energy until it is that of standing. */
class SwingUp final : public drake::systems::LeafSystem<double> {
 public:
  DRAKE_NO_COPY_NO_MOVE_NO_ASSIGN(SwingUp);

  explicit SwingUp(const MultibodyPlant<double>& plant)
      : plant_(plant), context_(plant.CreateDefaultContext()) {
    plant_.SetPositions(context_.get(), Eigen::Vector2d(M_PI, 0));
    upright_energy_ = CalcEnergy();
    DeclareVectorInputPort("state", 4);
    DeclareVectorOutputPort("torque", 1, &SwingUp::CalcTorque);
  }

 private:
  double CalcEnergy() const {
    return plant_.CalcKineticEnergy(*context_) +
           plant_.CalcPotentialEnergy(*context_);
  }

  void CalcTorque(const Context<double>& context,
                  BasicVector<double>* torque) const {
    const VectorXd x = get_input_port(0).Eval(context);
    plant_.SetPositionsAndVelocities(context_.get(), x);
    MatrixXd M(2, 2);
    plant_.CalcMassMatrix(*context_, &M);
    VectorXd Cv(2);
    plant_.CalcBiasTerm(*context_, &Cv);
    const VectorXd f = plant_.CalcGravityGeneralizedForces(*context_) - Cv;
    const double elbow = -10 * x[1] - 2 * x[3];  // Its acceleration.
    const double u = (M(1, 1) - M(1, 0) * M(0, 1) / M(0, 0)) * elbow +
                     M(1, 0) / M(0, 0) * f[0] - f[1] +
                     (upright_energy_ - CalcEnergy()) * x[3];
    (*torque)[0] = u;
  }

  const MultibodyPlant<double>& plant_;
  const std::unique_ptr<Context<double>> context_;
  double upright_energy_{};
};

std::unique_ptr<MultibodyPlant<double>> MakePlant(const std::string& models) {
  auto plant = std::make_unique<MultibodyPlant<double>>(0.0);
  drake::multibody::Parser(plant.get()).AddModels(models + "/acrobot.urdf");
  plant->Finalize();
  return plant;
}

VectorXd Simulate(const MultibodyPlant<double>& plant,
                  DiagramBuilder<double>* builder, const Vector4d& x0,
                  double time, double accuracy) {
  const auto diagram = builder->Build();
  Simulator<double> simulator(*diagram);
  auto& context = simulator.get_mutable_context();
  plant.SetPositionsAndVelocities(&plant.GetMyMutableContextFromRoot(&context),
                                  x0);
  simulator.get_mutable_integrator().set_target_accuracy(accuracy);
  simulator.Initialize();
  simulator.AdvanceTo(time);
  return plant.GetPositionsAndVelocities(plant.GetMyContextFromRoot(context));
}

void Balance(const std::string& models) {
  DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem(MakePlant(models));
  const auto upright = plant->CreateDefaultContext();
  plant->get_actuation_input_port().FixValue(upright.get(), 0.0);
  plant->SetPositions(upright.get(), Eigen::Vector2d(M_PI, 0));
  const MatrixXd Q = Vector4d(10, 10, 1, 1).asDiagonal();
  const auto* lqr =
      builder.AddSystem(drake::systems::controllers::LinearQuadraticRegulator(
          *plant, *upright, Q, drake::Vector1d(1), MatrixXd::Zero(0, 0),
          plant->get_actuation_input_port().get_index()));
  builder.Connect(plant->get_state_output_port(), lqr->get_input_port());
  builder.Connect(lqr->get_output_port(), plant->get_actuation_input_port());
  PrintFigures("minus_K", lqr->D());
  PrintFigures(
      "balanced",
      Simulate(*plant, &builder, Vector4d(M_PI + 0.01, -0.02, 0, 0), 2, 1e-9));
}

void DoSwingUp(const std::string& models) {
  const auto model = MakePlant(models);
  DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem(MakePlant(models));
  auto* controller = builder.AddSystem<SwingUp>(*model);
  builder.Connect(plant->get_state_output_port(),
                  controller->get_input_port(0));
  builder.Connect(controller->get_output_port(0),
                  plant->get_actuation_input_port());
  PrintFigures("swung_up",
               Simulate(*plant, &builder, Vector4d(0.3, -0.1, 0, 0), 2, 1e-6));
}

}  // namespace acrobot

int main(int, char* argv[]) {
  acrobot::Balance(argv[1]);
  acrobot::DoSwingUp(argv[1]);
  return 0;
}
