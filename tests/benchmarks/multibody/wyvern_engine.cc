#include "tests/benchmarks/multibody/dynamics_engine.h"
#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/multibody/dynamics/forward_dynamics_derivatives.h"
#include "wyvern/multibody/dynamics/mass_matrix.h"
#include "wyvern/multibody/dynamics/newton_euler.h"

namespace wyvern::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace multibody::dynamics;  // NOLINT

Model MakeStructure(const ModelDescription& description) {
  LinkJointGraph graph;
  for (const BodyDescription& body : description.bodies) {
    graph.AddJoint(body.parent + 1, graph.AddLink());
  }
  return MakeModel(SpanningForest(graph), [&](int joint) {
    const char type = description.bodies[joint].type;
    return type == 'F'   ? MobilizerType::kQuaternionFloating
           : type == 'R' ? MobilizerType::kRevolute
                         : MobilizerType::kPrismatic;
  });
}

ModelParameters<double> MakeParameters(const Model& model,
                                       const ModelDescription& description) {
  ModelParameters<double> parameters(model);
  for (size_t i = 0; i < description.bodies.size(); ++i) {
    const BodyDescription& from = description.bodies[i];
    BodyParameters<double>& to = parameters.bodies[model.body_of_link[i + 1]];
    to.X_PF = {from.rotation, from.position};
    if (from.type != 'F') to.axis = from.axis.normalized();
    to.mass = from.mass;
    to.p_BoBcm_B = from.com;
    to.I_BBo_B = from.inertia + from.mass * (from.com.squaredNorm() *
                                                 Eigen::Matrix3d::Identity() -
                                             from.com * from.com.transpose());
  }
  parameters.gravity = {0, 0, -9.81};
  parameters.Compile(model);
  return parameters;
}

class WyvernEngine final : public DynamicsEngine {
 public:
  WyvernEngine(const ModelDescription& description,
               const std::vector<Sample>& samples)
      : samples_(samples),
        model_(MakeStructure(description)),
        parameters_(MakeParameters(model_, description)),
        positions_(model_),
        velocities_(model_),
        inertias_(model_.num_nodes()),
        composites_(model_.num_nodes()),
        articulated_(model_),
        scratch_(model_),
        A_(model_.num_nodes()),
        result_(model_.num_v),
        M_(model_.num_v, model_.num_v),
        inverse_scratch_(model_),
        forward_scratch_(model_),
        by_q_(M_),
        by_v_(M_),
        by_other_(M_) {
    for (const Sample& sample : samples) {
      VectorXd q(model_.num_q);
      if (description.is_floating()) {
        q.head<7>() << sample.base_quaternion, sample.base_position;
      }
      q.tail(description.num_joints()) = sample.joint_q;
      q_.push_back(q);
    }
  }

  std::string name() const override { return "wyvern"; }
  void Calc(Quantity quantity, int sample) override {
    switch (quantity) {
      case Quantity::kInverseDynamics:
        return InverseDynamics(sample, Gravity::kOn);
      case Quantity::kWeightlessInverseDynamics:
        return InverseDynamics(sample, Gravity::kOff);
      case Quantity::kMassMatrix:
        return MassMatrix(sample);
      case Quantity::kForwardDynamics:
        return ForwardDynamics(sample);
      case Quantity::kJacobians:
        return CalcPositionKinematics<double>(model_, parameters_, q_[sample],
                                              &positions_);
      case Quantity::kInverseDynamicsDerivatives:
        return InverseDynamicsDerivatives(sample);
      case Quantity::kForwardDynamicsDerivatives:
        return ForwardDynamicsDerivatives(sample);
    }
  }
  MatrixXd Result(Quantity quantity, int) const override {
    if (quantity == Quantity::kMassMatrix) return M_;
    if (quantity == Quantity::kInverseDynamicsDerivatives ||
        quantity == Quantity::kForwardDynamicsDerivatives) {
      MatrixXd all(model_.num_v, 3 * model_.num_v);
      all << by_q_, by_v_, by_other_;
      return all;
    }
    if (quantity != Quantity::kJacobians) return result_;
    MatrixXd J = positions_.H;
    for (int k = 0; k < model_.num_v; ++k) {
      const Eigen::Vector3d w = J.col(k).head<3>();
      J.col(k).tail<3>() -= w.cross(positions_.p_WO[model_.tree_of_v[k]]);
    }
    return J;
  }

 private:
  Motion<double> motion() const {
    return {{model_, parameters_, positions_, inertias_}, velocities_};
  }
  void Kinematics(int i) {
    CalcPositionKinematics<double>(model_, parameters_, q_[i], &positions_);
    CalcVelocityKinematics<double>(model_, parameters_, positions_,
                                   samples_[i].v, &velocities_);
    CalcInertiasInWorld<double>(model_, parameters_, positions_, &inertias_);
  }
  void InverseDynamics(int i, Gravity gravity) {
    CalcInverseDynamicsFromState<double>(model_, parameters_, q_[i],
                                         samples_[i].v, samples_[i].vdot,
                                         gravity, &scratch_, result_);
  }
  void MassMatrix(int i) {
    CalcPositionKinematics<double>(model_, parameters_, q_[i], &positions_);
    CalcInertiasInWorld<double>(model_, parameters_, positions_, &composites_);
    CalcCompositeInertias<double>(model_, composites_, &composites_);
    CalcMassMatrix<double>(model_, parameters_, positions_, composites_, M_);
  }
  void ForwardDynamics(int i) {
    Kinematics(i);
    CalcArticulatedInertias<double>(motion(), none_, &articulated_);
    CalcForwardDynamics<double>(motion(), samples_[i].tau, {}, Gravity::kOn,
                                &articulated_, &A_, result_);
  }
  void InverseDynamicsDerivatives(int i) {
    Kinematics(i);
    CalcInverseDynamicsDerivatives<double>(
        motion(), samples_[i].v, samples_[i].vdot, {}, Gravity::kOn,
        &inverse_scratch_, {by_q_, by_v_, by_other_});
  }
  void ForwardDynamicsDerivatives(int i) {
    ForwardDynamics(i);
    CalcForwardDynamicsDerivatives<double>(
        motion(), samples_[i].v, result_, none_, {}, Gravity::kOn, articulated_,
        &forward_scratch_, {by_q_, by_v_, by_other_});
  }

  const std::vector<Sample>& samples_;
  Model model_;
  ModelParameters<double> parameters_;
  PositionKinematics<double> positions_;
  VelocityKinematics<double> velocities_;
  std::vector<RigidInertia<double>> inertias_, composites_;
  ArticulatedInertias<double> articulated_;
  NewtonEulerScratch<double> scratch_;
  std::vector<Vector6<double>> A_;
  VectorXd none_, result_;
  MatrixXd M_;
  InverseDynamicsDerivativesScratch<double> inverse_scratch_;
  ForwardDynamicsDerivativesScratch<double> forward_scratch_;
  MatrixXd by_q_, by_v_, by_other_;
  std::vector<VectorXd> q_;
};

}  // namespace

std::unique_ptr<DynamicsEngine> MakeWyvernEngine(
    const ModelDescription& description, const std::vector<Sample>& samples) {
  return std::make_unique<WyvernEngine>(description, samples);
}

}  // namespace wyvern::bench
