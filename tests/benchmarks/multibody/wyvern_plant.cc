#include "tests/benchmarks/multibody/dynamics_engine.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using multibody::MultibodyForces;
using multibody::MultibodyPlant;
using multibody::PrismaticJoint;
using multibody::RevoluteJoint;
using multibody::RigidBody;
using multibody::RotationalInertia;
using multibody::SpatialInertia;

SpatialInertia<double> MakeInertia(const BodyDescription& body) {
  const auto& I = body.inertia;
  return SpatialInertia<double>::MakeFromCentralInertia(
      body.mass, body.com,
      RotationalInertia<double>(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2),
                                I(1, 2)));
}

void AddBodies(const ModelDescription& description,
               MultibodyPlant<double>* plant) {
  std::vector<const RigidBody<double>*> links;
  for (const BodyDescription& body : description.bodies) {
    const std::string name = std::to_string(links.size());
    const RigidBody<double>& link =
        plant->AddRigidBody("b" + name, MakeInertia(body));
    const RigidBody<double>& parent =
        body.parent < 0 ? plant->world_body() : *links[body.parent];
    links.push_back(&link);
    const math::RigidTransform<double> X(
        math::RotationMatrix<double>(body.rotation), body.position);
    if (body.type == 'R') {
      plant->AddJoint<RevoluteJoint>("j" + name, parent, X, link, {},
                                     body.axis);
    } else if (body.type == 'P') {
      plant->AddJoint<PrismaticJoint>("j" + name, parent, X, link, {},
                                      body.axis);
    }
  }
  plant->mutable_gravity_field().set_gravity_vector({0, 0, -9.81});
  plant->Finalize();
}

class WyvernPlant final : public DynamicsEngine {
 public:
  WyvernPlant(const ModelDescription& description,
              const std::vector<Sample>& samples)
      : samples_(samples), plant_(0.0) {
    AddBodies(description, &plant_);
    context_ = plant_.CreateDefaultContext();
    forces_ = std::make_unique<MultibodyForces<double>>(plant_);
    no_forces_ = *forces_;
    const int nv = plant_.num_velocities();
    tau_ = &plant_.get_applied_generalized_force_input_port().FixValue(
        context_.get(), VectorXd::Zero(nv).eval());
    M_.resize(nv, nv);
    for (const Sample& sample : samples) {
      VectorXd x(plant_.num_positions() + nv);
      if (description.is_floating()) {
        x.head<7>() << sample.base_quaternion, sample.base_position;
      }
      const int base = description.is_floating() ? 7 : 0;
      x.segment(base, sample.joint_q.size()) = sample.joint_q;
      x.tail(nv) = sample.v;
      x_.push_back(x);
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
        plant_.CalcForceElementsContribution(*context_, forces_.get());
        result_ = plant_.CalcInverseDynamics(*context_, samples_[sample].vdot,
                                             *forces_);
        return;
      case Quantity::kWeightlessInverseDynamics:
        result_ = plant_.CalcInverseDynamics(*context_, samples_[sample].vdot,
                                             no_forces_);
        return;
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
  const std::vector<Sample>& samples_;
  MultibodyPlant<double> plant_;
  std::unique_ptr<systems::Context<double>> context_;
  systems::FixedInputPortValue* tau_{};
  std::unique_ptr<MultibodyForces<double>> forces_;
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
