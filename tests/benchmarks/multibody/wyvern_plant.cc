#include "tests/benchmarks/multibody/description_plant.h"
#include "tests/benchmarks/multibody/dynamics_engine.h"
#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using multibody::MultibodyForces;
using multibody::MultibodyPlant;

class WyvernPlant final : public DynamicsEngine {
 public:
  WyvernPlant(const ModelDescription& description,
              const std::vector<Sample>& samples)
      : samples_(samples), plant_(0.0) {
    AddBodies(description, &plant_);
    context_ = plant_.CreateDefaultContext();
    no_forces_ = MultibodyForces<double>(plant_);
    const int nv = plant_.num_velocities();
    tau_ = &plant_.get_applied_generalized_force_input_port().FixValue(
        context_.get(), VectorXd::Zero(nv).eval());
    M_.resize(nv, nv);
    result_.resize(nv);
    for (const Sample& sample : samples) {
      x_.push_back(MakeState(description, sample));
    }
  }

  std::string name() const override { return "wyvern_plant"; }
  bool has(Quantity quantity) const override {
    return quantity == Quantity::kInverseDynamics ||
           quantity == Quantity::kWeightlessInverseDynamics ||
           quantity == Quantity::kMassMatrix ||
           quantity == Quantity::kForwardDynamics;
  }
  void Calc(Quantity quantity, int sample) override {
    plant_.SetPositionsAndVelocities(context_.get(), x_[sample]);
    switch (quantity) {
      case Quantity::kInverseDynamics:
        return CalcInverseDynamics(sample, multibody::dynamics::Gravity::kOn);
      case Quantity::kWeightlessInverseDynamics:
        return CalcInverseDynamics(sample, multibody::dynamics::Gravity::kOff);
      case Quantity::kMassMatrix:
        return plant_.CalcMassMatrix(*context_, &M_);
      case Quantity::kForwardDynamics:
        tau_->GetMutableVectorData<double>()->SetFromVector(
            samples_[sample].tau);
        result_ =
            plant_.get_generalized_acceleration_output_port().Eval(*context_);
        return;
      default:
        return;
    }
  }
  MatrixXd Result(Quantity quantity, int) const override {
    return quantity == Quantity::kMassMatrix ? M_ : MatrixXd(result_);
  }

 private:
  // As the engine does, into what is there.
  void CalcInverseDynamics(int sample, multibody::dynamics::Gravity gravity) {
    plant_.CalcInverseDynamics(*context_, samples_[sample].vdot, no_forces_,
                               &result_, gravity);
  }

  const std::vector<Sample>& samples_;
  MultibodyPlant<double> plant_;
  std::unique_ptr<systems::Context<double>> context_;
  systems::FixedInputPortValue* tau_{};
  MultibodyForces<double> no_forces_{0, 0};
  VectorXd result_;
  MatrixXd M_;
  std::vector<VectorXd> x_;
};

}  // namespace

std::unique_ptr<DynamicsEngine> MakeWyvernPlant(
    const ModelDescription& description, const std::vector<Sample>& samples) {
  return std::make_unique<WyvernPlant>(description, samples);
}

}  // namespace wyvern::bench
